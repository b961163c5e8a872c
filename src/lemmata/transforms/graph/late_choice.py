"""Arbitrary values are chosen where they are read.

Translations from C read a value that was chosen before, and choose the next one at once (``x := x + nondet; havoc nondet``), so
the variable lives through the whole loop and says nothing. Here a variable is *arbitrary* at a location if every edge into it
either gives it an input that occurs nowhere else, or passes on a variable that is arbitrary at its source and occurs nowhere
else. Its value is then independent of all others: what can be reached is reached with every value. So it goes, and an edge that
reads it gets an input in its place. Indices of arrays stay: "the cell that will be read holds 0" needs no quantifier.

Way back: the claims hold as they are. In a derivation, the value that an edge chose is told to the fact that it came from, and
so on back to where it was given; a fact that is used with several values is told several times.

*Stretches* on the way back: every stretch is first told as one round less and then its last round on its own
(``with_last_rounds``). So whatever comes after a round within the stretch is the same: the first edge of the next one. From an
edge that gives a variable, the value is followed forwards through the edges that pass it on, to the one that reads it, whose
input it is there (``StretchInputs``); from the end of a round on, to its beginning. A variable that is passed on all the way is
not touched. Values that are read are the same in all rounds here; where they are terms, nobody knows them a round earlier, and
the derivation is given up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from lemmata.errors import GaveUp
from lemmata.logic.evaluate import evaluate
from lemmata.logic.projection.purify import value_term
from lemmata.logic.terms import Term, Value, topological
from lemmata.logic.values import default_value
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, Fact, GraphInvariant, Stretch, Turn
from lemmata.models.graph import Edge, Graph, Location, Source
from lemmata.models.stretches import follow
from lemmata.transforms.graph.back import GraphReduction, claimed, lemmas_by_location
from lemmata.values import dataclass

_Slot = tuple[int, int]  # location, position of the variable


def with_last_rounds(graph: Graph, facts: Sequence[Fact]) -> list[Fact]:
    """The same facts, where every stretch is followed by its last round, told on its own."""
    told: list[Fact] = []
    at: list[int] = []
    for fact in facts:
        premises = tuple([at[p] for p in fact.premises])
        if fact.stretch is None:
            told.append(_moved(fact, premises))
            at.append(len(told) - 1)
        else:
            at.append(_rounds(graph, told, premises[0], fact.stretch))
    return told


def _moved(fact: Fact, premises: tuple[int, ...]) -> Fact:
    return Fact(fact.edge, premises, fact.inputs, fact.place, fact.values, fact.line)


def _rounds(graph: Graph, told: list[Fact], at: int, stretch: Stretch) -> int:
    """Append all rounds but one as a stretch, and then the last one."""
    if stretch.count > 1:
        steps = tuple(_parted(stretch.steps))
        at = follow(graph, told, at, Stretch(stretch.count - 1, steps))
    for step in stretch.steps:
        at = follow(graph, told, at, Stretch(1, (step,))) if isinstance(step, Turn) else _rounds(graph, told, at, step)
    return at


def _parted(steps: Sequence[Turn | Stretch]) -> Iterator[Turn | Stretch]:
    """Every inner stretch as one round less, and then that round."""
    for step in steps:
        if isinstance(step, Turn):
            yield step
            continue
        inner = tuple(_parted(step.steps))
        if step.count > 1:
            yield Stretch(step.count - 1, inner)
        yield Stretch(1, inner)


class StretchInputs:
    """A stretch, in whose edges the ``arbitrary`` variables must be given values; ``chosen`` are those that it ends with."""

    def __init__(self, old: Graph, arbitrary: Set[_Slot], stretch: Stretch, chosen: Sequence[Value]) -> None:
        self._old = old
        self._arbitrary = arbitrary
        self._stretch = stretch
        self._turns: list[Turn] = []
        self._ends: dict[int, list[int]] = {}  # where rounds end, and where they begin again
        self._lay(stretch, is_repeated=True)
        self._place = old.edges[self._turns[0].edge].sources[0].location
        self._chosen = dict(zip(self._slots(), chosen, strict=True))

    def _slots(self) -> list[int]:
        return [k for k in range(len(self._old.locations[self._place].variables)) if (self._place, k) in self._arbitrary]

    def _lay(self, stretch: Stretch, is_repeated: bool) -> None:
        start = len(self._turns)
        for step in stretch.steps:
            if isinstance(step, Turn):
                self._turns.append(step)
            else:
                self._lay(step, step.count > 1)
        if is_repeated:
            self._ends.setdefault(len(self._turns), []).append(start)

    def before(self) -> tuple[Value, ...]:
        """What the arbitrary variables must be before the first round."""
        return tuple([self._read(0, slot) for slot in self._slots()])

    def given(self) -> Stretch:
        """The stretch over the old graph."""
        return self._given(self._stretch, iter(range(len(self._turns))))

    def _given(self, stretch: Stretch, positions: Iterator[int]) -> Stretch:
        steps = [
            self._turn(next(positions), step) if isinstance(step, Turn) else self._given(step, positions)
            for step in stretch.steps
        ]
        return Stretch(stretch.count, tuple(steps))

    def _turn(self, position: int, turn: Turn) -> Turn:
        edge, known = self._old.edges[turn.edge], dict(turn.inputs)
        inputs: list[tuple[Term, Term]] = []
        for v in edge.inputs:
            if v in known:
                inputs.append((v, known[v]))
                continue
            slots = [k for k, update in enumerate(edge.updates) if update is v and (edge.target, k) in self._arbitrary]
            value = self._read(*self._next(position, slots[0], set()), set()) if slots else default_value(v.sort)
            inputs.append((v, value_term(value, v.sort)))
        return Turn(turn.edge, tuple(inputs))

    def _next(self, position: int, slot: int, seen: set[tuple[int, int, int]]) -> tuple[int, int]:
        """Where a variable is after a turn: at the beginning of the round that ended, unless it came from there already."""
        after = position + 1
        for start in self._ends.get(after, ()):
            if (start, after, slot) not in seen:
                seen.add((start, after, slot))
                return start, slot
        return after, slot

    def _read(self, position: int, slot: int, seen: set[tuple[int, int, int]] | None = None) -> Value:
        """The value with which a variable is read that has this slot before the turn at ``position``."""
        seen = set() if seen is None else seen
        while position < len(self._turns):
            turn = self._turns[position]
            edge = self._old.edges[turn.edge]
            v = edge.sources[0].variables[slot]
            known = dict(turn.inputs)
            if v in known:
                return _known_value(known, v)
            passed = [k for k, update in enumerate(edge.updates) if update is v and (edge.target, k) in self._arbitrary]
            if not passed:
                return default_value(v.sort)
            position, slot = self._next(position, passed[0], seen)
        return self._chosen[slot]


def _known_value(known: Mapping[Term, Term], v: Term) -> Value:
    if variables([known[v]]):
        raise GaveUp("incomplete")
    return evaluate([known[v]], {})[0]


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


def _arbitrary(graph: Graph) -> set[_Slot]:
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


def _indices(graph: Graph) -> set[_Slot]:
    """The variables that become an index of an array: chosen early they name the cell that an invariant is about."""
    found: set[_Slot] = set()
    copies: list[tuple[_Slot, _Slot]] = []  # from a source to a target
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


def _kept(arbitrary: Set[_Slot], location: int, items: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(item for k, item in enumerate(items) if (location, k) not in arbitrary)


def _smaller(arbitrary: Set[_Slot], edge: Edge) -> Edge:
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
    arbitrary: frozenset[_Slot]

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """The same lemmas."""
        return claimed(self.old, lemmas_by_location(invariant))

    def trace(self, derivation: Derivation) -> Derivation:
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
                    follow(self.old, told, premises[0], StretchInputs(self.old, self.arbitrary, fact.stretch, chosen).given())
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
            return [StretchInputs(self.old, self.arbitrary, fact.stretch, chosen).before()]
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
