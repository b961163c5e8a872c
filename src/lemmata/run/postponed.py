"""Proofs of a property that nobody could check in time wait, while other engines look for one that is easier to check.

A check gets as much work as the engines had, and at least ``CERTIFY_PATIENCE_S``. Where that was not enough, other engines go
on for as long, then the check begins anew with twice the work, and so on: neither can hold up the other for good. When no
engine is left, one proof gets all the time that there is. (A proof that every solver gives up for good need not wait.)
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from lemmata.budgets import CERTIFY_PATIENCE_S
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe


@dataclass(frozen=True, slots=True)
class Candidate:
    """A verdict that is to be checked, and whose it is; ``is_new`` until it has waited."""

    verdict: Safe | Unsafe
    engine: str
    bound: int
    seconds: float
    is_new: bool = True


class PostponedProofs:
    """Those of one property; ``spent`` is always the work that its engines have done so far."""

    def __init__(self) -> None:
        self._proofs: deque[Candidate] = deque()
        self._patience = CERTIFY_PATIENCE_S
        self._due = 0.0

    def __bool__(self) -> bool:
        return bool(self._proofs)

    def patience(self, spent: float) -> float:
        """The work that a check may take, as long as there is something else to do."""
        return max(self._patience, spent)

    def postpone(self, proof: Candidate, spent: float) -> None:
        """The proof took too long to check."""
        self._due = spent + self.patience(spent)
        self._patience = 2 * self.patience(spent)
        self._proofs.append(replace(proof, is_new=False))

    def left(self, spent: float) -> float:
        """The work that other engines may do until the next proof is checked again."""
        return max(self._due - spent, 0.0)

    def take(self) -> Candidate:
        """The proof that waits longest."""
        return self._proofs.popleft()
