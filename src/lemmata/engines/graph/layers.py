"""A linear graph unrolled: where a run can be after 0, 1, 2 … edges, and with which values.

Layer d has a *spot* for each location that a run can be at after d edges beyond its first. The state of a spot is a tuple of
terms over the inputs of the edges so far: where one way leads to a spot, its updates are put into each other, so that constants
fold and a relation whose updates are inputs (VMT, Horn clauses) costs no equation; where several ways meet, or a term is large,
the spot gets variables of its own. Only one edge is taken per layer, so all edges of a layer share their inputs.

Everything that is asserted is an implication from a *reached* literal to what it needs (Plaisted, Greenbaum 1986): without an
assumption nothing is demanded, so a state without successors is no contradiction, and longer runs do not disturb shorter ones.
Ways whose guard folds to false are never made. One whose guard folds to true needs no literal of its own, unless somebody
demands something of spots (``from_anywhere``) and the run may as well go elsewhere: then it must not be demanded of the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from lemmata.logic.build import conj, disj, equal, implies
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, name_of, topological, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.shape import edges_towards
from lemmata.values import dataclass

_TERM_NODES = 12  # nodes of a term that goes on without a variable of its own


@dataclass(slots=True)
class LayerSpot:
    """A location after some edges: its state, and a formula that demands a run which ends here."""

    location: int
    state: tuple[Term, ...]
    reached: Term
    ways: list[LayerEdge] = field(default_factory=list)  # none where a run may start anywhere


@dataclass(frozen=True, slots=True)
class LayerEdge:
    """An edge in some layer; ``taken`` demands it and all before it, and implies ``needs``."""

    edge: int
    source: LayerSpot | None
    taken: Term
    needs: Term


class Layers:
    """The unrolling; ``leaves`` are what a model gives values to."""

    def __init__(self, graph: Graph, error: int) -> None:
        self._graph = graph
        self._error = error
        self._edges = list(edges_towards(graph, error))
        self._leaving: dict[int, list[tuple[int, Edge]]] = {}
        for number, edge in self._edges:
            for source in edge.sources:
                self._leaving.setdefault(source.location, []).append((number, edge))
        self._spots: list[list[LayerSpot]] = []
        self._goals: list[list[LayerEdge]] = []
        self._facts: list[Term] = []
        self._forks: frozenset[int] = frozenset()  # locations whose edges all have literals of their own
        self.leaves: dict[Term, None] = {}
        self.work = 0  # values that were computed: variables of the targets of edges

    @classmethod
    def from_start(cls, graph: Graph, error: int) -> Layers:
        """The runs that begin with an initial edge."""
        layers = cls(graph, error)
        layers._arrive(0, [(number, edge, None) for number, edge in layers._edges if not edge.sources])
        return layers

    @classmethod
    def from_anywhere(cls, graph: Graph, error: int) -> Layers:
        """The paths that begin in any state of any location but the error."""
        layers = cls(graph, error)
        places = sorted({source.location for _, edge in layers._edges for source in edge.sources} - {error})
        layers._spots.append([LayerSpot(place, layers._own(0, place), layers._switch(f"at@0!{place}")) for place in places])
        layers._goals.append([])
        ways = Counter(source.location for _, edge in layers._edges if edge.target != error for source in edge.sources)
        layers._forks = frozenset(location for location, count in ways.items() if count > 1)
        return layers

    @property
    def depth(self) -> int:
        """The number of the last layer."""
        return len(self._spots) - 1

    def spots(self, layer: int) -> list[LayerSpot]:
        """Where a run can be; empty if none is so long."""
        return self._spots[layer]

    def goals(self, layer: int) -> list[LayerEdge]:
        """The ways into the error in that layer."""
        return self._goals[layer]

    def deepen(self) -> None:
        """One more layer."""
        steps = [(number, edge, spot) for spot in self._spots[-1] for number, edge in self._leaving.get(spot.location, ())]
        steps.sort(key=lambda step: step[0])
        self._arrive(len(self._spots), steps)

    def fresh_facts(self) -> list[Term]:
        """The implications that were made since the last call: assert them all."""
        facts, self._facts = self._facts, []
        return facts

    def guard(self, edge: Edge, spot: LayerSpot, layer: int) -> Term:
        """The guard of an edge that leaves ``spot`` into ``layer``."""
        return substitute([edge.guard], self._names(edge, spot, layer))[0]

    def _arrive(self, layer: int, steps: Iterable[tuple[int, Edge, LayerSpot | None]]) -> None:
        """Make the spots of a layer from the edges that lead there."""
        found: dict[int, list[tuple[LayerEdge, tuple[Term, ...]]]] = {}
        for number, edge, source in steps:
            guard, *updates = substitute([edge.guard, *edge.updates], self._names(edge, source, layer))
            self.work += 1 + len(updates)
            before = TRUE if source is None else source.reached
            if FALSE in (guard, before):
                continue
            way = self._way(f"edge@{layer}>{number}", number, source, conj([before, guard]))
            found.setdefault(edge.target, []).append((way, tuple(updates)))
        self._goals.append([way for way, _ in found.pop(self._error, [])])
        self._spots.append([self._spot(layer, location, ways) for location, ways in sorted(found.items())])

    def _way(self, name: str, edge: int, source: LayerSpot | None, needs: Term) -> LayerEdge:
        is_fork = source is not None and source.location in self._forks
        if needs.is_const or (needs.is_var and not is_fork):
            return LayerEdge(edge, source, needs, needs)
        switch = self._switch(name)
        self._facts.append(implies(switch, needs))
        return LayerEdge(edge, source, switch, needs)

    def _spot(self, layer: int, location: int, ways: list[tuple[LayerEdge, tuple[Term, ...]]]) -> LayerSpot:
        if len(ways) == 1:
            (way, updates) = ways[0]
            return LayerSpot(location, self._short(layer, location, updates), way.taken, [way])
        switches = [self._switch(f"way@{layer}>{way.edge}") for way, _ in ways]
        own = self._own(layer, location)
        columns = list(zip(*[updates for _, updates in ways], strict=True))
        state = tuple([column[0] if len(set(column)) == 1 else v for v, column in zip(own, columns, strict=True)])
        for switch, (way, updates) in zip(switches, ways, strict=True):
            moves = [equal(v, update) for v, update in zip(state, updates, strict=True)]
            self._facts.append(implies(switch, conj([way.taken, *moves])))
        reached = self._switch(f"at@{layer}!{location}")
        self._facts.append(implies(reached, disj(switches)))
        marked = [replace(way, taken=switch) for switch, (way, _) in zip(switches, ways, strict=True)]
        return LayerSpot(location, state, reached, marked)

    def _short(self, layer: int, location: int, updates: tuple[Term, ...]) -> tuple[Term, ...]:
        """The updates; those that have become large get a name."""
        variables = self._graph.locations[location].variables
        return tuple([self._named(layer, location, v, update) for v, update in zip(variables, updates, strict=True)])

    def _named(self, layer: int, location: int, variable: Term, update: Term) -> Term:
        if len(topological([update])) <= _TERM_NODES:
            return update
        own = self._leaf(f"{name_of(variable)}@{layer}:{location}", variable)
        self._facts.append(equal(own, update))
        return own

    def _names(self, edge: Edge, source: LayerSpot | None, layer: int) -> Mapping[Term, Term]:
        names = {i: self._leaf(f"{name_of(i)}@{layer}", i) for i in edge.inputs}
        if source is not None:
            names |= dict(zip(edge.sources[0].variables, source.state, strict=True))
        return names

    def _own(self, layer: int, location: int) -> tuple[Term, ...]:
        variables = self._graph.locations[location].variables
        return tuple([self._leaf(f"{name_of(v)}@{layer}:{location}", v) for v in variables])

    def _leaf(self, name: str, like: Term) -> Term:
        leaf = var(name, like.sort)
        self.leaves[leaf] = None
        return leaf

    def _switch(self, name: str) -> Term:
        switch = var(name, BOOL)
        self.leaves[switch] = None
        return switch


def input_at(variable: Term, layer: int) -> Term:
    """The copy of an edge's input in a layer."""
    return var(f"{name_of(variable)}@{layer}", variable.sort)
