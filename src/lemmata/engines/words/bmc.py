"""Bounded model checking over words: is a bad state reachable in 0 steps, in 1 step, in 2 …? (Biere et al. 1999.)

Bound k asks ``I ∧ T^k ∧ C(0..k) ∧ bad(k)``: the constraints hold at every step, the last one included, and the last state needs
no successor. I and T are not asserted: the unrolling has put them into C and bad. Every bound is asked, in order, so the first
counterexample is a shortest one; a refuted bound leaves ``¬bad(k)`` behind as a fact. Memories stay arrays, so a memory of 2³²
words costs what its reads and writes cost. One solver serves all bounds: a new one for each got a third as deep.

Each property has a solver of its own: a constraint at step k is a fact for bounds from k on, and would cut off the shorter runs
of another property. BMC proves nothing: it ends without a counterexample only where no run is longer, or where all bounds
are alike because no variable matters: always ``incomplete``.
"""

from __future__ import annotations

from dataclasses import dataclass

from lemmata.engines.pulse import Pulse
from lemmata.engines.words.unroll import Unrolling, at_start
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, Listener
from lemmata.logic.build import negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.values import default_value
from lemmata.models.system import System, at
from lemmata.models.words import WordTrace
from lemmata.oracles.fallback import Relay
from lemmata.solvers.smt import Sat, Unsat
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import is_over


@dataclass(slots=True)
class _Hunt:
    """How far one property has been taken."""

    unrolling: Unrolling
    solver: Relay
    constrained: int = 0  # constraints are facts at steps below this
    bound: int = -1
    trace: WordTrace | None = None
    exhausted: bool = False  # no deeper bound can find more


class WordBmc:
    """Counterexamples, shortest first; built once per system and asked for several properties."""

    def __init__(self, system: System, listener: Listener = NOBODY, solver: str = "bitwuzla", name: str = "bmc") -> None:
        self.name = name
        self.bound = -1
        self._system = system
        self._listener = listener
        self._pulse = Pulse(listener)
        self._backend = solver
        self._hunts: dict[int, _Hunt] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A shortest counterexample of property ``prop``, or ``Unknown("incomplete")``."""
        while not self.is_exhausted(prop):
            trace = self.deepen(prop, until)
            if trace is not None:
                return Unsafe(trace)
        return Unknown("incomplete")

    def deepen(self, prop: int, until: float | None = None) -> WordTrace | None:
        """Ask the next bound: a counterexample of that length, or none and ``bound`` goes up."""
        hunt = self._hunt(prop)
        if hunt.trace is not None or hunt.exhausted:
            return hunt.trace
        answer = self._ask(hunt, until)
        if isinstance(answer, Sat):
            hunt.trace = self._trace(prop, hunt.bound + 1, answer)
            return hunt.trace
        hunt.bound += 1
        self.bound = hunt.bound
        hunt.exhausted = not answer.core or not hunt.unrolling.variables
        self._listener(BoundReached(self.name, hunt.bound))
        return None

    def is_exhausted(self, prop: int) -> bool:
        """Is it known that no deeper bound finds a counterexample?"""
        return self._hunt(prop).exhausted

    def _hunt(self, prop: int) -> _Hunt:
        if prop not in self._hunts:
            unrolling = Unrolling(self._system, (self._system.constraint, self._system.bads[prop]), initial=True)
            self._hunts[prop] = _Hunt(unrolling, Relay(self._backend))
        hunt = self._hunts[prop]
        self.bound = hunt.bound
        return hunt

    def _ask(self, hunt: _Hunt, until: float | None) -> Sat | Unsat:
        """``I ∧ T^k ∧ C(0..k) ∧ bad(k)``."""
        if is_over(until):
            raise GaveUp("timeout")
        k = hunt.bound + 1
        self._pulse.beat(self.name, hunt.bound, k + 1, hunt.solver.queries)
        constraint, bad = hunt.unrolling.roots(k)
        if hunt.constrained == k:
            hunt.solver.add(constraint)
            hunt.constrained += 1
        if bad is FALSE and constraint is not FALSE:
            return Unsat((bad,))
        answer = hunt.solver.check((bad,), hunt.unrolling.leaves(k), until)
        if isinstance(answer, Unsat):
            hunt.solver.add(negate(bad))
        return answer

    def _trace(self, prop: int, k: int, answer: Sat) -> WordTrace:
        system = self._system

        def value(variable: Term, step: int) -> object:
            leaf = at(variable, step)
            return answer.values[leaf] if leaf in answer.values else default_value(variable.sort)

        free = {at(v, 0): value(v, 0) for v in system.variables if system.starts[v] is None}
        start = at_start(system)
        values = evaluate([start[v] for v in system.variables], free)
        return WordTrace(
            prop,
            initial=tuple(zip(system.variables, values, strict=True)),
            inputs=tuple([tuple([(i, value(i, step)) for i in system.inputs]) for step in range(k + 1)]),
        )
