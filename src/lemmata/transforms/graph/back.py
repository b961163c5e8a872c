"""Ways back from a changed graph: what a step returns, how ways compose, and how derivations are rebuilt.

Every step keeps the names of the variables that it keeps at a location, so lemmas need no translation; what differs from
step to step is what else must be claimed. Derivations are the same for all: a new edge is made of one or more old edges (its
*recipe*), and the facts of the old graph follow by forward evaluation. Only inputs must be found again, and a recipe has a term
for each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lemmata.errors import GaveUp
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, Value, const
from lemmata.logic.values import default_value
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, Stretch, Turn
from lemmata.models.graph import Edge, Graph
from lemmata.models.stretches import follow
from lemmata.transforms import Reduction, WayBack
from lemmata.values import dataclass

ClaimedLemmas = Mapping[int, tuple[Term, ...]]  # by location


GraphBack = WayBack[GraphInvariant, Derivation]
GraphReduction = Reduction[Graph, GraphInvariant, Derivation]


@dataclass(frozen=True, slots=True)
class RecipeStep:
    """One old edge within a new one.

    A premise is the position of an earlier step of the same recipe, or ``~k`` for the k-th source of the new edge. ``inputs``
    has a term over the new edge for each input of the old edge.
    """

    edge: int
    premises: tuple[int, ...]
    inputs: tuple[tuple[Term, Term], ...]


Recipe = tuple[RecipeStep, ...]


def unchanged_edge(number: int, edge: Edge, known: Collection[Term] | None = None) -> Recipe:
    """The recipe of an edge that stays as it is, or loses updates and inputs: those that are not ``known`` may be anything."""
    inputs = tuple((v, v if known is None or v in known else anything(v.sort)) for v in edge.inputs)
    return (RecipeStep(number, tuple(~k for k in range(len(edge.sources))), inputs),)


def anything(sort: Sort) -> Term:
    """Some value."""
    return const(default_value(sort), sort)


@dataclass(frozen=True, slots=True)
class Adapted:
    """The way back from a step that keeps places: new location k was ``kept[k]``; ``extra`` lemmas hold at old locations."""

    old: Graph
    new: Graph
    prop: int
    kept: tuple[int, ...]
    recipes: tuple[Recipe, ...]
    extra: ClaimedLemmas

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """The same lemmas where they belong, and the extra ones."""
        lemmas = {self.kept[number]: found for number, found in lemmas_by_location(invariant).items()}
        for number, more in self.extra.items():
            lemmas[number] = (*lemmas.get(number, ()), *more)
        return claimed(self.old, lemmas)

    def trace(self, derivation: Derivation) -> Derivation:
        """The same edges, with values for what was dropped."""
        return expanded(self.old, self.new, self.prop, self.recipes, derivation)


def lemmas_by_location(invariant: GraphInvariant) -> dict[int, tuple[Term, ...]]:
    """The lemmas by location."""
    return {claim.location: claim.lemmas for claim in invariant.claims}


def claimed(graph: Graph, lemmas: ClaimedLemmas) -> GraphInvariant:
    """One claim for each location that is no error."""
    errors = {question.location for question in graph.questions}
    places = [(number, place) for number, place in enumerate(graph.locations) if number not in errors]
    return GraphInvariant(tuple([Claim(number, place, _distinct(lemmas.get(number, ()))) for number, place in places]))


def _distinct(lemmas: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(lemmas)) if len(lemmas) > 1 else lemmas


def expanded(old: Graph, new: Graph, prop: int, recipes: tuple[Recipe, ...], derivation: Derivation) -> Derivation:
    """The derivation over ``old`` in which each fact is replaced by the steps of its edge."""
    facts: list[Fact] = []
    at: list[int] = []  # where the old fact of each new one is
    ready: dict[RecipeStep, _Ready] = {}
    for fact in derivation.facts:
        if fact.stretch is not None:
            at.append(follow(old, facts, at[fact.premises[0]], _stretched(new, recipes, fact.stretch)))
            continue
        known = dict(fact.inputs)
        for source, premise in zip(new.edges[fact.edge].sources, fact.premises, strict=True):
            known |= zip(source.variables, derivation.facts[premise].values, strict=True)
        done: list[int] = []
        for step in recipes[fact.edge]:
            premises = tuple(done[p] if p >= 0 else at[fact.premises[~p]] for p in step.premises)
            if step not in ready:
                ready[step] = _Ready(old, step)
            done.append(len(facts))
            facts.append(ready[step].fact(premises, [facts[p].values for p in premises], known))
        at.append(done[-1])
    return Derivation(prop, tuple(facts))


def _stretched(new: Graph, recipes: tuple[Recipe, ...], stretch: Stretch) -> Stretch:
    """The stretch over the old graph; ``GaveUp("incomplete")`` if an edge was made of a tree."""
    steps: list[Turn | Stretch] = []
    state: dict[Term, Term] = {}  # of the variables of the source at hand: terms over those of where the round began
    for step in stretch.steps:
        if isinstance(step, Stretch):
            steps.append(_stretched(new, recipes, step))
            state = {}
            continue
        edge = new.edges[step.edge]
        (source,) = edge.sources
        own = new.locations[source.location].variables
        known = {v: state.get(u, u) for v, u in zip(source.variables, own, strict=True)} | dict(step.inputs)
        for position, made in enumerate(recipes[step.edge]):
            if made.premises != (position - 1 if position else ~0,):
                raise GaveUp("incomplete")
            terms = substitute([term for _, term in made.inputs], known)
            steps.append(Turn(made.edge, tuple(zip([v for v, _ in made.inputs], terms, strict=True))))
        state = dict(zip(new.locations[edge.target].variables, substitute(edge.updates, known), strict=True))
    return Stretch(stretch.count, tuple(steps))


class _Ready:
    """A step that is taken many times: its terms are prepared once."""

    def __init__(self, old: Graph, step: RecipeStep) -> None:
        self._step = step
        self._edge = old.edges[step.edge]
        self._place = old.locations[self._edge.target]
        self._inputs = Program([term for _, term in step.inputs])
        self._updates = Program(self._edge.updates)

    def fact(self, premises: tuple[int, ...], before: list[tuple[Value, ...]], known: Mapping[Term, Value]) -> Fact:
        """The old fact that follows from ``before`` where the variables and inputs of the new edge are ``known``."""
        inputs = dict(zip([v for v, _ in self._step.inputs], self._inputs.run(known), strict=True))
        here: dict[Term, Value] = dict(inputs)
        for source, values in zip(self._edge.sources, before, strict=True):
            here |= zip(source.variables, values, strict=True)
        return Fact(self._step.edge, premises, tuple(inputs.items()), self._place, tuple(self._updates.run(here)))
