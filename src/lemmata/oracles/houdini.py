"""Houdini: the largest part of a set of candidates that is inductive (Flanagan, Leino 2001).

Each location has candidates. All of them are supposed to hold; an edge that leads from states with all candidates of its
sources to one that violates candidates of its target refutes these, and they are dropped. Whoever relied on them is asked
again, until no edge refutes anything. What is left is inductive, and every inductive part of the candidates is left: there is
one largest part, since unions of inductive sets are inductive.

Who asks, and what candidates are (formulas, cubes), is the business of whoever calls ``keep_inductive``: ``judge`` looks for
one step along an edge and says which candidates of the target hold after it. A step that violates candidates, as the solver
sees it, and none of them by evaluation (dividing by zero) drops them all: what is dropped too much costs strength, never
soundness.

``inductive_part`` asks a solver per edge about formulas, and drops those about which it would have to ask for too long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from lemmata.errors import GaveUp
from lemmata.logic.build import build, disj, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import TRUE, Term, Value
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.edge import EdgeSolver
from lemmata.oracles.support import given
from lemmata.solvers.smt import Sat, Unsat
from lemmata.values import dataclass
from lemmata.work import now

_E = TypeVar("_E", bound="AboutEdge")
C = TypeVar("C")


class AboutEdge(Protocol):
    """Somebody who asks about an edge."""

    @property
    def edge(self) -> Edge:
        """The edge."""
        ...


def keep_inductive(
    edges: Sequence[_E],
    alive: dict[int, list[C]],
    judge: Callable[[_E, list[C]], Sequence[object] | None],
    last: int | None = None,
) -> bool:
    """Drop candidates from ``alive``, by location, until the rest is inductive along ``edges``.

    ``judge(edge, candidates)`` finds a step that violates some of the target's candidates and says of each whether it holds
    after it; ``None``: there is no such step. As soon as the location ``last`` loses a candidate the answer is ``False``.
    """
    leaving: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for number, one in enumerate(edges):
        for source in one.edge.sources:
            leaving[source.location][number] = None
    pending = dict.fromkeys(range(len(edges)))
    while pending:
        number = next(iter(pending))
        del pending[number]
        target = edges[number].edge.target
        if _drop(edges[number], alive, judge):
            if target == last:
                return False
            pending |= leaving[target]
    return True


def _drop(edge: _E, alive: dict[int, list[C]], judge: Callable[[_E, list[C]], Sequence[object] | None]) -> bool:
    """Drop what does not hold after the edge; was there any?"""
    target = edge.edge.target
    before = len(alive[target])
    while found := alive[target]:
        truths = judge(edge, found)
        if truths is None:
            break
        kept = [candidate for candidate, holds in zip(found, truths, strict=True) if holds]
        alive[target] = kept if len(kept) < len(found) else []
    return len(alive[target]) < before


@dataclass(frozen=True, slots=True)
class HoudiniBudget:
    """What ``inductive_part`` may take, on the work clock: what is not known to hold by then is dropped."""

    seconds: float  # for all questions; a net, their number decides
    question_s: float  # for one of them
    queries: int


def inductive_part(
    graph: Graph,
    candidates: Mapping[int, Sequence[Term]],
    solver: str,
    budget: HoudiniBudget,
    construct: Callable[..., Term] = build,
) -> dict[int, list[Term]]:
    """The largest part of the formulas, by location, that is inductive along all edges, as far as the budget goes."""
    alive = {number: list(candidates.get(number, ())) for number in range(len(graph.locations))}
    edges = [EdgeSolver(graph, edge, solver, construct=construct) for edge in graph.edges]
    keep_inductive(edges, alive, _Judge(alive, budget))
    return alive


class _Judge:
    """Asks the solver of an edge which of the formulas at its target hold after it."""

    def __init__(self, alive: Mapping[int, Sequence[Term]], budget: HoudiniBudget) -> None:
        self._alive = alive
        self._budget = budget
        self._until = now() + budget.seconds
        self._asked = 0

    def __call__(self, edge: EdgeSolver, formulas: Sequence[Term]) -> Sequence[Value] | None:
        """Which hold after a step that violates some; none where that is too hard to say; ``None``: there is no such step.

        Formulas(s₁) ∧ … ∧ guard ∧ ¬Formulas(target)[updates]
        """
        goals = edge.goal.all(formulas)
        if all(goal is TRUE for goal in goals):
            return None
        answer = self._attempt(edge, goals)
        if answer is None:
            return [False] * len(goals)
        return evaluate(goals, answer.values) if isinstance(answer, Sat) else None

    def _attempt(self, edge: EdgeSolver, goals: Sequence[Term]) -> Sat | Unsat | None:
        self._asked += 1
        if self._asked > self._budget.queries:
            return None
        question = [*given(edge, self._alive), disj(map(negate, goals))]
        try:
            return edge.solver.attempt(question, variables(goals), self._until, self._budget.question_s)
        except GaveUp:
            return None
