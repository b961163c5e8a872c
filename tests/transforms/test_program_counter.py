"""Graphs as circuits: integers as words, locations as a word, words as bits; verdicts and evidence find back."""

from __future__ import annotations

from random import Random

import pytest

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.logic.build import build, conj
from lemmata.logic.sorts import BOOL, INT, Array, BitVec
from lemmata.logic.terms import FALSE, TRUE, bv, make, var
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.transforms.graph.bounded_integers import integers_as_words
from lemmata.transforms.graph.cone import reduce_graph_cone
from lemmata.transforms.system.program_counter import with_program_counter
from tests.support.bits_of_graphs import evidence, is_true
from tests.support.closed_graphs import closed_graph, closed_program
from tests.support.lia_graphs import N, X, Y, add, eq, le, num

W = var("w", BitVec(4))


@pytest.mark.parametrize("make_graph", [lambda random: closed_graph(random, sources=1), closed_program])
def test_verdicts_are_those_of_the_graph_and_evidence_finds_back(make_graph) -> None:  # type: ignore[no-untyped-def]
    seen = set()
    for seed in range(40):
        whole = make_graph(Random(seed))
        for asked in range(len(whole.questions)):
            graph = reduce_graph_cone(whole, asked).model
            found = evidence(graph, 0)
            seen.add(type(found))
            is_true(graph, found)
    assert len(seen) == 2


def two_places(last: int) -> Graph:
    """n chosen from -3 to 6; x counts up to 700 in steps of 100 at one place, and n is kept at the other."""
    return Graph(
        (Location("loop", (X, N)), Location("after", (N, W)), Location("error")),
        (
            Edge((), 0, (N,), conj([le(-3, N), le(N, 6)]), (num(0), N)),
            Edge((Source(0, (X, N)),), 0, (), le(X, 600), (add(X, 100), N)),
            Edge((Source(0, (X, N)),), 1, (), eq(X, 700), (add(N, -1), bv(9, 4))),
            Edge((Source(1, (N, W)),), 2, (), conj([eq(N, last), eq(W, bv(9, 4))])),
        ),
        (GraphProperty(0, "q", 2),),
    )


def test_a_run_has_the_integers() -> None:
    graph = two_places(-4)
    found = evidence(graph, 0)
    assert isinstance(found, Derivation)
    replay_derivation(graph, found)
    assert [fact.values for fact in found.facts][-2:] == [(-4, 9), ()]
    assert found.depth == 8


def test_claims_are_about_integers_and_their_ranges() -> None:
    graph = two_places(6)
    found = evidence(graph, 0)
    assert isinstance(found, GraphInvariant)
    check_claims(graph, 0, found, ("z3",))
    after = next(claim for claim in found.claims if claim.place.name == "after")
    assert {le(-4, N), le(N, 5)} <= set(after.lemmas)


@pytest.mark.parametrize(
    "guard",
    [
        TRUE,  # an input that may be anything
        make("<=", (Y, num(5))),  # from above only
        make("=", (build("mod", (Y, num(7))), num(3))),
    ],
)
def test_integers_without_bounds_stay(guard) -> None:  # type: ignore[no-untyped-def]
    graph = Graph(
        (Location("p", (X,)), Location("error")),
        (Edge((), 0, (Y,), guard, (Y,)), Edge((Source(0, (X,)),), 1, (), le(X, 3))),
        (GraphProperty(0, "q", 1),),
    )
    assert integers_as_words(graph) is None


def test_arrays_and_trees_stay() -> None:
    a = var("a", Array(INT, INT))
    graph = Graph(
        (Location("p", (a,)), Location("error")),
        (Edge((), 0, (a,), TRUE, (a,)), Edge((Source(0, (a,)),), 1, (), FALSE)),
        (GraphProperty(0, "q", 1),),
    )
    assert integers_as_words(graph) is None
    b = var("b", BOOL)
    tree = Graph(
        (Location("p", (b,)), Location("error")),
        (Edge((), 0, (), TRUE, (TRUE,)), Edge((Source(0, (b,)), Source(0, (var("c", BOOL),))), 1, (), b)),
        (GraphProperty(0, "q", 1),),
    )
    assert with_program_counter(tree, 0) is None


def test_a_graph_without_ways_to_the_error_is_a_circuit_too() -> None:
    graph = Graph((Location("error"),), (), (GraphProperty(0, "q", 0),))
    assert isinstance(evidence(graph, 0), GraphInvariant)


def test_functions_that_nobody_defines_stay() -> None:
    b = var("b", BitVec(4))
    f = make("apply", (b,), ("f", (b.sort,), b.sort))
    graph = Graph(
        (Location("p", (b,)), Location("error")),
        (Edge((), 0, (b,), TRUE, (b,)), Edge((Source(0, (b,)),), 1, (), eq(f, b))),
        (GraphProperty(0, "q", 1),),
    )
    assert integers_as_words(graph) is None


def test_large_graphs_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    words = integers_as_words(two_places(6))
    assert words is not None
    assert with_program_counter(words.model, 0) is not None
    monkeypatch.setattr("lemmata.transforms.system.program_counter.BITBLAST_CASES", 3)
    assert with_program_counter(words.model, 0) is None


def test_choices_that_share_choices_are_looked_at_once() -> None:
    value = X
    for n in range(200):
        value = make("ite", (le(n, Y), make("ite", (le(Y, n), value, num(n % 3))), value))
    graph = Graph(
        (Location("p", (X, Y)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(0), num(0))),
            Edge((Source(0, (X, Y)),), 0, (), TRUE, (value, Y)),
            Edge((Source(0, (X, Y)),), 1, (), le(3, X)),
        ),
        (GraphProperty(0, "q", 1),),
    )
    assert isinstance(evidence(graph, 0), GraphInvariant)
