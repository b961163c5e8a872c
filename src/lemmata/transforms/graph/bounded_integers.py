"""Integer variables whose ranges are known become words, so that engines over bits can work on the graph.

Programs in C have nothing else: every variable is in the range of its type, and interval analysis (``interval_analysis``) finds
how much of it is used. The word of a variable has room for its values at all locations; inputs have the range that the guard of
their edge leaves them. Variables that are only given constants, and each other's values, as states and flags are, have few
values: those are numbered. What words compute does not wrap (``logic.integers_as_words``), so from states that are in
their ranges both graphs have the same edges.

Way back: ranges and few values are lemmas, inductive together, and lemmas about words become lemmas about the integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lemmata.errors import GaveUp
from lemmata.logic.build import disj, equal
from lemmata.logic.domains.congruence_intervals import CongruenceInterval
from lemmata.logic.integers_as_words import Choices, Domain, IntegerRange, IntegerWords, TooWide, integers_of
from lemmata.logic.sorts import BOOL, INT, BitVec
from lemmata.logic.terms import TRUE, Term, Value, const, value_of
from lemmata.logic.values import default_value, signed
from lemmata.logic.walk import conjuncts, variables
from lemmata.models.derivation import Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, Source
from lemmata.transforms.graph.back import GraphReduction, claimed, lemmas_by_location
from lemmata.transforms.graph.boxes import propagate_bounds
from lemmata.transforms.graph.interval_analysis import IntervalState, interval_fixpoint, known_at
from lemmata.transforms.graph.ranges import range_lemmas
from lemmata.transforms.graph.tidy import guard_conjuncts
from lemmata.values import dataclass

_MOST_CHOICES = 64  # values of a variable that are numbered


def integers_as_words(graph: Graph) -> GraphReduction | None:
    """The graph over words; ``None`` where a variable may be too large, or is no number."""
    offered = [v for place in graph.locations for v in place.variables] + [i for edge in graph.edges for i in edge.inputs]
    if not all(v.sort in (BOOL, INT) or isinstance(v.sort, BitVec) for v in offered):
        return None
    slots = {(n, k) for n, place in enumerate(graph.locations) for k, v in enumerate(place.variables) if v.sort is INT}
    states = interval_fixpoint(graph, slots)
    few = _few_values(graph)
    ranges = _hulls(graph, states, few)
    if ranges is None:
        return None
    domains: dict[Term, Domain] = ranges | few
    words = IntegerWords(domains)
    places = [
        replace(place, variables=tuple([words.variables.get(v, v) for v in place.variables])) for place in graph.locations
    ]
    edges: list[Edge] = []
    recipes: list[_Recipe] = []
    for number, edge in enumerate(graph.edges):
        try:
            found = _over_words(graph, edge, states, domains)
        except TooWide:
            return None
        if found is not None:
            edges.append(found[0])
            recipes.append(_Recipe(number, found[1]))
    new = replace(graph, locations=tuple(places), edges=tuple(edges))
    return GraphReduction(new, _WordsBack(graph, new, domains, words.variables, tuple(states), tuple(recipes)))


@dataclass(frozen=True, slots=True)
class _Recipe:
    """Which edge a new one comes from, and the ranges of its inputs that are integers."""

    number: int
    ranges: Mapping[Term, IntegerRange]


def _few_values(graph: Graph) -> dict[Term, Choices]:
    """The variables that only constants are assigned to, and each other, with these constants and 0."""
    values: dict[Term, set[int]] = {}
    reads: dict[Term, set[Term]] = {}  # where a variable's value goes
    many: dict[Term, None] = {}
    for edge in graph.edges:
        own = {
            here: v for s in edge.sources for here, v in zip(s.variables, graph.locations[s.location].variables, strict=True)
        }
        for v, update in zip(graph.locations[edge.target].variables, edge.updates, strict=True):
            if v.sort is not INT:
                continue
            known = values.setdefault(v, {0})
            for leaf in _leaves(update):
                if leaf.is_const:
                    known.add(value_of(leaf))
                elif leaf in own:
                    reads.setdefault(own[leaf], set()).add(v)
                else:
                    many[v] = None
    queue = list(values)
    while queue:
        v = queue.pop()
        if len(values[v]) > _MOST_CHOICES:
            many[v] = None
        for reader in reads.get(v, ()):
            if (v in many and reader not in many) or not values[v] <= values[reader]:
                values[reader] |= values[v]
                if v in many:
                    many[reader] = None
                queue.append(reader)
    return {v: Choices(tuple(sorted(found))) for v, found in values.items() if v not in many}


def _leaves(term: Term) -> list[Term]:
    """What a choice among terms chooses from."""
    seen, stack = {term: None}, [term]
    while stack:
        one = stack.pop()
        if one.op == "ite":
            new = [arg for arg in one.args[1:] if arg not in seen]
            seen |= dict.fromkeys(new)
            stack += new
    return [one for one in seen if one.op != "ite"]


def _hulls(
    graph: Graph, states: Sequence[IntervalState | None], few: Mapping[Term, Choices]
) -> dict[Term, IntegerRange] | None:
    """The range of each integer variable at all locations that are reached, 0 included: what a variable is where it is dead."""
    found: dict[Term, IntegerRange] = {}
    for place, state in zip(graph.locations, states, strict=True):
        for v in place.variables:
            if v.sort is not INT or v in few:
                continue
            old = found.setdefault(v, IntegerRange(0, 0))
            if state is not None:
                own = _range(state.get(v))
                if own is None:
                    return None
                found[v] = IntegerRange(min(old.low, own.low), max(old.high, own.high))
    return found


def _range(values: CongruenceInterval | None) -> IntegerRange | None:
    return None if values is None or values.low is None or values.high is None else IntegerRange(values.low, values.high)


def _over_words(
    graph: Graph, edge: Edge, states: Sequence[IntervalState | None], domains: Mapping[Term, Domain]
) -> tuple[Edge, Mapping[Term, IntegerRange]] | None:
    """The edge over words, and the ranges of its inputs; ``None`` if it is never taken."""
    known = known_at(graph, edge, states)
    box = None if known is None else propagate_bounds(guard_conjuncts([edge.guard]), known)
    if box is None:
        return None
    own: dict[Term, Domain] = {}
    for source in edge.sources:
        pairs = zip(source.variables, graph.locations[source.location].variables, strict=True)
        own |= {here: domains[v] for here, v in pairs if v.sort is INT}
    read = set(variables([edge.guard, *edge.updates]))
    given: dict[Term, IntegerRange] = {}
    for i in edge.inputs:
        if i.sort is INT and i in read:
            found = _range(box.get(i))
            if found is None:
                raise TooWide("an input has no range")
            given[i] = found
    words = IntegerWords(own | given)
    (guard,) = words.of([edge.guard])
    target = graph.locations[edge.target].variables
    updates = [
        words.stored(update, domains[v]) if v.sort is INT else words.of([update])[0]
        for v, update in zip(target, edge.updates, strict=True)
    ]
    sources = [Source(s.location, tuple([words.variables.get(v, v) for v in s.variables])) for s in edge.sources]
    inputs = tuple([words.variables.get(i, i) for i in edge.inputs if i.sort is not INT or i in given])
    return replace(edge, sources=tuple(sources), inputs=inputs, guard=guard, updates=tuple(updates)), given


@dataclass(frozen=True, slots=True)
class _WordsBack:
    """The way back."""

    old: Graph
    new: Graph
    domains: Mapping[Term, Domain]
    words: Mapping[Term, Term]
    states: tuple[IntervalState | None, ...]
    recipes: tuple[_Recipe, ...]  # by new edge

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """Ranges, and what is said of words."""
        stands = {word: (v, self.domains[v]) for v, word in self.words.items()}
        told: dict[int, tuple[Term, ...]] = {}
        try:
            for n, lemmas in lemmas_by_location(invariant).items():
                parts = [part for lemma in integers_of(lemmas, stands) for part in conjuncts(lemma)]
                own = (*range_lemmas(self.states[n]), *self._choices(n), *parts)
                told[n] = tuple(dict.fromkeys(part for part in own if part is not TRUE))
        except TooWide:
            raise GaveUp("incomplete") from None
        return claimed(self.old, told)

    def _choices(self, location: int) -> list[Term]:
        """Each of the few values that variables have there."""
        found = []
        for v in self.old.locations[location].variables:
            domain = self.domains.get(v)
            if isinstance(domain, Choices):
                found.append(disj([equal(v, const(value, INT)) for value in domain.values]))
        return found

    def trace(self, derivation: Derivation) -> Derivation:
        """The same edges, with integers."""
        facts = []
        for fact in derivation.facts:
            recipe = self.recipes[fact.edge]
            edge, new = self.old.edges[recipe.number], self.new.edges[fact.edge]
            place = self.old.locations[edge.target]
            given = dict(zip([i for i in edge.inputs if i.sort is not INT or i in recipe.ranges], new.inputs, strict=True))
            known = dict(fact.inputs)
            inputs = tuple(
                [
                    (i, _integer(known[given[i]], recipe.ranges.get(i)) if i in given else default_value(i.sort))
                    for i in edge.inputs
                ]
            )
            values = [_integer(value, self.domains.get(v)) for v, value in zip(place.variables, fact.values, strict=True)]
            facts.append(Fact(recipe.number, fact.premises, inputs, place, tuple(values)))
        return Derivation(derivation.prop, tuple(facts))


def _integer(value: Value, domain: Domain | None) -> Value:
    """The integer that a word is, if it is one."""
    match domain:
        case Choices():
            return domain.at(int(value))
        case IntegerRange() if domain.is_signed:
            return signed(value, domain.bits)
    return value
