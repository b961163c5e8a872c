"""Simplified graphs say the same as the graphs that they come from: against enumeration, each step alone and all together."""

from collections.abc import Iterator
from random import Random

import pytest

from lemmata.models.graph import Graph
from lemmata.transforms.graph import simplify_graph
from lemmata.transforms.graph.cone import cone
from tests.support.closed_graphs import closed_graph, closed_program
from tests.support.graph_steps import STEPS, agree


def graphs(name: str, count: int) -> Iterator[Graph]:
    for seed in range(count):
        random = Random(f"{name} {seed}")
        yield closed_program(random) if seed % 3 == 2 else closed_graph(random, sources=1 + seed % 2)


@pytest.mark.parametrize("name", STEPS)
def test_a_step_keeps_the_verdict_and_its_evidence_finds_back(name: str):
    for graph in graphs(name, 15):
        for prop in range(len(graph.questions)):
            agree(graph, prop, STEPS[name](graph, prop))


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_the_same_for_many_graphs(name: str):
    for graph in graphs(f"many {name}", 100):
        for prop in range(len(graph.questions)):
            agree(graph, prop, STEPS[name](graph, prop))


@pytest.mark.parametrize("name", STEPS)
def test_a_step_finds_something_to_do(name: str):
    sizes = [
        (len(g.edges), len(r.graph.edges), r.graph == cone(g, 0).graph) for g in graphs(name, 30) for r in [STEPS[name](g, 0)]
    ]
    assert any(after != before for before, after, _ in sizes) if name == "cone" else not all(same for *_, same in sizes)


def test_simplification_is_deterministic():
    for graph in graphs("twice", 20):
        assert simplify_graph(graph, 0).graph == simplify_graph(graph, 0).graph
