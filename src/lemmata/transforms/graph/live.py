"""Variables that matter: those that a guard reads, or an update of a variable that matters; and inputs that are read at all.

The value of any other variable never decides whether an edge can be taken, so it can go; a guard that is there counts, whatever
its target. Way back: the claims hold as they are, and the values follow by evaluation.
"""

from __future__ import annotations

from collections import defaultdict

from lemmata.logic.terms import Term
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.transforms.graph.back import Adapted, GraphReduction, unchanged_edge
from lemmata.transforms.graph.measures import Masks

Slot = tuple[int, int]  # location, position of the variable


def drop_dead(graph: Graph) -> GraphReduction:
    """The graph without variables and inputs that do not matter."""
    live = live_slots(graph)
    locations = tuple(
        Location(place.name, _kept(live, number, place.variables), place.line) for number, place in enumerate(graph.locations)
    )
    edges = tuple(_smaller(live, edge) for edge in graph.edges)
    recipes = tuple(unchanged_edge(number, edge, edges[number].inputs) for number, edge in enumerate(graph.edges))
    new = Graph(locations, edges, graph.questions, graph.origin, graph.file)
    return GraphReduction(new, Adapted(graph, new, 0, tuple(range(len(locations))), recipes, {}))


def live_slots(graph: Graph) -> set[Slot]:
    """The variables that matter."""
    rests: dict[Slot, list[Slot]] = defaultdict(list)  # what the updates of a variable read
    stack: list[Slot] = []
    for edge in graph.edges:
        masks = Masks()
        slots = [((source.location, k), masks.of(v)) for source in edge.sources for k, v in enumerate(source.variables)]
        guard = masks.of(edge.guard)
        stack += [slot for slot, bit in slots if bit & guard]
        for k, update in enumerate(edge.updates):
            read = masks.of(update)
            rests[edge.target, k] += [slot for slot, bit in slots if bit & read]
    live: set[Slot] = set()
    while stack:
        slot = stack.pop()
        if slot not in live:
            live.add(slot)
            stack += rests[slot]
    return live


def _kept(live: set[Slot], location: int, items: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(item for k, item in enumerate(items) if (location, k) in live)


def _smaller(live: set[Slot], edge: Edge) -> Edge:
    sources = tuple(Source(s.location, _kept(live, s.location, s.variables)) for s in edge.sources)
    updates = _kept(live, edge.target, edge.updates)
    masks = Masks()
    read = masks.of(edge.guard)
    for update in updates:
        read |= masks.of(update)
    inputs = tuple(v for v in edge.inputs if read & masks.of(v))
    return Edge(sources, edge.target, inputs, edge.guard, updates, edge.line)
