"""Walks: states that are reached for certain, found by taking edges.

A lemma that excludes a reachable state can hold only for a while, and a generalizer that sees only a low frame is happy to
learn such lemmas. States from a few long walks keep it from that: a cube with one of them in it is not worth a question.
A walk takes edges whose sources are known; inputs are first guessed (small numbers, numbers of the file), and every now and
then a solver is asked. Where a walk changes from one edge to another the states are the most telling, so these are kept,
besides the first ones and those at distances that grow.

An error that a walk meets is a counterexample with all its values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from lemmata.budgets import WALK_GUESSES, WALK_IDLE_ROUNDS, WALK_QUESTION_S
from lemmata.engines.pdr.graph.cube import Assignment
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.observed_transitions import ObservedTransitions
from lemmata.logic.build import equal
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import Term, Value, const, topological, value_of
from lemmata.logic.values import default_value
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.fallback import FallbackSolver
from lemmata.solvers.smt import Sat

_EDGE_TERMS = 50  # terms of an edge that is tried at a cost of 1
_GUESSED_INPUTS = 8  # inputs of an edge that are guessed
_KEPT_STATES = 80  # states per location that are passed on


class Explorer:
    """Walks through a graph; ``go`` may be called again and goes on."""

    def __init__(self, graph: Graph, observed: ObservedTransitions, solver: str, error: int) -> None:
        self._graph = graph
        self._observed = observed
        self._solver_name = solver
        self._error = error
        self._random = Random(0)
        self._programs = [Program([edge.guard, *edge.updates]) for edge in graph.edges]
        self._costs = [1 + len(topological([edge.guard, *edge.updates])) // _EDGE_TERMS for edge in graph.edges]
        self._pool = _numbers(graph)
        self._solvers: dict[int, FallbackSolver] = {}
        self._facts: defaultdict[int, list[ReachFact]] = defaultdict(list)
        self._leaving: defaultdict[int, list[int]] = defaultdict(list)
        others = {question.location for question in graph.questions} - {error}
        for number, edge in enumerate(graph.edges):
            if edge.target not in others:
                for source in dict.fromkeys(s.location for s in edge.sources):
                    self._leaving[source].append(number)
        self._starts = [number for number, edge in enumerate(graph.edges) if not edge.sources]
        self._at: ReachFact | None = None
        self._asked = self._left = 0
        self._idle = 0  # walks that met nothing new

    def go(self, attempts: int, questions: int) -> ReachFact | None:
        """Walk, trying edges so many times (large ones less often); the error, if it is met."""
        self._asked = questions
        self._left = attempts
        while self._left > 0 and self._idle < WALK_IDLE_ROUNDS:
            if self._at is None:
                if not self._starts:
                    return None
                self._idle += 1  # until something new is met
                self._starts.append(self._starts.pop(0))
                self._at = self._take(self._starts[-1], None)
            else:
                self._at = self._onward(self._at)
            if self._at is not None and self._at.location == self._error:
                return self._at
        return None

    def _onward(self, at: ReachFact) -> ReachFact | None:
        """One step: to the error if that is possible, else along some edge."""
        edges = list(self._leaving[at.location])
        self._random.shuffle(edges)
        edges.sort(key=lambda number: self._graph.edges[number].target != self._error)
        for number in edges:
            found = self._take(number, at)
            if found is not None:
                return found
        return None

    def _take(self, number: int, at: ReachFact | None) -> ReachFact | None:
        edge = self._graph.edges[number]
        premises = self._premises(edge, at)
        self._left -= 1
        if premises is None:
            return None
        values: dict[Term, Value] = {}
        for source, fact in zip(edge.sources, premises, strict=True):
            values |= dict(zip(source.variables, fact.sample.values(), strict=True))
        results = self._run(number, edge, values)
        if results is None:
            return None
        state = dict(zip(self._graph.locations[edge.target].variables, results, strict=True))
        fact = ReachFact(edge.target, number, premises, state, inputs={i: values[i] for i in edge.inputs})
        self._keep(fact)
        return fact

    def _premises(self, edge: Edge, at: ReachFact | None) -> tuple[ReachFact, ...] | None:
        """A known state for each source; ``at`` for the first that it fits."""
        premises = []
        for source in edge.sources:
            if at is not None and at.location == source.location:
                premises.append(at)
                at = None
            elif self._facts[source.location]:
                premises.append(self._random.choice(self._facts[source.location]))
            else:
                return None
        return tuple(premises)

    def _run(self, number: int, edge: Edge, values: dict[Term, Value]) -> Sequence[Value] | None:
        """The target's values, with the inputs added to ``values``; ``None`` where the edge cannot be taken."""
        program = self._programs[number]
        for _ in range((WALK_GUESSES if len(edge.inputs) <= _GUESSED_INPUTS else 0) if edge.inputs else 1):
            values |= {i: self._guess(i) for i in edge.inputs}
            self._left -= self._costs[number]
            holds, *results = program.run(values)
            if holds:
                return results
        if not edge.inputs or self._asked <= 0:
            return None
        self._asked -= 1
        self._left -= self._costs[number]
        found = self._solve(number, edge, {v: values[v] for source in edge.sources for v in source.variables})
        if found is None:
            return None
        values |= found
        holds, *results = program.run(values)
        return results if holds else None

    def _guess(self, variable: Term) -> Value:
        match variable.sort:
            case _ if variable.sort is BOOL:
                return self._random.random() < 0.5
            case _ if variable.sort is INT:
                return self._random.choice(self._pool)
            case _ if variable.sort is REAL:
                return Fraction(self._random.choice(self._pool))
        return default_value(variable.sort)

    def _solve(self, number: int, edge: Edge, values: Assignment) -> Assignment | None:
        if number not in self._solvers:
            self._solvers[number] = FallbackSolver(self._solver_name, [edge.guard])
        solver = self._solvers[number]
        solver.push()
        for variable, value in values.items():
            solver.add(equal(variable, const(value, variable.sort)))
        answer = solver.attempt((), edge.inputs, None, WALK_QUESTION_S)
        solver.pop()
        return answer.values if isinstance(answer, Sat) else None

    def _keep(self, fact: ReachFact) -> None:
        """Pass a state on if it is a telling one."""
        steps = fact.steps
        has_turned = bool(fact.premises) and fact.premises[0].edge != fact.edge
        if steps > 4 and not has_turned and steps & (steps - 1) and steps % 1000:
            return
        facts = self._facts[fact.location]
        facts.append(fact)
        if len(facts) > _KEPT_STATES:
            del facts[_KEPT_STATES // 2]
        if self._observed.meet(fact):
            self._idle = 0


def _numbers(graph: Graph) -> list[int]:
    """Small numbers, and those of the file with their neighbours."""
    found = {0: None, 1: None, -1: None, 2: None}
    roots = [term for edge in graph.edges for term in (edge.guard, *edge.updates)]
    for term in topological(roots):
        if term.is_const and term.sort in (INT, REAL):
            number = int(value_of(term))
            found |= {number: None, number + 1: None, number - 1: None}
    return sorted(found)[:200]
