"""The proposal's algorithm over integers: its runs step by step, the gaps of its pseudo-code, and its evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.engines.pdr.textbook import integers_system as lia_textbook_system
from lemmata.engines.pdr.textbook.integers import LiaTextbook
from lemmata.errors import GaveUp
from lemmata.events import Event
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.linear import comparison
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.text import infix
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Edge, Graph
from lemmata.steps.lia import InductiveCheck, LiaBlocking, LiaCube, LiaFrames, LiaPropagation, LiaStep, LiaZeroCheck, PreImage
from lemmata.verdict import Safe, Unsafe, Verdict
from tests.support.clock import in_time
from tests.support.lia_graphs import N, X, Y, add, eq, fibonacci, le, loop, num, phases, steps_of_two


def run(graph: Graph, prop: int = 0) -> tuple[Verdict, list[LiaStep]]:
    told: list[Event] = []
    verdict = LiaTextbook(graph, told.append, record=True).check(prop, in_time())
    certify_graph(graph, prop, verdict, ("z3",))
    return verdict, [event for event in told if isinstance(event, LiaStep)]


def norm(formulas: Iterable[Term]) -> set[object]:
    """Formulas in a form that does not depend on the order of terms."""
    return {comparison(formula) or formula for formula in formulas}


def table(frames: LiaFrames) -> list[set[object]]:
    return [norm(frame) for frame in frames]


def text(cube: LiaCube) -> list[str]:
    return [infix(literal) for literal in cube]


def tables(steps: list[LiaStep]) -> list[list[set[object]]]:
    """The frames after every step that changes them."""
    return [table(step.frames) for step in steps if isinstance(step, LiaBlocking | LiaPropagation)]


def test_a_property_that_is_inductive_ends_with_two_frames_that_are_p() -> None:
    verdict, steps = run(loop((1, 2), TRUE, (add(X, 1), add(Y, -1)), le(6, add(X, add(Y, Y)))))
    assert isinstance(verdict, Safe)
    assert [type(step).__name__ for step in steps] == [
        "LiaPosed", "LiaZeroCheck", "InductiveCheck", "LiaPropagation", "InductiveCheck", "LiaPropagation",
    ]  # fmt: skip
    start, slope = norm([eq(X, 1), eq(Y, 2)]), norm([le(add(X, add(Y, Y)), 5)])
    assert tables(steps) == [[start, slope], [start, slope, slope]]
    assert isinstance(steps[-1], LiaPropagation) and steps[-1].is_fixpoint


def following() -> Graph:
    """y never falls, and x follows it: x ≥ 0 needs y ≥ 0."""
    return loop((0, 0), le(Y, N), (Y, N), le(X, -1), inputs=(N,))


def test_a_cube_is_blocked_generalized_and_pushed_to_a_fixpoint() -> None:
    verdict, steps = run(following())
    assert isinstance(verdict, Safe)
    zero, first, second = norm([eq(X, 0), eq(Y, 0)]), norm([le(0, X), eq(X, 0), le(0, Y)]), norm([le(0, X), le(0, Y)])
    assert tables(steps) == [
        [zero, norm([le(0, X), eq(X, 0)])],  # F_1 begins as P; x = 0 still holds after one step
        [zero, first],  # the cube x = 0 ∧ y ≤ -1 leads to ¬P; y ≤ -1 alone is unreachable
        [zero, first, second],
        [zero, first, second, second],
    ]
    (blocking,) = [step for step in steps if isinstance(step, LiaBlocking)]
    assert (blocking.level, blocking.failed, blocking.held) == (1, (), 1)
    assert sorted(text(blocking.cube)) == ["x = 0", "y ≤ -1"] and text(blocking.lemma) == ["y ≤ -1"]
    levels = [step.level for step in steps if isinstance(step, InductiveCheck)]
    assert levels == [0, 1, 1, 2]


def test_the_even_counter_is_followed_downwards_for_ever() -> None:
    told: list[Event] = []

    def tell(event: Event) -> None:
        told.append(event)
        if sum(isinstance(event, LiaPropagation) for event in told) > 5:
            raise GaveUp("enough")

    with pytest.raises(GaveUp, match="enough"):
        LiaTextbook(loop((0, 0), TRUE, (add(X, 2), Y), eq(X, 7)), tell, record=True).check(0, in_time())
    last = [step for step in told if isinstance(step, LiaPropagation)][3]
    odd = [negate(eq(X, n)) for n in (7, 5, 3, 1)]
    assert table(last.frames) == [
        norm([eq(X, 0), eq(Y, 0)]),
        *[norm([eq(Y, 0), *odd[:count]]) for count in (4, 3, 2, 1)],
    ]


def test_an_unsafe_run_follows_the_pre_images_down_to_an_initial_state() -> None:
    verdict, steps = run(steps_of_two(5))
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation) and verdict.trace.depth == 3
    images = [(step.level, [norm(cube) for cube in step.cubes]) for step in steps if isinstance(step, PreImage)]
    assert images[0] == (1, [norm([le(X, 5), le(4, X)])])
    blocked = [(step.level, step.failed, step.held) for step in steps if isinstance(step, LiaBlocking)]
    assert blocked[0] == (1, (1,), 0) and blocked[-1][2] is None


def test_a_bad_initial_state_is_found_although_the_pseudo_code_does_not_look() -> None:
    verdict, steps = run(loop((7, 0), FALSE, (X, Y), eq(X, 7)))
    assert isinstance(verdict, Unsafe) and isinstance(steps[-1], LiaZeroCheck) and steps[-1].state is not None


def test_an_initial_state_before_a_bad_one_is_no_endless_loop() -> None:
    verdict, steps = run(loop((0, 0), TRUE, (num(1), Y), eq(X, 1)))
    assert isinstance(verdict, Unsafe) and isinstance(steps[-1], LiaBlocking) and steps[-1].is_initial and steps[-1].level == 0


def test_a_generalized_cube_meets_no_initial_state() -> None:
    """Any x with y = 0 is initial; the steps never raise x, so ``x ≥ 5`` alone would be dropped to nothing by the core."""
    graph = loop((0, 0), TRUE, (X, add(Y, 1)), conj([le(X, -1), le(3, Y)]))
    free = replace(graph.edges[0], inputs=(N,), guard=le(0, N), updates=(N, num(0)))
    verdict, _ = run(replace(graph, edges=(free, *graph.edges[1:])))
    assert isinstance(verdict, Safe)


def test_an_initial_edge_to_the_error_is_a_counterexample() -> None:
    graph = following()
    verdict, steps = run(replace(graph, edges=(*graph.edges, Edge((), 1, (N,), eq(add(N, N), 6)))))
    assert isinstance(verdict, Unsafe) and not steps


def test_a_property_with_inputs_is_written_as_cubes_over_the_variables() -> None:
    graph = loop((0, 0), le(X, 3), (add(X, 1), Y), TRUE)
    bad = replace(graph.edges[2], inputs=(N,), guard=conj([le(9, N), disj([eq(add(N, -3), X), eq(add(N, -4), X)])]))
    verdict, steps = run(replace(graph, edges=(*graph.edges[:2], bad)))
    assert isinstance(verdict, Safe)
    assert all(name in ("x",) for cube in steps[0].bad for name in text(cube)[0].split()[:1])  # type: ignore[union-attr]


def test_each_level_is_a_bound() -> None:
    engine = LiaTextbook(steps_of_two(5))
    engine.check(0, in_time())
    assert engine.bound == 3
    _, steps = run(steps_of_two(5))
    assert max(step.level for step in steps if isinstance(step, InductiveCheck)) == 2


@pytest.mark.parametrize("graph", [phases(3), fibonacci(3, 3)], ids=["several locations", "two premises"])
def test_other_graphs_are_given_up(graph: Graph) -> None:
    with pytest.raises(GaveUp, match="incomplete"):
        LiaTextbook(graph).check(0, in_time())


def test_a_formula_that_needs_too_many_cubes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lia_textbook_system, "_MOST_CUBES", 2)
    graph = loop((0, 0), TRUE, (add(X, 1), Y), disj([eq(X, 10), eq(X, 20), eq(X, 30)]))
    with pytest.raises(GaveUp, match="incomplete"):
        LiaTextbook(graph).check(0, in_time())
