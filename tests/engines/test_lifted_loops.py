"""PDR modulo arithmetic on small graphs that are made by hand; every verdict is checked here, edge by edge."""

from __future__ import annotations

from lemmata.config import LiftedOptions
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import TRUE, bv, const, var
from lemmata.models.derivation import Claim, Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import in_time, in_turns
from tests.support.lifted_verdicts import holds, settle
from tests.support.loop_graphs import N, X, Y, add, counter, fibonacci, le, loop, lt, num


def test_a_counter_that_stops_in_time_is_safe() -> None:
    assert isinstance(settle(counter(10, 11)), Safe)


def test_a_counter_that_goes_on_is_unsafe_and_its_run_is_replayed() -> None:
    verdict = settle(counter(10, 7))
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    assert verdict.trace.depth == 7


def test_an_error_without_edges_is_safe() -> None:
    graph = counter(10, 11)
    assert isinstance(settle(Graph(graph.locations, graph.edges[:-1], graph.questions)), Safe)


def test_an_initial_edge_into_the_error_is_unsafe() -> None:
    graph = Graph((Location("bad"),), (Edge((), 0, (X,), lt(num(3), X)),), (GraphProperty(0, "bad", 0),))
    assert isinstance(settle(graph), Unsafe)
    never = Graph((Location("bad"),), (Edge((), 0, (X,), lt(X, X)),), (GraphProperty(0, "bad", 0),))
    assert isinstance(settle(never), Safe)


def test_phases_are_locations() -> None:
    here, there = Location("up", (X, N)), Location("down", (Y, N))
    up, down = Source(0, (X, N)), Source(1, (Y, N))
    graph = Graph(
        (here, there, Location("bad")),
        (
            Edge((), 0, (N,), le(num(0), N), (num(0), N)),
            Edge((up,), 0, (), lt(X, N), (add(X, num(1)), N)),
            Edge((up,), 1, (), le(N, X), (X, N)),
            Edge((down,), 1, (), lt(num(0), Y), (add(Y, num(-1)), N)),
            Edge((down,), 2, (), lt(Y, num(0))),
        ),
        (GraphProperty(0, "bad", 2),),
    )
    assert isinstance(settle(graph), Safe)


def test_two_sources_are_joined_in_a_proof() -> None:
    assert isinstance(settle(fibonacci(lambda n, f: lt(f, num(0)))), Safe)


def test_two_sources_are_joined_in_a_derivation() -> None:
    verdict = settle(fibonacci(lambda n, f: conj([equal(n, num(5)), equal(f, num(5))])))
    assert isinstance(verdict, Unsafe)
    assert isinstance(settle(fibonacci(lambda n, f: conj([equal(n, num(3)), le(num(2), f)]))), Unsafe)


def test_booleans_and_reals_are_states_too() -> None:
    on, level = var("on", BOOL), var("level", REAL)
    half = build("/", (level, const(2, REAL)))
    graph = loop(
        (on, level),
        (TRUE, const(8, REAL)),
        [(on, (negate(on), half)), (negate(on), (TRUE, build("+", (level, const(1, REAL)))))],
        build("<", (level, const(0, REAL))),
    )
    assert isinstance(settle(graph), Safe)


def test_a_run_is_taken_up_again_after_an_interruption() -> None:
    engine = LiftedPdr(counter(30, 31))
    verdict, turns = in_turns(lambda until: engine.check(0, until), first=0.0005)
    assert isinstance(verdict, Safe) and turns


def test_what_others_know_is_used() -> None:
    graph = loop((X, Y), (num(0), num(0)), [(TRUE, (add(X, Y), add(Y, X)))], lt(add(X, Y), num(0)))
    told = GraphInvariant((Claim(0, graph.locations[0], (conj([le(num(0), X), le(num(0), Y)]),)),))
    engine = LiftedPdr(graph, known=lambda: told)
    assert isinstance(engine.check(0, in_time()), Safe)
    assert engine.bound <= 1


def test_what_others_know_of_two_locations_is_kept_apart() -> None:
    """The same claim at both; it is needed at both."""
    first, second = Source(0, (X,)), Source(1, (X,))
    graph = Graph(
        (Location("first", (X,)), Location("second", (X,)), Location("bad")),
        (
            Edge((), 0, (), TRUE, (num(1),)),
            Edge((first,), 1, (), TRUE, (add(X, X),)),
            Edge((second,), 0, (), TRUE, (add(X, X, X),)),
            Edge((first,), 2, (), lt(X, num(-5))),
        ),
        (GraphProperty(0, "bad", 2),),
    )
    told = GraphInvariant(tuple(Claim(i, graph.locations[i], (le(num(0), X),)) for i in (0, 1)))
    verdict = LiftedPdr(graph, known=lambda: told).check(0, in_time())
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    assert holds(graph, verdict.invariant)


def test_one_object_answers_all_properties() -> None:
    graph = counter(5, 6)
    here = Source(0, (X,))
    two = Graph(
        (*graph.locations, Location("worse")),
        (*graph.edges, Edge((here,), 2, (), equal(X, num(3)))),
        (*graph.questions, GraphProperty(1, "worse", 2)),
    )
    engine = LiftedPdr(two)
    assert isinstance(engine.check(0, in_time()), Safe)
    assert isinstance(engine.check(1, in_time()), Unsafe)
    assert isinstance(engine.check(0, in_time()), Safe)


def test_products_arrays_and_words_are_settled_or_given_up() -> None:
    product = loop((X, Y), (num(1), num(1)), [(TRUE, (build("*", (X, Y)), add(Y, num(1))))], lt(X, num(0)))
    assert isinstance(settle(product), Safe)
    memory = var("memory", Array(INT, INT))
    clear = (build("store", (memory, X, num(0))), add(X, num(1)))
    dirty = conj([lt(num(0), X), negate(equal(build("select", (memory, num(0))), num(0)))])
    assert isinstance(settle(loop((memory, X), (memory, num(0)), [(TRUE, clear)], dirty)), Safe)
    word = var("word", BitVec(8))
    assert isinstance(
        settle(loop((word,), (bv(0, 8),), [(TRUE, (build("bvadd", (word, bv(2, 8))),))], equal(word, bv(7, 8)))), Safe
    )


def test_the_solvers_that_were_asked_are_told() -> None:
    engine = LiftedPdr(counter(3, 4), options=LiftedOptions(solver="z3"))
    engine.check(0, in_time())
    assert engine.used == {"z3"}
