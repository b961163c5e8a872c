"""Variables that always hold the same constant, or the same value as another variable of their location.

An optimistic search for the greatest solution: at first nothing is reached; the first edge into a location says which of its
variables are constants and which are equal, and every further edge keeps of this what it agrees with. Edges are evaluated by
substitution of what is known at their sources, so a guard may turn out false (Wegman, Zadeck 1991, with copies as in the
partitions of Alpern, Wegman, Zadeck 1988). No solver is asked.

Way back: ``v = c`` and ``v = w`` are lemmas, ``false`` where nothing arrives. They are inductive together, which is how they
were found.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.budgets import FIXED_EVALUATIONS
from lemmata.logic.build import equal
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.transforms.graph.back import Adapted, GraphReduction, Recipe, unchanged_edge
from lemmata.transforms.graph.tidy import summed, tidied

Stands = tuple[Term, ...]  # for each variable of a location a constant, or the first variable that it always equals


def drop_fixed(graph: Graph) -> GraphReduction:
    """The graph without these variables."""
    stands = _solve(graph)
    extra: dict[int, tuple[Term, ...]] = {}
    errors = {question.location for question in graph.questions}
    for number, place in enumerate(graph.locations):
        found = stands[number]
        if found is None:
            extra[number] = () if number in errors else (FALSE,)
        else:
            extra[number] = tuple(equal(v, w) for v, w in zip(place.variables, found, strict=True) if v is not w)
    locations = tuple(_smaller(place, found) for place, found in zip(graph.locations, stands, strict=True))
    edges: list[Edge] = []
    recipes: list[Recipe] = []
    for number, edge in enumerate(graph.edges):
        guard, updates = _evaluated(graph, edge, stands)
        if guard is not FALSE:
            edges.append(_without(graph, edge, stands, guard, updates))
            recipes.append(unchanged_edge(number, edge))
    new = Graph(locations, tuple(edges), graph.questions, graph.origin, graph.file)
    return GraphReduction(new, Adapted(graph, new, 0, tuple(range(len(locations))), tuple(recipes), extra))


def _solve(graph: Graph) -> list[Stands | None]:
    stands: list[Stands | None] = [None] * len(graph.locations)
    leaving: list[list[int]] = [[] for _ in graph.locations]
    for number, edge in enumerate(graph.edges):
        for location in dict.fromkeys(source.location for source in edge.sources):
            leaving[location].append(number)
    visits = [0] * len(graph.edges)
    queue = dict.fromkeys(number for number, edge in enumerate(graph.edges) if not edge.sources)
    while queue:
        number = next(iter(queue))
        del queue[number]
        edge = graph.edges[number]
        visits[number] += 1
        guard, updates = _evaluated(graph, edge, stands)
        if guard is FALSE:
            continue
        own = graph.locations[edge.target].variables
        new = _join(own, stands[edge.target], updates) if visits[number] < FIXED_EVALUATIONS else own
        if new != stands[edge.target]:
            stands[edge.target] = new
            queue |= dict.fromkeys(leaving[edge.target])
    return stands


def _evaluated(graph: Graph, edge: Edge, stands: Sequence[Stands | None]) -> tuple[Term, Sequence[Term]]:
    """Guard and updates with what is known at the sources; guard ``false`` if a source was not reached."""
    known: dict[Term, Term] = {}
    for source in edge.sources:
        found = stands[source.location]
        if found is None:
            return FALSE, edge.updates
        own = graph.locations[source.location].variables
        if found != own:
            names = dict(zip(own, source.variables, strict=True))
            known |= {here: names.get(w, w) for v, w, here in zip(own, found, source.variables, strict=True) if v is not w}
    if not known:
        return edge.guard, edge.updates
    guard, *updates = substitute([edge.guard, *edge.updates], known, tidied)
    return guard, [summed(update) for update in updates]


def _join(own: Stands, before: Stands | None, updates: Sequence[Term]) -> Stands:
    """What holds before and after one more edge: variables stay together if the edge gives them the same term."""
    leaders: dict[tuple[Term | None, Term], Term] = {}
    result = []
    for number, (v, update) in enumerate(zip(own, updates, strict=True)):
        was = None if before is None else before[number]
        is_constant = update.is_const and (was is None or was is update)
        result.append(leaders.setdefault((was, update), update if is_constant else v))
    return tuple(result)


def _smaller(place: Location, found: Stands | None) -> Location:
    if found is None:
        return place
    return Location(place.name, tuple(v for v, w in zip(place.variables, found, strict=True) if v is w), place.line)


def _without(graph: Graph, edge: Edge, stands: Sequence[Stands | None], guard: Term, updates: Sequence[Term]) -> Edge:
    sources = tuple(
        Source(source.location, _chosen(graph, stands, source.location, source.variables)) for source in edge.sources
    )
    return Edge(sources, edge.target, edge.inputs, guard, _chosen(graph, stands, edge.target, updates), edge.line)


def _chosen(graph: Graph, stands: Sequence[Stands | None], location: int, items: Sequence[Term]) -> tuple[Term, ...]:
    """Those of ``items``, one per variable, whose variable stays."""
    found = stands[location]
    own = graph.locations[location].variables
    return tuple(items) if found is None else tuple(x for x, v, w in zip(items, own, found, strict=True) if v is w)
