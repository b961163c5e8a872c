"""The states of a trace over words, and which of its inputs matter: ``run.evidence.states`` says how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, Value, topological
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.models.words import WordTrace
from lemmata.run.evidence.states import GATE_STEPS, JUSTIFIED_STEPS, STATE_BITS
from lemmata.verdict import Evidence


def with_word_states(graph: Graph, trace: Evidence) -> Evidence:
    """The trace of a system with its states; anything else as it is."""
    if not isinstance(trace, WordTrace) or (system := system_of(graph)) is None:
        return trace
    roots = [system.constraint, system.bads[trace.prop], *(system.nexts[v] for v in system.variables)]
    order = topological(roots)
    if len(order) * len(trace.inputs) > GATE_STEPS or len(system.variables) * len(trace.inputs) > STATE_BITS:
        return trace
    nexts = Program(roots[2:])
    state = dict(trace.initial)
    steps = []
    for line in trace.inputs:
        steps.append(state | dict(line))
        state = dict(zip(system.variables, nexts.run(steps[-1]), strict=True))
    states = tuple(tuple(values[v] for v, _ in trace.initial) for values in steps)
    if len(order) * len(trace.inputs) > JUSTIFIED_STEPS:
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
