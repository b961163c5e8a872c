"""The states of a trace, and which of its inputs matter; for people, after the trace was replayed.

States follow from the first one and the inputs by simulation. Then the run is justified backwards: the bad state in the last
step, the constraints in every step, and the bits and variables of later steps that these need. A conjunction that is false
needs one argument that is false, a choice needs its condition and the branch that is taken, everything else needs all of its
arguments. What is not needed may have any value: the same states would be reached as far as they are needed. (The choice
of that one argument is greedy: the set is not the smallest one.)

A long run of a large circuit has its states only, or, beyond ``STATE_BITS``, not even these: inputs are shown then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lemmata.models.aig import Aig, Lit
from lemmata.models.trace import Trace
from lemmata.verdict import Evidence

if TYPE_CHECKING:
    from lemmata.models.graph import Graph

GATE_STEPS = 1 << 24  # gates or terms times steps that are simulated
JUSTIFIED_STEPS = 1 << 22  # and so many that are justified
STATE_BITS = 1 << 25  # latches or variables times steps that are kept


def with_states(model: Aig | Graph, trace: Evidence) -> Evidence:
    """The trace with what it leaves to be computed; derivations have their states."""
    if not isinstance(model, Aig):
        from lemmata.run.evidence.word_states import with_word_states

        return with_word_states(model, trace)
    if not isinstance(trace, Trace):
        return trace
    work, kept = model.gates * len(trace.inputs), model.latches * len(trace.inputs)
    return trace if work > GATE_STEPS or kept > STATE_BITS else _circuit(model, trace)


def _circuit(model: Aig, trace: Trace) -> Trace:
    is_justified = model.variables * len(trace.inputs) <= JUSTIFIED_STEPS
    states: list[bytes] = []
    values: list[bytearray] = []
    latches: Sequence[int] = trace.initial
    gates = list(zip(model.lefts, model.rights, strict=True))
    for inputs in trace.inputs:
        states.append(bytes(latches))
        bits = bytearray((0, *inputs, *latches))
        append = bits.append
        for left, right in gates:
            append((bits[left >> 1] ^ left & 1) & (bits[right >> 1] ^ right & 1))
        latches = [bits[lit >> 1] ^ lit & 1 for lit in model.nexts]
        if is_justified:
            values.append(bits)
    needed = _needed_bits(model, trace.prop, values) if is_justified else ()
    return replace(trace, states=tuple(states), needed=needed)


def _needed_bits(model: Aig, prop: int, values: Sequence[Sequence[int]]) -> tuple[bytes, ...]:
    """For every step and input: does the value matter?"""
    needed: list[bytes] = []
    wanted: list[Lit] = [model.questions[prop]]
    for step in range(len(values) - 1, -1, -1):
        marked = _justify(model, values[step], [*wanted, *model.constraints])
        latches = [p for p in range(model.latches) if model.first_latch + p in marked]
        if step == 0:  # reset functions look at the first inputs
            marked = _justify(model, values[0], [*wanted, *model.constraints, *(model.resets[p] for p in latches)])
        needed.append(bytes(1 + p in marked for p in range(model.inputs)))
        wanted = [model.nexts[p] for p in latches]
    return tuple(reversed(needed))


def _justify(model: Aig, values: Sequence[int], roots: Sequence[Lit]) -> set[int]:
    """Variables whose values are enough for those of the roots."""
    first = model.first_gate
    marked: set[int] = set()
    stack = [lit >> 1 for lit in roots]
    while stack:
        var = stack.pop()
        if var in marked:
            continue
        marked.add(var)
        if var < first:
            continue
        left, right = model.lefts[var - first], model.rights[var - first]
        if values[var]:
            stack += (left >> 1, right >> 1)
            continue
        false = [lit >> 1 for lit in (left, right) if not values[lit >> 1] ^ lit & 1]
        if not any(v in marked for v in false):
            stack.append(max(false, key=lambda v: (model.inputs < v < first, v)))  # rather a latch than an input
    return marked
