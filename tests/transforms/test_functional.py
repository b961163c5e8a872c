"""Relations become functions: the system has the steps of the graph, and its evidence comes back."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from time import monotonic

import pytest

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.logic.build import build, conj, disj, equal, implies, ite, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, Value, bv, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source
from lemmata.models.invariant import Invariant
from lemmata.models.system import System, system_of
from lemmata.models.trace import Trace
from lemmata.transforms.system.blast import blast
from lemmata.transforms.system.functional import functional
from lemmata.verdict import Safe, Unsafe

WORD = BitVec(2)
STATES = (var("x", WORD), var("y", WORD), var("b", BOOL))
NEXTS = (var("x'", WORD), var("y'", WORD), var("b'", BOOL))
INPUTS = (var("i", BOOL),)
State = tuple[Value, ...]


def vmt(init: Term, trans: Term, prop: Term) -> Graph:
    here = Source(0, STATES)
    places = (Location("main", STATES), Location("error: p0"))
    edges = (
        Edge((), 0, STATES, init, STATES),
        Edge((here,), 0, (*NEXTS, *INPUTS), trans, NEXTS),
        Edge((here,), 1, INPUTS, negate(prop)),
    )
    return Graph(places, edges, (GraphProperty(0, "p0", 1),), Origin("vmt", STATES, INPUTS), "random.vmt")


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


class Maker:
    """Random formulas of the shapes that relations have."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def relation(self, depth: int) -> Term:
        pick = self._random.random()
        if depth == 0 or pick < 0.35:
            return self.literal((*STATES, *NEXTS, *INPUTS))
        parts = [self.relation(depth - 1) for _ in range(self._random.randint(2, 3))]
        if pick < 0.65:
            return conj(parts)
        if pick < 0.85:
            return disj(parts)
        if pick < 0.9:
            return implies(parts[0], parts[1])
        return negate(parts[0]) if pick < 0.95 else ite(self.literal(STATES), parts[0], parts[1])

    def literal(self, over: Sequence[Term]) -> Term:
        v = self._random.choice(over)
        if v.sort is BOOL:
            other = self._random.choice([TRUE, FALSE, *(w for w in over if w.sort is BOOL)])
            atom = equal(v, other)
        else:
            op = self._random.choice(["=", "=", "=", "bvult"])
            atom = build(op, (v, self.word([w for w in over if w.sort is WORD])))
        return negate(atom) if self._random.random() < 0.25 else atom

    def word(self, over: Sequence[Term]) -> Term:
        term = self._random.choice([*over, bv(self._random.randrange(4), 2)])
        return build("bvadd", (term, bv(1, 2))) if self._random.random() < 0.3 else term

    def graph(self) -> Graph:
        init = conj([self.literal(STATES) for _ in range(self._random.randint(1, 3))])
        if self._random.random() < 0.3:
            init = disj([init, self.literal(STATES)])
        trans = self.relation(self._random.randint(1, 3))
        return vmt(init, trans, disj([self.literal((*STATES, *INPUTS)) for _ in range(2)]))


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
        verdict = Pdr(blasted.aig).check(0, monotonic() + 60)
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
