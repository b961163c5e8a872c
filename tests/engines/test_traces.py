"""Trace abstraction on small graphs and on random ones; every verdict is certified, and agrees with enumeration."""

from __future__ import annotations

from random import Random

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.config import TraceOptions
from lemmata.engines.traces.engine import Traces
from lemmata.engines.traces.interpolants import Interpolants
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible, TraceChecker
from lemmata.engines.traces.unrolled import Unrolled
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event, Measured
from lemmata.frontends.horn import parse_horn
from lemmata.logic.terms import FALSE, TRUE
from lemmata.models.derivation import GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import in_time, in_turns
from tests.support.closed_graphs import closed_graph, closed_program, derivation
from tests.support.loop_graphs import X, Y, add, counter, fibonacci, le, loop, lt, num
from tests.support.random_lia_horn import random_horn

SECONDS = 30.0
CHECKERS = {"unrolled": Unrolled, "interpolants": Interpolants}


def settle(graph: Graph, checker: TraceChecker | None = None, options: TraceOptions | None = None, prop: int = 0) -> Verdict:
    """The verdict, with its evidence certified."""
    engine = Traces(graph, checker or Unrolled(graph), options=options)
    verdict = engine.check(prop, in_time())
    assert isinstance(verdict, Safe | Unsafe)
    certify_graph(graph, prop, verdict)
    return verdict


def two_counters() -> Graph:
    """x and y grow together; y never falls behind."""
    return loop((X, Y), (num(0), num(0)), [(TRUE, (add(X, num(1)), add(Y, num(1))))], lt(Y, X))


@pytest.mark.parametrize("name", CHECKERS)
def test_a_counter_that_stops_in_time_is_safe(name: str) -> None:
    assert isinstance(settle(counter(5, 6), CHECKERS[name](counter(5, 6))), Safe)


@pytest.mark.parametrize("order", ["shortest", "new"])
def test_a_counter_that_goes_on_is_unsafe(order: str) -> None:
    verdict = settle(counter(10, 7), options=TraceOptions(order=order))  # type: ignore[arg-type]
    assert isinstance(verdict, Unsafe)


def test_a_loop_without_end_is_safe_when_its_predicates_are_found() -> None:
    assert isinstance(settle(two_counters(), Interpolants(two_counters())), Safe)


def test_an_error_that_no_edge_leads_to_is_safe_without_a_trace() -> None:
    graph = counter(10, 11)
    alone = Graph(graph.locations, graph.edges[:-1], graph.questions)
    engine = Traces(alone, Unrolled(alone))
    verdict = engine.check(0)
    assert isinstance(verdict, Safe)
    certify_graph(alone, 0, verdict)
    assert engine.statistics()["iterations"] == 0


def test_an_initial_edge_into_the_error_is_a_trace() -> None:
    graph = Graph((Location("bad"),), (Edge((), 0, (X,), lt(num(3), X)),), (GraphProperty(0, "bad", 0),))
    assert isinstance(settle(graph), Unsafe)
    never = Graph((Location("bad"),), (Edge((), 0, (X,), lt(X, X)),), (GraphProperty(0, "bad", 0),))
    assert isinstance(settle(never), Safe)


@pytest.mark.parametrize("name", CHECKERS)
def test_traces_of_procedures_are_trees(name: str) -> None:
    safe = fibonacci(lambda n, f: lt(f, num(0)))
    assert isinstance(settle(safe, CHECKERS[name](safe)), Safe)
    unsafe = fibonacci(lambda n, f: le(num(2), f))
    verdict = settle(unsafe, CHECKERS[name](unsafe))
    assert isinstance(verdict, Unsafe)


def test_the_bound_is_below_every_trace_that_is_left() -> None:
    heard: list[Event] = []
    graph = counter(6, 4)
    engine = Traces(graph, Unrolled(graph), heard.append)
    verdict = engine.check(0, in_time())
    assert isinstance(verdict, Unsafe)
    depth = getattr(verdict.trace, "depth", -1)
    bounds = [event.bound for event in heard if isinstance(event, BoundReached)]
    assert bounds == sorted(bounds) and bounds[-1] == engine.bound <= depth  # the edge to the error is no step


