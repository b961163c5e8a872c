"""Checker ``pdr``: path programs, what is remembered of them, and proofs that Z3 checks again step by step."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from lemmata import work
from lemmata.config import ThesisOptions
from lemmata.engines.traces import path_program as module
from lemmata.engines.traces.path_program import PathProgram
from lemmata.engines.traces.projection import path_program, unrolled
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible, TraceStep
from lemmata.errors import GaveUp
from lemmata.logic.build import conj
from lemmata.logic.terms import FALSE
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Graph, Source
from lemmata.verdict import Verdict
from lemmata.work import now
from tests.support.closed_graphs import closed_graph
from tests.support.lia_graphs import X, Y, add, eq, fibonacci, le, phases, steps_of_two
from tests.support.thesis_systems import loop_from_two, reachable, unreachable
from tests.support.trace_proofs import checked, holds_by_z3, line, shortest

IMPROVED = ThesisOptions(dnf=True, interpolation=True, caching=True, memory=True)


CHECKERS = {
    "strong": {},
    "thesis": {"options": ThesisOptions()},
    "improved": {"options": IMPROVED},
    "alone": {"patience": 0.0},
}
checkers = pytest.mark.parametrize("chosen", CHECKERS)


def checker(graph: Graph, chosen: str = "strong", prop: int = 0) -> PathProgram:
    return PathProgram(graph, prop, **CHECKERS[chosen])  # type: ignore[arg-type]


@checkers
def test_the_thesis_systems_are_decided_along_their_traces(chosen: str) -> None:
    graph = reachable()
    assert isinstance(checked(graph, line(0, 1, 2, 3), checker(graph, chosen)), Feasible)
    graph = unreachable()
    assert isinstance(checked(graph, line(0, 1, 4), checker(graph, chosen)), Infeasible)
    assert isinstance(checked(graph, line(0, 1, 2, 2, 4), checker(graph, chosen)), Infeasible)


@checkers
def test_trees_are_decided(chosen: str) -> None:
    steps = (TraceStep(0), TraceStep(0), TraceStep(1, (0, 1)), TraceStep(2, (2,)))
    graph = fibonacci(2, 2)
    assert isinstance(checked(graph, EdgeTrace(0, steps), checker(graph, chosen)), Feasible)
    graph = fibonacci(2, 0)
    assert isinstance(checked(graph, EdgeTrace(0, steps), checker(graph, chosen)), Infeasible)


def test_a_proof_holds_for_every_number_of_rounds() -> None:
    graph = loop_from_two()
    known = checker(graph)
    checked(graph, line(0, 1, 2, 3), known)
    past = now() - 1  # nothing is asked any more
    for rounds in range(5):
        answer = known.check(line(0, 1, *[2] * rounds, 3), past)
        assert isinstance(answer, Infeasible)
        assert holds_by_z3(graph, line(0, 1, *[2] * rounds, 3), answer.proofs[0])


def test_another_edge_is_another_path_program() -> None:
    graph = phases(3)
    known = checker(graph)
    assert isinstance(checked(graph, line(0, 2, 4, 5), known), Infeasible)
    with pytest.raises(GaveUp):
        known.check(line(0, 1, 2, 4, 5), now() - 1)
    assert isinstance(checked(graph, line(0, 1, 2, 3, 4, 5), known), Feasible)


def test_a_derivation_may_go_through_the_loop_more_often_than_the_trace() -> None:
    graph = steps_of_two(6)
    answer = checked(graph, line(0, 1, 2), checker(graph))
    assert isinstance(answer, Feasible)
    assert answer.derivation.depth >= 4


def test_the_trace_alone_is_no_longer_than_it_is() -> None:
    graph = steps_of_two(6)
    assert isinstance(checked(graph, line(0, 1, 2), checker(graph, "alone")), Infeasible)
    assert isinstance(checked(graph, line(0, 1, 1, 1, 1, 2), checker(graph, "alone")), Feasible)


def test_edges_keep_their_numbers() -> None:
    graph = phases(3)
    part = path_program(graph, 0, (0, 2, 5))
    assert part.graph.edges == (graph.edges[0], graph.edges[2], graph.edges[5])
    assert part.graph.locations == graph.locations
    answer = checked(graph, line(0, 1, 2, 3, 4, 5), checker(graph))
    assert isinstance(answer, Feasible)
    assert {fact.edge for fact in answer.derivation.facts} == {0, 1, 2, 3, 4, 5}


def test_an_unrolled_tree_has_a_location_per_step() -> None:
    graph = fibonacci(2, 2)
    part = unrolled(graph, EdgeTrace(0, (TraceStep(0), TraceStep(0), TraceStep(1, (0, 1)), TraceStep(2, (2,)))))
    assert [edge.target for edge in part.graph.edges] == [0, 1, 2, 3]
    assert [source.location for source in part.graph.edges[2].sources] == [0, 1]
    assert part.graph.questions[0].location == 3


def test_the_property_that_is_meant_is_asked() -> None:
    graph = steps_of_two(6)
    known = checker(graph, prop=1)
    answer = checked(graph, line(0, 1, 3, prop=1), known)
    assert isinstance(answer, Infeasible)


def test_what_others_know_is_used() -> None:
    graph = loop_from_two()
    heard: list[bool] = []

    def known() -> GraphInvariant:
        heard.append(True)
        return GraphInvariant((Claim(1, graph.locations[1], (le(2, X),)),))

    assert isinstance(checked(graph, line(0, 1, 2, 3), PathProgram(graph, 0, known=known)), Infeasible)
    assert heard


def test_short_turns_do_not_end_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def late(self: object, *args: object) -> Verdict:
        asked.append(type(self).__name__)
        work.tally[work.OTHER] += 10
        raise GaveUp("timeout")

    monkeypatch.setattr(module.LiftedPdr, "check", late)
    monkeypatch.setattr(module.Unrolled, "check", late)
    graph = loop_from_two()
    patient, hasty = PathProgram(graph, 0, patience=1e6), PathProgram(graph, 0, patience=1e-9)
    for known in (patient, patient, hasty, hasty):
        with pytest.raises(GaveUp):
            known.check(line(0, 1, 2, 3))
    assert asked == ["LiftedPdr", "LiftedPdr", "LiftedPdr", "Unrolled", "Unrolled"]


def test_pdr_goes_on_where_patience_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Graph] = []
    limits: list[float | None] = []

    class Slow(module.LiftedPdr):
        def __init__(self, graph: Graph, *args: object) -> None:
            begun.append(graph)
            super().__init__(graph, *args)  # type: ignore[arg-type]

        def check(self, prop: int, until: float | None = None) -> Verdict:
            limits.append(until)
            if len(limits) < 3:
                work.tally[work.OTHER] += 10
                raise GaveUp("timeout")
            return super().check(prop)

    monkeypatch.setattr(module, "LiftedPdr", Slow)
    graph = loop_from_two()
    known = PathProgram(graph, 0, patience=1e-9)
    for rounds in (1, 2, 3, 4):
        assert isinstance(checked(graph, line(0, 1, *[2] * rounds, 3), known), Infeasible)
    assert len(begun) == 1
    assert len(limits) == 3  # the last trace was refuted by what the one before brought


def test_a_trace_through_the_error_ends_there() -> None:
    graph = unreachable()
    onward = replace(graph.edges[0], sources=(Source(3, ()),))
    graph = replace(graph, edges=(*graph.edges, onward))
    assert isinstance(checked(graph, line(0, 1, 4, 5, 1, 4), checker(graph)), Infeasible)


@checkers
def test_random_graphs_agree_with_the_trace_alone(chosen: str) -> None:
    answers = set()
    for seed in range(16):
        graph = closed_graph(Random(seed), sources=1 + seed % 2)
        known, alone = checker(graph, chosen), checker(graph, "alone")
        for trace in list(shortest(graph, 0, 6))[:6]:
            answer, truth = checked(graph, trace, known), checked(graph, trace, alone)
            answers.add(type(answer))
            assert isinstance(answer, Feasible) or isinstance(truth, Infeasible)
    assert answers == {Feasible, Infeasible}


def test_the_certificate_of_a_step_is_checked_at_all() -> None:
    graph = unreachable()
    trace = line(0, 1, 2, 4)
    wrong = (eq(X, X), eq(X, Y), conj([eq(X, Y), eq(X, add(Y, 1))]), FALSE)
    assert not holds_by_z3(graph, trace, wrong)
