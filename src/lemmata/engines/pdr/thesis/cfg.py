"""A graph as the thesis wants it: one initial location ℓ_0, where anything holds, one error ℓ_E, edges with one source.

Graphs say by edges without source how runs begin. Where a single such edge leaves all values open, its target is ℓ_0.
Otherwise ℓ_0 is a new location without variables, and those edges lead out of it. The thesis has no procedures (7.1.2), so a
graph with an edge that has two sources and may lead to the error is given up (``incomplete``).
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.errors import GaveUp
from lemmata.logic.terms import TRUE
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.oracles.shape import edges_towards
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Cfg:
    """Every edge of ``graph`` that matters has exactly one source; edges have the numbers of those of the file's graph."""

    graph: Graph
    start: int
    error: int
    entry: int | None  # the edge into ℓ_0, if the file's graph has this location
    into: dict[int, tuple[int, ...]]  # by target: the edges that can lead to the error

    def source(self, edge: int) -> int:
        """Where an edge starts."""
        return self.graph.edges[edge].sources[0].location

    @property
    def places(self) -> list[int]:
        """ℓ_0 and the other locations that are no errors, in their order."""
        errors = {question.location for question in self.graph.questions}
        others = [place for place in range(len(self.graph.locations)) if place != self.start and place not in errors]
        return [self.start, *others]


def cfg_of(graph: Graph, prop: int) -> Cfg:
    """The control-flow graph of one property."""
    error = graph.questions[prop].location
    edges = dict(edges_towards(graph, error))
    if any(len(edge.sources) > 1 for edge in edges.values()):
        raise GaveUp("incomplete")
    entries = [number for number, edge in edges.items() if not edge.sources]
    entry = entries[0] if len(entries) == 1 and _is_open(edges[entries[0]]) else None
    if entry is None:
        start = len(graph.locations)
        graph = _with_start(graph)
    else:
        start = graph.edges[entry].target
        del edges[entry]
    into: dict[int, list[int]] = {}
    for number, edge in edges.items():
        into.setdefault(edge.target, []).append(number)
    return Cfg(graph, start, error, entry, {place: tuple(numbers) for place, numbers in into.items()})


def _is_open(edge: Edge) -> bool:
    """Does the edge leave all values open?"""
    is_choice = all(update in edge.inputs for update in edge.updates)
    return edge.guard is TRUE and is_choice and len(set(edge.updates)) == len(edge.updates)


def _with_start(graph: Graph) -> Graph:
    start = Source(len(graph.locations), ())
    edges = tuple([edge if edge.sources else replace(edge, sources=(start,)) for edge in graph.edges])
    return replace(graph, locations=(*graph.locations, Location("start")), edges=edges)
