"""An error trace that is left: the one of least cost, by Knuth's generalization of Dijkstra's algorithm (1977).

The cost of a trace is the sum over its steps. ``shortest`` counts steps, so that no error is overlooked that is nearer than the
one that is found. ``new`` lets an edge cost more each time it occurs in a trace, so that traces go where none went before. On a
graph with one source per edge both are shortest paths.

Depth-first orders were not tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Protocol

from lemmata.engines.traces.automaton import Automaton
from lemmata.engines.traces.trace import EdgeTrace, TraceStep
from lemmata.errors import GaveUp

_TRACE_STEPS = 100_000  # steps of a trace; trees may be far larger than the automaton


class _Order(Protocol):
    """Which trace comes first."""

    def costs(self) -> Sequence[int]:
        """What a use of each edge costs, at least 1."""
        ...

    def note(self, trace: EdgeTrace) -> None:
        """This trace was picked."""
        ...


class Shortest:
    """Traces with the fewest steps first."""

    def __init__(self, edges: int) -> None:
        self._costs = [1] * edges

    def costs(self) -> Sequence[int]:
        """Every step costs the same."""
        return self._costs

    def note(self, trace: EdgeTrace) -> None:
        """Nothing changes."""


class New:
    """Traces with edges that were rarely in a trace first."""

    def __init__(self, edges: int) -> None:
        self._costs = [1] * edges

    def costs(self) -> Sequence[int]:
        """One more for every trace with that edge."""
        return self._costs

    def note(self, trace: EdgeTrace) -> None:
        """Its edges become dearer."""
        for edge in {step.edge for step in trace.steps}:
            self._costs[edge] += 1


def order_of(name: str, edges: int) -> _Order:
    """The order called ``name``."""
    return New(edges) if name == "new" else Shortest(edges)


def pick(automaton: Automaton, prop: int, costs: Sequence[int]) -> EdgeTrace | None:
    """A cheapest trace to the error of property ``prop``; none if the automaton accepts nothing."""
    transitions, places = automaton.transitions, automaton.places
    uses = automaton.uses()
    missing = [len(sources) for _, sources, _ in transitions]
    settled: dict[int, tuple[int, int]] = {}  # state: cost, transition
    heap = [(costs[edge], number) for number, (edge, sources, _) in enumerate(transitions) if not sources]
    heap.sort()
    while heap:
        cost, number = heappop(heap)
        state = transitions[number][2]
        if state in settled:
            continue
        settled[state] = cost, number
        if places[state] == automaton.error:
            return _tree(automaton, prop, state, settled)
        for use in uses[state]:
            missing[use] -= 1
            if not missing[use]:
                edge, sources, target = transitions[use]
                if target not in settled:
                    heappush(heap, (costs[edge] + sum([settled[source][0] for source in sources]), use))
    return None


def _tree(automaton: Automaton, prop: int, root: int, settled: dict[int, tuple[int, int]]) -> EdgeTrace:
    """The trace that ends in ``root``, premises first."""
    steps: list[TraceStep] = []
    done: list[int] = []  # positions of steps that no step has taken as premises yet
    stack = [(root, False)]
    while stack:
        state, is_ready = stack.pop()
        edge, sources, _ = automaton.transitions[settled[state][1]]
        if not is_ready:
            stack.append((state, True))
            stack += [(source, False) for source in reversed(sources)]
            continue
        premises = tuple(done[len(done) - len(sources) :])
        del done[len(done) - len(sources) :]
        done.append(len(steps))
        steps.append(TraceStep(edge, premises))
        if len(steps) > _TRACE_STEPS:
            raise GaveUp("incomplete")
    return EdgeTrace(prop, tuple(steps))
