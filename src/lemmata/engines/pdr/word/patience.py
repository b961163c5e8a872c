"""Patience: questions that need an answer, and questions that may stay open.

Bit-vector queries differ by orders of magnitude: that two sums with constant factors agree may take a SAT solver minutes. A
query that only serves a better lemma or a larger obligation is therefore asked with a limit on its effort, and "too hard" is
one more answer. How much a query is worth is its ``Patience``.

With our own solver a query goes to MiniSat first, and what is too hard for it to CaDiCaL, over the same bits; effort counts
propagations, so that runs can be repeated. Other solvers work alone and get a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from lemmata.budgets import WORD_QUESTION_S, WORD_QUICK_PROPAGATIONS, WORD_THOROUGH_PROPAGATIONS
from lemmata.errors import GaveUp
from lemmata.logic.terms import Term
from lemmata.solvers.blast_backend import Blast
from lemmata.solvers.smt import Sat, Smt, Unsat, open_solver
from lemmata.work import is_over, now


class Patience(Enum):
    """How long to wait for an answer."""

    QUICK = 1  # one of many attempts
    THOROUGH = 10  # much depends on it
    ENDLESS = 0  # the run cannot go on without


class PatientSolver:
    """A solver, or two that hold the same formulas."""

    def __init__(self, name: str) -> None:
        self._strong: Blast | None = None
        self._waiting: list[Term] = []
        self._solver: Smt = open_solver(name)

    def add(self, formula: Term) -> None:
        """Assert a Boolean term."""
        self._solver.add(formula)
        self._waiting.append(formula)

    def ask(
        self, assumptions: Sequence[Term], wanted: Sequence[Term], until: float | None, patience: Patience
    ) -> Sat | Unsat | None:
        """The answer, or ``None`` if it would take too long; past ``until`` raise ``GaveUp("timeout")``."""
        if not isinstance(self._solver, Blast):
            return self._timed(assumptions, wanted, until, patience)
        answer = _attempt(self._solver, assumptions, wanted, until, WORD_QUICK_PROPAGATIONS)
        if answer is not None or patience is Patience.QUICK:
            return answer
        if self._strong is None:
            self._strong = Blast(sat="cadical195", words=self._solver.words)
        for formula in self._waiting:
            self._strong.add(formula)
        self._waiting.clear()
        effort = WORD_THOROUGH_PROPAGATIONS if patience is Patience.THOROUGH else None
        return _attempt(self._strong, assumptions, wanted, until, effort)

    def _timed(
        self, assumptions: Sequence[Term], wanted: Sequence[Term], until: float | None, patience: Patience
    ) -> Sat | Unsat | None:
        soon = now() + WORD_QUESTION_S * patience.value if patience.value else until
        try:
            return self._solver.check(assumptions, wanted, soon if until is None or soon is None else min(soon, until))
        except GaveUp as gave_up:
            if gave_up.reason != "timeout" or patience is Patience.ENDLESS or (is_over(until)):
                raise
            return None


def _attempt(
    solver: Blast, assumptions: Sequence[Term], wanted: Sequence[Term], until: float | None, effort: int | None
) -> Sat | Unsat | None:
    try:
        return solver.check(assumptions, wanted, until, effort)
    except GaveUp as gave_up:
        if gave_up.reason != "effort":
            raise
        return None
