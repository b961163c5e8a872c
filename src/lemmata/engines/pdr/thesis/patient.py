"""A solver that knows one formula and is asked about many others, and is replaced where it does not get on.

What was assumed stays in a solver as dead weight, so after many questions it is built anew. A question that is hard for the
first solver, or that it has no words for, goes to z3, and so do the later ones.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from lemmata.engines.words.relay import Relay
from lemmata.errors import GaveUp
from lemmata.logic.terms import Term
from lemmata.solvers.smt import Sat, Unsat

_RENEW = 3000  # assumed terms after which a solver is built anew
_HARD = 1.5  # seconds after which a question goes to another solver
_SECOND = "z3"


class Patient:
    """Questions ``known ∧ ⋀ assumed``."""

    def __init__(self, solver: str, known: Term) -> None:
        self._name = solver
        self._known = known
        self._relay: Relay | None = None
        self._assumed: set[Term] = set()

    def check(self, assumed: Sequence[Term], wanted: Sequence[Term], until: float | None) -> Sat | Unsat:
        """As ``Smt.check``."""
        if self._name != _SECOND:
            end = time.monotonic() + _HARD
            if until is not None and until <= end:
                return self._solver(assumed).check(assumed, wanted, until)
            try:
                return self._solver(assumed).check(assumed, wanted, end)
            except GaveUp as gave_up:
                if gave_up.reason != "timeout":
                    raise
            self._name, self._relay = _SECOND, None
        return self._solver(assumed).check(assumed, wanted, until)

    def _solver(self, assumed: Sequence[Term]) -> Relay:
        if self._relay is None or len(self._assumed) > _RENEW:
            self._assumed.clear()
            self._relay = Relay(self._name)
            self._relay.add(self._known)
        self._assumed.update(assumed)
        return self._relay
