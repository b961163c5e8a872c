"""What is known to hold whenever a location is reached becomes part of the guards of the edges that leave it.

The facts are inductive on their own, so the same states are reached, and every engine may use them. A proof on the new graph is
one relative to the facts: with them it is one on the old graph. Derivations are the same.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.logic.build import conj
from lemmata.logic.terms import Term
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph
from lemmata.transforms.graph.back import ClaimedLemmas, GraphReduction, claimed, lemmas_by_location
from lemmata.values import dataclass


def strengthen_graph(graph: Graph, facts: ClaimedLemmas) -> GraphReduction:
    """The graph with facts in its guards."""
    edges = tuple(_strengthened(graph, edge, facts) for edge in graph.edges)
    return GraphReduction(replace(graph, edges=edges), _Known(graph, facts))


def _strengthened(graph: Graph, edge: Edge, facts: ClaimedLemmas) -> Edge:
    known: list[Term] = []
    for source in edge.sources:
        names = dict(zip(graph.locations[source.location].variables, source.variables, strict=True))
        known += substitute(facts.get(source.location, ()), names)
    return replace(edge, guard=conj([edge.guard, *known])) if known else edge


@dataclass(frozen=True, slots=True)
class _Known:
    """The way back: proofs need the facts, derivations need nothing."""

    graph: Graph
    facts: ClaimedLemmas

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """With the facts."""
        found = lemmas_by_location(invariant)
        return claimed(self.graph, {n: (*found.get(n, ()), *self.facts.get(n, ())) for n in range(len(self.graph.locations))})

    def trace(self, derivation: Derivation) -> Derivation:
        """As it is."""
        return derivation
