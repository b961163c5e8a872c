"""Runs through a path program that comes back again and again.

Where a loop is left after a thousand rounds, its traces are refuted one after the other, each a round longer than the last, and
the one that can be run is far away. A walk with plain values (``engines.graph.simulate``) along the edges of the trace gets
there in no time, if it is there. Whenever a path program was met twice as often as at the last walk, its walk goes on, twice as
long.
"""

from __future__ import annotations

from lemmata.budgets import TRACE_WALK_S
from lemmata.engines.graph.simulate import GraphSimulator
from lemmata.engines.traces.projection import Projection, path_program
from lemmata.engines.traces.trace import EdgeTrace
from lemmata.errors import GaveUp
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.oracles.shape import has_linear_runs
from lemmata.values import dataclass
from lemmata.verdict import Unsafe
from lemmata.work import is_over, now

_FIRST_TRACES = 4  # traces of a path program before the first walk


@dataclass(slots=True)
class _Met:
    """A path program, how often it was met, and when it is walked next."""

    count: int = 0
    due: int = _FIRST_TRACES
    seconds: float = TRACE_WALK_S
    part: Projection | None = None
    walker: GraphSimulator | None = None


class Walks:
    """Path programs of one graph."""

    def __init__(self, graph: Graph, solver: str) -> None:
        self._graph = graph
        self._solver = solver
        self._is_linear = has_linear_runs(graph)
        self._met: dict[tuple[int, frozenset[int]], _Met] = {}

    def count(self, trace: EdgeTrace) -> int:
        """One more trace of this path program: how many were there?"""
        met = self._met.setdefault(_key(trace), _Met())
        met.count += 1
        return met.count

    def go(self, trace: EdgeTrace, until: float | None) -> Derivation | None:
        """A run to the error, if it is time for a walk and the walk gets there."""
        met = self._met[_key(trace)]
        if not self._is_linear or met.count < met.due:
            return None
        if met.part is None or met.walker is None:
            met.part = path_program(self._graph, trace.prop, sorted(_key(trace)[1]))
            met.walker = GraphSimulator(met.part.graph, solver=self._solver)
        limit = now() + met.seconds
        met.due, met.seconds = 2 * met.due, 2 * met.seconds
        try:
            verdict = met.walker.check(0, limit if until is None else min(limit, until))
        except GaveUp:
            if is_over(until):
                raise
            return None
        match verdict:
            case Unsafe(Derivation() as found):
                return met.part.derivation(found, trace.prop)
        return None


def _key(trace: EdgeTrace) -> tuple[int, frozenset[int]]:
    return trace.prop, frozenset([step.edge for step in trace.steps])
