"""Each step of the simplification of graphs, and whether a step keeps the verdict and its evidence finds back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from lemmata.transforms import Chain
from lemmata.transforms.graph import GraphReduction, simplify_graph
from lemmata.transforms.graph.bounded_integers import integers_as_words
from lemmata.transforms.graph.cone import reduce_graph_cone
from lemmata.transforms.graph.control import split_control
from lemmata.transforms.graph.edges import simplify_edges
from lemmata.transforms.graph.fixed import drop_fixed
from lemmata.transforms.graph.guard_invariants import use_guard_invariants
from lemmata.transforms.graph.inline import inline
from lemmata.transforms.graph.late_choice import choose_late
from lemmata.transforms.graph.live import drop_dead
from lemmata.transforms.graph.ranges import use_ranges
from lemmata.transforms.graph.states import split_states
from tests.support.closed_graphs import closed_graph, closed_program, derivation, exact, is_closed, weakest

Step = Callable[[Graph, int], GraphReduction]


def after_cone(step: Callable[[Graph], GraphReduction]) -> Step:
    def both(graph: Graph, prop: int) -> GraphReduction:
        first = reduce_graph_cone(graph, prop)
        second = step(first.model)
        return GraphReduction(second.model, Chain((first.back, second.back)))

    return both


def _as_words(graph: Graph) -> GraphReduction:
    reduction = integers_as_words(graph)
    assert reduction is not None
    return reduction


STEPS: dict[str, Step] = {
    "cone": reduce_graph_cone,
    "edges": after_cone(simplify_edges),
    "fixed": after_cone(drop_fixed),
    "ensured": after_cone(partial(use_guard_invariants, solver=preferred())),
    "ranges": after_cone(use_ranges),
    "dead": after_cone(drop_dead),
    "inline": after_cone(partial(inline, solver=preferred())),
    "control": after_cone(partial(split_control, solver=preferred())),
    "states": after_cone(split_states),
    "fresh": after_cone(choose_late),
    "words": after_cone(_as_words),
    "all": partial(simplify_graph, solver=preferred()),
    "all without inlining": lambda graph, prop: simplify_graph(graph, prop, preferred(), inlining=False),
}


def agree(graph: Graph, prop: int, reduction: GraphReduction) -> None:
    """The same verdict, and evidence that survives its check on the graph as it was."""
    new = derivation(reduction.model, 0)
    assert (new is None) == (derivation(graph, prop) is None)
    if new is not None:
        replay_derivation(graph, old := reduction.back.trace(new))
        assert old.prop == prop
        return
    claims = [exact(reduction.model)]
    if all(len(edge.sources) < 2 for edge in reduction.model.edges) and is_closed(reduction.model):
        claims.append(weakest(reduction.model, 0))
    for invariant in claims:
        check_claims(reduction.model, 0, invariant, ("z3",))
        check_claims(graph, prop, reduction.back.invariant(invariant), ("z3",))


def finds_back(graph: Graph, prop: int, reduction: GraphReduction) -> None:
    """The same verdict, and exact evidence that survives its check on the graph as it was, which need not be closed."""
    new = derivation(reduction.model, 0)
    assert (new is None) == (derivation(graph, prop) is None)
    if new is not None:
        replay_derivation(graph, reduction.back.trace(new))
    else:
        check_claims(graph, prop, reduction.back.invariant(exact(reduction.model)), ("z3",))


def graphs(name: str, seeds: Iterable[int]) -> Iterator[Graph]:
    """Random graphs and programs that can be listed; other names have others."""
    for seed in seeds:
        random = Random(f"{name} {seed}")
        yield closed_program(random) if seed % 3 == 2 else closed_graph(random, sources=1 + seed % 2)
