"""A first look at a large circuit as it was read: is there an error a few steps away?

Bounded model checking (Biere, Cimatti, Clarke, Zhu 1999) at the least price per gate. Nothing is grouped, hashed or sorted
beforehand: the gates that a bound needs are found from the bad literal downwards, constants from the resets run through them,
and each of the others becomes three clauses at once. One number per variable and step says which literal of the solver it is,
so a million gates take a few megabytes beside the solver. Before a step is unrolled, random runs take it side by side, at a
fraction of the price: an error that many inputs lead to may still be hard for a SAT solver in a large circuit. It ends after a
few gates per gate of the circuit, and then knows nothing: reductions, ``bmc`` and ``pdr`` come afterwards.
"""

from __future__ import annotations

from array import array

from lemmata.budgets import (
    FIRST_LOOK_GATES_PER_GATE,
    FIRST_LOOK_PROPAGATIONS,
    FIRST_LOOK_PROPAGATIONS_PER_VARIABLE,
    FIRST_LOOK_STEPS,
)
from lemmata.engines.names import BMC
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, Listener
from lemmata.models.aig import Aig, Lit
from lemmata.models.simulation import RandomRuns
from lemmata.models.trace import Trace
from lemmata.solvers.limited import Core, Minisat, SatModel
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import CLAUSE, is_over, tally

CONSTANT_TRUE = 1  # the solver's literal that always holds
_RUNS = 60  # random ones: as many as there are bits in a small number
_RUNS_PER_UNROLLING = 16  # times: a gate of random runs, compared to one that is unrolled


