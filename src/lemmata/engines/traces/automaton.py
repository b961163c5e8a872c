"""What is left to refute: a bottom-up tree automaton whose letters are edges.

A transition ``(edge, sources, target)`` takes one state per source of the edge; initial edges have none. The automaton is
deterministic: edge and sources fix the target. It starts as the graph itself, one state per location from which the error can
be reached, and accepts the traces that nobody has refuted yet. Where every edge has at most one source, traces are words, and
this is a finite automaton.

Every state has a *label*: what is known of the values there, as a disjunction of conjunctions of predicates. A conjunction is
a bit mask over the numbers of ``Predicates``, so ``(0,)`` is *true*. For each transition the labels of its sources, the
edge's guard and its updates imply the label of its target. ``Removed`` keeps the labels of states that were removed since the
error cannot be reached from them any more; when nothing is left they are the invariant (see ``proof``).
"""

from __future__ import annotations

from dataclasses import field

from lemmata.models.graph import Graph
from lemmata.oracles.shape import edges_towards
from lemmata.values import dataclass

Transition = tuple[int, tuple[int, ...], int]  # edge, states of its sources, state of its target
_Label = tuple[int, ...]  # conjunctions as masks
NOTHING: _Label = (0,)  # is known


@dataclass(frozen=True, slots=True)
class Automaton:
    """``places[q]`` is the location of state q; states at ``error`` accept."""

    error: int
    places: tuple[int, ...]
    labels: tuple[_Label, ...]
    transitions: tuple[Transition, ...]

    def __len__(self) -> int:
        return len(self.places)

    def uses(self) -> list[list[int]]:
        """For each state the transitions that it is a source of; one that takes it twice is listed twice."""
        found: list[list[int]] = [[] for _ in self.places]
        for number, (_, sources, _) in enumerate(self.transitions):
            for source in sources:
                found[source].append(number)
        return found


@dataclass(slots=True)
class Removed:
    """Labels of the states that were removed, by location."""

    masks: dict[int, set[int]] = field(default_factory=dict)

    def add(self, place: int, label: _Label) -> None:
        """A state at ``place`` with this label is gone."""
        self.masks.setdefault(place, set()).update(label)


def automaton_of(graph: Graph, error: int) -> Automaton:
    """The graph as an automaton, as far as it leads to ``error``."""
    edges = list(edges_towards(graph, error))
    used = {error} | {edge.target for _, edge in edges} | {source.location for _, edge in edges for source in edge.sources}
    places = tuple(sorted(used))
    state = {place: number for number, place in enumerate(places)}
    transitions = [(number, tuple([state[s.location] for s in edge.sources]), state[edge.target]) for number, edge in edges]
    return Automaton(error, places, (NOTHING,) * len(places), tuple(transitions))


def weakest(masks: set[int] | list[int]) -> _Label:
    """The conjunctions that are not stronger than another one."""
    kept: list[int] = []
    for mask in sorted(masks, key=lambda mask: (mask.bit_count(), mask)):
        if not any(weaker & ~mask == 0 for weaker in kept):
            kept.append(mask)
    return tuple(kept)
