"""What the loop asks a checker, and what a checker answers.

An ``EdgeTrace`` is a way to the error that the graph has when guards are not looked at: a list of edges where every edge has as
many source locations as a control-flow graph has, one; or, where edges join a call with its callee's summary, a tree (Wang,
Jiao 2016; Heizmann, Hoenicke, Podelski 2010 have nested words for the same). A ``TraceChecker`` says whether it can be run. If
not, it gives formulas that lead from the initial edges to the contradiction step by step: a Floyd-Hoare proof of the one trace.
"""

from __future__ import annotations

from typing import Protocol

from lemmata.logic.terms import FALSE, Term
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class TraceStep:
    """``edge`` is taken from earlier steps, one per source; each step is the premise of one later step, but for the last."""

    edge: int
    premises: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeTrace:
    """A tree of edges, premises first; the last step leads to the error location of property ``prop``."""

    prop: int
    steps: tuple[TraceStep, ...]

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True, slots=True)
class Feasible:
    """The error is reached, by this run."""

    derivation: Derivation


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Proofs that the trace cannot be run. Each has a formula per step, over the variables of its edge's target:

    the premises' formulas and the edge's guard imply the step's formula after the updates, and the last formula is ``false``.
    """

    proofs: tuple[tuple[Term, ...], ...]


class TraceChecker(Protocol):
    """Decides traces of one graph; gives up (``GaveUp``) on what it cannot decide."""

    name: str

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        """Can the trace be run? A checker that looks at more than the trace may answer with another run to the error."""
        ...


def formulas_along(graph: Graph, trace: EdgeTrace, formulas: dict[int, Term]) -> tuple[Term, ...]:
    """The proof that an invariant per location gives for a trace."""
    targets = [graph.edges[step.edge].target for step in trace.steps]
    return (*[formulas[target] for target in targets[:-1]], FALSE)
