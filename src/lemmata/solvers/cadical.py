"""``Cadical``: CaDiCaL 1.9.5 for few and hard questions, with a deadline that holds inside a question.

An answer is a value: a ``Model`` or a ``Core``. Where a deadline or a listener waits, the solver works in slices of conflicts
whose number follows the clock, so that it comes up for air a few times per second and can be interrupted there; what it learnt
in a slice it keeps for the next. Its "lucky" tricks are off: they walk over all clauses in every slice and never paid here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pysolvers

from lemmata.errors import GaveUp

_SLICE_S = 0.4
_FIRST_SLICE = 1_000  # conflicts


@dataclass(frozen=True, slots=True)
class Model:
    """An assignment: ``values[v-1]`` is +v or -v."""

    values: list[int]

    def holds(self, lit: int) -> bool:
        """Is ``lit`` true? Variables that the solver has never seen are false."""
        var = abs(lit)
        value = self.values[var - 1] if var <= len(self.values) else -var
        return (value > 0) == (lit > 0)


@dataclass(frozen=True, slots=True)
class Core:
    """Assumptions that cannot hold together; none if the clauses alone are contradictory."""

    failed: tuple[int, ...]


def _nothing() -> None:
    pass


class Cadical:
    """One incremental solver over DIMACS literals; the caller numbers the variables, gaps are allowed."""

    __slots__ = ("_budget", "_handle", "queries")

    def __init__(self, seed: int = 0) -> None:
        self._handle = pysolvers.cadical195_new()
        pysolvers.cadical195_set(self._handle, "lucky", 0)
        pysolvers.cadical195_set(self._handle, "seed", seed)
        self._budget = _FIRST_SLICE
        self.queries = 0

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            pysolvers.cadical195_del(self._handle, None)

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause (not empty) for ever."""
        pysolvers.cadical195_add_cl(self._handle, clause)

    def solve(
        self, assumptions: Sequence[int], until: float | None = None, breathe: Callable[[], None] = _nothing
    ) -> Model | Core:
        """Settle the clauses under ``assumptions``; call ``breathe`` after each slice; past ``until`` raise ``GaveUp``."""
        self.queries += 1
        answer = 0
        while not answer:
            if until is not None and time.monotonic() > until:
                raise GaveUp("timeout")
            answer = self._slice(assumptions)
            breathe()
        return self._answer(answer, assumptions)

    def attempt(self, assumptions: Sequence[int], conflicts: int) -> Model | Core | None:
        """The same within so many conflicts; ``None`` if they do not suffice."""
        self.queries += 1
        pysolvers.cadical195_cbudget(self._handle, conflicts)
        answer: int = pysolvers.cadical195_solve_lim(self._handle, assumptions, 0)
        return self._answer(answer, assumptions) if answer else None

    def _answer(self, answer: int, assumptions: Sequence[int]) -> Model | Core:
        if answer > 0:
            return Model(pysolvers.cadical195_model(self._handle) or [])
        return Core(tuple(pysolvers.cadical195_core(self._handle, list(assumptions)) or ()))

    def _slice(self, assumptions: Sequence[int]) -> int:
        pysolvers.cadical195_cbudget(self._handle, self._budget)
        start = time.monotonic()
        answer: int = pysolvers.cadical195_solve_lim(self._handle, assumptions, 0)
        if not answer:
            spent = max(time.monotonic() - start, _SLICE_S / 8)
            self._budget = max(100, int(self._budget * _SLICE_S / spent))
        return answer
