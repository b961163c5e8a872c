"""Bounded model checking on graphs: shortest runs, trees, bounds, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lemmata.engines.graph import tree
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event
from lemmata.logic.build import build, conj
from lemmata.logic.terms import FALSE, TRUE, Term, name_of
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.verdict import Unknown, Unsafe
from lemmata.work import now
from tests.support.clock import in_time
from tests.support.lia_graphs import N, X, Y, add, eq, fibonacci, follows, le, loop, num, phases, steps_of_two
from tests.support.solvers import available

BACKENDS = [name for name in ("yices", "z3", "cvc5") if name in available()]


def derivation(graph: Graph, prop: int = 0, solver: str = "") -> Derivation:
    verdict = GraphBmc(graph, solver=solver).check(prop, in_time())
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    return verdict.trace


@pytest.mark.parametrize("solver", BACKENDS)
def test_the_first_run_is_a_shortest_one(solver: str) -> None:
    found = derivation(steps_of_two(30), solver=solver)
    assert found.depth == 16  # neither the initial edge nor the one to the error is a step
    assert found.facts[-2].values[0] > 30
    assert [fact.values[1] for fact in found.facts[:-1]] == list(range(17))


def test_a_property_without_counterexample_runs_into_the_time_limit_and_keeps_its_bound() -> None:
    engine = GraphBmc(steps_of_two(30))
    bounds = [engine.bound]
    while bounds[-1] <= 3:
        with pytest.raises(GaveUp, match="timeout"):
            engine.check(1, now() + 0.2)
        bounds.append(engine.bound)
    assert bounds == sorted(bounds)
    assert isinstance(engine.check(0, in_time()), Unsafe) and engine.bound == 16


def test_bounds_are_told_in_order() -> None:
    heard: list[Event] = []
    GraphBmc(steps_of_two(5), heard.append).check(0)
    assert [event.bound for event in heard if isinstance(event, BoundReached)] == [0, 1, 2, 3]


def test_a_run_goes_through_several_locations() -> None:
    found = derivation(phases(3))
    assert follows(phases(3), [fact.edge for fact in found.facts])
    assert [fact.place.name for fact in found.facts] == ["up"] * 4 + ["follow"] * 4 + ["done", "error"]


def test_a_graph_whose_runs_all_end_is_exhausted() -> None:
    engine = GraphBmc(phases(4))
    assert engine.check(0, in_time()) == Unknown("incomplete")
    assert engine.is_exhausted(0) and engine.bound >= 9


def test_a_bad_state_without_successor_counts() -> None:
    assert derivation(loop((7, 0), FALSE, (X, Y), eq(X, 7))).depth == 0


def test_an_initial_edge_may_lead_to_the_error_at_once() -> None:
    graph = steps_of_two(3)
    start = graph.edges[0]
    assert derivation(replace(graph, edges=(*graph.edges, replace(start, target=1, updates=())))).depth == 0


def test_a_graph_without_initial_edge_has_no_derivation() -> None:
    graph = steps_of_two(3)
    assert GraphBmc(replace(graph, edges=graph.edges[1:])).check(0) == Unknown("incomplete")


def test_constants_fold_so_that_a_thousand_determined_steps_are_no_work() -> None:
    graph = loop((0, 0), TRUE, (add(X, 1), add(Y, 3)), eq(X, 1000))
    assert derivation(graph).facts[-2].values == (1000, 3000)


def test_products_of_variables_are_handed_to_a_solver_that_has_them() -> None:
    product = build("*", (X, N))
    graph = loop((3, 0), conj([le(2, N), le(N, 4)]), (product, Y), eq(X, 24), inputs=(N,))
    assert derivation(graph).depth == 2


@pytest.mark.parametrize("solver", BACKENDS)
def test_trees_are_derived_and_common_parts_are_told_once(solver: str) -> None:
    found = derivation(fibonacci(6, 13), solver=solver)
    assert found.depth == 5 and len(found.facts) == 8
    assert found.facts[-2].values == (6, 13)


def test_a_tree_without_derivation_is_refuted_for_all_depths_at_once() -> None:
    engine = GraphBmc(fibonacci(-1, 1))
    assert engine.check(0, in_time()) == Unknown("incomplete") and engine.is_exhausted(0)


def test_a_tree_that_grows_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "TREE_NODES", 20)
    with pytest.raises(GaveUp, match="incomplete"):
        GraphBmc(fibonacci(9, 1)).check(0, in_time())


def test_a_division_by_zero_is_no_counterexample_that_evaluation_denies() -> None:
    graph = loop((0, 0), TRUE, (X, Y), eq(build("div", (num(5), X)), 9))
    with pytest.raises(GaveUp, match="incomplete"):
        GraphBmc(graph, solver="z3").check(0, in_time())


def test_trees_ask_models_for_branches_and_the_last_one_for_the_inputs_of_its_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    check = tree.FallbackSolver.check

    def listen(
        solver: tree.FallbackSolver, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None
    ) -> object:
        asked.append([name_of(term) for term in wanted])
        return check(solver, assumptions, wanted, until)

    monkeypatch.setattr(tree.FallbackSolver, "check", listen)
    derivation(fibonacci(6, 13))
    *branches, inputs = asked
    assert len(branches) > 2 and all(name.startswith("edge@") for names in branches for name in names)
    assert inputs and not any(name.startswith("edge@") for name in inputs)
