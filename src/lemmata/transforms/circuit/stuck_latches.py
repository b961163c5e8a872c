"""Latches that never leave their reset value, found by ternary simulation.

Start with the reset values (X where a latch is free or has a reset function), simulate with X at every input, join the new
state with the old one, and repeat until nothing changes. What is still 0 or 1 is stuck: together these facts are inductive,
because the last simulation step shows it. Constraints are ignored, which only loses some facts. A latch whose next state is
its own value and that cannot move is found too. Simulation is event driven: only readers of a changed variable are redone.
"""

from __future__ import annotations

from lemmata.models.aig import Aig
from lemmata.transforms import Chain
from lemmata.transforms.circuit import CircuitReduction
from lemmata.transforms.circuit.rebuild import rebuild
from lemmata.work import GATE, tally

_X = 2
_NOT = (1, 0, _X)


def drop_stuck_latches(model: Aig) -> CircuitReduction:
    """Replace stuck latches by their value."""
    values = stuck_values(model)
    if not values:
        return CircuitReduction(model, Chain())
    facts = [(model.latch_lit(i) | value,) for i, value in values.items()]
    return rebuild(model, replacement=values, facts=facts)


def stuck_values(model: Aig) -> dict[int, int]:
    """Stuck latches by position, with their value."""
    values = _simulate_once(model)
    tally[GATE] += 4 * model.gates
    first, gate0 = model.first_latch, model.first_gate
    readers: dict[int, list[int]] = {}
    for gate, (left, right) in enumerate(zip(model.lefts, model.rights, strict=True)):
        readers.setdefault(left >> 1, []).append(gate0 + gate)
        readers.setdefault(right >> 1, []).append(gate0 + gate)
    fed: dict[int, list[int]] = {}
    for position, lit in enumerate(model.nexts):
        fed.setdefault(lit >> 1, []).append(first + position)

    def read(lit: int) -> int:
        value = values[lit >> 1]
        return _NOT[value] if lit & 1 else value

    changed = [first + i for i, lit in enumerate(model.nexts) if values[first + i] != _X and read(lit) != values[first + i]]
    for latch in changed:
        values[latch] = _X
    while changed:
        variable = changed.pop()
        for latch in fed.get(variable, ()):
            if values[latch] != _X and read(model.nexts[latch - first]) != values[latch]:
                values[latch] = _X
                changed.append(latch)
        for gate in readers.get(variable, ()):
            if values[gate] != _X:
                a, b = read(model.lefts[gate - gate0]), read(model.rights[gate - gate0])
                if a and b and _X in (a, b):
                    values[gate] = _X
                    changed.append(gate)
    return {i: values[first + i] for i in range(model.latches) if values[first + i] != _X}


def _simulate_once(model: Aig) -> list[int]:
    """Every variable's value in the initial state."""
    values = [0] + [_X] * model.inputs + [reset if reset <= 1 else _X for reset in model.resets]
    for left, right in zip(model.lefts, model.rights, strict=True):
        a, b = values[left >> 1], values[right >> 1]
        if left & 1:
            a = _NOT[a]
        if right & 1:
            b = _NOT[b]
        values.append(0 if not a or not b else 1 if a == 1 and b == 1 else _X)
    return values
