"""Abstract interpretation on random small systems against explicit enumeration: facts hold, and errors are not proved away."""

import random

import pytest

from lemmata.engines.abstract import Abstract
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, disj, equal, ite, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import Term, const, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Safe
from lemmata.work import now

X, Y, P, N = var("x", INT), var("y", INT), var("p", BOOL), var("n", INT)
LOW, HIGH = -3, 4


class Maker:
    """Random terms over two small integers, a Boolean and an input."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def number(self, depth: int = 2) -> Term:
        pick = self._chance.choice
        if depth == 0:
            return pick([X, Y, N, const(self._chance.randint(-2, 3), INT)])
        a, b = self.number(depth - 1), self.number(0)
        return pick([build("+", (a, b)), build("-", (a, b)), a, ite(self.truth(0), a, b), build("mod", (a, const(2, INT)))])

    def truth(self, depth: int = 1) -> Term:
        if depth == 0:
            a, b = self.number(0), self.number(0)
            return self._chance.choice([build("<=", (a, b)), equal(a, b), P, negate(P)])
        return self._chance.choice([conj, disj])([self.truth(depth - 1), self.truth(depth - 1)])

    def graph(self) -> Graph:
        """Two locations; every update stays within the bounds, so that all states can be listed."""
        places = (Location("a", (X, Y, P)), Location("b", (X, Y, P)), Location("error"))
        edges = [Edge((), 0, (N,), _within([N]), (N, const(0, INT), P_FALSE))]
        for _ in range(self._chance.randint(2, 4)):
            updates = (self.number(), self.number(), self.truth())
            source, target = self._chance.choice([(0, 0), (0, 1), (1, 1), (1, 0)])
            guard = conj([self.truth(), _within([N, *updates[:2]])])
            edges.append(Edge((Source(source, (X, Y, P)),), target, (N,), guard, updates))
        edges.append(Edge((Source(self._chance.choice([0, 1]), (X, Y, P)),), 2, (N,), conj([self.truth(), _within([N])])))
        return Graph(places, tuple(edges), (GraphProperty(0, "p", 2),))


P_FALSE = const(False, BOOL)


def _within(terms: list[Term]) -> Term:
    low, high = const(LOW, INT), const(HIGH, INT)
    return conj([f for t in terms for f in (build("<=", (low, t)), build("<=", (t, high)))])


def reachable(graph: Graph) -> set[tuple[int, tuple[object, ...]]]:
    programs = [Program([edge.guard, *edge.updates]) for edge in graph.edges]
    seen: set[tuple[int, tuple[object, ...]]] = set()
    waiting: list[tuple[int, tuple[object, ...]]] = []

    def take(number: int, state: tuple[object, ...]) -> None:
        for i in range(LOW, HIGH + 1):
            truth, *values = programs[number].run(dict(zip((X, Y, P), state, strict=False)) | {N: i})
            after = (graph.edges[number].target, tuple(values))
            if truth and after not in seen:
                seen.add(after)
                waiting.append(after)

    for number, edge in enumerate(graph.edges):
        if not edge.sources:
            take(number, ())
    while waiting:
        location, state = waiting.pop()
        for number, edge in enumerate(graph.edges):
            if edge.sources and edge.sources[0].location == location:
                take(number, state)
    return seen


@pytest.mark.parametrize("seed", range(40))
def test_facts_hold_in_all_reachable_states_and_reachable_errors_are_not_proved_away(seed: int) -> None:
    graph = Maker(seed).graph()
    states = reachable(graph)
    engine = Abstract(graph)
    try:
        until = now() + 2
        is_safe = isinstance(engine.check(0, until), Safe)
    except GaveUp:
        is_safe = False
    assert not (is_safe and (2, ()) in states)
    invariant = engine.invariant
    for claim in invariant.claims if invariant is not None else ():
        program = Program(claim.lemmas)
        for location, state in states:
            if location == claim.location:
                assert all(program.run(dict(zip((X, Y, P), state, strict=True))))


def test_the_random_systems_are_of_both_kinds() -> None:
    verdicts = [(2, ()) in reachable(Maker(seed).graph()) for seed in range(40)]
    assert 5 < sum(verdicts) < 35
