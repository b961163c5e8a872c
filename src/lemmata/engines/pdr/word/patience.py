"""Patience: questions that need an answer, and questions that may stay open.

Bit-vector queries differ by orders of magnitude: that two sums with constant factors agree may take a SAT solver minutes. A
query that only serves a better lemma or a larger obligation is therefore asked with a limit on its effort, and "too hard" is
one more answer. With our own solver the limit counts propagations, so that runs can be repeated; other solvers get a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from lemmata.errors import GaveUp
from lemmata.logic.terms import Term
from lemmata.solvers.blast_backend import Blast
from lemmata.solvers.smt import Sat, Smt, Unsat

EFFORT = 400_000  # propagations
_SECONDS = 0.3


def attempt(solver: Smt, assumptions: Sequence[Term], wanted: Sequence[Term], until: float | None) -> Sat | Unsat | None:
    """The answer, or ``None`` if it would take too long; past ``until`` raise ``GaveUp("timeout")``."""
    try:
        if isinstance(solver, Blast):
            return solver.check(assumptions, wanted, until, EFFORT)
        soon = monotonic() + _SECONDS
        return solver.check(assumptions, wanted, soon if until is None else min(soon, until))
    except GaveUp as gave_up:
        if gave_up.reason == "timeout" and until is not None and monotonic() >= until:
            raise
        return None
