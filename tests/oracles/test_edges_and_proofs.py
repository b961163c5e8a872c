"""An edge with its solver, the largest inductive part of candidates, and what a proof rests on."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from lemmata.logic.build import conj, disj, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.oracles.edge import EdgeSolver, EdgeTerms
from lemmata.oracles.houdini import HoudiniBudget, inductive_part, keep_inductive
from lemmata.oracles.support import LocatedFact, closure, given, support
from lemmata.solvers.smt import Sat, Unsat
from tests.support.clock import HANGS
from tests.support.lia_graphs import X2, Y2, N, X, Y, add, eq, le, num

JOIN = Edge((Source(0, (X,)), Source(0, (Y,))), 1, (N,), le(0, N), (add(X, N), Y))
PLACES = (Location("one", (X,)), Location("two", (X2, Y2)))
GRAPH = Graph(PLACES, (JOIN,), ())


def test_formulas_of_locations_become_formulas_of_the_edge() -> None:
    terms = EdgeTerms(GRAPH, JOIN)
    assert [names(eq(X, 3)) for names in terms.to_source] == [eq(X, 3), eq(Y, 3)]
    assert terms.to_here[1](eq(Y, 3)) is eq(X, 3)
    assert terms.goal.all([eq(X2, 1), eq(Y2, 2)]) == [eq(add(X, N), 1), eq(Y, 2)]
    assert terms.wanted == (X, Y, N)
    assert terms.updates.run({X: 1, Y: 5, N: 2}) == [3, 5]
    assert given(terms, {0: [eq(X, 3), TRUE]}) == {eq(X, 3): (0, eq(X, 3)), eq(Y, 3): (0, eq(X, 3))}


def test_what_is_learned_at_a_location_holds_at_each_source_there() -> None:
    edge = EdgeSolver(GRAPH, JOIN, "z3")
    assert isinstance(edge.solver.check([eq(X, 9)]), Sat) and isinstance(edge.solver.check([eq(N, -1)]), Unsat)
    edge.learn(1, [FALSE])  # no source
    edge.learn(0, [le(X, 5)])
    assert isinstance(edge.solver.check([eq(X, 9)]), Unsat) and isinstance(edge.solver.check([eq(Y, 9)]), Unsat)
    assert edge.solver.check([edge.goal(eq(Y2, 6)), eq(X, 1)]) == Unsat((eq(Y, 6),))


# Houdini.


def looped(edges: Sequence[Edge], bad: Term) -> Graph:
    places = (Location("a", (X,)), Location("b", (X,)), Location("error"))
    return Graph(places, (*edges, Edge((Source(1, (X,)),), 2, (), bad)), (GraphProperty(0, "p", 2),))


def random_graph(chance: Random) -> Graph:
    edges = [Edge((), chance.randint(0, 1), (), TRUE, (num(chance.randint(-2, 2)),))]
    for _ in range(chance.randint(2, 4)):
        step = (add(X, chance.randint(-2, 2)),)
        guard = chance.choice([TRUE, le(X, chance.randint(-2, 4)), le(chance.randint(-4, 2), X)])
        edges.append(Edge((Source(chance.randint(0, 1), (X,)),), chance.randint(0, 1), (), guard, step))
    return looped(edges, le(9, X))


def is_inductive(graph: Graph, alive: dict[int, list[Term]]) -> bool:
    for edge in graph.edges:
        one = EdgeSolver(graph, edge, "z3")
        claim = negate(conj(one.goal.all(alive[edge.target])))
        if isinstance(one.solver.check([*given(one, alive), claim]), Sat):
            return False
    return True


class Judge:
    """Asks a solver for a step that violates a candidate."""

    def __init__(self, alive: dict[int, list[Term]]) -> None:
        self.alive = alive

    def __call__(self, edge: EdgeSolver, candidates: Sequence[Term]) -> Sequence[Value] | None:
        goals = edge.goal.all(candidates)
        answer = edge.solver.check([*given(edge, self.alive), disj([negate(goal) for goal in goals])], (X,))
        return evaluate(goals, answer.values) if isinstance(answer, Sat) else None


@pytest.mark.parametrize("seed", range(25))
def test_the_largest_inductive_part_is_kept(seed: int) -> None:
    chance = Random(seed)
    graph = random_graph(chance)
    pool = [le(-2, X), le(X, 4), le(0, X), le(X, 0), negate(eq(X, 3))]
    alive = {place: chance.sample(pool, 3) for place in (0, 1)} | {2: []}
    every = [(place, fact) for place, facts in alive.items() for fact in facts]
    best: set[LocatedFact] = set()
    for count in range(len(every) + 1):
        for part in combinations(every, count):
            chosen = {place: [fact for where, fact in part if where == place] for place in alive}
            if is_inductive(graph, chosen):
                best |= set(part)
    found = inductive_part(graph, alive, "z3", HoudiniBudget(HANGS, HANGS, 1000))
    assert keep_inductive([EdgeSolver(graph, edge, "z3") for edge in graph.edges], alive, Judge(alive))
    assert {(place, fact) for place, facts in alive.items() for fact in facts} == best
    assert found == alive


def test_what_there_is_no_budget_to_ask_about_is_dropped() -> None:
    graph = looped([Edge((), 1, (N,), le(N, 4), (N,))], FALSE)
    for queries, kept in ((0, []), (9, [le(X, 5)])):
        assert inductive_part(graph, {1: [le(X, 5)]}, "z3", HoudiniBudget(HANGS, HANGS, queries))[1] == kept


def test_houdini_stops_where_the_last_location_loses_a_candidate() -> None:
    start = Edge((), 1, (), TRUE, (num(0),))
    for bad, holds in ((eq(X, 0), False), (le(7, X), True)):
        graph = looped([start], bad)
        alive: dict[int, list[Term]] = {0: [], 1: [le(X, 5)], 2: [FALSE]}
        assert keep_inductive([EdgeSolver(graph, edge, "z3") for edge in graph.edges], alive, Judge(alive), last=2) is holds


def test_a_step_that_refutes_nothing_by_evaluation_drops_everything() -> None:
    edge = EdgeTerms(looped([], TRUE), Edge((), 0, (), TRUE, (num(0),)))
    alive = {0: [le(0, X), le(X, 0)]}
    assert keep_inductive([edge], alive, lambda _, candidates: [True] * len(candidates))
    assert alive == {0: []}


# Support.


def test_closure_follows_needs_through_loops_and_asks_once() -> None:
    needs = {("x", 0): ["a", "b"], ("a", 0): ["b"], ("b", 0): ["a", "c"], ("c", 0): []}
    names = {name: eq(X, number) for number, name in enumerate("xabcd")}
    edge = EdgeTerms(looped([], TRUE), Edge((Source(0, (X,)),), 0, (), TRUE, (X,)))
    asked: list[Term] = []

    def need(_: EdgeTerms, fact: Term) -> list[LocatedFact]:
        asked.append(fact)
        (name,) = [name for name, term in names.items() if term is fact]
        return [(0, names[other]) for other in needs[name, 0]]

    assert set(closure([edge], (0, names["x"]), need)) == {(0, names[name]) for name in "abc"}
    assert len(asked) == len(set(asked)) == 4


def test_support_is_inductive_and_needs_the_other_location() -> None:
    start = Edge((), 0, (), TRUE, (num(0),))
    stay = Edge((Source(0, (X,)),), 0, (), le(X, 3), (add(X, 1),))
    onward = Edge((Source(0, (X,)),), 1, (), TRUE, (X,))
    graph = looped([start, stay, onward], le(9, X))
    facts = [[le(X, 4), le(0, X)], [le(X, 8), le(0, X)], []]
    found = support(graph, facts, 2, "z3")
    assert found == [[le(X, 4)], [le(X, 8)], []]
    assert is_inductive(graph, dict(enumerate(found)))
