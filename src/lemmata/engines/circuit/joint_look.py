"""A look at all properties of a circuit at once: which fail after a few steps?

Random runs, side by side, meet what many inputs lead to, at the price of one simulation for all properties. Then bounded model
checking in lockstep: the circuit is unrolled once, and at each bound every open property is asked. A model that refutes one
often refutes others, too: they are settled without a question. All open properties are at the same bound, so the constraints up
to it are facts for all of them.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from math import inf

from lemmata.budgets import JOINT_LOOK_STEPS
from lemmata.engines.circuit.first_look import CONSTANT_TRUE, FlatUnrolling
from lemmata.engines.names import BMC
from lemmata.errors import GaveUp
from lemmata.models.aig import Aig
from lemmata.models.simulation import RandomRuns
from lemmata.models.trace import Trace
from lemmata.solvers.limited import SatModel
from lemmata.work import CLAUSE, is_over, tally

_RUNS = 240  # random ones, side by side


class JointLook:
    """Counterexamples of any of ``pending``, which others make smaller. Too hard questions end the search for a property."""

    name = BMC

    def __init__(self, model: Aig, pending: AbstractSet[int], max_bound: float = inf) -> None:
        self.bound = -1
        self._max_bound = max_bound
        self.is_over = False
        self._model = model
        self._pending = pending
        self._passed: set[int] = set()  # what failed, and what is too hard
        self._runs: RandomRuns | None = RandomRuns(model, _RUNS)
        self._unrolled = FlatUnrolling(model)
        self._asked: set[int] = set()  # at the next bound

    def search(self, until: float) -> dict[int, Trace]:
        """What fails, as soon as something does; nothing when it ``is_over``, ``GaveUp`` when the work until then is done."""
        while not self.is_over:
            if is_over(until):
                raise GaveUp("timeout")
            met = self._simulated() if self._runs is not None else self._deeper(until)
            if met:
                self._passed |= met.keys()
                return met
        return {}

    @property
    def _open(self) -> list[int]:
        return sorted(self._pending - self._passed)

    def _simulated(self) -> dict[int, Trace]:
        assert self._runs is not None
        questions = self._model.questions
        met = self._runs.step({prop: questions[prop] for prop in self._open})
        if self._runs.steps >= JOINT_LOOK_STEPS:
            self._runs = None
        return met

    def _deeper(self, until: float) -> dict[int, Trace]:
        """Those that fail at the next bound, as far as one question tells; none, and the bound goes up."""
        unrolled, k, left = self._unrolled, self.bound + 1, [prop for prop in self._open if prop not in self._asked]
        before = unrolled.work
        if not self._asked:
            for lit in self._model.constraints:
                unrolled.add((unrolled.at(lit, k),))
        for prop in left:
            bad = unrolled.at(self._model.questions[prop], k)
            tally[CLAUSE] += 3 * (unrolled.work - before) + 1
            before = unrolled.work
            if bad == -CONSTANT_TRUE:
                self._asked.add(prop)
                continue
            answer = unrolled.ask(bad, until)
            self._asked.add(prop)
            if isinstance(answer, SatModel):
                return self._all_met(k, answer)
            if answer is None:
                self._passed.add(prop)
            elif answer.failed:
                unrolled.add((-bad,))
            else:  # no run is so long
                self.is_over = True
                return {}
        self._asked.clear()
        self.bound = k
        self.is_over = k >= self._max_bound or not self._open
        return {}

    def _all_met(self, k: int, answer: SatModel) -> dict[int, Trace]:
        """The open properties that fail at the end of the run that was found, as far as their literals are known."""
        unrolled, questions = self._unrolled, self._model.questions
        met = [prop for prop in self._open if (lit := unrolled.known(questions[prop], k)) and answer.holds(lit)]
        return {prop: unrolled.trace(prop, k, answer) for prop in met}
