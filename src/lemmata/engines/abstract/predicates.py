"""Which predicates cut the states of a location into cells, from few to many.

In this order: Boolean variables, which often encode where a program is; conditions of case distinctions, which tell the phases
of a loop apart; literals of the property; all other literals of the guards; and at last whether integers are even. Each level
of ``levels`` is one choice for all locations; the engine climbs while the property is open.
"""

from __future__ import annotations

from lemmata.engines.abstract.atoms import conditions, literals, localized, places
from lemmata.logic.build import build, equal
from lemmata.logic.linear import canonical
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import Term, const
from lemmata.models.graph import Graph

_PREDICATES = 8  # predicates over numbers at a location
_EVEN_PREDICATES = 3  # integers of which it is asked whether they are even

_Level = list[tuple[Term, ...]]  # predicates per location


class _Kinds:
    """The predicates of one location, by kind."""

    def __init__(self, variables: tuple[Term, ...]) -> None:
        self.booleans = [v for v in variables if v.sort is BOOL]
        self.even = [_is_even(v) for v in variables if v.sort is INT][:_EVEN_PREDICATES]
        self.cases: list[Term] = []
        self.asked: list[Term] = []
        self.guards: list[Term] = []

    def levels(self) -> list[tuple[Term, ...]]:
        """From few to many."""
        choices = [[], [self.cases], [self.cases, self.asked], [self.cases, self.asked, self.guards], [self.cases, self.even]]
        return [(), *[self._chosen(kinds) for kinds in choices]]

    def _chosen(self, kinds: list[list[Term]]) -> tuple[Term, ...]:
        numeric = dict.fromkeys(term for kind in kinds for term in kind)
        return (*self.booleans, *list(numeric)[:_PREDICATES])


def levels(graph: Graph) -> list[_Level]:
    """The choices, in the order in which they are tried; the first one is no predicate at all."""
    errors = {question.location for question in graph.questions}
    kinds = [_Kinds(location.variables) for location in graph.locations]
    for edge in graph.edges:
        terms = [edge.guard, *edge.updates]
        split = {literal for condition in conditions(terms) for literal in literals([condition])}
        for place in places(graph, edge):
            kind = kinds[place.location]
            for literal in literals(terms):
                inner = localized(literal, place)
                if inner is not None and not inner.is_const and not inner.is_var:
                    found = kind.cases if literal in split else kind.asked if edge.target in errors else kind.guards
                    found.append(_positive(inner))
    result: list[_Level] = []
    for level in zip(*[kind.levels() for kind in kinds], strict=True):
        if list(level) not in result:
            result.append(list(level))
    return result


def _positive(literal: Term) -> Term:
    """One form for a literal and its opposite."""
    term = canonical(literal)
    return term.args[0] if term.op == "not" else term


def _is_even(variable: Term) -> Term:
    return equal(build("mod", (variable, const(2, INT))), const(0, INT))
