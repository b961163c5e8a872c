"""Checker ``pdr``: PDR on the path program of a trace (Werner 2018, chapter 4).

The path program has the edges of the trace only, so PDR meets a smaller question than on the whole graph, and a more general
one than the trace: its invariant holds however often the loops of the trace are taken. Read along the trace it is the proof. It
also refutes every later trace that has no other edges, without another question.

PDR may go on for ever where a path program has loops. After some patience the trace is checked alone, unrolled, which ends;
when another trace brings the same edges, PDR goes on where it was, with twice the patience. The thesis has no such way out.

``ThesisOptions`` choose the thesis' own algorithm with its improvements, which knows no procedures: where an edge has two
sources, and for the trace alone, the strong PDR is asked. ``known`` are claims about the whole graph, which hold in each part
of it. Simplifying path programs once more was tried: it saves iterations here and there, and no time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from lemmata.budgets import PATH_PROGRAM_S
from lemmata.config import LiftedOptions, LiftedSolverName, ThesisOptions
from lemmata.engines import Engine
from lemmata.engines.names import PDR
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.engines.pdr.thesis.engine import Thesis
from lemmata.engines.traces.projection import Projection, path_program
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible, formulas_along
from lemmata.engines.traces.unrolled import Unrolled
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import conj
from lemmata.logic.terms import FALSE, Term
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.oracles.shape import has_linear_runs
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now

_KEPT_PROGRAMS = 4  # path programs whose PDR was interrupted, and may go on

_KnownInvariant = Callable[[], GraphInvariant | None]


@dataclass(slots=True)
class _Attempt:
    """PDR at work on a path program."""

    part: Projection
    engine: Engine
    patience: float
    left: float  # of it

    def spend(self, seconds: float) -> bool:
        """Is that all the patience there is? Then there will be twice as much the next time."""
        self.left -= seconds
        if self.left > 0:
            return False
        self.patience *= 2
        self.left = self.patience
        return True


class PathProgram:
    """Checks traces to one property of a graph."""

    name = PDR

    def __init__(
        self,
        graph: Graph,
        prop: int,
        solver: str = "auto",
        options: LiftedOptions | ThesisOptions | None = None,
        *,
        listener: Listener = NOBODY,
        known: _KnownInvariant = lambda: None,
        patience: float = PATH_PROGRAM_S,
    ) -> None:
        self._graph = graph
        self._prop = prop
        self._solver = solver
        self._options = options or LiftedOptions()
        self._listener = listener
        self._known = known
        self._patience = patience
        self._alone = Unrolled(graph, solver)
        self._left_alone: EdgeTrace | None = None  # the trace that was checked so last; after a time-out it goes on so
        self._refuted: list[tuple[frozenset[int], dict[int, Term]]] = []
        self._attempts: dict[frozenset[int], _Attempt] = {}  # the oldest first

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        """Can the error be reached with the edges of the trace? A derivation may take them in another order."""
        edges = frozenset(step.edge for step in trace.steps)
        formulas = next((known for refuted, known in self._refuted if edges <= refuted), None)
        if formulas is not None:
            return Infeasible((formulas_along(self._graph, trace, formulas),))
        if trace != self._left_alone and self._patience > 0:
            match self._decide(edges, until):
                case Safe(GraphInvariant() as invariant):
                    formulas = self._formulas(invariant)
                    self._refuted.append((edges, formulas))
                    return Infeasible((formulas_along(self._graph, trace, formulas),))
                case Unsafe(Derivation() as derivation):
                    return Feasible(derivation)
        self._left_alone = trace
        return self._alone.check(trace, until)

    def _decide(self, edges: frozenset[int], until: float | None) -> Verdict | None:
        """PDR on the path program, as long as patience lasts."""
        attempt = self._attempts.pop(edges, None) or self._begin(edges)
        began = now()
        limit = began + attempt.left
        try:
            verdict = attempt.engine.check(0, limit if until is None else min(limit, until))
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                self._keep(edges, attempt)
                if not attempt.spend(now() - began):
                    raise
            return None
        match verdict:
            case Unsafe(Derivation() as derivation):
                return Unsafe(attempt.part.derivation(derivation, self._prop))
        return verdict

    def _begin(self, edges: frozenset[int]) -> _Attempt:
        part = path_program(self._graph, self._prop, sorted(edges))
        return _Attempt(part, self._engine(part.graph), self._patience, self._patience)

    def _keep(self, edges: frozenset[int], attempt: _Attempt) -> None:
        self._attempts[edges] = attempt
        if len(self._attempts) > _KEPT_PROGRAMS:
            del self._attempts[next(iter(self._attempts))]

    def _engine(self, graph: Graph) -> Engine:
        if isinstance(self._options, ThesisOptions) and has_linear_runs(graph):
            return Thesis(graph, self._listener, self._options, self._solver)
        options = self._options if isinstance(self._options, LiftedOptions) else LiftedOptions()
        return LiftedPdr(graph, self._listener, replace(options, solver=cast(LiftedSolverName, self._solver)), self._known)

    def _formulas(self, invariant: GraphInvariant) -> dict[int, Term]:
        """By location; what is not claimed is the error, which is not reached."""
        formulas = dict.fromkeys(range(len(self._graph.locations)), FALSE)
        return formulas | {claim.location: conj(claim.lemmas) for claim in invariant.claims}
