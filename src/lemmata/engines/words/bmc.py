"""Bounded model checking over words: how one bound is asked (``engines/bounded.py`` has the search).

Bound k asks ``I ∧ T^k ∧ C(0..k) ∧ bad(k)``: the constraints hold at every step, the last one included, and the last state needs
no successor. I and T are not asserted: the unrolling has put them into C and bad. A refuted bound leaves ``¬bad(k)`` behind as
a fact. Memories stay arrays, so a memory of 2³² words costs what its reads and writes cost. One solver serves all bounds: a new
one for each got a third as deep.

Each property has a solver of its own: a constraint at step k is a fact for bounds from k on, and would cut off the shorter runs
of another property.
"""

from __future__ import annotations

from functools import partial

from lemmata.engines.bounded import BoundedSearch, Breathe
from lemmata.engines.names import BMC
from lemmata.engines.words.unroll import Unrolling, at_start
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.values import default_value
from lemmata.models.system import System, at
from lemmata.models.words import WordTrace
from lemmata.oracles.fallback import FallbackSolver
from lemmata.solvers.smt import Sat, Unsat
from lemmata.work import is_over


class WordBmc(BoundedSearch[WordTrace]):
    """BMC on one system."""

    def __init__(self, system: System, listener: Listener = NOBODY, solver: str = "bitwuzla", name: str = BMC) -> None:
        super().__init__(name, listener, partial(_UnrolledProperty, system, solver))


class _UnrolledProperty:
    """How far one property has been taken."""

    def __init__(self, system: System, backend: str, prop: int) -> None:
        self.bound = -1
        self.exhausted = False
        self._system = system
        self._prop = prop
        self._unrolling = Unrolling(system, (system.constraint, system.bads[prop]), initial=True)
        self._solver = FallbackSolver(backend)
        self._constrained = 0  # constraints are facts at steps below this

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def deepen(self, until: float | None, breathe: Breathe) -> WordTrace | None:
        """Ask the next bound."""
        answer = self._ask(self.bound + 1, until)
        if isinstance(answer, Sat):
            return self._trace(self.bound + 1, answer)
        self.bound += 1
        self.exhausted = not answer.core or not self._unrolling.variables
        return None

    def _ask(self, k: int, until: float | None) -> Sat | Unsat:
        """``I ∧ T^k ∧ C(0..k) ∧ bad(k)``."""
        if is_over(until):
            raise GaveUp("timeout")
        constraint, bad = self._unrolling.roots(k)
        if self._constrained == k:
            self._solver.add(constraint)
            self._constrained += 1
        if bad is FALSE and constraint is not FALSE:
            return Unsat((bad,))
        answer = self._solver.check((bad,), self._unrolling.leaves(k), until)
        if isinstance(answer, Unsat):
            self._solver.add(negate(bad))
        return answer

    def _trace(self, k: int, answer: Sat) -> WordTrace:
        system = self._system

        def value(variable: Term, step: int) -> object:
            leaf = at(variable, step)
            return answer.values[leaf] if leaf in answer.values else default_value(variable.sort)

        free = {at(v, 0): value(v, 0) for v in system.variables if system.starts[v] is None}
        start = at_start(system)
        values = evaluate([start[v] for v in system.variables], free)
        return WordTrace(
            self._prop,
            initial=tuple(zip(system.variables, values, strict=True)),
            inputs=tuple([tuple([(i, value(i, step)) for i in system.inputs]) for step in range(k + 1)]),
        )
