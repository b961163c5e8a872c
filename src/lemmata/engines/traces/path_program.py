"""Checker ``pdr``: PDR on the path program of a trace (Werner 2018, chapter 4).

The path program has the edges of the trace only, so PDR meets a smaller question than on the whole graph, and a more general
one than the trace: its invariant holds however often the loops of the trace are taken. Read along the trace it is the proof. It
also refutes every later trace that has no other edges, without another question.

PDR may go on for ever where a path program has loops. After some patience the trace is checked alone, unrolled, which ends;
when another trace brings the same edges, PDR goes on where it was, with twice the patience. The thesis has no such way out.

``ThesisOptions`` choose the thesis' own algorithm with its improvements, which knows no procedures: where an edge has two
sources, and for the trace alone, the strong PDR is asked. ``known`` are claims about the whole graph, which hold in each part
of it. ``reduce`` makes a path program smaller before PDR sees it, which then knows nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol, cast

from lemmata.config import LiftedOptions, ThesisOptions
from lemmata.engines import Engine
from lemmata.engines.graphs.shape import is_linear
from lemmata.engines.pdr.lifted.engine import LiftedPdr
from lemmata.engines.pdr.thesis.engine import Thesis
from lemmata.engines.traces.projection import Projection, path_program
from lemmata.engines.traces.trace import Feasible, Infeasible, Trace, along
from lemmata.engines.traces.unrolled import Unrolled
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import conj
from lemmata.logic.terms import FALSE, Term
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.verdict import Safe, Unsafe, Verdict

_PATIENCE = 5.0  # seconds for a path program that is met for the first time
_KEPT = 4  # path programs whose PDR was interrupted, and may go on

SolverName = Literal["auto", "yices", "z3", "cvc5"]
Known = Callable[[], GraphInvariant | None]


class Back(Protocol):
    """Evidence about a reduced graph becomes evidence about the graph that it was made of."""

    def invariant(self, invariant: GraphInvariant) -> GraphInvariant:
        """Claims."""
        ...

    def derivation(self, derivation: Derivation) -> Derivation:
        """A way to the error."""
        ...


class Reduction(Protocol):
    """A smaller graph whose property is number 0, and the way back."""

    @property
    def graph(self) -> Graph:
        """The smaller graph."""
        ...

    @property
    def back(self) -> Back:
        """The way back."""
        ...


@dataclass(slots=True)
class _Attempt:
    """PDR at work on a path program."""

    part: Projection
    engine: Engine
    back: Back | None
    patience: float

    def ask(self, until: float | None) -> Verdict:
        """Its verdict on the path program."""
        verdict = self.engine.check(0, until)
        match verdict:
            case Safe(GraphInvariant() as invariant) if self.back is not None:
                return Safe(self.back.invariant(invariant))
            case Unsafe(Derivation() as derivation) if self.back is not None:
                return Unsafe(self.back.derivation(derivation))
        return verdict


class PathProgram:
    """Checks traces to one property of a graph."""

    name = "pdr"

    def __init__(
        self,
        graph: Graph,
        prop: int,
        solver: str = "auto",
        options: LiftedOptions | ThesisOptions | None = None,
        *,
        listener: Listener = NOBODY,
        known: Known = lambda: None,
        reduce: Callable[[Graph], Reduction] | None = None,
        patience: float = _PATIENCE,
    ) -> None:
        self._graph = graph
        self._prop = prop
        self._solver = solver
        self._options = options or LiftedOptions()
        self._listener = listener
        self._known = known
        self._reduce = reduce
        self._patience = patience
        self._alone = Unrolled(graph, solver)
        self._refuted: list[tuple[frozenset[int], dict[int, Term]]] = []
        self._attempts: dict[frozenset[int], _Attempt] = {}  # the oldest first

    def check(self, trace: Trace, until: float | None = None) -> Feasible | Infeasible:
        """Can the error be reached with the edges of the trace? A derivation may take them in another order."""
        edges = frozenset(step.edge for step in trace.steps)
        formulas = next((known for refuted, known in self._refuted if edges <= refuted), None)
        if formulas is not None:
            return Infeasible((along(self._graph, trace, formulas),))
        match self._decide(edges, until):
            case Safe(GraphInvariant() as invariant):
                formulas = self._formulas(invariant)
                self._refuted.append((edges, formulas))
                return Infeasible((along(self._graph, trace, formulas),))
            case Unsafe(Derivation() as derivation):
                return Feasible(derivation)
        return self._alone.check(trace, until)

    def _decide(self, edges: frozenset[int], until: float | None) -> Verdict | None:
        """PDR on the path program, as long as patience lasts."""
        if self._patience <= 0:
            return None
        attempt = self._attempts.pop(edges, None) or self._begin(edges)
        limit = time.monotonic() + attempt.patience
        try:
            verdict = attempt.ask(limit if until is None else min(limit, until))
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                attempt.patience *= 2
                self._keep(edges, attempt)
                if until is not None and time.monotonic() >= until:
                    raise
            return None
        match verdict:
            case Unsafe(Derivation() as derivation):
                return Unsafe(attempt.part.derivation(derivation, self._prop))
        return verdict

    def _begin(self, edges: frozenset[int]) -> _Attempt:
        part = path_program(self._graph, self._prop, sorted(edges))
        if self._reduce is None:
            return _Attempt(part, self._engine(part.graph, self._known), None, self._patience)
        reduction = self._reduce(part.graph)
        return _Attempt(part, self._engine(reduction.graph), reduction.back, self._patience)

    def _keep(self, edges: frozenset[int], attempt: _Attempt) -> None:
        self._attempts[edges] = attempt
        if len(self._attempts) > _KEPT:
            del self._attempts[next(iter(self._attempts))]

    def _engine(self, graph: Graph, known: Known = lambda: None) -> Engine:
        if isinstance(self._options, ThesisOptions) and is_linear(graph):
            return Thesis(graph, self._listener, self._options, self._solver)
        options = self._options if isinstance(self._options, LiftedOptions) else LiftedOptions()
        return LiftedPdr(graph, self._listener, replace(options, solver=cast(SolverName, self._solver)), known)

    def _formulas(self, invariant: GraphInvariant) -> dict[int, Term]:
        """By location; what is not claimed is the error, which is not reached."""
        formulas = dict.fromkeys(range(len(self._graph.locations)), FALSE)
        return formulas | {claim.location: conj(claim.lemmas) for claim in invariant.claims}
