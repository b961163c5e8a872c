"""Ranges of variables: what they make of guards, and random graphs against enumeration."""

from random import Random

import pytest

from lemmata.certify.graph.claims import check_claims
from lemmata.logic.domains.congruence_intervals import CongruenceInterval, congruence_interval
from lemmata.logic.sorts import INT
from lemmata.logic.terms import TRUE, Term, make, var
from lemmata.logic.text import infix
from lemmata.models.derivation import GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import GraphReduction, simplify_graph
from lemmata.transforms.graph.boxes import propagate_bounds
from lemmata.transforms.graph.ranges import use_ranges
from tests.support.c_like import at_most, c_like_graph, flag, modulo, number, signed
from tests.support.graph_steps import finds_back

X, Y = var("x", INT), var("y", INT)
WORD = 1 << 32


def loop(start: int, guard: Term, update: Term, error: Term) -> Graph:
    """``x := start; while guard: x := update`` with the error as a second way out."""
    places = (Location("head", (X,)), Location("error"))
    here = (Source(0, (X,)),)
    edges = (Edge((), 0, (), TRUE, (number(start),)), Edge(here, 0, (), guard, (update,)), Edge(here, 1, (), error))
    return Graph(places, edges, (GraphProperty(0, "q", 1),))


def plus(a: Term, b: int) -> Term:
    return make("+", (a, number(b)))


def guards(reduction: GraphReduction) -> list[str]:
    return [infix(edge.guard) for edge in reduction.model.edges]


def lemmas(reduction: GraphReduction) -> set[str]:
    old = reduction.back.invariant(GraphInvariant(()))
    return {infix(lemma) for claim in old.claims for lemma in claim.lemmas}


def test_a_counter_that_never_wraps_around_has_no_remainders():
    graph = loop(0, at_most(modulo(X, WORD), number(98)), plus(X, 1), at_most(number(99), modulo(X, WORD)))
    reduction = use_ranges(graph)
    assert guards(reduction) == ["true", "x ≤ 98", "x ≥ 99"]
    assert lemmas(reduction) == {"x ≥ 0", "x ≤ 99"}


def test_a_counter_that_wraps_around_once_stops_there():
    graph = loop(10, at_most(number(10), modulo(X, WORD)), plus(X, 2), at_most(modulo(X, WORD), number(9)))
    reduction = use_ranges(graph)
    assert guards(reduction) == ["true", "x ≤ 4294967295", "x ≥ 4294967296"]
    assert "x mod 2 = 0" in lemmas(reduction)


def test_steps_show_that_an_error_is_impossible():
    graph = loop(0, TRUE, plus(X, 1 << 20), make("=", (modulo(X, WORD), number(5))))
    reduction = use_ranges(graph)
    assert len(reduction.model.edges) == 2
    check_claims(graph, 0, reduction.back.invariant(GraphInvariant(())), ("z3",))


def test_conversions_that_lose_nothing_go():
    graph = loop(-5, at_most(X, number(40)), signed(plus(X, 1), 256), at_most(flag(at_most(X, number(3))), number(0)))
    edges = use_ranges(graph).model.edges
    assert edges[1].updates == (plus(X, 1),)
    assert infix(edges[2].guard) == "x ≥ 4"


def test_a_location_that_nothing_reaches_is_claimed_so():
    places = (Location("head", (X,)), Location("never", (Y,)), Location("error"))
    edges = (
        Edge((), 0, (), TRUE, (number(0),)),
        Edge((Source(0, (X,)),), 1, (), at_most(number(1), modulo(X, 8)), (X,)),
        Edge((Source(1, (Y,)),), 2, (), TRUE),
    )
    graph = Graph(places, edges, (GraphProperty(0, "q", 2),))
    reduction = use_ranges(graph)
    assert len(reduction.model.edges) == 1
    assert "false" in lemmas(reduction)


def test_bounds_of_variables_stay_where_they_are():
    graph = loop(0, make("and", (at_most(number(0), X), at_most(modulo(X, 8), number(3)))), plus(X, 1), at_most(X, number(-1)))
    assert "x ≥ 0" in guards(use_ranges(graph))[1]


def test_a_graph_of_plain_sums_is_left_alone():
    graph = loop(0, at_most(X, number(9)), plus(X, 1), at_most(number(11), X))
    assert use_ranges(graph).model == graph


def interval(low: int | None, high: int | None, step: int = 1, rest: int = 0) -> CongruenceInterval:
    found = congruence_interval(low, high, step, rest)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((at_most(make("+", (X, Y)), number(7)),), {"x": (0, 4), "y": (3, 7)}),
        ((make("=", (make("*", (X, number(3))), Y)),), {"x": (1, 3), "y": (3, 9)}),
        ((make("not", (make("=", (X, number(0))),)),), {"x": (1, 9), "y": (3, 9)}),
        ((make("or", (at_most(X, number(1)), make("=", (X, number(4))))),), {"x": (0, 4), "y": (3, 9)}),
        ((at_most(plus(Y, 1), X), at_most(X, number(4))), {"x": (4, 4), "y": (3, 3)}),
        ((at_most(X, number(-1)),), None),
    ],
)
def test_formulas_leave_a_part_of_a_box(parts: tuple[Term, ...], expected: dict[str, tuple[int, int]] | None):
    box = propagate_bounds(parts, {X: interval(0, 9), Y: interval(3, 9)})
    found = None if box is None else {name: (box[v].low, box[v].high) for v, name in ((X, "x"), (Y, "y"))}
    assert found == expected


@pytest.mark.parametrize("step", [use_ranges, lambda graph: simplify_graph(graph, 0, preferred())], ids=["ranges", "all"])
def test_random_graphs_keep_their_verdict(step):
    changed = 0
    for seed in range(25):
        graph = c_like_graph(Random(f"ranges {seed}"))
        reduction = step(graph)
        changed += reduction.model != graph
        finds_back(graph, 0, reduction)
    assert changed > 20
