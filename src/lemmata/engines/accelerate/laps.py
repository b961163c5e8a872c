"""Laps: some edges in a row as one, with a plan that tells which edges they are.

A ``Lap`` leads from a location to a location. Guard and updates are terms over the variables of the first one and the lap's
inputs. Its plan is a list of hops (single edges) and loops (plans that are taken again and again, as often as an input says);
with values for the inputs it becomes turns and stretches of a derivation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lemmata.logic.build import conj
from lemmata.logic.projection.purify import value_term
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, Value, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Stretch, Turn
from lemmata.models.graph import Edge, Graph, Source
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge of the graph; each of its inputs is an input of the lap."""

    edge: int
    inputs: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True, slots=True)
class RepeatedPlan:
    """A plan, taken ``count`` times, which is an input of the lap."""

    count: Term
    body: tuple[Hop | RepeatedPlan, ...]


@dataclass(frozen=True, slots=True)
class Lap:
    """From ``place`` to ``target`` where ``guard`` holds."""

    place: int
    target: int
    inputs: tuple[Term, ...]
    guard: Term
    updates: tuple[Term, ...]
    plan: tuple[Hop | RepeatedPlan, ...]

    def edge(self, graph: Graph) -> Edge:
        """As an edge of the graph."""
        source = Source(self.place, graph.locations[self.place].variables)
        return Edge((source,), self.target, self.inputs, self.guard, self.updates)


class FreshInputs:
    """Inputs that nothing in a graph is called like."""

    def __init__(self, graph: Graph) -> None:
        places = [v for place in graph.locations for v in place.variables]
        ends = [v for edge in graph.edges for v in (*edge.inputs, *(v for s in edge.sources for v in s.variables))]
        self._taken = {name_of(v) for v in (*places, *ends)}
        self._next = 0

    def fresh(self, like: str, sort: Sort) -> Term:
        """A new variable."""
        while True:
            self._next += 1
            name = f"{like}!{self._next}"
            if name not in self._taken:
                return var(name, sort)


def lap_of(graph: Graph, number: int, names: FreshInputs) -> Lap:
    """One edge, which has one source, as a lap."""
    edge = graph.edges[number]
    (source,) = edge.sources
    inputs = {v: names.fresh(name_of(v), v.sort) for v in edge.inputs}
    known = inputs | dict(zip(source.variables, graph.locations[source.location].variables, strict=True))
    guard, *updates = substitute([edge.guard, *edge.updates], known)
    hop = Hop(number, tuple(inputs.items()))
    return Lap(source.location, edge.target, tuple(inputs.values()), guard, tuple(updates), (hop,))


def joined(graph: Graph, first: Lap, then: Lap) -> Lap:
    """One lap after the other; their inputs must differ."""
    known = dict(zip(graph.locations[then.place].variables, first.updates, strict=True))
    guard, *updates = substitute([then.guard, *then.updates], known)
    plan = (*first.plan, *then.plan)
    return Lap(first.place, then.target, (*first.inputs, *then.inputs), conj((first.guard, guard)), tuple(updates), plan)


def again(lap: Lap, names: FreshInputs) -> Lap:
    """The same lap with inputs of its own."""
    fresh = {v: names.fresh(name_of(v).rpartition("!")[0], v.sort) for v in lap.inputs}
    guard, *updates = substitute([lap.guard, *lap.updates], fresh)
    return Lap(lap.place, lap.target, tuple(fresh.values()), guard, tuple(updates), _renamed(lap.plan, fresh))


def _renamed(plan: Iterable[Hop | RepeatedPlan], names: Mapping[Term, Term]) -> tuple[Hop | RepeatedPlan, ...]:
    return tuple(
        Hop(part.edge, tuple((v, names[own]) for v, own in part.inputs))
        if isinstance(part, Hop)
        else RepeatedPlan(names[part.count], _renamed(part.body, names))
        for part in plan
    )


def stretch_of(loop: RepeatedPlan, values: Mapping[Term, Value]) -> Stretch:
    """The loop, where the inputs of its lap have ``values``."""
    steps = [
        Turn(part.edge, tuple([(v, value_term(values[own], v.sort)) for v, own in part.inputs]))
        if isinstance(part, Hop)
        else stretch_of(part, values)
        for part in loop.body
    ]
    return Stretch(values[loop.count], tuple(steps))
