"""Smaller graphs that a trace picks from a graph: its path program, and the trace alone.

The *path program* (Beyer, Henzinger, Majumdar, Rybalchenko 2007; Werner 2018, chapter 4) has the locations of the graph and
only the edges of the trace: loops that the trace goes through stay loops, so that what is proved of it refutes all traces with
these edges. The *unrolled* trace has a location per step and no loop at all: PDR always ends there, unless its solver gives up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.engines.traces.trace import EdgeTrace
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph, GraphProperty, Origin, Source
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Projection:
    """A graph with one property, number 0, and the numbers that its edges have in the whole graph."""

    graph: Graph
    edges: tuple[int, ...]

    def derivation(self, derivation: Derivation, prop: int) -> Derivation:
        """The same facts with the edges of the whole graph, where the property is called ``prop``."""
        return Derivation(prop, tuple([replace(fact, edge=self.edges[fact.edge]) for fact in derivation.facts]))


def path_program(graph: Graph, prop: int, edges: Sequence[int]) -> Projection:
    """All locations, some edges, one property."""
    question = replace(graph.questions[prop], index=0)
    chosen = tuple([graph.edges[number] for number in edges])
    return Projection(replace(graph, edges=chosen, questions=(question,), origin=Origin()), tuple(edges))


def unrolled(graph: Graph, trace: EdgeTrace) -> Projection:
    """A location and an edge per step, with the numbers of the steps."""
    edges = []
    for number, step in enumerate(trace.steps):
        edge = graph.edges[step.edge]
        sources = [Source(premise, source.variables) for premise, source in zip(step.premises, edge.sources, strict=True)]
        edges.append(replace(edge, sources=tuple(sources), target=number))
    places = tuple([graph.locations[graph.edges[step.edge].target] for step in trace.steps])
    question = GraphProperty(0, graph.questions[trace.prop].name, len(edges) - 1)
    return Projection(Graph(places, tuple(edges), (question,), file=graph.file), tuple([step.edge for step in trace.steps]))