class FirstLook:
    """Counterexamples of very few steps."""

    name = BMC

    def __init__(self, model: Aig, listener: Listener = NOBODY) -> None:
        self.bound = -1
        self._model = model
        self._listener = listener
        self._left = FIRST_LOOK_GATES_PER_GATE * model.gates
        self._unrolled: tuple[int, FlatUnrolling, RandomRuns] | None = None  # of the property that was asked last

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A shortest counterexample, if it is found soon; else ``Unknown("incomplete")``."""
        if self._unrolled is None or self._unrolled[0] != prop:
            self.bound = -1
            self._unrolled = prop, FlatUnrolling(self._model), RandomRuns(self._model, _RUNS)
        _, unrolled, runs = self._unrolled
        while self._left > 0 and self.bound < FIRST_LOOK_STEPS:
            if is_over(until):
                raise GaveUp("timeout")
            before, k = unrolled.work - self._model.gates // _RUNS_PER_UNROLLING, self.bound + 1
            if runs.steps <= k and (met := runs.step({prop: self._model.questions[prop]})):
                return Unsafe(met[prop])
            for lit in self._model.constraints:
                unrolled.add((unrolled.at(lit, k),))
            bad = unrolled.at(self._model.questions[prop], k)
            self._left -= unrolled.work - before + 1
            tally[CLAUSE] += 3 * (unrolled.work - before) + 1
            if bad != -CONSTANT_TRUE:
                answer = unrolled.ask(bad, until)
                if isinstance(answer, SatModel):
                    return Unsafe(unrolled.trace(prop, k, answer))
                if answer is None or not answer.failed:
                    break
                unrolled.add((-bad,))
            self.bound = k
            self._listener(BoundReached(self.name, k))
        self._unrolled = None
        return Unknown("incomplete")


class FlatUnrolling:
    """The literals of a circuit at each step, from its initial states; ``work`` is how many gates were looked at."""

    def __init__(self, model: Aig) -> None:
        self.work = 0
        self._model = model
        self._solver = Minisat()
        self.add = self._solver.add
        self._variables = CONSTANT_TRUE
        self._lits = array("i")  # by step and variable; 0: not known yet
        self.add((CONSTANT_TRUE,))
        self._steps = 0
        for position, reset in enumerate(model.resets):
            if reset > 1 and reset != model.latch_lit(position):  # a trace tells where every latch starts
                self.at(model.latch_lit(position), 0)

    def ask(self, lit: int, until: float | None) -> SatModel | Core | None:
        """``I ∧ T^k ∧ C(0..k) ∧ lit``: a ``SatModel``, a ``Core``, or ``None`` if that is too hard."""
        most = max(FIRST_LOOK_PROPAGATIONS, FIRST_LOOK_PROPAGATIONS_PER_VARIABLE * self._variables)
        return self._solver.attempt((lit,), most, until)

    def at(self, lit: Lit, step: int) -> int:
        """The solver's literal for ``lit`` after ``step`` steps."""
        model, size = self._model, self._model.variables
        while self._steps <= step:
            self._lits.extend(array("i", bytes(4 * size)))
            self._lits[self._steps * size] = -CONSTANT_TRUE
            self._steps += 1
        lits, first_latch, first_gate = self._lits, model.first_latch, model.first_gate
        lefts, rights = model.lefts, model.rights
        stack = [step * size + (lit >> 1)]
        while stack:
            code = stack[-1]
            if lits[code]:
                stack.pop()
                continue
            variable = code % size
            if variable >= first_gate:
                left, right = lefts[variable - first_gate], rights[variable - first_gate]
                base = code - variable
                a, b = lits[base + (left >> 1)], lits[base + (right >> 1)]
                if a and b:
                    stack.pop()
                    lits[code] = self._conjoin(-a if left & 1 else a, -b if right & 1 else b)
                else:
                    if not a:
                        stack.append(base + (left >> 1))
                    if not b:
                        stack.append(base + (right >> 1))
            elif variable >= first_latch:
                self._latch(code, variable - first_latch, stack)
            else:
                lits[code] = self._fresh()
        found = lits[step * size + (lit >> 1)]
        return -found if lit & 1 else found

    def known(self, lit: Lit, step: int) -> int:
        """The solver's literal for ``lit``, if somebody has asked for it; else 0."""
        found = self._lits[step * self._model.variables + (lit >> 1)]
        return -found if lit & 1 else found

    def _latch(self, code: int, position: int, stack: list[int]) -> None:
        """A latch is what its next-state function was a step before, or its reset."""
        model, size, lits = self._model, self._model.variables, self._lits
        step = code // size
        source = model.nexts[position] if step else model.resets[position]
        before = (step - 1) * size + (source >> 1) if step else source >> 1
        if not step and source == model.latch_lit(position):
            lits[code] = self._fresh()
        elif lits[before]:
            lits[code] = -lits[before] if source & 1 else lits[before]
        else:
            stack.append(before)

    def _fresh(self) -> int:
        self._variables += 1
        return self._variables

    def _conjoin(self, a: int, b: int) -> int:
        self.work += 1
        if -CONSTANT_TRUE in (a, b) or a == -b:
            return -CONSTANT_TRUE
        if a in (CONSTANT_TRUE, b):
            return b
        if b == CONSTANT_TRUE:
            return a
        self._variables += 1
        gate, add = self._variables, self.add
        add((-gate, a))
        add((-gate, b))
        add((gate, -a, -b))
        return gate

    def trace(self, prop: int, k: int, values: SatModel) -> Trace:
        """The run of a model; what the question did not need is 0, or as the reset says."""
        model, size, lits = self._model, self._model.variables, self._lits

        def bit(code: int) -> int:
            return int(lits[code] != 0 and values.holds(lits[code]))

        starts = [(model.first_latch + position, reset) for position, reset in enumerate(model.resets)]
        return Trace(
            prop,
            initial=tuple([bit(variable) if lits[variable] else int(reset == 1) for variable, reset in starts]),
            inputs=tuple([tuple([bit(t * size + 1 + i) for i in range(model.inputs)]) for t in range(k + 1)]),
            latch_names=tuple([model.latch_name(i) for i in range(model.latches)]),
            input_names=tuple([model.input_name(i) for i in range(model.inputs)]),
        )
