"""Reset functions: a latch may start as the value of any literal, as long as no latch's start depends on itself.

A latch that starts as 0, 1 or free (its own literal) depends on nothing. Every other one depends on its reset literal, a gate
on what it reads, an input on nothing. The dependencies must be acyclic, or the initial states would be undefined.
"""

from __future__ import annotations

from lemmata.models.aig import Aig

_NEW, _OPEN, _DONE = 0, 1, 2


def reset_cycle(model: Aig) -> int | None:
    """The position of a latch whose reset depends on itself, or None."""
    state = bytearray(model.variables)
    for position, reset in enumerate(model.resets):
        if reset > 1 and reset != model.latch_lit(position):
            found = _search(model, model.first_latch + position, state)
            if found is not None:
                return found
    return None


def _search(model: Aig, root: int, state: bytearray) -> int | None:
    stack = [root]
    while stack:
        variable = stack[-1]
        if state[variable] != _NEW:
            state[variable] = _DONE
            stack.pop()
            continue
        state[variable] = _OPEN
        for child in _reads(model, variable):
            if state[child] == _OPEN:
                return _latch_on_cycle(model, child, stack, state)
            if state[child] == _NEW:
                stack.append(child)
    return None


def _reads(model: Aig, variable: int) -> tuple[int, ...]:
    gate = variable - model.first_gate
    if gate >= 0:
        return model.lefts[gate] >> 1, model.rights[gate] >> 1
    position = variable - model.first_latch
    if position < 0:
        return ()
    reset = model.resets[position]
    return () if reset < 2 or reset == 2 * variable else (reset >> 1,)


def _latch_on_cycle(model: Aig, child: int, stack: list[int], state: bytearray) -> int:
    """Gates alone are acyclic, so a cycle meets a latch: the last open one on the stack from ``child`` on."""
    on_cycle = [variable for variable in stack[stack.index(child) :] if state[variable] == _OPEN]
    return next(v for v in reversed(on_cycle) if v < model.first_gate) - model.first_latch
