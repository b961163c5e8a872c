"""Traces of a graph that need no engine, and proofs of traces that Z3 checks again step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Protocol

from lemmata.certify.graph.check import certify_graph
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible, TraceStep
from lemmata.logic.build import negate
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Unsat, open_solver
from lemmata.verdict import Unsafe
from tests.support.clock import in_time

PATIENCE = 300  # seconds, against hanging only


class TraceChecker(Protocol):
    """What decides a trace."""

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible: ...


def line(*edges: int, prop: int = 0) -> EdgeTrace:
    """A trace of edges with one source each."""
    return EdgeTrace(prop, tuple(TraceStep(edge, (n - 1,) if n else ()) for n, edge in enumerate(edges)))


def shortest(graph: Graph, prop: int, most: int) -> Iterator[EdgeTrace]:
    """Some traces, one per edge that leads on from those that are known; guards are not looked at."""
    known: dict[int, list[tuple[TraceStep, ...]]] = {}
    for _ in range(most):
        for number, edge in enumerate(graph.edges):
            for parts in product(*[known.get(source.location, [])[-2:] for source in edge.sources]):
                steps: list[TraceStep] = []
                lasts = []
                for part in parts:
                    steps += [TraceStep(s.edge, tuple(p + len(steps) for p in s.premises)) for s in part]
                    lasts.append(len(steps) - 1)
                whole = (*steps, TraceStep(number, tuple(lasts)))
                if len(whole) > most or whole in known.setdefault(edge.target, []):
                    continue
                known[edge.target].append(whole)
                if edge.target == graph.questions[prop].location:
                    yield EdgeTrace(prop, whole)


def holds_by_z3(graph: Graph, trace: EdgeTrace, proof: tuple[Term, ...]) -> bool:
    """Do the premises and each edge imply the step's formula, and is the last one false?"""
    for position, step in enumerate(trace.steps):
        edge = graph.edges[step.edge]
        solver = open_solver("z3")
        solver.add(edge.guard)
        for premise, source in zip(step.premises, edge.sources, strict=True):
            own = graph.locations[source.location].variables
            solver.add(substitute([proof[premise]], dict(zip(own, source.variables, strict=True)))[0])
        target = graph.locations[edge.target].variables
        solver.add(negate(substitute([proof[position]], dict(zip(target, edge.updates, strict=True)))[0]))
        if not isinstance(solver.check(), Unsat):
            return False
    return proof[-1] is FALSE


def checked(graph: Graph, trace: EdgeTrace, checker: TraceChecker) -> Feasible | Infeasible:
    """The answer, with its evidence checked."""
    answer = checker.check(trace, in_time())
    if isinstance(answer, Feasible):
        certify_graph(graph, trace.prop, Unsafe(answer.derivation), ("z3",))
    else:
        assert answer.proofs
        assert all(len(proof) == len(trace) and holds_by_z3(graph, trace, proof) for proof in answer.proofs)
    return answer
