"""The cone of one property: the locations that can be reached from initial edges and from which its error can be reached.

An edge counts if all its sources can be reached. What is dropped is either unreachable, and claimed ``false``, or leads nowhere
near the error, and may be anything: an edge from there to the cone would have put it into the cone. The errors of other
properties lead nowhere. Edges whose guard is ``false`` do not exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from lemmata.logic.terms import FALSE
from lemmata.models.graph import Edge, Graph, GraphProperty, Source
from lemmata.transforms.graph.back import Adapted, GraphReduction, unchanged_edge


def reduce_graph_cone(graph: Graph, prop: int) -> GraphReduction:
    """The part of the graph that matters for property ``prop``, which is number 0 there."""
    question = graph.questions[prop]
    edges = [number for number, edge in enumerate(graph.edges) if edge.guard is not FALSE]
    reached = _forward(graph, edges)
    edges = [number for number in edges if all(source.location in reached for source in graph.edges[number].sources)]
    wanted = _backward(graph, edges, question.location)
    errors = {q.location for q in graph.questions}
    kept = [n for n in range(len(graph.locations)) if n == question.location or (n in reached and n in wanted)]
    chosen = [number for number in edges if graph.edges[number].target in wanted]
    places = {n: k for k, n in enumerate(kept)}
    smaller = tuple(_moved(graph.edges[number], places) for number in chosen)
    asked = (GraphProperty(0, question.name, places[question.location]),)
    extra = {n: (FALSE,) for n in range(len(graph.locations)) if n not in reached and n not in errors}
    recipes = tuple(unchanged_edge(number, graph.edges[number]) for number in chosen)
    new = Graph(tuple(graph.locations[n] for n in kept), smaller, asked, graph.origin, graph.file)
    return GraphReduction(new, Adapted(graph, new, prop, tuple(kept), recipes, extra))


def _forward(graph: Graph, edges: Sequence[int]) -> set[int]:
    leaving: list[list[int]] = [[] for _ in graph.locations]
    missing: dict[int, int] = {}  # of edges with several sources, those that are not reached yet
    stack = []
    for number in edges:
        sources = graph.edges[number].sources
        places = {source.location for source in sources} if len(sources) > 1 else [source.location for source in sources]
        for location in places:
            leaving[location].append(number)
        if not places:
            stack.append(graph.edges[number].target)
        elif len(places) > 1:
            missing[number] = len(places)
    reached: set[int] = set()
    while stack:
        location = stack.pop()
        if location in reached:
            continue
        reached.add(location)
        for number in leaving[location]:
            if number in missing:
                missing[number] -= 1
            if not missing.get(number):
                stack.append(graph.edges[number].target)
    return reached


def _backward(graph: Graph, edges: Sequence[int], error: int) -> set[int]:
    entering: dict[int, list[Edge]] = defaultdict(list)
    for number in edges:
        entering[graph.edges[number].target].append(graph.edges[number])
    wanted: set[int] = set()
    stack = [error]
    while stack:
        location = stack.pop()
        if location not in wanted:
            wanted.add(location)
            stack += [source.location for edge in entering[location] for source in edge.sources]
    return wanted


def _moved(edge: Edge, places: dict[int, int]) -> Edge:
    sources = tuple(Source(places[source.location], source.variables) for source in edge.sources)
    return Edge(sources, places[edge.target], edge.inputs, edge.guard, edge.updates, edge.line)
