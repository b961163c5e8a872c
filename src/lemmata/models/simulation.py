"""Many runs of a circuit side by side: bit p of every value belongs to run p (bit-parallel simulation)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from lemmata.models.aig import Aig, Lit
from lemmata.models.trace import Trace
from lemmata.work import GATE, tally


def simulate(model: Aig, inputs: Sequence[int], state: Sequence[int], everywhere: int) -> list[int]:
    """The values of all variables in one step; ``everywhere`` has the bits of all runs."""
    values = [0, *inputs, *state]
    append = values.append
    tally[GATE] += model.gates
    for left, right in zip(model.lefts, model.rights, strict=True):
        a, b = values[left >> 1], values[right >> 1]
        if left & 1:
            a ^= everywhere
        if right & 1:
            b ^= everywhere
        append(a & b)
    return values


class RandomRuns:
    """Runs from initial states with random inputs, one step at a time."""

    def __init__(self, model: Aig, count: int, seed: int = 0) -> None:
        self._model = model
        self._count = count
        self._everywhere = (1 << count) - 1
        self._chance = random.Random(seed)
        self._state = [self._everywhere * reset if reset <= 1 else self._chance.getrandbits(count) for reset in model.resets]
        self._initial = self._state
        self._inputs: list[list[int]] = []
        self._alive = self._everywhere  # runs that have kept the constraints
        is_plain = all(reset <= 1 or reset == model.latch_lit(i) for i, reset in enumerate(model.resets))
        self._is_over = not is_plain  # where a latch starts as a function of others, these are no initial states

    @property
    def steps(self) -> int:
        """How many there were."""
        return len(self._inputs)

    def step(self, bads: Mapping[int, Lit]) -> dict[int, Trace]:
        """One more step of every run; by property, one in which its bad literal holds then."""
        inputs = [self._chance.getrandbits(self._count) for _ in range(self._model.inputs)]
        self._inputs.append(inputs)
        if self._is_over:
            return {}
        values = simulate(self._model, inputs, self._state, self._everywhere)

        def of(lit: Lit) -> int:
            return values[lit >> 1] ^ (self._everywhere if lit & 1 else 0)

        for constraint in self._model.constraints:
            self._alive &= of(constraint)
        hits = {prop: runs for prop, bad in bads.items() if (runs := of(bad) & self._alive)}
        self._state = [of(lit) for lit in self._model.nexts]
        self._is_over = not self._alive
        return {prop: self._trace(prop, runs.bit_length() - 1) for prop, runs in hits.items()}

    def _trace(self, prop: int, run: int) -> Trace:
        model = self._model
        return Trace(
            prop,
            initial=tuple([value >> run & 1 for value in self._initial]),
            inputs=tuple([tuple([value >> run & 1 for value in line]) for line in self._inputs]),
            latch_names=tuple([model.latch_name(i) for i in range(model.latches)]),
            input_names=tuple([model.input_name(i) for i in range(model.inputs)]),
        )
