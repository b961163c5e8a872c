"""What a proof rests on: the facts that it needs, out of all that were found.

Thousands of facts may be inductive together, a proof mostly needs a handful. Cores tell: first those facts that keep the error
away, then those that keep these, and so on until nothing new is needed. What comes out is inductive, too, since every fact in
it follows, along every edge, from facts in it. (The same walk over cores finds the cone of a proof in PDR; Ivrii, Gurfinkel,
Belov 2014 go on to a smallest one, as ``certify`` does with code of its own.)

``closure`` is the walk, whoever is asked for cores; ``support`` asks a solver per edge. In a closed tree of symbolic states
(``engines.symbolic.claims``) the facts after an edge are a disjunction: what one state needs changes what is asked of those
before it, and a question is asked again when more is needed. That is a fixed point from below, not this walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from lemmata.budgets import SUPPORT_QUESTION_S
from lemmata.errors import GaveUp
from lemmata.logic.build import negate
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.edge import EdgeSolver, EdgeTerms
from lemmata.solvers.smt import Unsat

LocatedFact = tuple[int, Term]  # a location and what holds there

_E = TypeVar("_E", bound=EdgeTerms)


def closure(
    edges: Sequence[_E], goal: LocatedFact, needs: Callable[[_E, Term], Iterable[LocatedFact]]
) -> dict[LocatedFact, None]:
    """All facts that ``goal`` rests on; ``needs(edge, fact)`` are facts of the sources that imply it after the edge."""
    found: dict[LocatedFact, None] = {}
    waiting = [goal]
    while waiting:
        location, fact = waiting.pop()
        for edge in edges:
            if edge.edge.target == location:
                fresh = [need for need in dict.fromkeys(needs(edge, fact)) if need not in found]
                found.update(dict.fromkeys(fresh))
                waiting += fresh
    return found


def given(edge: EdgeTerms, facts: Mapping[int, Sequence[Term]]) -> dict[Term, LocatedFact]:
    """What holds at the sources, in the names of the edge, with where it comes from."""
    return {
        named: (source.location, fact)
        for source, names in zip(edge.edge.sources, edge.to_source, strict=True)
        for fact, named in zip(facts[source.location], names.all(facts[source.location]), strict=True)
        if named is not TRUE
    }


def support(
    graph: Graph, facts: Sequence[Sequence[Term]], error: int, solver: str, until: float | None = None
) -> list[list[Term]]:
    """Facts per location that are inductive and keep ``error`` away; all of them if there is no time to choose."""
    known = dict(enumerate(facts))
    edges = [_Why(graph, edge, known, solver) for edge in graph.edges]
    try:
        chosen = closure(edges, (error, FALSE), lambda edge, fact: edge.needs(fact, until))
    except GaveUp:
        return [list(found) for found in facts]
    return [[fact for fact in found if (location, fact) in chosen] for location, found in enumerate(facts)]


class _Why(EdgeSolver):
    """Why facts hold after one edge."""

    def __init__(self, graph: Graph, edge: Edge, facts: Mapping[int, Sequence[Term]], solver: str) -> None:
        super().__init__(graph, edge, solver)
        self._given = given(self, facts)

    def needs(self, fact: Term, until: float | None) -> list[LocatedFact]:
        """Facts of the sources that imply ``fact`` after the edge; ``GaveUp`` if they do not, as far as one can see."""
        self.solver.push()
        try:
            self.solver.add(negate(self.goal(fact)))
            answer = self.solver.attempt(list(self._given), (), until, SUPPORT_QUESTION_S)
        finally:
            self.solver.pop()
        if not isinstance(answer, Unsat):
            raise GaveUp("incomplete")
        return [self._given[term] for term in answer.core]
