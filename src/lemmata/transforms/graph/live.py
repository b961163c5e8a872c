"""Variables that matter: those that a guard reads, or an update of a variable that matters; and inputs that are read at all.

The value of any other variable never decides whether an edge can be taken, so it can go; a guard that is there counts, whatever
its target. Way back: the claims hold as they are, and the values follow by evaluation.

Large programs have many variables, most of which most statements leave alone. So the variables that matter are one number per
location (bit k is the k-th variable), and the updates that keep the value in its place are one number per edge: the search
goes backwards with whole numbers, from the last location to the first, so that it is done after few rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from lemmata.logic.terms import Term
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph, Location, Source, changed
from lemmata.transforms.graph.back import Adapted, GraphReduction, unchanged_edge

Slot = tuple[int, int]  # location, position of the variable

_Read = tuple[int, int]  # location, its variables that are read as bits


def drop_dead(graph: Graph) -> GraphReduction:
    """The graph without variables and inputs that do not matter."""
    live = [positions(mask) for mask in live_variables(graph)]
    locations = tuple(
        Location(place.name, _kept(live[number], place.variables), place.line) for number, place in enumerate(graph.locations)
    )
    edges = tuple(_smaller(live, edge) for edge in graph.edges)
    recipes = tuple(unchanged_edge(number, edge, edges[number].inputs) for number, edge in enumerate(graph.edges))
    new = Graph(locations, edges, graph.questions, graph.origin, graph.file)
    return GraphReduction(new, Adapted(graph, new, 0, tuple(range(len(locations))), recipes, {}))


def live_variables(graph: Graph) -> list[int]:
    """By location, the variables that matter: bit k is the k-th."""
    reads = _Reads()
    into: list[list[_Passed]] = [[] for _ in graph.locations]
    live = [0] * len(graph.locations)
    for edge in graph.edges:
        into[edge.target].append(_Passed(reads, edge))
        for location, mask in reads.of(edge, edge.guard):
            live[location] |= mask
    fresh = list(live)  # what those before a location have not heard of yet
    heap = [-location for location, mask in enumerate(live) if mask]
    heapify(heap)
    while heap:
        target = -heappop(heap)
        new, fresh[target] = fresh[target], 0
        for passed in into[target]:
            for location, mask in passed.before(new):
                if more := mask & ~live[location]:
                    live[location] |= more
                    if not fresh[location]:
                        heappush(heap, -location)
                    fresh[location] |= more
    return live


def positions(mask: int) -> list[int]:
    """The bits that are set."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


class _Reads:
    """Which variables of its sources a term of an edge reads."""

    def __init__(self) -> None:
        self._places: dict[int, dict[Term, int]] = {}  # by the identity of the variables of a source, which edges share

    def of(self, edge: Edge, term: Term) -> list[_Read]:
        """By source."""
        below = variables([term])
        return [(source.location, mask) for source in edge.sources if (mask := self._mask(source, below))]

    def _mask(self, source: Source, below: Sequence[Term]) -> int:
        if not below:
            return 0
        known = self._places.get(id(source.variables))
        if known is None:
            known = self._places[id(source.variables)] = {v: k for k, v in enumerate(source.variables)}
        mask = 0
        for v in below:
            if v in known:
                mask |= 1 << known[v]
        return mask


class _Passed:
    """What the updates of an edge read: those that keep a value in its place together, the others one by one."""

    def __init__(self, reads: _Reads, edge: Edge) -> None:
        self._first = edge.sources[0].location if edge.sources else -1
        places = changed(edge)
        self._same = (1 << len(edge.updates)) - 1
        for k in places:
            self._same ^= 1 << k
        self._others = [(1 << k, found) for k in places if (found := reads.of(edge, edge.updates[k]))]

    def before(self, live: int) -> Iterator[_Read]:
        """What matters at the sources if ``live`` does at the target."""
        if live & self._same:
            yield self._first, live & self._same
        for bit, found in self._others:
            if live & bit:
                yield from found


def _kept(live: Sequence[int], items: tuple[Term, ...]) -> tuple[Term, ...]:
    return items if len(live) == len(items) else tuple([items[k] for k in live])


def _smaller(live: Sequence[Sequence[int]], edge: Edge) -> Edge:
    sources = tuple([Source(s.location, _kept(live[s.location], s.variables)) for s in edge.sources])
    updates = _kept(live[edge.target], edge.updates)
    inputs = edge.inputs
    if inputs:
        read = set(variables([edge.guard, *updates]))
        inputs = tuple([v for v in inputs if v in read])
    return Edge(sources, edge.target, inputs, edge.guard, updates, edge.line)
