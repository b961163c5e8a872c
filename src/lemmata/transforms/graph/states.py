"""State machines become control flow: variables that only ever hold a few constants are part of the location.

Programs that were generated, and protocols, keep their state in integers (``state := 4384``) or flags, and test them in every
turn of one large loop. Which constants a variable may hold is found by following assignments of constants and copies. Then the
pairs of location and values are explored from the initial edges; each becomes a location, and what it tests is decided. Where
that gives too many, only those are taken that hold few constants everywhere, or only the one that guards test most often; where
that is still too much, none.

Way back: as for ``transforms.graph.control``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import product

from lemmata.errors import GaveUp
from lemmata.logic.build import conj, equal
from lemmata.logic.terms import FALSE, TRUE, Term, topological
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.transforms.graph.back import GraphReduction, Recipe, RecipeStep, unchanged_edge
from lemmata.transforms.graph.control import Unsplit
from lemmata.transforms.graph.edges import simplified

_MOST_VALUES = 40  # of a variable
_MOST_LEAVES = 64  # of an update
_PLACES = 200  # locations that may be added
_EDGES_PER_EDGE = 6  # edges for each that there was
_MORE_EDGES = 60  # and so many in all

_Values = dict[Term, tuple[Term, ...] | None]  # the constants that a variable may hold, None for anything
_Point = tuple[Term, ...]  # constants of the chosen variables


def split_on(graph: Graph, names: Set[Term], held: Sequence[_Values] | None = None) -> GraphReduction | None:
    """The graph with locations for what variables with these names hold; ``None`` if that is too much."""
    try:
        return _Split(graph, _chosen(graph, held or _held(graph), names)).reduction()
    except GaveUp:
        return None


def split_states(graph: Graph) -> GraphReduction:
    """The graph with locations for what state variables hold; the same graph if there are none, or too many values."""
    held, tested = _held(graph), _tested(graph)
    several = {v for values in held for v, some in values.items() if some is not None and len(some) > 1 and tested[v]}
    names = sorted(several, key=lambda v: (-tested[v], v.number))
    lasting = tuple([v for v in names if all(values.get(v, ()) is not None for values in held)])
    for some in dict.fromkeys((tuple(names), lasting, tuple(names[:1]))):
        if some and (split := split_on(graph, set(some), held)) is not None:
            return split
    recipes = tuple(unchanged_edge(number, edge) for number, edge in enumerate(graph.edges))
    every = tuple(range(len(graph.locations)))
    return GraphReduction(graph, Unsplit(graph, graph, every, (TRUE,) * len(every), recipes))


def _chosen(graph: Graph, held: Sequence[_Values], names: Set[Term]) -> list[list[Term]]:
    """The variables that hold few constants at each location: those with the names, and what they are copies of."""
    chosen = [{v for v, some in values.items() if v in names and some is not None} for values in held]
    size = -1
    while size != sum(map(len, chosen)):
        size = sum(map(len, chosen))
        for edge in graph.edges:
            wanted = [
                update for v, update in zip(_at(graph, edge.target), edge.updates, strict=True) if v in chosen[edge.target]
            ]
            leaves = {leaf for update in wanted for leaf in _leaves(update)}
            for source in edge.sources:
                own = zip(source.variables, _at(graph, source.location), strict=True)
                chosen[source.location] |= {u for v, u in own if v in leaves}
    return [[v for v in place.variables if v in here] for place, here in zip(graph.locations, chosen, strict=True)]


def _held(graph: Graph) -> list[_Values]:
    """What each variable may hold at each location, by assignments of constants and copies."""
    held: list[_Values] = [dict.fromkeys(place.variables, ()) for place in graph.locations]
    is_changed = True
    while is_changed:
        is_changed = False
        for edge in graph.edges:
            known = {
                v: held[s.location][u] for s in edge.sources for v, u in zip(s.variables, _at(graph, s.location), strict=True)
            }
            for v, update in zip(graph.locations[edge.target].variables, edge.updates, strict=True):
                before = held[edge.target][v]
                if before is None:
                    continue
                more = _possible(update, known)
                after = None if more is None else tuple(dict.fromkeys((*before, *more)))
                if after is not None and len(after) > _MOST_VALUES:
                    after = None
                if after != before:
                    held[edge.target][v] = after
                    is_changed = True
    return held


def _at(graph: Graph, location: int) -> tuple[Term, ...]:
    return graph.locations[location].variables


def _possible(update: Term, known: _Values) -> tuple[Term, ...] | None:
    """The constants that a term may be; ``None`` for anything."""
    result: dict[Term, None] = {}
    for leaf in _leaves(update):
        values = (leaf,) if leaf.is_const else known.get(leaf)
        if values is None:
            return None
        result |= dict.fromkeys(values)
    return tuple(result)


def _leaves(term: Term) -> list[Term]:
    """What a case distinction chooses from."""
    stack, found = [term], dict[Term, None]()
    while stack and len(found) < _MOST_LEAVES:
        last = stack.pop()
        if last.op == "ite":
            stack += last.args[1:]
        else:
            found[last] = None
    return [*found, *stack]


def _tested(graph: Graph) -> Counter[Term]:
    """How many guards compare a variable with a constant, or are about a flag."""
    counts = Counter[Term]()
    for edge in graph.edges:
        back = {v: u for s in edge.sources for v, u in zip(s.variables, _at(graph, s.location), strict=True)}
        seen = set[Term]()
        for term in topological([edge.guard]):
            if term.op in ("=", "<=", "<", "not", "and", "or", "ite"):
                others = [arg for arg in term.args if not arg.is_const]
                if len(others) == 1 or term.op in ("and", "or", "ite"):
                    seen |= {back[arg] for arg in others if arg in back}
        counts.update(seen)
    return counts


class _Split:
    """The exploration of all locations."""

    def __init__(self, graph: Graph, chosen: Sequence[Sequence[Term]]) -> None:
        self._graph = graph
        self._chosen = [tuple([place.variables.index(v) for v in c]) for place, c in zip(graph.locations, chosen, strict=True)]
        self._points: list[dict[_Point, int]] = [{} for _ in graph.locations]  # the new location of each
        self._origins: list[tuple[int, _Point]] = []
        self._edges: list[Edge] = []
        self._recipes: list[Recipe] = []

    def reduction(self) -> GraphReduction:
        """All pairs that can be reached; ``GaveUp`` if they are too many."""
        for location, place in enumerate(self._graph.locations):
            if not self._chosen[location] or not place.variables:
                self._place(location, ())
        done: set[tuple[int, tuple[_Point, ...]]] = set()
        size = -1
        while size != len(done):
            size = len(done)
            for number, edge in enumerate(self._graph.edges):
                for points in product(*[list(self._points[source.location]) for source in edge.sources]):
                    if (number, points) not in done:
                        done.add((number, points))
                        self._take(number, edge, points)
        return self._finished()

    def _take(self, number: int, edge: Edge, points: tuple[_Point, ...]) -> None:
        """One edge from one point of each source."""
        known = {
            source.variables[k]: value
            for source, point in zip(edge.sources, points, strict=True)
            for k, value in zip(self._chosen[source.location], point, strict=True)
        }
        guard, *updates = substitute([edge.guard, *edge.updates], known)
        sources = tuple(
            Source(self._points[s.location][point], self._data(s.location, s.variables))
            for s, point in zip(edge.sources, points, strict=True)
        )
        for point, condition in self._targets(edge.target, updates):
            part = Edge(sources, edge.target, edge.inputs, conj((guard, condition)), tuple(updates), edge.line)
            smaller, meanings = simplified(part)
            if smaller.guard is FALSE:
                continue
            where = self._place(edge.target, point)
            data = self._data(edge.target, smaller.updates)
            self._edges.append(Edge(sources, where, smaller.inputs, smaller.guard, data, edge.line))
            premises = tuple(~k for k in range(len(sources)))
            self._recipes.append((RecipeStep(number, premises, tuple((v, meanings[v]) for v in edge.inputs)),))
            if len(self._edges) > _EDGES_PER_EDGE * len(self._graph.edges) + _MORE_EDGES:
                raise GaveUp("incomplete")

    def _targets(self, location: int, updates: Sequence[Term]) -> Iterator[tuple[_Point, Term]]:
        """The points that updates may lead to, each with its condition."""
        chosen = [updates[k] for k in self._chosen[location]]
        leaves = [_leaves(update) for update in chosen]
        if not all(leaf.is_const for some in leaves for leaf in some):
            raise GaveUp("incomplete")
        for point in product(*leaves):
            yield point, conj([equal(update, value) for update, value in zip(chosen, point, strict=True)])

    def _place(self, location: int, point: _Point) -> int:
        points = self._points[location]
        if point not in points:
            points[point] = len(self._origins)
            self._origins.append((location, point))
            if len(self._origins) > len(self._graph.locations) + _PLACES:
                raise GaveUp("incomplete")
        return points[point]

    def _data(self, location: int, items: Sequence[Term]) -> tuple[Term, ...]:
        control = set(self._chosen[location])
        return tuple(item for k, item in enumerate(items) if k not in control)

    def _finished(self) -> GraphReduction:
        graph = self._graph
        places, controls = [], []
        for location, point in self._origins:
            place = graph.locations[location]
            own = [place.variables[k] for k in self._chosen[location]]
            number = list(self._points[location]).index(point)
            name = f"{place.name}@{number}" if own else place.name
            places.append(Location(name, self._data(location, place.variables), place.line))
            controls.append(conj([equal(v, value) for v, value in zip(own, point, strict=True)]))
        questions = tuple([replace(q, location=self._points[q.location][()]) for q in graph.questions])
        new = Graph(tuple(places), tuple(self._edges), questions, graph.origin, graph.file)
        origins = tuple(location for location, _ in self._origins)
        return GraphReduction(new, Unsplit(graph, new, origins, tuple(controls), tuple(self._recipes)))
