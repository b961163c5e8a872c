"""Equations and remainders that hold at each visit of a location in a path program, from models (Reps, Sagiv, Yorsh 2004).

Every location has a hull of points. An edge is asked for a step from values that have all facts of the sources to values
outside the target's hull; such values widen the hull, which happens at most once per variable (and per divisor). When no edge
has such a step, the facts are an invariant of the path program. Traces that leave a loop at the wrong moment are often refuted
by counting rounds; where their path program has an equation that also does it, this finds it.

Z3 is asked, whatever the others ask: on some of these questions, with the large numbers of odd points, Yices aborts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.engines.traces.interpolants.core_solver import SolverLimits
from lemmata.engines.traces.interpolants.point_hull import PointHull
from lemmata.logic.build import conj, negate
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.edge import EdgeTerms
from lemmata.oracles.fallback import FALLBACK
from lemmata.oracles.support import given

_VARIABLES = 30  # variables at a location


def affine_facts(graph: Graph, edges: Sequence[Edge], limits: SolverLimits) -> dict[int, list[Term]]:
    """By location; one that cannot be reached, as far as facts tell, has ``false``."""
    limits = replace(limits, backend=FALLBACK)
    hulls = {edge.target: _Hulls(graph.locations[edge.target].variables) for edge in edges}
    steps = [_Step(graph, edge, limits) for edge in edges]
    pending = list(range(len(steps)))
    while pending:
        number = pending.pop(0)
        step = steps[number]
        target = step.edge.target
        facts = {source.location: hulls[source.location].facts() for source in step.edge.sources}
        if any(parts == [FALSE] for parts in facts.values()) or not step.widen(facts, hulls[target]):
            continue
        for other, one in enumerate(steps):
            if other not in pending and any(source.location == target for source in one.edge.sources):
                pending.append(other)
    return {place: hull.facts() for place, hull in hulls.items()}


class _Hulls:
    """The hulls of a location: one for its integers, one for its reals."""

    def __init__(self, variables: Sequence[Term]) -> None:
        self._is_reached = False
        self._hulls = []
        for sort in (INT, REAL):
            places = [place for place, v in enumerate(variables) if v.sort is sort][:_VARIABLES]
            self._hulls.append((places, PointHull([variables[place] for place in places], sort)))

    def add(self, point: Sequence[object]) -> None:
        """One more point."""
        self._is_reached = True
        for places, hull in self._hulls:
            hull.add([point[place] for place in places])

    def facts(self) -> list[Term]:
        """What is common to all points."""
        return [fact for _, hull in self._hulls for fact in hull.facts()] if self._is_reached else [FALSE]


class _Step(EdgeTerms):
    """One edge, and a solver that knows its guard."""

    def __init__(self, graph: Graph, edge: Edge, limits: SolverLimits) -> None:
        super().__init__(graph, edge)
        self._solver = limits.core_solver([edge.guard])

    def widen(self, facts: dict[int, list[Term]], hull: _Hulls) -> bool:
        """Add points that the edge leads to until none is outside; was there one?"""
        known = list(given(self, facts))
        is_wider = False
        while True:
            claim = negate(conj(self.goal.all(hull.facts())))
            if claim is FALSE:
                return is_wider
            values = self._solver.model(self.wanted, [*known, *([] if claim is TRUE else [claim])])
            if values is None:
                return is_wider
            before = hull.facts()
            hull.add(self.updates.run(values))
            if hull.facts() == before:  # the solver divides by zero in its own way
                return is_wider
            is_wider = True
