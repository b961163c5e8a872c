"""``Simulator``: the values of some literals of a circuit, computed bit by bit.

No solver and no encoding: this is what a replay rests on. It evaluates only the gates below the asked literals, in one tight
loop over two lists. Values are kept per literal (value and complement side by side), which saves the sign test per gate.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.cone import support
from lemmata.models.aig import Aig, Lit

PAIR = ((0, 1), (1, 0))  # a bit and its complement


class Simulator:
    """Evaluates ``roots`` of ``model`` again and again."""

    def __init__(self, model: Aig, roots: Sequence[Lit]) -> None:
        cone = support(model, roots)
        self._inputs, self._latches = cone.inputs, cone.latches
        leaves = [0, *(1 + p for p in cone.inputs), *(model.first_latch + p for p in cone.latches)]
        place = {var: 2 * at for at, var in enumerate([*leaves, *cone.gates])}
        first = model.first_gate
        self._gates = [
            (place[left >> 1] | left & 1, place[right >> 1] | right & 1)
            for left, right in ((model.lefts[var - first], model.rights[var - first]) for var in cone.gates)
        ]
        self._roots = [place[lit >> 1] | lit & 1 for lit in roots]

    def evaluate(self, inputs: Sequence[int], latches: Sequence[int]) -> list[int]:
        """The roots' values (0 or 1) under all inputs and all latches of the model."""
        values = [0, 1]
        for position in self._inputs:
            values += PAIR[inputs[position]]
        for position in self._latches:
            values += PAIR[latches[position]]
        for left, right in self._gates:
            values += PAIR[values[left] & values[right]]
        return [values[root] for root in self._roots]
