"""Fewer facts for the same derivation: a fact that was derived before need not be derived again.

Engines hand over what they found, with detours: a step that changes nothing, a loop, a branch that leads nowhere. Every
fact is replaced by the first one that says the same, and what the error does not need is left out.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.logic.terms import Value
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph


def shorten_derivation(graph: Graph, derivation: Derivation) -> Derivation:
    """A derivation of the same error with no more facts; one that does not fit the graph comes back as it is."""
    first: dict[tuple[int, tuple[Value, ...]], int] = {}
    same: list[int] = []
    for number, fact in enumerate(derivation.facts):
        if not 0 <= fact.edge < len(graph.edges) or not all(0 <= p < number for p in fact.premises):
            return derivation
        same.append(first.setdefault((graph.edges[fact.edge].target, fact.values), number))
    needed, stack = set[int](), same[-1:]
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += [same[p] for p in derivation.facts[number].premises]
    place = {number: position for position, number in enumerate(sorted(needed))}
    facts: list[Fact] = []
    for number in sorted(needed):
        fact = derivation.facts[number]
        facts.append(replace(fact, premises=tuple(place[same[p]] for p in fact.premises)))
    return replace(derivation, facts=tuple(facts))
