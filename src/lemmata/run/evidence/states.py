"""The states of a trace, and which of its inputs matter; for people, after the trace was replayed.

States follow from the first one and the inputs by simulation. Then the run is justified backwards: the bad state in the last
step, the constraints in every step, and the bits and variables of later steps that these need. A conjunction that is false
needs one argument that is false, a choice needs its condition and the branch that is taken, everything else needs all of its
arguments. What is not needed may have any value: the same states would be reached as far as they are needed. (The choice
of that one argument is greedy: the set is not the smallest one.)

A long run of a large circuit has its states only, or, beyond ``_STATE_BITS``, not even these: inputs are shown then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, Value, topological
from lemmata.models.aig import Aig, Lit
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from lemmata.models.trace import Trace
from lemmata.models.words import WordTrace
from lemmata.verdict import Evidence

_GATE_STEPS = 1 << 24  # gates or terms times steps that are simulated
_JUSTIFIED_STEPS = 1 << 22  # and so many that are justified
_STATE_BITS = 1 << 25  # latches or variables times steps that are kept


def with_states(model: Aig | Graph, trace: Evidence) -> Evidence:
    """The trace with what it leaves to be computed; derivations have their states."""
    match model, trace:
        case Aig(), Trace():
            work, kept = model.gates * len(trace.inputs), model.latches * len(trace.inputs)
            return trace if work > _GATE_STEPS or kept > _STATE_BITS else _circuit(model, trace)
        case Graph(), WordTrace() if (system := system_of(model)) is not None:
            return _words(system, trace)
    return trace


def _circuit(model: Aig, trace: Trace) -> Trace:
    is_justified = model.variables * len(trace.inputs) <= _JUSTIFIED_STEPS
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


def _words(system: System, trace: WordTrace) -> WordTrace:
    roots = [system.constraint, system.bads[trace.prop], *(system.nexts[v] for v in system.variables)]
    order = topological(roots)
    if len(order) * len(trace.inputs) > _GATE_STEPS or len(system.variables) * len(trace.inputs) > _STATE_BITS:
        return trace
    nexts = Program(roots[2:])
    state = dict(trace.initial)
    steps = []
    for line in trace.inputs:
        steps.append(state | dict(line))
        state = dict(zip(system.variables, nexts.run(steps[-1]), strict=True))
    states = tuple(tuple(values[v] for v, _ in trace.initial) for values in steps)
    if len(order) * len(trace.inputs) > _JUSTIFIED_STEPS:
        return replace(trace, states=states)
    program = Program(order)
    wanted = [system.bads[trace.prop]]
    needed: list[frozenset[Term]] = []
    for values in reversed(steps):
        truth = dict(zip(order, program.run(values), strict=True))
        leaves = justified_leaves([*wanted, system.constraint], truth)
        needed.append(frozenset(v for v in system.inputs if v in leaves))
        wanted = [system.nexts[v] for v in system.variables if v in leaves]
    return replace(trace, states=states, needed=tuple(reversed(needed)))


def justified_leaves(roots: Sequence[Term], values: dict[Term, Value]) -> set[Term]:
    """Variables whose values are enough for those of the roots; ``values`` has all terms below them."""
    marked: set[Term] = set()
    stack = list(roots)
    while stack:
        term = stack.pop()
        if term not in marked:
            marked.add(term)
            stack += _reasons(term, values, marked)
    return {term for term in marked if term.is_var}


def _reasons(term: Term, values: dict[Term, Value], marked: set[Term]) -> Sequence[Term]:
    """Arguments whose values are enough for that of the term."""
    args = term.args
    match term.op:
        case "ite":
            return args[0], args[1] if values[args[0]] else args[2]
        case "and" | "or" if values[term] is (term.op == "or"):
            return _one([a for a in args if values[a] is values[term]], marked)
        case "=>" if values[term] and len(args) == 2:
            enough = [a for a, is_reason in zip(args, (not values[args[0]], values[args[1]]), strict=True) if is_reason]
            return _one(enough, marked)
        case "bvand" | "bvmul" if values[term] == 0 and (zeros := [a for a in args if values[a] == 0]):
            return _one(zeros, marked)
        case "bvor" if isinstance(term.sort, BitVec) and values[term] == (ones := (1 << term.width) - 1):
            full = [a for a in args if values[a] == ones]
            return _one(full, marked) if full else args
    return args


def _one(candidates: list[Term], marked: set[Term]) -> Sequence[Term]:
    """One of them; none if one is justified anyway."""
    if any(candidate in marked for candidate in candidates):
        return ()
    return (min(candidates, key=lambda c: (not c.is_const, not c.is_var)),)
