"""Formulas found so far, tried as invariants of the path program.

What was found for a location along some traces is kept. For a new trace all of it is supposed to hold at each visit, together
with the equations and remainders of its path program (``affine``), sums (``farkas_templates``) and what its edges suggest
(``hints``); what the trace's own edges refute is dropped until nothing changes (Flanagan, Leino 2001). If what is left excludes
the error, it is a proof that does not depend on how often the trace goes through its loops (path invariants: Beyer, Henzinger,
Majumdar, Rybalchenko 2007), and only the part of it that matters is returned: what the error's edge needs, what that needs
before it, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.budgets import TRACE_HOUDINI_S
from lemmata.engines.traces.interpolants.affine import affine_facts
from lemmata.engines.traces.interpolants.core_solver import SolverLimits
from lemmata.engines.traces.interpolants.hints import hints
from lemmata.engines.traces.trace import EdgeTrace, formulas_along
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import conj, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.edge import EdgeTerms
from lemmata.oracles.houdini import keep_inductive
from lemmata.oracles.support import LocatedFact, closure, given

_CANDIDATES = 60  # candidates at a location, the latest ones

_Formulas = tuple[Term, ...]
Candidates = dict[int, list[Term]]  # by location


class Pool:
    """Candidates by location."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._candidates: dict[int, dict[Term, None]] = {}
        self._facts: dict[frozenset[int], dict[int, list[Term]]] = {}  # by the edges of a path program

    def add(self, trace: EdgeTrace, proof: Sequence[Term]) -> None:
        """Keep what a proof says."""
        for step, formula in zip(trace.steps, proof, strict=True):
            known = self._candidates.setdefault(self._graph.edges[step.edge].target, {})
            for part in asserted_conjuncts([formula]):
                if part is not FALSE:
                    known.pop(part, None)
                    known[part] = None

    def prove(self, trace: EdgeTrace, limits: SolverLimits) -> _Formulas | None:
        """A proof of the trace that is an invariant of its path program, if there is one in the pool."""
        error = self._graph.questions[trace.prop].location
        numbers = list(dict.fromkeys([step.edge for step in trace.steps]))
        places = dict.fromkeys([self._graph.edges[number].target for number in numbers])
        facts = self._path_facts(frozenset(numbers), limits)
        alive = {place: [*facts.get(place, ()), *list(self._candidates.get(place, ()))[-_CANDIDATES:]] for place in places}
        alive[error] = [FALSE]
        edges = [_EdgeQuestions(self._graph, self._graph.edges[number], limits) for number in numbers]
        if not keep_inductive(edges, alive, lambda edge, candidates: edge.judge(candidates, alive), last=error):
            return None
        needed = closure(edges, (error, FALSE), lambda edge, goal: edge.needs(goal, alive))
        proof = {place: conj([formula for where, formula in needed if where == place]) for place in alive}
        return formulas_along(self._graph, trace, proof)

    def _path_facts(self, numbers: frozenset[int], limits: SolverLimits) -> dict[int, list[Term]]:
        """Equations and remainders of a path program, and what its edges suggest, computed once."""
        if numbers not in self._facts:
            edges = [self._graph.edges[number] for number in sorted(numbers)]
            facts = limits.patiently(lambda limits: affine_facts(self._graph, edges, limits), TRACE_HOUDINI_S) or {}
            guesses = hints(self._graph, edges)
            self._facts[numbers] = {p: list(dict.fromkeys([*facts.get(p, ()), *found])) for p, found in guesses.items()}
        return self._facts[numbers]


class _EdgeQuestions(EdgeTerms):
    """One edge of the path program, and a solver that knows its guard."""

    def __init__(self, graph: Graph, edge: Edge, limits: SolverLimits) -> None:
        super().__init__(graph, edge)
        self._solver = limits.core_solver([edge.guard])

    def judge(self, candidates: Sequence[Term], alive: Candidates) -> list[Value] | None:
        """Which candidates hold after a step along the edge that violates some."""
        goals = self.goal.all(candidates)
        claim = negate(conj(goals))
        values = None if claim is FALSE else self._solver.model(self.wanted, [*given(self, alive), claim])
        return None if values is None else Program(goals).run(values)

    def needs(self, goal: Term, alive: Candidates) -> list[LocatedFact]:
        """Candidates of the sources that suffice for one of the target."""
        known = given(self, alive)
        claim = negate(self.goal(goal))
        if claim is FALSE:
            return []
        core = self._solver.least_core([*([] if claim is TRUE else [claim]), *known])
        return [] if core is None else [known[part] for part in core if part in known]
