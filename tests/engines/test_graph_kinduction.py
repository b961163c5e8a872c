"""k-induction on graphs: what it proves, on what evidence, and what it may assume."""

from __future__ import annotations

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.config import Config
from lemmata.engines.graph.kinduction import GraphKInduction, survives
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.logic.build import conj, disj
from lemmata.logic.rewrite.solved import solve_inputs
from lemmata.logic.terms import TRUE, Term
from lemmata.models.derivation import Claim, Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.run.flow import Flow
from lemmata.run.task import Task
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import HANGS, in_time
from tests.support.lia_graphs import X2, Y2, N, X, Y, add, eq, fibonacci, le, loop, num, steps_of_two


def settle(graph: Graph, facts: GraphInvariant | None = None, prop: int = 0, seconds: float = HANGS) -> Verdict:
    verdict = GraphKInduction(graph, known=lambda: facts).check(prop, now() + seconds)
    certify_graph(graph, prop, verdict, ("z3",))
    return verdict


def test_an_inductive_property_is_an_invariant() -> None:
    verdict = settle(loop((0, 0), TRUE, (add(X, 1), add(Y, 1)), le(X, -1)))
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    assert len(verdict.invariant.claims[0].lemmas) == 1


def test_facts_that_exclude_the_error_are_enough() -> None:
    graph = steps_of_two(30)
    facts = GraphInvariant((Claim(0, graph.locations[0], (le(X, add(Y, Y)),)),))
    assert settle(graph, facts, prop=1) == Safe(facts)


def shifting() -> Graph:
    """x gets what y was, y gets 0 or 1 (by the guard): x is never 5, but only two steps show it."""
    return loop((0, 0), conj([le(0, N), le(N, 1)]), (Y, N), eq(X, 5), inputs=(N,))


def test_a_property_may_need_two_good_states() -> None:
    verdict = settle(shifting())
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphKInductive) and verdict.invariant.k == 3
    assert "3-inductive" in verdict.invariant.describe()


def test_evidence_with_too_small_a_number_is_rejected() -> None:
    graph = shifting()
    nothing = GraphInvariant((Claim(0, graph.locations[0]),))
    with pytest.raises(CertificateError, match="step"):
        certify_graph(graph, 0, Safe(GraphKInductive(2, nothing)), ("z3",))


def test_an_error_edge_whose_inputs_are_defined_by_its_guard_can_be_missed() -> None:
    plain = loop((0, 0), TRUE, (add(X, 1), add(Y, 1)), TRUE)
    bad = Edge((Source(0, (X, Y)),), 1, (N,), conj([eq(add(N, -1), X), le(N, -5)]))
    graph = Graph(plain.locations, (*plain.edges[:2], bad), plain.questions)
    verdict = settle(graph)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)


def test_an_error_edge_with_free_inputs_is_denied_for_some_values_only() -> None:
    plain = loop((0, 0), TRUE, (add(X, 1), add(Y, 1)), TRUE)
    bad = Edge((Source(0, (X, Y)),), 1, (N,), conj([le(N, X), le(X, -5)]))
    graph = Graph(plain.locations, (*plain.edges[:2], bad), plain.questions)
    with pytest.raises(GaveUp, match="timeout"):
        GraphKInduction(graph).check(0, now() + 0.3)


def test_what_another_way_misses_is_not_assumed_of_this_one() -> None:
    """Where a state may go on or leave for the error's place, the paths that go on are not asked to miss the error there."""
    here, aside = (Source(0, (X, Y)),), (Source(1, (X, Y)),)
    graph = Graph(
        (Location("loop", (X, Y)), Location("after", (X, Y)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(0), num(0))),
            Edge(here, 0, (), TRUE, (add(X, 1), add(Y, 1))),
            Edge(here, 1, (), TRUE, (X, Y)),
            Edge(aside, 2, (), disj([le(add(X, 1), Y), le(add(Y, 1), X)])),
        ),
        (GraphProperty(0, "equal", 2),),
    )
    with pytest.raises(GaveUp, match="timeout"):
        settle(graph, seconds=0.5)


def test_proofs_that_need_a_simpler_error_edge_do_not_survive() -> None:
    """Without its input, which may be anything up to x, the edge can be denied; the graph as it was read has the input."""
    unequal = disj([le(add(X, 1), Y), le(add(Y, 1), X)])
    plain, graph = in_turns((), unequal), in_turns((N,), conj([le(N, X), unequal]))
    found = settle(simplify_graph(graph, 0, preferred(), inlining=False).model)
    assert isinstance(found, Safe) and isinstance(proof := found.invariant, GraphKInductive) and proof.k == 3
    assert survives(plain, 0, proof, "z3") and not survives(graph, 0, proof, "z3")
    flow = Flow(Task(graph, Config(engine="kinduction"), in_time()), NOBODY)
    flow.prepare()
    with pytest.raises(GaveUp, match="incomplete"):
        flow.settle(0, in_time())


def test_counterexamples_are_shortest() -> None:
    verdict = settle(steps_of_two(9))
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation) and verdict.trace.depth == 5


def in_turns(inputs: tuple[Term, ...], bad: Term) -> Graph:
    """x and y grow in turns; ``bad`` is asked before x does."""
    here, there = (Source(0, (X, Y)),), (Source(1, (X2, Y2)),)
    return Graph(
        (Location("a", (X, Y)), Location("b", (X2, Y2)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(0), num(0))),
            Edge(here, 1, (), TRUE, (add(X, 1), Y)),
            Edge(there, 0, (), TRUE, (X2, add(Y2, 1))),
            Edge(here, 2, inputs, bad),
        ),
        (GraphProperty(0, "level", 2),),
    )


def test_several_locations() -> None:
    verdict = settle(in_turns((), disj([le(add(X, 1), Y), le(add(Y, 1), X)])))
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphKInductive)


def test_trees_are_refused() -> None:
    with pytest.raises(GaveUp, match="incomplete"):
        GraphKInduction(fibonacci(3, 3)).check(0, in_time())


def test_equations_of_a_guard_are_solved_one_after_the_other() -> None:
    solved = solve_inputs(conj([eq(N, add(X, 1)), eq(add(N, X2), Y), le(Y2, X2)]), (N, X2, Y2))
    assert set(solved.definitions) == {N, X2} and solved.free == (Y2,)
    assert solved.definitions[N] is add(X, 1)


def test_an_equation_with_itself_defines_nothing() -> None:
    assert solve_inputs(eq(N, add(N, 0)), (N,)).free == (N,)
    assert solve_inputs(eq(add(N, N), X), (N,)).free == (N,)
