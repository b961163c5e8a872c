"""Lemmas tried everywhere: what holds at all locations is found from one of them, what does not hold is never kept."""

from __future__ import annotations

from lemmata.certify.graph.check import certify_graph
from lemmata.engines.pdr.graph.cube import GraphCube, cube_of
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.engines.pdr.graph.global_guidance import NoGuide
from lemmata.engines.pdr.graph.houdini_lemmas import HoudiniLemmas, exchanged, swaps
from lemmata.engines.pdr.graph.obligations import GraphObligation
from lemmata.engines.pdr.graph.oracle import SmtOracle
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.linear import canonical
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import TRUE, Term, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.smt import preferred
from lemmata.verdict import Safe
from tests.support.clock import in_time
from tests.support.lia_graphs import N, X, Y, add, eq, le, num

PLACES = 5


def ring(bad: Term) -> Graph:
    """Around a ring of places, with x growing twice as fast as y; the last place forgets about n."""
    here = (X, Y, N)
    last = PLACES - 1
    places = [Location(f"l{i}", here) for i in range(last)] + [Location(f"l{last}", (X, Y)), Location("error")]
    edges = [Edge((), 0, (N,), TRUE, (num(0), num(0), N))]
    edges += [Edge((Source(i, here),), i + 1, (), TRUE, (add(X, 2), add(Y, 1), N)) for i in range(last - 1)]
    edges.append(Edge((Source(last - 1, here),), last, (), TRUE, (X, Y)))
    edges.append(Edge((Source(last, (X, Y)),), 0, (N,), TRUE, (X, Y, N)))
    edges.append(Edge((Source(last, (X, Y)),), PLACES, (), bad))
    return Graph(tuple(places), tuple(edges), (GraphProperty(0, "p", PLACES),))


def lemmas_of_run(graph: Graph, *lemmas: GraphCube) -> tuple[HoudiniLemmas, GraphFrames]:
    frames = GraphFrames()
    for lemma in lemmas:
        frames.add(lemma, 1)
    return HoudiniLemmas(graph, SmtOracle(graph, frames, preferred(), lambda: None), NoGuide()), frames


def cube(place: int, *literals: Term) -> GraphCube:
    return cube_of(place, [canonical(literal) for literal in literals])


def test_a_lemma_of_one_location_holds_at_all_of_them() -> None:
    houdini, frames = lemmas_of_run(ring(le(X, -1)), cube(2, le(X, -1)))
    assert houdini.transfer() == PLACES
    assert all(frames.blocks(cube(place, le(X, -1)), INFINITY) for place in range(PLACES))


def test_lemmas_that_need_each_other_are_found_together() -> None:
    lemmas = [cube(1, le(add(X, 1), add(Y, Y))), cube(3, le(X, -1))]
    houdini, _ = lemmas_of_run(ring(le(X, -1)), *lemmas)
    assert houdini.transfer() == 2 * PLACES


def test_what_an_edge_refutes_is_not_kept() -> None:
    houdini, frames = lemmas_of_run(ring(le(X, -1)), cube(1, le(7, X)), cube(2, eq(N, 3)))
    assert houdini.transfer() == 0
    assert all(lemma.level == 1 for lemma in frames.all())


def test_a_clause_stays_where_its_variables_live() -> None:
    houdini, frames = lemmas_of_run(ring(le(X, -1)), cube(1, le(X, -1), le(N, 0)))
    houdini.transfer()
    assert not frames.at(PLACES - 1, INFINITY)


def test_it_is_tried_every_now_and_then() -> None:
    houdini, frames = lemmas_of_run(ring(le(X, -1)))
    for number in range(100):
        lemma = frames.add(cube(0, le(X, -1 - number)), 1)
        assert list(houdini.guesses(lemma, GraphObligation(lemma.cube, 1))) == []
    assert frames.blocks(cube(3, le(X, -50)), INFINITY)


def test_proofs_with_it_are_certified() -> None:
    graph = ring(le(add(X, 1), add(Y, Y)))
    engine = LiftedPdr(graph)
    verdict = engine.check(0, in_time())
    assert isinstance(verdict, Safe)
    certify_graph(graph, 0, verdict, ("cvc5", "z3"))


def test_names_that_differ_in_a_number_are_exchanged_together() -> None:
    a0, a1, b0, b1 = (var(name, INT) for name in ("a_0", "a_1", "b_0", "b_1"))
    (swap,) = swaps((a0, b1, b0, a1, X))
    (_, other) = exchanged([(canonical(le(a0, add(b1, X))),)], [swap])
    assert other == (canonical(le(a1, add(b0, X))),)


def test_one_pair_of_names_or_different_sorts_are_no_symmetry() -> None:
    assert swaps((var("a_0", INT), var("a_1", INT))) == []
    assert swaps((var("a_0", INT), var("a_1", REAL), var("b_0", INT), var("b_1", REAL))) == []
