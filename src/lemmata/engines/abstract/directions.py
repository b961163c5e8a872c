"""Which directions are bounded at each location, and where their widening may stop.

* the variables, and the linear parts of the atoms that can be read at the location;
* what these were before an edge (weakest preconditions through linear updates), two edges back;
* what a loop keeps: two directions that change by k and l in every turn give one that does not change at all, l·d - k·e. If
  ``i`` counts up to ``n`` while ``x`` counts down, the bound that matters is one of ``x + i - n``, which no atom speaks of;
* sums and differences of two variables, octagons (Miné 2006): all of them where there are few variables, otherwise of those
  that occur together.

Thresholds: the constants that a direction is compared with and those next to them, also one turn of a loop later; for variables
and pairs the small constants of the program, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from lemmata.engines.abstract.atoms import ReadableAt, comparisons, localized, places, strict_atom
from lemmata.engines.abstract.collect import Coefficients, Collector
from lemmata.engines.abstract.conserved_sums import Update, composed, conserved_sums, increments, linear_updates
from lemmata.engines.abstract.ranges import Direction
from lemmata.logic.linear import Linear, linear, total
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import Term, Value, topological, value_of
from lemmata.models.graph import Edge, Graph

_PAIRED_VARIABLES = 7  # variables of which all pairs are looked at
_MODULAR_VARIABLES = 4  # variables of which differences are looked at modulo numbers
_MOST_CONSTANTS = 8  # of the program that are looked at, the smallest ones
_ROUNDS = 2
_MOST_LOOPS = 4  # of a location


def template_directions(graph: Graph) -> list[tuple[Direction, ...]]:
    """For every location."""
    collectors = [Collector() for _ in graph.locations]
    for edge in graph.edges:
        for place in places(graph, edge):
            _from_atoms(edge, place, collectors[place.location])
    for location, collector in zip(graph.locations, collectors, strict=True):
        for v in location.variables:
            if v.sort in (INT, REAL):
                collector.add(Linear(((v, 1),), 0, v.sort))
    for _ in range(_ROUNDS):
        for edge in graph.edges:
            _along(graph, edge, collectors)
        _turns(graph, collectors)
    constants, moduli = _constants(graph), _moduli(graph)
    for location, collector in zip(graph.locations, collectors, strict=True):
        _pairs(location.variables, collector)
    return [
        _finished(location.variables, collector, constants, moduli)
        for location, collector in zip(graph.locations, collectors, strict=True)
    ]


def _from_atoms(edge: Edge, place: ReadableAt, collector: Collector) -> None:
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
                collector.look_modulo(form)


def _along(graph: Graph, edge: Edge, collectors: Sequence[Collector]) -> None:
    """Directions of the target before the edge, and thresholds of the source after it."""
    target = collectors[edge.target]
    for place in list(places(graph, edge))[:-1]:
        here = collectors[place.location]
        for update in linear_updates(graph, edge, place):
            for parts in target.seeds:
                if all(v in update for v, _ in parts):
                    before = total([(update[v], c) for v, c in parts], parts[0][0].sort)
                    here.add_all(before, target.found[parts])
                    target.add_all(Linear(parts, -before.constant, before.sort), here.thresholds(before))


def _turns(graph: Graph, collectors: Sequence[Collector]) -> None:
    """What loops keep, in one turn or in two different ones."""
    loops: list[list[Update]] = [[] for _ in collectors]
    for edge in graph.edges:
        for place in list(places(graph, edge))[:-1]:
            if place.location == edge.target:
                loops[edge.target] += linear_updates(graph, edge, place)
    for collector, updates in zip(collectors, loops, strict=True):
        changes = [increments(collector.seeds, update) for update in updates[:_MOST_LOOPS]]
        changes += [composed(a, b) for a, b in combinations(changes, 2)]
        for change in changes:
            for form in conserved_sums(change):
                collector.add(form)


def _pairs(variables: Iterable[Term], collector: Collector) -> None:
    for sort in (INT, REAL):
        numbers = [v for v in variables if v.sort is sort]
        for a, b in combinations(sorted(numbers, key=lambda v: v.number), 2):
            if len(numbers) <= _PAIRED_VARIABLES or collector.joins(a, b):
                difference = Linear(((a, 1), (b, -1)), 0, sort)
                collector.add_pair(difference)
                if len(numbers) <= _MODULAR_VARIABLES:
                    collector.look_modulo(difference)
                collector.add_pair(Linear(((a, 1), (b, 1)), 0, sort))


def _constants(graph: Graph) -> list[Value]:
    """The numbers in the program, the smallest ones if there are many."""
    terms = topological([t for edge in graph.edges for t in (edge.guard, *edge.updates)])
    found = {value_of(t) for t in terms if t.is_const and t.sort in (INT, REAL)} | {0}
    return sorted(sorted(found, key=abs)[:_MOST_CONSTANTS])


def _moduli(graph: Graph) -> frozenset[int]:
    """The numbers that the program divides by."""
    terms = topological([t for edge in graph.edges for t in (edge.guard, *edge.updates)])
    return frozenset(abs(value_of(t.args[1])) for t in terms if t.op in ("mod", "div") and t.args[1].is_const)


def _finished(
    variables: tuple[Term, ...], collector: Collector, constants: list[Value], moduli: frozenset[int]
) -> tuple[Direction, ...]:
    positions = {v: i for i, v in enumerate(variables)}
    result = []
    for parts, thresholds in collector.found.items():
        is_whole = parts[0][0].sort is INT
        stops = thresholds | _program_stops(parts, constants, is_whole)
        where = tuple([(positions[v], c) for v, c in parts])
        is_modular = is_whole and (len(parts) == 1 or parts in collector.modular)
        result.append(Direction(where, is_whole, is_modular, moduli, tuple(sorted(stops))))
    return tuple(result)


def _program_stops(parts: Coefficients, constants: list[Value], is_whole: bool) -> set[Value]:
    if len(parts) > 2:
        return set()
    near = (-1, 0, 1) if len(parts) == 1 and is_whole else (0,)
    return {c + d for c in constants for d in near if not is_whole or c == int(c)}
