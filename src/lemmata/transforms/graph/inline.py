"""Locations that are only passed through go: each way in and each way out become one edge.

A location can go if it is no error, no edge leads from it to itself, and no edge reads it twice. It does go if that makes at
most a few more edges, and if a claim for it can be found again (``interpolate_claim``): either by weakest precondition, where
the edges that leave it have one source and no inputs, or by projection, where all is linear arithmetic. The location that makes
the fewest edges goes first, of a long chain every second one; of two that go through each other one stays, with a loop. Edges
that stay where they are go too.

Large-block encoding for graphs (Beyer et al. 2009), on Horn clauses known as unfolding. Way back: a derivation is told by the
recipes of the edges; claims are found for one location after the other, the last one that went first.
"""

from __future__ import annotations

from heapq import heappop, heappush

from lemmata.logic.terms import FALSE
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph
from lemmata.transforms.graph.back import GraphReduction, Recipe, claimed, expanded, lemmas_by_location, unchanged_edge
from lemmata.transforms.graph.compose import Made, compose
from lemmata.transforms.graph.interpolate_claim import RemovedLocation, interpolate_claim, is_linear_arithmetic
from lemmata.transforms.graph.measures import TreeSizes
from lemmata.values import dataclass

_MORE_EDGES = 2  # how many edges more there may be
_GUARD_NODES = 20_000  # nodes that a guard may have as a tree
_CHAINED_EDGES = 200  # edges that one may be made of


@dataclass(frozen=True, slots=True)
class Inlined:
    """The way back from ``inline``."""

    old: Graph
    new: Graph
    removed: tuple[RemovedLocation, ...]  # in the order in which they went
    recipes: tuple[Recipe, ...]
    solver: str  # for claims of locations that went

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """The same claims, and one for each location that went."""
        lemmas = lemmas_by_location(invariant)
        lemmas[self.old.questions[0].location] = (FALSE,)
        for removed in reversed(self.removed):
            lemmas.pop(removed.location, None)
            lemmas[removed.location] = interpolate_claim(self.old, removed, lemmas, self.solver)
        return claimed(self.old, lemmas)

    def trace(self, derivation: Derivation) -> Derivation:
        """Each fact with those on the way to it."""
        return expanded(self.old, self.new, 0, self.recipes, derivation)


def inline(graph: Graph, solver: str) -> GraphReduction:
    """The graph without edges to locations that are only passed through; these are left to the cone."""
    work = _Work(graph)
    while (location := work.best()) is not None:
        work.remove(location)
    made = [made for made in work.edges if made is not None]
    new = Graph(graph.locations, tuple(m.edge for m in made), graph.questions, graph.origin, graph.file)
    return GraphReduction(new, Inlined(graph, new, tuple(work.removed), tuple(m.recipe for m in made), solver))


class _Work:
    """The edges at present, by number; an edge that went is ``None``."""

    def __init__(self, graph: Graph) -> None:
        self.edges: list[Made | None] = []
        self.removed: list[RemovedLocation] = []
        self._graph = graph
        self._into: list[list[int]] = [[] for _ in graph.locations]
        self._out_of: list[list[int]] = [[] for _ in graph.locations]
        self._sizes = TreeSizes()
        self._refused = {question.location for question in graph.questions}
        self._costs: dict[int, tuple[int, int] | None] = {}
        self._heap: list[tuple[tuple[int, int], int]] = []  # costs of locations, also those that have changed since
        self._changed = dict.fromkeys(range(len(graph.locations)))
        for number, edge in enumerate(graph.edges):
            if not _is_idle(edge):
                self._add(Made(edge, unchanged_edge(number, edge)))

    def _add(self, made: Made) -> None:
        number = len(self.edges)
        self.edges.append(made)
        self._touch(made.edge)
        self._into[made.edge.target].append(number)
        for location in dict.fromkeys(source.location for source in made.edge.sources):
            self._out_of[location].append(number)

    def _drop(self, number: int) -> None:
        edge = self._made(number).edge
        self._touch(edge)
        self._into[edge.target].remove(number)
        for location in dict.fromkeys(source.location for source in edge.sources):
            self._out_of[location].remove(number)
        self.edges[number] = None

    def _touch(self, edge: Edge) -> None:
        self._changed |= dict.fromkeys([edge.target, *(source.location for source in edge.sources)])

    def _made(self, number: int) -> Made:
        made = self.edges[number]
        assert made is not None
        return made

    def best(self) -> int | None:
        """The location that should go next."""
        for location in self._changed:
            cost = None if location in self._refused else self._cost(location)
            if cost is not None and cost != self._costs.get(location):
                heappush(self._heap, (cost, location))
            self._costs[location] = cost
        self._changed.clear()
        while self._heap and self._costs[self._heap[0][1]] != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][1] if self._heap else None

    def _cost(self, location: int) -> tuple[int, int] | None:
        """How many edges more there would be, and of how many they were made; ``None`` if the location must stay."""
        ways_in, ways_out = len(self._into[location]), len(self._out_of[location])
        more = ways_in * ways_out - ways_in - ways_out
        if not ways_in or not ways_out or (more > _MORE_EDGES and min(ways_in, ways_out) > 1):
            return None
        if not self._may_go(location):
            return None
        return more, sum(len(self._made(number).recipe) for number in (*self._into[location], *self._out_of[location]))

    def _may_go(self, location: int) -> bool:
        ins, outs = self._around(location)
        if any(edge.target == location or _uses(edge, location) > 1 for edge in outs):
            return False
        if max(len(edge.sources) for edge in ins) > 1 and max(len(edge.sources) for edge in outs) > 1:
            return False
        is_function = all(len(edge.sources) == 1 and not edge.inputs for edge in outs)
        return is_function or is_linear_arithmetic([*ins, *outs])

    def _around(self, location: int) -> tuple[list[Edge], list[Edge]]:
        ins = [self._made(number).edge for number in self._into[location]]
        return ins, [self._made(number).edge for number in self._out_of[location]]

    def remove(self, location: int) -> None:
        """Put every way in before every way out, unless that makes a huge edge."""
        into, out_of = list(self._into[location]), list(self._out_of[location])
        made = [_through(self._made(last), location, self._made(first)) for last in out_of for first in into]
        if any(self._sizes.of(m.edge.guard) > _GUARD_NODES or len(m.recipe) > _CHAINED_EDGES for m in made):
            self._refused.add(location)
            self._changed[location] = None
            return
        ins, outs = self._around(location)
        self.removed.append(RemovedLocation(location, tuple(ins), tuple(outs)))
        for number in (*into, *out_of):
            self._drop(number)
        for one in made:
            if one.edge.guard is not FALSE and not _is_idle(one.edge):
                self._add(one)


def _is_idle(edge: Edge) -> bool:
    """Does it lead to where it came from?"""
    return any(source.location == edge.target and source.variables == edge.updates for source in edge.sources)


def _uses(edge: Edge, location: int) -> int:
    return sum(source.location == location for source in edge.sources)


def _through(outer: Made, location: int, inner: Made) -> Made:
    position = next(k for k, source in enumerate(outer.edge.sources) if source.location == location)
    return compose(outer, position, inner)
