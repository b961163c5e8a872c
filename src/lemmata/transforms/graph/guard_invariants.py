"""What every edge into a location ensures need not be asked again, and may define variables.

Relations that were made from synchronous programs say of each state what its equations are: before a step and after it. Seen
from a location, such a conjunct is a lemma: it is in the guards of edges that leave, and every edge that enters makes it
true. The largest set of conjuncts with this property is found as Houdini does it (Flanagan, Leino 2001): assume all, and drop
what a model of an edge refutes, until nothing changes.

A lemma ``v = t`` defines a variable: t takes its place, and v is no longer stored. Other lemmas leave the guards if they are
all that keeps some variable alive; the rest stays, since it may help an engine.

Way back: the lemmas join the claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lemmata.budgets import (
    GUARD_INVARIANTS_CONJUNCTS,
    GUARD_INVARIANTS_QUERIES,
    GUARD_INVARIANTS_QUESTION_S,
    GUARD_INVARIANTS_S,
)
from lemmata.logic.build import conj
from lemmata.logic.terms import Term
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.oracles.houdini import HoudiniBudget, inductive_part
from lemmata.transforms.graph.back import Adapted, GraphReduction, unchanged_edge
from lemmata.transforms.graph.choices import rejoin
from lemmata.transforms.graph.equations import definitions
from lemmata.transforms.graph.live import live_variables, positions
from lemmata.transforms.graph.tidy import guard_conjuncts, summed, tidied

_Lemmas = list[list[Term]]  # by location


def use_guard_invariants(graph: Graph, solver: str) -> GraphReduction:
    """The graph with simpler guards and fewer variables."""
    lemmas = _ensured(graph, solver)
    new = _relieved(graph, lemmas)
    recipes = tuple(unchanged_edge(number, edge) for number, edge in enumerate(graph.edges))
    extra = {number: tuple(found) for number, found in enumerate(lemmas)}
    return GraphReduction(new, Adapted(graph, new, 0, tuple(range(len(graph.locations))), recipes, extra))


def _ensured(graph: Graph, solver: str) -> _Lemmas:
    """The largest set of conjuncts that every edge ensures, if its sources satisfy theirs."""
    budget = HoudiniBudget(GUARD_INVARIANTS_S, GUARD_INVARIANTS_QUESTION_S, GUARD_INVARIANTS_QUERIES)
    return list(inductive_part(graph, dict(enumerate(_candidates(graph))), solver, budget, tidied).values())


def _candidates(graph: Graph) -> _Lemmas:
    """Conjuncts of guards that speak of one source only, in the names of its location."""
    found: list[dict[Term, None]] = [{} for _ in graph.locations]
    for edge in graph.edges:
        parts = guard_conjuncts([edge.guard])
        for source in edge.sources:
            names = dict(zip(source.variables, graph.locations[source.location].variables, strict=True))
            local = [part for part in parts if names.keys() >= set(variables([part]))]
            found[source.location] |= dict.fromkeys(substitute(local, names, tidied))
    return [list(some)[:GUARD_INVARIANTS_CONJUNCTS] for some in found]


def _here(graph: Graph, source: Source, lemmas: Sequence[Term]) -> list[Term]:
    """Formulas of a location in the names of an edge."""
    return substitute(lemmas, dict(zip(graph.locations[source.location].variables, source.variables, strict=True)), tidied)


def _relieved(graph: Graph, lemmas: _Lemmas) -> Graph:
    """The graph without the lemmas in guards and without what they define; lemmas over variables that live come back."""
    joined = [rejoin(found, place.variables) for place, found in zip(graph.locations, lemmas, strict=True)]
    known = [definitions(found, place.variables) for place, found in zip(graph.locations, joined, strict=True)]
    bare = [_bare(graph, edge, lemmas, known) for edge in graph.edges]
    places = tuple(
        Location(place.name, tuple(v for v in place.variables if v not in terms), place.line)
        for place, terms in zip(graph.locations, known, strict=True)
    )
    new = Graph(places, tuple(bare), graph.questions, graph.origin, graph.file)
    live = live_variables(new)
    rest = [substitute(found, terms, tidied) for found, terms in zip(joined, known, strict=True)]
    helpful = [_alive(place, mask, parts) if parts else [] for place, mask, parts in zip(places, live, rest, strict=True)]
    return replace(new, edges=tuple(_helped(new, old, edge, helpful) for old, edge in zip(graph.edges, bare, strict=True)))


def _alive(place: Location, live: int, parts: Sequence[Term]) -> list[Term]:
    """The parts that speak of nothing but live variables."""
    alive = {place.variables[k] for k in positions(live)}
    return [part for part in parts if alive >= set(variables([part]))]


def _bare(graph: Graph, edge: Edge, lemmas: _Lemmas, known: Sequence[Mapping[Term, Term]]) -> Edge:
    dropped: set[Term] = set()
    terms: dict[Term, Term] = {}
    sources: list[Source] = []
    for source in edge.sources:
        own = graph.locations[source.location].variables
        names = dict(zip(own, source.variables, strict=True))
        defined = known[source.location]
        dropped |= set(_here(graph, source, lemmas[source.location]))
        terms |= zip([names[v] for v in defined], substitute(list(defined.values()), names), strict=True)
        sources.append(Source(source.location, tuple(names[v] for v in own if v not in defined)))
    parts = [part for part in guard_conjuncts([edge.guard]) if part not in dropped]
    guard, *updates = substitute([conj(parts), *edge.updates], terms, tidied)
    stored = zip(graph.locations[edge.target].variables, updates, strict=True)
    kept = tuple(summed(update) for v, update in stored if v not in known[edge.target])
    return Edge(tuple(sources), edge.target, edge.inputs, guard, kept, edge.line)


def _helped(graph: Graph, old: Edge, edge: Edge, helpful: _Lemmas) -> Edge:
    if old.guard is edge.guard:
        return edge
    more = [part for source in edge.sources for part in _here(graph, source, helpful[source.location])]
    return replace(edge, guard=conj(guard_conjuncts([edge.guard, *more])))
