"""Derivations without stretches: every round of a loop is a fact of its own, as far as that is short enough."""

from __future__ import annotations

from dataclasses import replace

from lemmata.errors import CertificateError, GaveUp
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph
from lemmata.models.stretches import SHORT_STRETCH, follow


def single_steps(graph: Graph, derivation: Derivation) -> list[Fact]:
    """The facts one by one, each after its premises, which are no errors; ``GaveUp`` where a stretch is too long for that."""
    errors = {question.location for question in graph.questions}
    facts: list[Fact] = []
    place: list[int] = []  # where each fact of the derivation is now
    for number, fact in enumerate(derivation.facts):
        for premise in fact.premises:
            if not 0 <= premise < number or graph.edges[derivation.facts[premise].edge].target in errors:
                raise CertificateError(f"fact {number}: {premise} is no earlier fact")
        premises = tuple(place[premise] for premise in fact.premises)
        if fact.stretch is None:
            facts.append(replace(fact, premises=premises))
            place.append(len(facts) - 1)
        elif fact.stretch.length > SHORT_STRETCH:
            raise GaveUp("incomplete")
        else:
            place.append(follow(graph, facts, premises[0], fact.stretch))
    return facts
