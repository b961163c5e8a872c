"""Ground truth for tiny circuits: every state and every input, one after the other.

Written from the AIGER 1.9 text and nothing else, so that it shares no code with the engines and the checkers. A run begins in a
state that agrees with the resets under the inputs of step 0; the constraints hold at each of its steps; it is bad if the bad
literal holds at its last step, which needs no successor.
"""

from __future__ import annotations

from itertools import product

from lemmata.models.aig import Aig

State = tuple[int, ...]


def shortest_depths(model: Aig) -> list[int | None]:
    """For each property the number of transitions of a shortest counterexample, or None if it is safe."""
    bads = [prop.bad for prop in model.properties()]
    depths: list[int | None] = [None] * len(bads)
    moves = initial_moves(model)
    visited: set[State] = set()
    depth = 0
    while moves:
        successors = set()
        for state, inputs in moves:
            value = evaluate(model, state, inputs)
            if not all(_holds(value, lit) for lit in model.constraints):
                continue
            for index, bad in enumerate(bads):
                if depths[index] is None and _holds(value, bad):
                    depths[index] = depth
            successors.add(tuple(_holds(value, lit) for lit in model.nexts))
        fresh = sorted(successors - visited)
        visited.update(fresh)
        moves = [(state, inputs) for state in fresh for inputs in _words(model.inputs)]
        depth += 1
    return depths


def initial_moves(model: Aig) -> list[tuple[State, State]]:
    """Every initial state with the inputs of step 0 under which it is initial."""
    return [
        (state, inputs)
        for state in _words(model.latches)
        for inputs in _words(model.inputs)
        if all(_holds(evaluate(model, state, inputs), reset) == bit for reset, bit in zip(model.resets, state, strict=True))
    ]


def evaluate(model: Aig, state: State, inputs: State) -> list[int]:
    """The value of every variable."""
    value = [0, *inputs, *state]
    for left, right in zip(model.lefts, model.rights, strict=True):
        value.append(_holds(value, left) & _holds(value, right))
    return value


def _holds(value: list[int], lit: int) -> int:
    return value[lit >> 1] ^ (lit & 1)


def _words(width: int) -> list[State]:
    return list(product((0, 1), repeat=width))
