"""Checker ``interpolants``: the single trace, and formulas that follow it to the contradiction.

The trace is one formula; a model of it is a run. Otherwise it is relaxed to an unsatisfiable core, and sequences of
interpolants are computed from there (``sequences``: forwards and backwards). Whatever their origin, they leave only after each
of their Hoare triples was checked. If none is left, PDR on the unrolled trace has the last word.

Nested words (Heizmann, Hoenicke, Podelski 2010) are trees here: a step that joins a call with its callee's summary has two
premises, and a formula of a step speaks of the variables of its target only.

Interpolating solvers were tried and left out: Yices has model interpolation only in contexts of its MCSAT solver, whose
interpolants are cells around one model (x = 3 rather than x ≥ 0); Bitwuzla's are for words, and those come back as circuits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lemmata.engines.graphs.derive import take
from lemmata.engines.traces.interpolants.ask import Desk
from lemmata.engines.traces.interpolants.relax import relax
from lemmata.engines.traces.interpolants.sequences import backwards, forwards, is_proof
from lemmata.engines.traces.interpolants.unfolding import Parts, Unfolding, spoken_of, unfold
from lemmata.engines.traces.trace import Feasible, Infeasible, Trace
from lemmata.errors import GaveUp
from lemmata.logic.terms import Term
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred

_SECOND = "z3"

Formulas = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class InterpolantOptions:
    """Which proofs are looked for."""

    ends: Literal["sp", "wp", "both"] = "both"  # forwards, backwards


class Interpolants:
    """Decides traces of one graph, one at a time."""

    name = "interpolants"

    def __init__(self, graph: Graph, solver: str = "", options: InterpolantOptions | None = None) -> None:
        self._graph = graph
        self._backend = solver if solver not in ("", "auto") else preferred()
        self._options = options or InterpolantOptions()

    def check(self, trace: Trace, until: float | None = None) -> Feasible | Infeasible:
        """Can the trace be run? If not, at least one proof."""
        unfolding = unfold(self._graph, trace)
        try:
            return self._decide(unfolding, self._backend, until)
        except GaveUp as gave_up:
            if gave_up.reason != "incomplete" or self._backend == _SECOND:
                raise
        return self._decide(unfolding, _SECOND, until)

    def _decide(self, unfolding: Unfolding, backend: str, until: float | None) -> Feasible | Infeasible:
        desk = Desk(backend, until)
        parts = relax(unfolding, desk)
        if parts is None:
            return Feasible(_run(unfolding, Desk(backend, until)))
        proofs = dict.fromkeys(self._proofs(unfolding, parts, backend, until))
        if not proofs:
            raise GaveUp("incomplete")
        return Infeasible(tuple(proofs))

    def _proofs(self, unfolding: Unfolding, parts: Parts, backend: str, until: float | None) -> list[Formulas]:
        ends = self._options.ends
        found = [
            forwards(unfolding, parts, backend, until) if ends != "wp" else None,
            backwards(unfolding, parts, backend, until) if ends != "sp" else None,
        ]
        return [
            tuple([unfolding.told(step, formula) for step, formula in enumerate(formulas)])
            for formulas in found
            if formulas is not None and is_proof(unfolding, parts, formulas, backend, until)
        ]


def _run(unfolding: Unfolding, desk: Desk) -> Derivation:
    """The run that a model of the trace is."""
    desk.add([part for parts in unfolding.parts for part in parts])
    values = desk.model(list(spoken_of(unfolding.parts)))
    if values is None:
        raise GaveUp("incomplete")
    facts: list[Fact] = []
    for number, step in enumerate(unfolding.trace.steps):
        inputs = {i: values[name] for i, name in unfolding.inputs[number].items() if name in values}
        facts.append(take(unfolding.graph, step.edge, step.premises, facts, inputs))
    return Derivation(unfolding.trace.prop, tuple(facts))
