"""The part of a graph that does exactly what its file says: without the edges that do more (``Origin.inexact``).

A derivation there is one of the file. A proof there says nothing, since the edges that were left out stand for something.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.models.derivation import Derivation, Stretch, Turn
from lemmata.models.graph import Graph
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class ExactPart:
    """The smaller graph, and the numbers that its edges have in the whole one."""

    graph: Graph
    edges: tuple[int, ...]

    def trace(self, derivation: Derivation) -> Derivation:
        """The same facts with the edges of the whole graph."""
        facts = [
            replace(fact, edge=self.edges[fact.edge], stretch=None if fact.stretch is None else self._stretch(fact.stretch))
            for fact in derivation.facts
        ]
        return Derivation(derivation.prop, tuple(facts))

    def _stretch(self, stretch: Stretch) -> Stretch:
        steps = [Turn(self.edges[s.edge], s.inputs) if isinstance(s, Turn) else self._stretch(s) for s in stretch.steps]
        return Stretch(stretch.count, tuple(steps))


def exact_part(graph: Graph) -> ExactPart:
    """The graph without inexact edges; locations and properties are the same."""
    inexact = set(graph.origin.inexact)
    numbers = tuple([number for number in range(len(graph.edges)) if number not in inexact])
    origin = replace(graph.origin, inexact=())
    return ExactPart(replace(graph, edges=tuple([graph.edges[number] for number in numbers]), origin=origin), numbers)
