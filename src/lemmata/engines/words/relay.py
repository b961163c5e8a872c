"""``Relay``: a solver that is replaced by Z3 when it cannot answer; for BMC and k-induction, on words and on graphs.

Bitwuzla is the fastest on unrolled designs but may answer *unknown* where arrays are compared and one of them is constant. Z3
then goes on with the same facts, for good: what made the first give up does not go away. A time-out is no reason to change.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.errors import GaveUp
from lemmata.logic.terms import Term
from lemmata.solvers.smt import Inexpressible, Sat, Unsat, open_solver

_SECOND = "z3"


class Relay:
    """An incremental solver without scopes."""

    def __init__(self, first: str) -> None:
        self.queries = 0
        self._solver = open_solver(first)
        self._facts: list[Term] = []
        self._is_last = first == _SECOND

    def add(self, fact: Term) -> None:
        """Assert a formula."""
        self._facts.append(fact)
        try:
            self._solver.add(fact)
        except Inexpressible:
            if self._is_last:
                raise
            self._hand_over()

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        """As ``Smt.check``; ``GaveUp("incomplete")`` only if the second solver cannot answer either."""
        self.queries += 1
        try:
            return self._solver.check(assumptions, wanted, until)
        except GaveUp as gave_up:
            if self._is_last or gave_up.reason != "incomplete":
                raise
        self._hand_over()
        return self._solver.check(assumptions, wanted, until)

    def _hand_over(self) -> None:
        self._solver = open_solver(_SECOND)
        self._is_last = True
        for fact in self._facts:
            self._solver.add(fact)
