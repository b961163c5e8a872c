"""Simplified graphs say the same as the graphs that they come from: against enumeration, each step alone and all together."""

import pytest

from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.transforms.graph.cone import reduce_graph_cone
from tests.support.graph_steps import STEPS, agree, graphs


@pytest.mark.parametrize("name", STEPS)
def test_a_step_keeps_the_verdict_and_its_evidence_finds_back(name: str):
    for graph in graphs(name, range(25)):
        for prop in range(len(graph.questions)):
            agree(graph, prop, STEPS[name](graph, prop))


@pytest.mark.parametrize("name", STEPS)
def test_a_step_finds_something_to_do(name: str):
    sizes = [
        (len(g.edges), len(r.model.edges), r.model == reduce_graph_cone(g, 0).model)
        for g in graphs(name, range(30))
        for r in [STEPS[name](g, 0)]
    ]
    assert any(after != before for before, after, _ in sizes) if name == "cone" else not all(same for *_, same in sizes)


def test_simplification_is_deterministic():
    for graph in graphs("twice", range(20)):
        assert simplify_graph(graph, 0, preferred()).model == simplify_graph(graph, 0, preferred()).model
