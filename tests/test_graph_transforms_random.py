"""Simplified graphs say the same as the graphs that they come from: against enumeration, each step alone and all together."""

from collections.abc import Callable
from random import Random

import pytest

from lemmata.certify.claims import check_claims
from lemmata.certify.derive import replay_derivation
from lemmata.models.graph import Graph
from lemmata.transforms.graph import GraphChain, GraphReduction, simplify_graph
from lemmata.transforms.graph.cone import cone
from lemmata.transforms.graph.control import split_control
from lemmata.transforms.graph.edges import simplify_edges
from lemmata.transforms.graph.ensured import use_ensured
from lemmata.transforms.graph.fixed import drop_fixed
from lemmata.transforms.graph.inline import inline
from lemmata.transforms.graph.live import drop_dead
from tests.closed_graphs import closed_graph, derivation, exact, weakest

Step = Callable[[Graph, int], GraphReduction]


def after_cone(step: Callable[[Graph], GraphReduction]) -> Step:
    def both(graph: Graph, prop: int) -> GraphReduction:
        first = cone(graph, prop)
        second = step(first.graph)
        return GraphReduction(second.graph, GraphChain((first.back, second.back)))

    return both


STEPS: dict[str, tuple[Step, int]] = {
    "cone": (cone, 60),
    "edges": (after_cone(simplify_edges), 80),
    "fixed": (after_cone(drop_fixed), 80),
    "ensured": (after_cone(use_ensured), 80),
    "control": (after_cone(split_control), 80),
    "dead": (after_cone(drop_dead), 80),
    "inline": (after_cone(inline), 100),
    "all": (simplify_graph, 150),
    "all without inlining": (lambda graph, prop: simplify_graph(graph, prop, inlining=False), 60),
}


def agree(graph: Graph, prop: int, reduction: GraphReduction) -> None:
    """The same verdict, and evidence that survives its check on the graph as it was."""
    new = derivation(reduction.graph, 0)
    assert (new is None) == (derivation(graph, prop) is None)
    if new is not None:
        replay_derivation(graph, old := reduction.back.derivation(new))
        assert old.prop == prop
        return
    claims = [exact(reduction.graph)]
    if all(len(edge.sources) < 2 for edge in reduction.graph.edges):
        claims.append(weakest(reduction.graph, 0))
    for invariant in claims:
        check_claims(reduction.graph, 0, invariant, ("z3",))
        check_claims(graph, prop, reduction.back.invariant(invariant), ("z3",))


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("sources", [1, 2])
def test_a_step_keeps_the_verdict_and_its_evidence_finds_back(name: str, sources: int):
    step, count = STEPS[name]
    for seed in range(count // 2):
        graph = closed_graph(Random(f"{name} {sources} {seed}"), sources=sources)
        for prop in range(len(graph.questions)):
            agree(graph, prop, step(graph, prop))
