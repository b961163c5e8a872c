"""The lifted algorithm of Werner's thesis: its tables, its evidence, the gaps of its pseudo-code, and its improvements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.config import ThesisOptions
from lemmata.engines.pdr.thesis import preconditions
from lemmata.engines.pdr.thesis.engine import Thesis
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.linear import comparison
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, Source
from lemmata.steps.thesis import (
    EdgeQuery,
    FrameTable,
    Interpolated,
    NextLevel,
    ReachedError,
    ThesisPropagation,
    ThesisStep,
    ThesisZeroCheck,
)
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import in_time, in_turns
from tests.support.closed_graphs import closed_graph, closed_program, derivation
from tests.support.lia_graphs import X2, N, X, Y, add, eq, fibonacci, le, loop, phases, steps_of_two
from tests.support.thesis_systems import loop_from_two, reachable, unreachable

NAMES = ("dnf", "interpolation", "caching", "memory")
Cells = list[tuple[bool, frozenset[object]]]


def run(graph: Graph, options: ThesisOptions | None = None, prop: int = 0) -> tuple[Verdict, list[ThesisStep]]:
    told: list[Event] = []
    verdict = Thesis(graph, told.append, options, record=True).check(prop, in_time())
    certify_graph(graph, prop, verdict, ("z3",))
    return verdict, [event for event in told if isinstance(event, ThesisStep)]


def some(base: bool, *formulas: Term) -> tuple[bool, frozenset[object]]:
    """A cell, in a form that does not depend on the order of terms."""
    return base, frozenset(comparison(formula) or formula for formula in formulas)


def read(table: FrameTable) -> dict[str, Cells]:
    return {row.place: [some(cell.base, *cell.lemmas) for cell in row.cells] for row in table}


def tables(steps: Iterable[ThesisStep]) -> list[dict[str, Cells]]:
    """Every table that the thesis prints: new levels, frames that were strengthened, the fix-point."""
    found = []
    for step in steps:
        match step:
            case ThesisZeroCheck(_, table) | NextLevel(_, _, table) | Interpolated(_, _, table):
                found.append(read(table))
            case EdgeQuery(added=added, table=table) if added is not None:
                found.append(read(table))
            case ThesisPropagation(_, fixpoint, table) if fixpoint is not None:
                found.append(read(table))
    return found


def goals(steps: Iterable[ThesisStep]) -> list[tuple[object, str, int]]:
    """Obligations in the order in which they come up."""
    found = [
        goal
        for step in steps
        if isinstance(step, NextLevel | EdgeQuery)
        for goal in getattr(step, "goals", ()) or getattr(step, "found", ())
    ]
    return [(comparison(goal.formula) or goal.formula, goal.place, goal.level) for goal in found]


T, F = some(True), some(False)


def test_the_tables_of_section_3_3_1() -> None:
    verdict, steps = run(reachable())
    low, high = some(False, negate(eq(X, 1))), some(True, negate(eq(X, 1)))
    assert tables(steps) == [
        {"ℓ0": [T], "ℓ1": [F], "ℓ2": [F], "ℓ3": [F]},
        {"ℓ0": [T, T], "ℓ1": [F, T], "ℓ2": [F, T], "ℓ3": [F, T]},
        {"ℓ0": [T, T], "ℓ1": [F, T], "ℓ2": [low, high], "ℓ3": [F, T]},
        {"ℓ0": [T, T, T], "ℓ1": [F, T, T], "ℓ2": [low, high, T], "ℓ3": [F, T, T]},
    ]
    one, zero = comparison(eq(X, 1)), comparison(eq(X, 0))
    assert goals(steps) == [(one, "ℓ2", 1), (one, "ℓ2", 2), (zero, "ℓ1", 1), (comparison(TRUE), "ℓ0", 0)]
    assert isinstance(steps[-1], ReachedError) and steps[-1].places == ("ℓ0", "ℓ1", "ℓ2", "ℓE")
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    assert [fact.values for fact in verdict.trace.facts][1:] == [(0,), (1,), ()]


def test_the_tables_of_section_3_3_2() -> None:
    verdict, steps = run(unreachable())
    low, high = some(False, eq(X, Y)), some(True, eq(X, Y))
    assert tables(steps) == [
        {"ℓ0": [T], "ℓ1": [F], "ℓ2": [F]},
        {"ℓ0": [T, T], "ℓ1": [F, T], "ℓ2": [F, T]},
        {"ℓ0": [T, T], "ℓ1": [low, high], "ℓ2": [F, T]},
        {"ℓ0": [T, T, T], "ℓ1": [low, high, T], "ℓ2": [F, T, T]},
        {"ℓ0": [T, T, T], "ℓ1": [low, high, high], "ℓ2": [F, T, T]},
        {"ℓ0": [T, T, T], "ℓ1": [low, high, high], "ℓ2": [F, T, T]},
    ]
    assert [step.fixpoint for step in steps if isinstance(step, ThesisPropagation)] == [None, 2]
    asked = [
        (step.transition.source, some(step.frame.base, *step.frame.lemmas)) for step in steps if isinstance(step, EdgeQuery)
    ]
    assert asked == [("ℓ0", T), ("ℓ1", low), ("ℓ0", T), ("ℓ1", high)]
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    assert [[comparison(lemma) for lemma in claim.lemmas] for claim in verdict.invariant.claims] == [
        [], [comparison(eq(X, Y))], [],
    ]  # fmt: skip


def test_figure_3_4_is_followed_downwards_for_ever() -> None:
    told: list[Event] = []

    def tell(event: Event) -> None:
        told.append(event)
        if sum(isinstance(event, ThesisPropagation) for event in told) > 4:
            raise GaveUp("enough")

    with pytest.raises(GaveUp, match="enough"):
        Thesis(loop_from_two(), tell, record=True).check(0, in_time())
    last = [step for step in told if isinstance(step, ThesisPropagation)][2]
    one, zero, minus = (negate(eq(X, n)) for n in (1, 0, -1))
    assert read(last.table)["ℓ1"] == [
        some(False, one, zero, minus), some(True, one, zero, minus), some(True, one, zero), some(True, one),
    ]  # fmt: skip


def test_interpolation_settles_figure_3_4() -> None:
    verdict, steps = run(loop_from_two(), ThesisOptions(interpolation=True))
    assert isinstance(verdict, Safe)
    low, high = some(False, le(2, X)), some(True, le(2, X))
    assert tables(steps)[-1] == {"ℓ0": [T, T, T], "ℓ1": [low, high, high]}


def test_an_interpolant_is_one_half_space_where_that_is_enough() -> None:
    """x + y stays 1, whatever moves between them; neither bound of the error x ≤ 0 ∧ y ≤ 0 can be left out."""
    graph = loop((1, 0), eq(add(N, X2), 0), (add(X, N), add(Y, X2)), conj([le(X, 0), le(Y, 0)]), inputs=(N, X2))
    verdict, steps = run(graph, ThesisOptions(interpolation=True))
    assert isinstance(verdict, Safe)
    last = [step for step in steps if isinstance(step, Interpolated)][-1]
    assert {comparison(part) for part in last.goal.formula.args} == {comparison(le(X, 0)), comparison(le(Y, 0))}
    assert comparison(last.lemma) == comparison(le(1, add(X, Y)))


def test_disjunctions_become_obligations_of_their_own() -> None:
    graph = loop((0, 0), FALSE, (X, Y), disj([eq(X, 5), eq(Y, 7)]))
    _, whole = run(graph)
    _, parts = run(graph, ThesisOptions(dnf=True))
    first = next(step for step in whole if isinstance(step, NextLevel))
    assert [goal.formula.op for goal in first.goals] == ["or"]
    first = next(step for step in parts if isinstance(step, NextLevel))
    assert {comparison(goal.formula) for goal in first.goals} == {comparison(eq(X, 5)), comparison(eq(Y, 7))}


def test_a_cached_queue_begins_with_the_deepest_obligation() -> None:
    verdict, steps = run(phases(3), ThesisOptions(caching=True))
    assert isinstance(verdict, Unsafe)
    begins = [step for step in steps if isinstance(step, NextLevel)]
    assert [[goal.level for goal in step.goals] for step in begins[:4]] == [[1], [2], [2, 3], [2, 2, 3, 4]]
    plain = run(phases(3))[1]
    found = [sum(len(step.found) for step in told if isinstance(step, EdgeQuery)) for told in (plain, steps)]
    assert found[1] < found[0]


def test_refuted_queries_are_remembered() -> None:
    plain, clever = Thesis(phases(3)), Thesis(phases(3), options=ThesisOptions(memory=True))
    assert plain.check(0).word == clever.check(0).word == "unsafe"
    assert clever.queries < plain.queries
    _, steps = run(phases(3), ThesisOptions(memory=True))
    assert any(step.is_remembered for step in steps if isinstance(step, EdgeQuery))


@pytest.mark.parametrize(
    "options", [ThesisOptions(**dict(zip(NAMES, on, strict=True))) for on in product((False, True), repeat=4)]
)
def test_every_combination_agrees_with_enumeration(options: ThesisOptions) -> None:
    for seed in range(12):
        random = Random(seed * 31 + hash_of(options))
        graph = closed_program(random) if seed % 3 == 0 else closed_graph(random, sources=1)
        for prop in range(len(graph.questions)):
            verdict, _ = run(graph, options, prop)
            assert verdict.word == ("safe" if derivation(graph, prop) is None else "unsafe"), (seed, prop)


def hash_of(options: ThesisOptions) -> int:
    return sum(getattr(options, name) << bit for bit, name in enumerate(NAMES))


def test_an_error_edge_that_leaves_the_start_is_found() -> None:
    """The figure would count the obligation as blocked: ℓ0 has no predecessor."""
    graph = reachable()
    edge = Edge((Source(0, (X,)),), 4, (), eq(X, 5))
    verdict, steps = run(replace(graph, edges=(*graph.edges, edge)))
    assert isinstance(verdict, Unsafe) and isinstance(steps[-1], ReachedError) and steps[-1].places == ("ℓ0", "ℓE")


def test_a_start_that_is_the_error_is_a_counterexample_at_once() -> None:
    graph = reachable()
    verdict, steps = run(replace(graph, edges=(Edge((), 4, (), TRUE),)))
    assert isinstance(verdict, Unsafe) and isinstance(steps[-1], ThesisZeroCheck) and steps[-1].is_error


def test_a_guard_at_the_start_makes_a_start_of_its_own() -> None:
    graph = loop((0, 0), TRUE, (add(X, 1), Y), le(X, -1))
    verdict, steps = run(
        replace(graph, edges=(replace(graph.edges[0], inputs=(N,), guard=le(3, N), updates=(N, N)), *graph.edges[1:]))
    )
    assert (
        isinstance(verdict, Safe)
        and isinstance(steps[1], ThesisZeroCheck)
        and [row.place for row in steps[1].table] == ["start", "main"]
    )


def test_a_havoc_before_the_error_is_no_closed_door() -> None:
    """Dijkstra's weakest precondition of x = 3 before ``havoc x`` is false; some step leads there all the same."""
    graph = reachable()
    havoc = replace(graph.edges[2], inputs=(N,), updates=(N,))
    verdict, _ = run(replace(graph, edges=(*graph.edges[:2], havoc, *graph.edges[3:])))
    assert isinstance(verdict, Unsafe)