def test_a_run_is_taken_up_again_after_an_interruption() -> None:
    graph = counter(12, 13)
    engine = Traces(graph, Unrolled(graph))
    verdict, turns = in_turns(lambda until: engine.check(0, until))
    assert isinstance(verdict, Safe) and turns
    certify_graph(graph, 0, verdict)


def test_statistics_say_how_far_it_came() -> None:
    heard: list[Event] = []
    graph = counter(5, 6)
    engine = Traces(graph, Unrolled(graph), heard.append)
    engine.check(0, in_time())
    told = [event.statistics for event in heard if isinstance(event, Measured)]
    assert told[-1] == engine.statistics()
    numbers = told[-1]
    assert isinstance(numbers["iterations"], int) and numbers["iterations"] > 0
    assert isinstance(numbers["trace"], dict) and numbers["trace"]["longest"] >= numbers["trace"]["last"] > 0
    assert isinstance(numbers["states"], dict) and numbers["states"]["now"] == 0 < numbers["states"]["most"]
    assert isinstance(numbers["seconds"], dict) and numbers["seconds"].keys() >= {
        "picking",
        "checking",
        "triples",
        "difference",
    }


class Hollow:
    """A checker whose proofs are none."""

    name = "hollow"

    def __init__(self) -> None:
        self.asked: list[EdgeTrace] = []

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        self.asked.append(trace)
        return Infeasible(((*[TRUE] * (len(trace) - 1), FALSE),))


def test_proofs_that_refute_nothing_are_not_believed() -> None:
    checker = Hollow()
    with pytest.raises(GaveUp, match="incomplete"):
        Traces(counter(5, 3), checker).check(0, in_time())
    assert len(checker.asked) == 2 and checker.asked[0] == checker.asked[1]


class Lazy:
    """A checker that gives up on all traces."""

    name = "lazy"

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        raise GaveUp("incomplete")


def test_what_a_checker_gives_up_is_given_up() -> None:
    with pytest.raises(GaveUp, match="incomplete"):
        Traces(counter(5, 3), Lazy()).check(0)


def test_one_engine_settles_all_properties_of_a_graph() -> None:
    seeds = [seed for seed in range(40) if len(closed_graph(Random(seed)).questions) > 1]
    for seed in seeds[:8]:
        graph = closed_graph(Random(seed))
        engine = Traces(graph, Unrolled(graph))
        for prop in (1, 0, 1):
            verdict = engine.check(prop, in_time())
            assert (derivation(graph, prop) is not None) == isinstance(verdict, Unsafe)
            assert isinstance(verdict, Safe | Unsafe)
            certify_graph(graph, prop, verdict)


@pytest.mark.parametrize("name", CHECKERS)
def test_verdicts_agree_with_enumeration_on_closed_graphs(name: str) -> None:
    words = set()
    for seed in range(60):
        random = Random(seed)
        graph = closed_program(random) if seed % 4 == 0 else closed_graph(random)
        options = TraceOptions(order=random.choice(("shortest", "new")), minimise=random.random() < 0.7)
        for prop in range(len(graph.questions)):
            verdict = settle(graph, CHECKERS[name](graph), options, prop)
            assert (derivation(graph, prop) is not None) == isinstance(verdict, Unsafe), seed
            words.add(verdict.word)
    assert words == {"safe", "unsafe"}


def test_verdicts_agree_with_enumeration_on_horn_clauses() -> None:
    settled = 0
    for seed in range(40):
        case = random_horn(Random(seed))
        graph = simplify_graph(parse_horn(case.text.encode(), "random.smt2"), 0, preferred()).model
        engine = Traces(graph, Interpolants(graph))
        try:
            until = now() + 2
            verdict = engine.check(0, until)
        except GaveUp:
            continue
        assert (case.truth[0] is not None) == isinstance(verdict, Unsafe), seed
        assert isinstance(verdict, Safe | Unsafe)
        certify_graph(graph, 0, verdict)
        settled += 1
    assert settled >= 30


def test_an_invariant_has_a_claim_for_every_location_that_is_no_error() -> None:
    verdict = settle(two_counters(), Interpolants(two_counters()))
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    assert [claim.place.name for claim in verdict.invariant.claims] == ["main"]
