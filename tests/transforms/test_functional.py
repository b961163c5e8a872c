"""Relations become functions: the system has the steps of the graph, and its evidence comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.system import System, system_of
from lemmata.models.trace import Trace
from lemmata.transforms.system.blast import blast
from lemmata.transforms.system.functional import functional
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import in_time
from tests.support.random_relations import INPUTS, NEXTS, STATES, Maker

State = tuple[Value, ...]


def values(sort: object) -> Sequence[Value]:
    return (False, True) if sort is BOOL else range(4)


def points(leaves: Sequence[Term]) -> Iterator[dict[Term, Value]]:
    for point in product(*(values(v.sort) for v in leaves)):
        yield dict(zip(leaves, point, strict=True))


def steps(graph: Graph) -> dict[State, set[State]]:
    """All steps that change something, by trying everything."""
    found: dict[State, set[State]] = {}
    guard = Program([graph.edges[1].guard])
    for point in points((*STATES, *NEXTS, *INPUTS)):
        before, after = tuple(point[v] for v in STATES), tuple(point[v] for v in NEXTS)
        successors = found.setdefault(before, set())
        if before != after and guard.run(point)[0]:
            successors.add(after)
    return found


def system_steps(system: System) -> dict[State, set[State]]:
    found: dict[State, set[State]] = {}
    program = Program([system.nexts[v] for v in STATES])
    for point in points((*STATES, *system.inputs)):
        before = tuple(point[v] for v in STATES)
        after = tuple(program.run(point))
        found.setdefault(before, set()).update({after} - {before})
    return found


def is_safe(graph: Graph) -> bool:
    moves = steps(graph)
    init, bad = Program([graph.edges[0].guard]), Program([graph.edges[2].guard])
    reached = {tuple(p.values()) for p in points(STATES) if init.run(p)[0]}
    waiting = list(reached)
    while waiting:
        new = moves[waiting.pop()] - reached
        reached |= new
        waiting += new
    return not any(bad.run(p)[0] for p in points((*STATES, *INPUTS)) if tuple(p[v] for v in STATES) in reached)


@pytest.mark.parametrize("block", range(8))
def test_the_system_has_the_steps_of_the_relation(block: int) -> None:
    compared = 0
    for seed in range(25 * block, 25 * block + 25):
        graph = Maker(seed).graph()
        reduction = functional(graph)
        assert reduction is not None
        system = system_of(reduction.graph)
        assert system is not None
        if sum(1 if v.sort is BOOL else 2 for v in system.inputs) <= 8:
            assert system_steps(system) == steps(graph), (seed, graph.edges[1].guard)
            compared += 1
    assert compared > 15


@pytest.mark.parametrize("block", range(4))
def test_evidence_about_the_system_comes_back(block: int) -> None:
    words = set()
    for seed in range(1000 + 30 * block, 1030 + 30 * block):
        graph = Maker(seed).graph()
        reduction = functional(graph)
        assert reduction is not None
        blasted = blast(reduction.graph)
        verdict = Pdr(blasted.aig).check(0, in_time())
        match verdict:
            case Safe(Invariant() as proof):
                verdict = Safe(reduction.back.invariant(blasted.invariant(proof)))
            case Unsafe(Trace() as trace):
                verdict = Unsafe(reduction.back.trace(blasted.trace(trace)))
        assert verdict.word == ("safe" if is_safe(graph) else "unsafe"), seed
        assert isinstance(verdict, Safe | Unsafe)
        certify_graph(graph, 0, verdict, checkers({"pysat"}), None)
        words.add(verdict.word)
    assert words == {"safe", "unsafe"}
