"""Several properties become one: can any of their errors be reached?

All error edges lead to one error. If it is unreachable, one invariant proves all properties; a derivation of it tells which
property fails. Claims about the error locations that are none any more are dropped on the way back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph, GraphProperty
from lemmata.transforms.graph.back import GraphReduction
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Joint:
    """The way back from ``joint``."""

    old: Graph

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """The same claims, for locations that are no errors."""
        errors = {question.location for question in self.old.questions}
        return GraphInvariant(tuple([claim for claim in invariant.claims if claim.location not in errors]))

    def trace(self, derivation: Derivation) -> Derivation:
        """The same facts; the last one is the error that its edge led to, and belongs to that property."""
        *facts, last = derivation.facts
        target = self.old.edges[last.edge].target
        prop = next(question.index for question in self.old.questions if question.location == target)
        return Derivation(prop, (*facts, replace(last, place=self.old.locations[target])))


def joint(graph: Graph, props: Sequence[int]) -> GraphReduction:
    """The graph with one property, number 0, which fails if one of ``props`` does."""
    errors = {graph.questions[prop].location for prop in props}
    first = graph.questions[props[0]]
    edges = [replace(edge, target=first.location) if edge.target in errors else edge for edge in graph.edges]
    question = GraphProperty(0, f"any of {len(props)} properties", first.location)
    return GraphReduction(replace(graph, edges=tuple(edges), questions=(question,)), Joint(graph))
