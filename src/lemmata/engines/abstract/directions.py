"""Which directions are bounded at each location, and where their widening may stop.

Directions: the variables; sums and differences of two (all of them where there are few variables, otherwise those that occur
together); the linear parts of the atoms that can be read at the location; and what these were one or two steps before (their
weakest preconditions through linear updates). Thresholds: the constants that a direction is compared with, and those next to
them; for variables and pairs the constants of the program, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import gcd

from lemmata.engines.abstract.atoms import Place, comparisons, localized, places, strict_atom
from lemmata.engines.abstract.ranges import Direction
from lemmata.logic.linear import Linear, Number, linear
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import Term, Value, topological, value_of
from lemmata.models.graph import Edge, Graph

_FEW = 7  # variables of which all pairs are looked at
_MOST = 80  # directions of a location
_MOST_CONSTANTS = 24
_BACKWARDS = 2

Parts = tuple[tuple[Term, int], ...]


class _Collector:
    """The directions of one location, with their thresholds, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: dict[Parts, set[Value]] = {}
        self.modular: set[Parts] = set()

    def add(self, form: Linear) -> None:
        """``form`` is compared with 0."""
        parts, offset = _normal(form)
        if parts and (parts in self.found or len(self.found) < _MOST):
            thresholds = self.found.setdefault(parts, set())
            thresholds.add(offset)
            if form.sort is INT:
                thresholds |= {offset - 1, offset + 1}


def directions(graph: Graph) -> list[tuple[Direction, ...]]:
    """For every location."""
    collectors = [_Collector() for _ in graph.locations]
    constants = _constants(graph)
    for edge in graph.edges:
        for place in places(graph, edge):
            _from_atoms(edge, place, collectors[place.location])
    for location, collector in zip(graph.locations, collectors, strict=True):
        _from_variables(location.variables, collector)
    for _ in range(_BACKWARDS):
        for edge in graph.edges:
            _backwards(graph, edge, collectors)
    return [
        _finished(location.variables, collector, constants)
        for location, collector in zip(graph.locations, collectors, strict=True)
    ]


def _from_atoms(edge: Edge, place: Place, collector: _Collector) -> None:
    terms = [edge.guard, *edge.updates]
    for term in comparisons(terms):
        inner = localized(term, place)
        found = None if inner is None else strict_atom(inner)
        if found is not None:
            collector.add(found.form)
    for term in topological(terms):
        if term.op in ("mod", "div"):
            inner = localized(term.args[0], place)
            form = None if inner is None else linear(inner)
            if form is not None:
                collector.add(form)
                collector.modular.add(_normal(form)[0])


def _from_variables(variables: Iterable[Term], collector: _Collector) -> None:
    for sort in (INT, REAL):
        numbers = [v for v in variables if v.sort is sort]
        for v in numbers:
            collector.add(Linear(((v, 1),), 0, sort))
        for a, b in combinations(sorted(numbers, key=lambda v: v.number), 2):
            if len(numbers) <= _FEW or _meet(a, b, collector):
                collector.add(Linear(((a, 1), (b, -1)), 0, sort))
                collector.add(Linear(((a, 1), (b, 1)), 0, sort))


def _meet(a: Term, b: Term, collector: _Collector) -> bool:
    """Do two variables occur together in a direction?"""
    return any({a, b} <= {v for v, _ in parts} for parts in collector.found)


def _backwards(graph: Graph, edge: Edge, collectors: list[_Collector]) -> None:
    """What the directions of the target are before the step, where that is linear."""
    for place in list(places(graph, edge))[:-1]:
        before: dict[Term, Linear | None] = {}
        for v, update in zip(graph.locations[edge.target].variables, edge.updates, strict=True):
            inner = localized(update, place)
            before[v] = linear(inner) if inner is not None and inner.sort in (INT, REAL) else None
        for parts, thresholds in list(collectors[edge.target].found.items()):
            _before(parts, thresholds, before, collectors[place.location])


def _before(parts: Parts, thresholds: set[Value], before: Mapping[Term, Linear | None], collector: _Collector) -> None:
    forms = [(form, c) for v, c in parts if (form := before[v]) is not None]
    if len(forms) < len(parts):
        return
    total = forms[0][0].scale(forms[0][1])
    for form, c in forms[1:]:
        total = total + form.scale(c)
    for threshold in sorted(thresholds):
        collector.add(total.shift(-threshold))


def _normal(form: Linear) -> tuple[Parts, Value]:
    """Coprime coefficients, the first one positive; and what the direction is compared with."""
    scale: Number = 1
    for _, c in form.terms:
        scale = scale * c.denominator // gcd(int(scale), c.denominator)
    whole = [(v, int(c * scale)) for v, c in form.terms]
    factor = gcd(*[c for _, c in whole]) if whole else 1
    if whole and whole[0][1] < 0:
        factor = -factor
    offset = -form.constant * scale
    return tuple([(v, c // factor) for v, c in whole]), offset // factor if form.sort is INT else offset / factor


def _constants(graph: Graph) -> list[Value]:
    """The numbers in the program, the smallest ones if there are many."""
    terms = topological([t for edge in graph.edges for t in (edge.guard, *edge.updates)])
    found = {value_of(t) for t in terms if t.is_const and t.sort in (INT, REAL)} | {0}
    return sorted(sorted(found, key=abs)[:_MOST_CONSTANTS])


def _finished(variables: tuple[Term, ...], collector: _Collector, constants: list[Value]) -> tuple[Direction, ...]:
    positions = {v: i for i, v in enumerate(variables)}
    result = []
    for parts, thresholds in collector.found.items():
        is_whole = parts[0][0].sort is INT
        stops = thresholds | _program_stops(parts, constants, is_whole)
        result.append(
            Direction(
                tuple([(positions[v], c) for v, c in parts]),
                is_whole,
                is_whole and (len(parts) == 1 or parts in collector.modular),
                tuple(sorted(stops)),
            )
        )
    return tuple(result)


def _program_stops(parts: Parts, constants: list[Value], is_whole: bool) -> set[Value]:
    if len(parts) > 2:
        return set()
    near = (-1, 0, 1) if len(parts) == 1 and is_whole else (0,)
    return {sign * c + d for c in constants for d in near for sign in (1, -1) if not is_whole or c == int(c)}
