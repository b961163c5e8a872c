"""Which predicates cut the states of a location into cells, from few to many.

In this order: Boolean variables, which often encode where a program is; conditions of case distinctions, which tell the phases
of a loop apart; literals of the property; all other literals of the guards. Each level of ``levels`` is one choice for all
locations; the engine climbs while the property is open.
"""

from __future__ import annotations

from lemmata.engines.abstract.atoms import conditions, literals, localized, places
from lemmata.logic.linear import canonical
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term
from lemmata.models.graph import Graph

_MOST = 8  # predicates over numbers at a location

Level = list[tuple[Term, ...]]  # predicates per location


def levels(graph: Graph) -> list[Level]:
    """The choices, in the order in which they are tried; the first one is no predicate at all."""
    errors = {question.location for question in graph.questions}
    booleans = [[v for v in location.variables if v.sort is BOOL] for location in graph.locations]
    cases: list[list[Term]] = [[] for _ in graph.locations]
    asked: list[list[Term]] = [[] for _ in graph.locations]
    guards: list[list[Term]] = [[] for _ in graph.locations]
    for edge in graph.edges:
        terms = [edge.guard, *edge.updates]
        split = {literal for condition in conditions(terms) for literal in literals(condition)}
        for place in places(graph, edge):
            for literal in (literal for term in terms for literal in literals(term)):
                inner = localized(literal, place)
                if inner is not None and not inner.is_const and not inner.is_var:
                    kind = cases if literal in split else asked if edge.target in errors else guards
                    kind[place.location].append(_positive(inner))
    result: list[Level] = [[() for _ in graph.locations]]
    for kinds in ([booleans], [booleans, cases], [booleans, cases, asked], [booleans, cases, asked, guards]):
        level = [_chosen(kinds, booleans, location) for location in range(len(graph.locations))]
        if level not in result:
            result.append(level)
    return result


def _chosen(kinds: list[list[list[Term]]], booleans: list[list[Term]], location: int) -> tuple[Term, ...]:
    found = dict.fromkeys(term for kind in kinds for term in kind[location])
    return tuple(found)[: len(booleans[location]) + _MOST]


def _positive(literal: Term) -> Term:
    """One form for a literal and its opposite."""
    term = canonical(literal)
    return term.args[0] if term.op == "not" else term
