"""A checker for every trace: PDR on the trace itself, unrolled.

Each step is a location of its own, so the graph has no loops, and the frames at the end are a proof step by step. It
generalizes as far as PDR does on a single trace. Others fall back to it where they have no answer.
"""

from __future__ import annotations

from typing import cast

from lemmata.config import LiftedOptions, LiftedSolverName
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.engines.traces.projection import unrolled
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible
from lemmata.errors import GaveUp
from lemmata.logic.build import conj
from lemmata.logic.terms import FALSE
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.verdict import Safe, Unsafe


class Unrolled:
    """Lifted PDR on single traces; after a time-out the same trace goes on where it was."""

    name = "unrolled"

    def __init__(self, graph: Graph, solver: str = "auto") -> None:
        self._graph = graph
        self._options = LiftedOptions(cast(LiftedSolverName, solver), guidance=False)
        self._interrupted: tuple[EdgeTrace, LiftedPdr] | None = None

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        """Can the trace be run?"""
        part = unrolled(self._graph, trace)
        if self._interrupted is None or self._interrupted[0] != trace:
            self._interrupted = trace, LiftedPdr(part.graph, options=self._options)
        verdict = self._interrupted[1].check(0, until)
        self._interrupted = None
        match verdict:
            case Safe(GraphInvariant(claims)):
                return Infeasible(((*[conj(claim.lemmas) for claim in claims], FALSE),))
            case Unsafe(Derivation() as derivation):
                return Feasible(part.derivation(derivation, trace.prop))
        raise GaveUp("incomplete")