def test_a_precondition_that_was_cut_short_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preconditions, "_MOST_CUBES", 1)
    target = disj([eq(add(X, N), 20), eq(add(X, N), 40), eq(add(Y, N), 60)])
    graph = loop((0, 0), le(X, 3), (add(X, 1), Y), conj([target, le(70, N)]), TRUE)
    bad = replace(graph.edges[2], inputs=(N,))
    graph = replace(graph, edges=(*graph.edges[:2], bad, *graph.edges[3:]))
    for options in (ThesisOptions(), ThesisOptions(dnf=True), ThesisOptions(interpolation=True)):
        verdict, steps = run(graph, options)
        assert isinstance(verdict, Safe)
        assert len({step.goal.formula for step in steps if isinstance(step, EdgeQuery)}) > 1


def test_each_level_is_a_bound_and_a_run_goes_on_after_a_time_out() -> None:
    told: list[Event] = []
    engine = Thesis(phases(3), told.append)
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, now() - 1)
    verdict, turns = in_turns(lambda until: engine.check(0, until))
    assert turns and isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation) and verdict.trace.depth == 8
    bounds = [event.bound for event in told if isinstance(event, BoundReached)]
    assert engine.bound == bounds[-1] == 8 and sorted(set(bounds)) == list(range(9))


def test_several_properties_are_settled_one_after_the_other() -> None:
    graph = steps_of_two(5)
    engine = Thesis(graph, options=ThesisOptions(interpolation=True))
    for prop, word in ((0, "unsafe"), (1, "safe"), (0, "unsafe")):
        verdict = engine.check(prop, in_time())
        certify_graph(graph, prop, verdict, ("z3",))
        assert verdict.word == word


def test_procedures_are_given_up() -> None:
    with pytest.raises(GaveUp, match="incomplete"):
        Thesis(fibonacci(3, 3)).check(0, in_time())


def test_the_same_run_twice_asks_the_same() -> None:
    for options in (ThesisOptions(), ThesisOptions(True, True, True, True)):
        assert run(phases(3), options)[1] == run(phases(3), options)[1]
