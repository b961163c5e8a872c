"""Execution of graphs with concrete values: deep runs, guesses, and its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.engines.graph.simulate import GraphSimulator
from lemmata.errors import GaveUp
from lemmata.logic.build import build
from lemmata.logic.terms import TRUE
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.verdict import Unknown, Unsafe
from lemmata.work import now
from tests.support.clock import in_time, in_turns
from tests.support.lia_graphs import N, X, Y, add, eq, fibonacci, le, loop, num, phases, steps_of_two


def run(graph: Graph, seed: int = 0) -> Derivation:
    verdict = GraphSimulator(graph, seed=seed).check(0, in_time())
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    assert certify_graph(graph, 0, verdict) == "evaluation"
    return verdict.trace


def test_a_determined_loop_is_followed_over_thousands_of_turns() -> None:
    graph = loop((0, 0), le(X, 2999), (add(X, 1), add(Y, 3)), eq(Y, 9_000))
    assert run(graph).depth == 3000


def test_a_determined_walk_that_ends_is_the_end_of_the_search() -> None:
    assert GraphSimulator(phases(4)).check(0, in_time()) == Unknown("incomplete")


def test_free_inputs_are_guessed() -> None:
    assert run(steps_of_two(30)).facts[-2].values[0] > 30


def test_inputs_that_nobody_guesses_are_asked_for() -> None:
    graph = loop((0, 0), eq(build("*", (num(7), N)), 86_415), (N, Y), eq(X, 12_345), inputs=(N,))
    assert run(graph).depth == 1


def test_a_bug_that_never_comes_ends_with_the_time() -> None:
    engine = GraphSimulator(replace(steps_of_two(3), questions=steps_of_two(3).questions[1:]))
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, now() + 0.02)


def test_a_search_goes_on_where_it_was_stopped() -> None:
    engine = GraphSimulator(loop((0, 0), TRUE, (add(X, 1), Y), eq(X, 8_000)))
    found, turns = in_turns(lambda until: engine.check(0, until))
    assert isinstance(found, Unsafe) and turns


def test_the_same_seed_gives_the_same_walk() -> None:
    assert run(steps_of_two(30), 3) == run(steps_of_two(30), 3)


def test_trees_are_given_up() -> None:
    with pytest.raises(GaveUp, match="incomplete"):
        GraphSimulator(fibonacci(3, 3)).check(0, in_time())


def test_numbers_that_grow_on_and_on_end_a_walk() -> None:
    graph = loop((3, 0), TRUE, (build("*", (X, X)), add(Y, 1)), eq(Y, 100))
    assert GraphSimulator(graph).check(0, in_time()) == Unknown("incomplete")
