"""What a graph looks like around one property: which locations matter, and whether runs are lists or trees."""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.models.graph import Edge, Graph


def has_linear_runs(graph: Graph) -> bool:
    """Has every edge at most one source?"""
    return all(len(edge.sources) <= 1 for edge in graph.edges)


def leading_to(graph: Graph, error: int) -> frozenset[int]:
    """The locations from which ``error`` can be reached along edges, itself included; guards are not looked at."""
    into: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        into.setdefault(edge.target, []).append(edge)
    seen, stack = {error}, [error]
    while stack:
        for edge in into.get(stack.pop(), ()):
            for source in edge.sources:
                if source.location not in seen:
                    seen.add(source.location)
                    stack.append(source.location)
    return frozenset(seen)


def edges_towards(graph: Graph, error: int) -> Iterator[tuple[int, Edge]]:
    """The edges, with their numbers, that a derivation of ``error`` can use."""
    useful = leading_to(graph, error)
    return ((number, edge) for number, edge in enumerate(graph.edges) if edge.target in useful)
