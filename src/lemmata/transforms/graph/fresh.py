"""Arbitrary values are chosen where they are read.

Translations from C read a value that was chosen before, and choose the next one at once (``x := x + nondet; havoc nondet``), so
the variable lives through the whole loop and says nothing. Here a variable is *arbitrary* at a location if every edge into it
either gives it an input that occurs nowhere else, or passes on a variable that is arbitrary at its source and occurs nowhere
else. Its value is then independent of all others: what can be reached is reached with every value. So it goes, and an edge that
reads it gets an input in its place. Indices of arrays stay: "the cell that will be read holds 0" needs no quantifier.

Way back: the claims hold as they are. In a derivation, the value that an edge chose is told to the fact that it came from, and
so on back to where it was given; a fact that is used with several values is told several times. What that means for rounds that
are told at once is in ``fresh_rounds``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from lemmata.errors import GaveUp
from lemmata.logic.terms import Term, Value, topological
from lemmata.logic.values import default_value
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.models.stretches import follow
from lemmata.transforms.graph.back import GraphReduction, claimed, lemmas_of
from lemmata.transforms.graph.fresh_rounds import Givers, with_last_rounds

Slot = tuple[int, int]  # location, position of the variable
Chosen = tuple[Value, ...]  # of the arbitrary variables of a location


def choose_late(graph: Graph) -> GraphReduction:
    """The graph without variables that are arbitrary."""
    arbitrary = _arbitrary(graph)
    places = tuple(
        Location(place.name, _kept(arbitrary, number, place.variables), place.line)
        for number, place in enumerate(graph.locations)
    )
    edges = tuple(_smaller(arbitrary, edge) for edge in graph.edges)
    new = Graph(places, edges, graph.questions, graph.origin, graph.file)
    return GraphReduction(new, ChosenEarly(graph, new, frozenset(arbitrary)))


def _arbitrary(graph: Graph) -> set[Slot]:
    """The largest set of variables each of which every edge makes arbitrary."""
    every = {(number, k) for number, place in enumerate(graph.locations) for k in range(len(place.variables))}
    found = every - _indices(graph)
    leaving: list[list[Edge]] = [[] for _ in graph.locations]
    for edge in graph.edges:
        for source in edge.sources:
            leaving[source.location].append(edge)
    once = {id(edge): _once(edge) for edge in graph.edges}
    stack = list(graph.edges)
    while stack:
        edge = stack.pop()
        passed = {v for s in edge.sources for k, v in enumerate(s.variables) if (s.location, k) in found} | {*edge.inputs}
        passed &= once[id(edge)]
        lost = {(edge.target, k) for k, update in enumerate(edge.updates) if update not in passed} & found
        if lost:
            found -= lost
            stack += leaving[edge.target]
    return found


def _indices(graph: Graph) -> set[Slot]:
    """The variables that become an index of an array: chosen early they name the cell that an invariant is about."""
    found: set[Slot] = set()
    copies: list[tuple[Slot, Slot]] = []  # from a source to a target
    for edge in graph.edges:
        slots = {v: (source.location, k) for source in edge.sources for k, v in enumerate(source.variables)}
        terms = topological((edge.guard, *edge.updates))
        read = variables([index for term in terms if term.op in ("select", "store") for index in term.args[1:2]])
        found |= {slots[v] for v in read if v in slots}
        copies += [(slots[update], (edge.target, k)) for k, update in enumerate(edge.updates) if update in slots]
    size = -1
    while size != len(found):
        size = len(found)
        found |= {source for source, target in copies if target in found}
    return found


def _once(edge: Edge) -> set[Term]:
    """The variables and inputs that are an update, and occur nowhere else."""
    counts = Counter(v for term in (edge.guard, *edge.updates) for v in variables([term]))
    return {update for update in edge.updates if update.is_var and counts[update] == 1}


def _kept(arbitrary: Set[Slot], location: int, items: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(item for k, item in enumerate(items) if (location, k) not in arbitrary)


def _smaller(arbitrary: Set[Slot], edge: Edge) -> Edge:
    sources = tuple(Source(s.location, _kept(arbitrary, s.location, s.variables)) for s in edge.sources)
    updates = _kept(arbitrary, edge.target, edge.updates)
    read = set(variables([edge.guard, *updates]))
    known = {v for source in sources for v in source.variables}
    every = (*edge.inputs, *[v for source in edge.sources for v in source.variables])
    return Edge(sources, edge.target, tuple(v for v in every if v in read and v not in known), edge.guard, updates, edge.line)


@dataclass(frozen=True, slots=True)
class ChosenEarly:
    """The way back."""

    old: Graph
    new: Graph
    arbitrary: frozenset[Slot]

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """The same lemmas."""
        return claimed(self.old, lemmas_of(invariant))

    def derivation(self, derivation: Derivation) -> Derivation:
        """The same edges, with values for what was dropped."""
        facts = with_last_rounds(self.new, derivation.facts)
        asked: list[dict[Chosen, int]] = [{} for _ in facts]  # where each fact is told with which values
        asked[-1][()] = -1
        for fact, wanted in zip(reversed(facts), reversed(asked), strict=True):
            for chosen in wanted:
                for premise, earlier in zip(fact.premises, self._earlier(fact, chosen), strict=True):
                    asked[premise][earlier] = -1
        told: list[Fact] = []
        for fact, wanted in zip(facts, asked, strict=True):
            for chosen in wanted:
                premises = [asked[p][e] for p, e in zip(fact.premises, self._earlier(fact, chosen), strict=True)]
                if fact.stretch is None:
                    told.append(self._told(fact, chosen, premises))
                else:
                    follow(self.old, told, premises[0], Givers(self.old, self.arbitrary, fact.stretch, chosen).given())
                    if told[-1].values != self._values(fact, chosen):
                        raise GaveUp("incomplete")
                wanted[chosen] = len(told) - 1
        return Derivation(derivation.prop, tuple(told))

    def _given(self, fact: Fact, chosen: Chosen) -> dict[Term, Value]:
        """The values that the edge's inputs and the arbitrary variables of its sources must have."""
        edge = self.old.edges[fact.edge]
        given: dict[Term, Value] = dict(fact.inputs)
        updates = [update for k, update in enumerate(edge.updates) if (edge.target, k) in self.arbitrary]
        return given | dict(zip(updates, chosen, strict=True))

    def _earlier(self, fact: Fact, chosen: Chosen) -> list[Chosen]:
        """What the premises must have chosen."""
        if fact.stretch is not None:
            return [Givers(self.old, self.arbitrary, fact.stretch, chosen).before()]
        given = self._given(fact, chosen)
        return [
            tuple([_value(v, given) for k, v in enumerate(source.variables) if (source.location, k) in self.arbitrary])
            for source in self.old.edges[fact.edge].sources
        ]

    def _told(self, fact: Fact, chosen: Chosen, premises: Sequence[int]) -> Fact:
        edge, given = self.old.edges[fact.edge], self._given(fact, chosen)
        inputs = tuple((v, _value(v, given)) for v in edge.inputs)
        place, values = self.old.locations[edge.target], self._values(fact, chosen)
        return replace(fact, premises=tuple(premises), inputs=inputs, place=place, values=values)

    def _values(self, fact: Fact, chosen: Chosen) -> tuple[Value, ...]:
        edge = self.old.edges[fact.edge]
        kept, late = iter(fact.values), iter(chosen)
        return tuple([next(late if (edge.target, k) in self.arbitrary else kept) for k in range(len(edge.updates))])


def _value(v: Term, given: Mapping[Term, Value]) -> Value:
    return given[v] if v in given else default_value(v.sort)
