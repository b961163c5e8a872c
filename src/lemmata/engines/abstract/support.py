"""``support``: the facts that a proof needs, out of all that were found.

Thousands of facts may be inductive together, a proof mostly needs a handful. The solver's cores tell: first those facts that
keep the error away, then those that keep these, and so on until nothing new is needed. What comes out is inductive, too, since
every fact in it follows, along every edge, from facts in it. (The same walk over cores finds the cone of a proof in PDR; Ivrii,
Gurfinkel, Belov 2014 go on to a smallest one.)
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from lemmata.errors import GaveUp
from lemmata.logic.build import negate
from lemmata.logic.terms import TRUE, Term
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.solvers.smt import Inexpressible, Smt, Unsat, open_solver

_SECOND = "z3"
_PATIENCE_S = 5.0  # for one question

Fact = tuple[int, Term]  # a location and what holds there


class _Unproved(GaveUp):
    """A fact does not follow from the others as it should."""


class _Along:
    """Why facts hold after one edge."""

    def __init__(self, graph: Graph, edge: Edge, facts: Sequence[Sequence[Term]], backend: str) -> None:
        self._edge = edge
        self._goal = graph.locations[edge.target].variables
        self._solver = _open(backend, edge.guard)
        self._given: dict[Term, Fact] = {}
        for source in edge.sources:
            names = dict(zip(graph.locations[source.location].variables, source.variables, strict=True))
            for fact, given in zip(facts[source.location], substitute(facts[source.location], names), strict=True):
                if given is not TRUE:
                    self._given[given] = (source.location, fact)

    def needed(self, fact: Term | None, until: float | None) -> list[Fact]:
        """Facts of the sources that imply ``fact`` after the edge, or that the edge cannot be taken (``None``)."""
        self._solver.push()
        try:
            if fact is not None:
                (after,) = substitute([fact], dict(zip(self._goal, self._edge.updates, strict=True)))
                self._solver.add(negate(after))
            end = time.monotonic() + _PATIENCE_S
            answer = self._solver.check(list(self._given), (), end if until is None else min(end, until))
        finally:
            self._solver.pop()
        if not isinstance(answer, Unsat):
            raise _Unproved("incomplete")
        return [self._given[given] for given in answer.core]


def support(
    graph: Graph, facts: Sequence[Sequence[Term]], error: int, backend: str, until: float | None = None
) -> list[list[Term]]:
    """Facts per location that are inductive and keep ``error`` away; all of them if there is no time to choose."""
    try:
        chosen = _chosen(graph, facts, error, backend, until)
    except GaveUp:
        return [list(known) for known in facts]
    return [[fact for fact in known if (location, fact) in chosen] for location, known in enumerate(facts)]


def _chosen(graph: Graph, facts: Sequence[Sequence[Term]], error: int, backend: str, until: float | None) -> dict[Fact, None]:
    along = [_Along(graph, edge, facts, backend) for edge in graph.edges]
    chosen: dict[Fact, None] = {}
    waiting: list[tuple[int, Term | None]] = [(error, None)]
    while waiting:
        location, fact = waiting.pop()
        for edge, why in zip(graph.edges, along, strict=True):
            if edge.target == location:
                fresh = [need for need in why.needed(fact, until) if need not in chosen]
                chosen.update(dict.fromkeys(fresh))
                waiting += fresh
    return chosen


def _open(backend: str, guard: Term) -> Smt:
    solver = open_solver(backend)
    try:
        solver.add(guard)
    except Inexpressible:
        solver = open_solver(_SECOND)
        solver.add(guard)
    return solver
