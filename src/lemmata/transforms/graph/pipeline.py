"""All simplifications of a graph in their order, again and again until nothing changes, and the composed way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from lemmata.budgets import SIMPLIFY_ROUNDS
from lemmata.logic.terms import topological
from lemmata.models.graph import Edge, Graph
from lemmata.transforms import Chain
from lemmata.transforms.graph.back import GraphBack, GraphReduction
from lemmata.transforms.graph.cases import split_cases
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

_WIDE_VALUES = 50_000  # values that all edges compute, above which those that nobody reads go before anything else

_Step = Callable[[Graph], GraphReduction]


def simplify_graph(graph: Graph, prop: int, solver: str, *, inlining: bool = True, splitting: bool = True) -> GraphReduction:
    """The smallest graph we know with property ``prop``, which is number 0 there, and the way back; both ask ``solver``.

    Without ``inlining`` every edge of the new graph is one of the old graph, so that runs are as long as they were; without
    ``splitting`` too, a transition system stays one.
    """
    first = reduce_graph_cone(graph, prop)
    links: list[GraphBack] = [first.back]
    graph = first.model
    if any(term.op == "apply" for term in topological(t for edge in graph.edges for t in (edge.guard, *edge.updates))):
        return GraphReduction(graph, Chain(tuple(links)))
    steps: list[_Step] = [
        _Edges(),
        drop_fixed,
        use_ranges,
        partial(use_guard_invariants, solver=solver),
        drop_dead,
        choose_late,
        _cone,
    ]
    if inlining:
        steps += [partial(inline, solver=solver), _cone]
    if sum([len(edge.updates) for edge in graph.edges]) > _WIDE_VALUES:
        graph = _repeated(graph, [drop_dead], links)
    graph = _repeated(graph, steps, links)
    for split in (partial(split_control, solver=solver), split_cases, split_states) if splitting else ():
        reduction = split(graph)
        if reduction.model != graph:
            links.append(reduction.back)
            graph = _repeated(reduction.model, steps, links)
    return GraphReduction(graph, Chain(tuple(links)))


def _repeated(graph: Graph, steps: Sequence[_Step], links: list[GraphBack]) -> Graph:
    """The graph after all steps, again and again until none changes it; ``links`` gets the ways back."""
    idle = 0  # steps in a row that changed nothing
    for step in [*steps] * SIMPLIFY_ROUNDS:
        reduction = step(graph)
        idle = idle + 1 if reduction.model == graph else 0
        if idle == 0:
            links.append(reduction.back)
            graph = reduction.model
        elif idle == len(steps):
            break
    return graph


class _Edges:
    """``simplify_edges`` that looks at an edge only once."""

    def __init__(self) -> None:
        self._simple: set[Edge] = set()

    def __call__(self, graph: Graph) -> GraphReduction:
        reduction = simplify_edges(graph, self._simple)
        self._simple = set(reduction.model.edges)
        return reduction


def _cone(graph: Graph) -> GraphReduction:
    return reduce_graph_cone(graph, 0)
