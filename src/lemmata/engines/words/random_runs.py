"""A first look at a large system over words: a few runs with random inputs, before a single bit is made of it.

To blast a word costs fifty times as much as to evaluate it, and an error that many inputs lead to is met within a few steps.
Runs go side by side, a step at a time, so that a short error is found first; one that violates a constraint ends. Random
choices are the same every time. Whoever meets nothing knows nothing: BMC on bits comes next.
"""

from __future__ import annotations

import random

from lemmata.budgets import RANDOM_RUN_STEPS, RANDOM_RUNS
from lemmata.engines.names import BMC
from lemmata.errors import GaveUp
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value
from lemmata.models.system import System
from lemmata.models.words import WordTrace
from lemmata.values import dataclass
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import is_over

_Values = dict[Term, Value]


@dataclass(slots=True)
class _Run:
    initial: _Values
    state: _Values
    inputs: list[_Values]


class RandomWordRuns:
    """Runs of a system without arrays; each property is asked once."""

    name = BMC

    def __init__(self, system: System) -> None:
        self.bound = -1
        self._system = system
        self._chance = random.Random(0)
        self._program = Program([system.constraint, *system.bads, *[system.nexts[v] for v in system.variables]])

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A counterexample, if one is met; else ``Unknown("incomplete")``."""
        runs = [self._begun() for _ in range(RANDOM_RUNS)]
        for _ in range(RANDOM_RUN_STEPS):
            if is_over(until):
                raise GaveUp("timeout")
            alive = []
            for run in runs:
                run.inputs.append({i: self._any(i) for i in self._system.inputs})
                holds, *values = self._program.run(run.state | run.inputs[-1])
                if holds and values[prop]:
                    return Unsafe(self._trace(prop, run))
                run.state = dict(zip(self._system.variables, values[len(self._system.bads) :], strict=True))
                alive += [run] if holds else []
            runs = alive
        return Unknown("incomplete")

    def _begun(self) -> _Run:
        system = self._system
        free = {v: self._any(v) for v in system.variables if system.starts[v] is None}
        starts = [v if (start := system.starts[v]) is None else start for v in system.variables]
        state = dict(zip(system.variables, evaluate(starts, free), strict=True))
        return _Run(state, state, [])

    def _any(self, variable: Term) -> Value:
        return self._chance.random() < 0.5 if variable.sort is BOOL else self._chance.getrandbits(variable.width)

    def _trace(self, prop: int, run: _Run) -> WordTrace:
        return WordTrace(prop, tuple(run.initial.items()), tuple([tuple(line.items()) for line in run.inputs]))
