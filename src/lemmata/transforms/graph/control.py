"""Program counters become locations again.

Tools that turn programs into transition systems store the point of control in a few Booleans. They are found by trying: where
all Booleans of a location that start with constants are explored explicitly (source by source, the possible targets by a
solver), a program has few combinations and few edges for each; data has many, and is left alone. Each combination becomes a
location of its own, with the other variables.

Way back: the claim of a location is ``control → lemma`` for each of its parts, and that control is one of those found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.budgets import CONTROL_PLACES, CONTROL_S
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, equal, implies, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, const
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.solvers.smt import Sat, Smt, open_solver
from lemmata.transforms.graph.back import (
    GraphReduction,
    Recipe,
    RecipeStep,
    claimed,
    expanded,
    lemmas_by_location,
    unchanged_edge,
)
from lemmata.transforms.graph.edges import simplified
from lemmata.values import dataclass
from lemmata.work import is_over, now

_EDGES_PER_PLACE = 2  # edges per combination
_MORE_EDGES = 16  # and so many in all

_Point = tuple[bool, ...]  # values of the control variables


@dataclass(frozen=True, slots=True)
class Unsplit:
    """The way back: new location k is the old location ``origins[k]`` where ``controls[k]`` holds."""

    old: Graph
    new: Graph
    origins: tuple[int, ...]
    controls: tuple[Term, ...]
    recipes: tuple[Recipe, ...]

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """Lemmas under their control, and which control there is."""
        found = lemmas_by_location(invariant)
        lemmas: dict[int, tuple[Term, ...]] = {}
        for number, (origin, control) in enumerate(zip(self.origins, self.controls, strict=True)):
            here = tuple(implies(control, lemma) for lemma in found.get(number, ()))
            lemmas[origin] = (*lemmas.get(origin, ()), *here)
        controls: dict[int, list[Term]] = {origin: [] for origin in range(len(self.old.locations))}
        for origin, control in zip(self.origins, self.controls, strict=True):
            controls[origin].append(control)
        for origin, some in controls.items():
            lemmas[origin] = (disj(some), *lemmas.get(origin, ()))
        return claimed(self.old, {n: tuple(lemma for lemma in some if lemma is not TRUE) for n, some in lemmas.items()})

    def trace(self, derivation: Derivation) -> Derivation:
        """The same edges."""
        return expanded(self.old, self.new, 0, self.recipes, derivation)


def split_control(graph: Graph, solver: str) -> GraphReduction:
    """The graph with a location for each point of control, if that looks like a program; else the same graph."""
    for location in range(len(graph.locations)):
        chosen = _control(graph, location)
        if chosen:
            try:
                return _Split(graph, location, chosen, solver).reduction()
            except GaveUp:
                continue
    recipes = tuple(unchanged_edge(number, edge) for number, edge in enumerate(graph.edges))
    every = tuple(range(len(graph.locations)))
    return GraphReduction(graph, Unsplit(graph, graph, every, (TRUE,) * len(every), recipes))


def _control(graph: Graph, location: int) -> tuple[int, ...]:
    """Positions of the Booleans that are constant whenever the location is entered from elsewhere, if it has a loop."""
    loops = False
    place = graph.locations[location]
    found = {k for k, v in enumerate(place.variables) if v.sort is BOOL}
    if not found:
        return ()
    for edge in graph.edges:
        sources = [source.location for source in edge.sources]
        if location in sources:
            loops = loops or edge.target == location
            if len(sources) > 1:
                return ()
        elif edge.target == location:
            found = {k for k in found if edge.updates[k].is_const}
    return tuple(sorted(found)) if loops else ()


class _Split:
    """The exploration of one location."""

    def __init__(self, graph: Graph, location: int, chosen: tuple[int, ...], solver: str) -> None:
        self._graph, self._location, self._chosen, self._solver = graph, location, chosen, solver
        self._until = now() + CONTROL_S
        self._points: dict[_Point, int] = {}  # the new location of each
        self._parts: dict[tuple[int, _Point], Edge] = {}
        self._solvers: dict[int, Smt] = {}  # by edge: where it starts is assumed
        self._edges: list[Edge] = []
        self._recipes: list[Recipe] = []

    def reduction(self) -> GraphReduction:
        """All combinations that can be reached; ``GaveUp`` if they do not look like control."""
        for number, edge in enumerate(self._graph.edges):
            if all(source.location != self._location for source in edge.sources):
                self._explore(number, edge, None)
        leaving = [(n, e) for n, e in enumerate(self._graph.edges) if any(s.location == self._location for s in e.sources)]
        done = 0
        while done < len(self._points):
            point = list(self._points)[done]
            done += 1
            for number, edge in leaving:
                self._explore(number, self._at(number, edge, point), point)
        return self._finished()

    def _at(self, number: int, edge: Edge, point: _Point) -> Edge:
        """The edge where it starts at a point, or at all points that begin like this; each is made from a shorter one."""
        if not point:
            return edge
        key = (number, point)
        if key not in self._parts:
            near = self._at(number, edge, point[:-1])
            v = edge.sources[0].variables[self._chosen[len(point) - 1]]
            guard, *updates = substitute([near.guard, *near.updates], {v: const(point[-1], BOOL)})
            self._parts[key] = replace(near, guard=guard, updates=tuple(updates))
        return self._parts[key]

    def _explore(self, number: int, edge: Edge, point: _Point | None) -> None:
        """One edge from one point to each point that it can lead to."""
        if edge.guard is FALSE:
            return
        if edge.target != self._location:
            self._add(number, edge, point, None)
            return
        for target in self._targets(number, edge, point or ()):
            terms = [equal(edge.updates[k], const(value, BOOL)) for k, value in zip(self._chosen, target, strict=True)]
            self._add(number, replace(edge, guard=conj((edge.guard, *terms))), point, target)

    def _targets(self, number: int, edge: Edge, point: _Point) -> list[_Point]:
        """What the control variables may be after the edge, which is edge ``number`` where it starts at ``point``."""
        terms = [edge.updates[k] for k in self._chosen]
        if all(term.is_const for term in terms):
            return [tuple(term is TRUE for term in terms)]
        whole = self._graph.edges[number]
        if number not in self._solvers:
            self._solvers[number] = open_solver(self._solver)
            self._solvers[number].add(whole.guard)
        solver = self._solvers[number]
        here = [whole.sources[0].variables[k] for k, _ in zip(self._chosen, point, strict=False)]
        start = [v if value else negate(v) for v, value in zip(here, point, strict=True)]
        terms = [whole.updates[k] for k in self._chosen]
        found: list[_Point] = []
        solver.push()
        while isinstance(answer := solver.check(start, terms, self._until), Sat):
            target = tuple(bool(answer.values[term]) for term in terms)
            found.append(target)
            self._limit(len(found))
            solver.add(disj(negate(term) if value else term for term, value in zip(terms, target, strict=True)))
        solver.pop()
        return sorted(found)

    def _limit(self, more: int = 0) -> None:
        if len(self._points) > CONTROL_PLACES or len(self._edges) + more > _EDGES_PER_PLACE * len(self._points) + _MORE_EDGES:
            raise GaveUp("incomplete")
        if is_over(self._until):
            raise GaveUp("timeout")

    def _add(self, number: int, edge: Edge, point: _Point | None, target: _Point | None) -> None:
        smaller, meanings = simplified(edge)
        if smaller.guard is FALSE:
            return
        where = edge.target if target is None else self._place(target)
        sources = tuple(
            Source(s.location, s.variables) if point is None else Source(self._points[point], self._data(s.variables))
            for s in edge.sources
        )
        updates = smaller.updates if target is None else self._data(smaller.updates)
        self._edges.append(Edge(sources, where, smaller.inputs, smaller.guard, updates, edge.line))
        premises = tuple(~k for k in range(len(edge.sources)))
        self._recipes.append((RecipeStep(number, premises, tuple((v, meanings[v]) for v in edge.inputs)),))
        self._limit()

    def _place(self, point: _Point) -> int:
        """The number of a point: the old location for the first one, then after all others."""
        new = self._location if not self._points else len(self._graph.locations) + len(self._points) - 1
        return self._points.setdefault(point, new)

    def _data(self, items: Sequence[Term]) -> tuple[Term, ...]:
        control = set(self._chosen)
        return tuple(item for k, item in enumerate(items) if k not in control)

    def _finished(self) -> GraphReduction:
        if len(self._points) < 2:
            raise GaveUp("incomplete")
        graph, location = self._graph, self._location
        place = graph.locations[location]
        data = self._data(place.variables)
        places = list(graph.locations)
        places[location] = Location(f"{place.name}#0", data, place.line)
        places += [Location(f"{place.name}#{k}", data, place.line) for k in range(1, len(self._points))]
        controls = [TRUE] * len(places)
        for point, number in self._points.items():
            own = [place.variables[k] for k in self._chosen]
            controls[number] = conj(v if value else negate(v) for v, value in zip(own, point, strict=True))
        origins = (*range(len(graph.locations)), *([location] * (len(self._points) - 1)))
        new = Graph(tuple(places), tuple(self._edges), graph.questions, graph.origin, graph.file)
        return GraphReduction(new, Unsplit(graph, new, origins, tuple(controls), tuple(self._recipes)))
