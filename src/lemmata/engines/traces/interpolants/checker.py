"""Checker ``interpolants``: the single trace, and formulas that follow it to the contradiction.

The trace is one formula; a model of it is a run. Otherwise it is relaxed to an unsatisfiable core, and sequences of
interpolants are computed from there: by a solver if all is words (``word_interpolants``), by sums with the factors of Farkas'
lemma (``farkas``), else forwards and backwards (``sequences``). A trace that takes an edge twice may have a better proof: what
is known so far, tried as an invariant of the path program (``houdini``). Whatever their origin, formulas leave only after each
of their Hoare triples was checked. If none is left, PDR on the unrolled trace has the last word. A path program that comes back
again and again is also walked through (``walks``), so the answer may be a run that is longer than the trace.

Nested words (Heizmann, Hoenicke, Podelski 2010) are trees here: a step that joins a call with its callee's summary has two
premises, and a formula of a step speaks of the variables of its target only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lemmata.budgets import TRACE_PROOF_S
from lemmata.engines.traces.interpolants.core_solver import CoreSolver, SolverLimits
from lemmata.engines.traces.interpolants.farkas import sums
from lemmata.engines.traces.interpolants.farkas_templates import template_interpolants
from lemmata.engines.traces.interpolants.houdini import Pool
from lemmata.engines.traces.interpolants.sequences import backwards, forwards, is_proof, relax
from lemmata.engines.traces.interpolants.unfolding import StepFormulas, Unfolding, spoken_of, unfold
from lemmata.engines.traces.interpolants.walks import Walks
from lemmata.engines.traces.interpolants.words import word_interpolants
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible
from lemmata.engines.traces.unrolled import Unrolled
from lemmata.errors import GaveUp
from lemmata.logic.terms import Term, topological
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph
from lemmata.oracles.derive import derived_fact
from lemmata.oracles.fallback import with_fallback
from lemmata.solvers.smt import preferred
from lemmata.values import dataclass

_EAGER_TRACES = 6  # traces of one path program, after which invariants are tried at the 8th, 16th, 32nd … only

_Formulas = tuple[Term, ...]
_Interpolation = Callable[[Unfolding, StepFormulas, SolverLimits], _Formulas | None]


@dataclass(frozen=True, slots=True)
class InterpolantOptions:
    """Which proofs are looked for."""

    ends: Literal["sp", "wp", "both"] = "both"  # forwards, backwards
    farkas: Literal["no", "first", "also"] = "first"  # first: the others only where it finds nothing
    houdini: bool = True  # invariants of path programs
    walks: bool = True  # runs through path programs that come back


class Interpolants:
    """Decides traces of one graph, one at a time."""

    name = "interpolants"

    def __init__(self, graph: Graph, solver: str = "", options: InterpolantOptions | None = None) -> None:
        self._graph = graph
        self._backend = solver if solver not in ("", "auto") else preferred()
        self._options = options or InterpolantOptions()
        self._pool = Pool(graph)
        self._walks = Walks(graph, self._backend)
        terms = topological(term for edge in graph.edges for term in (edge.guard, *edge.updates))
        self._has_functions = any(term.op == "apply" for term in terms)

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        """Can the trace be run? If not, at least one proof."""
        if self._has_functions:
            raise GaveUp("incomplete")
        unfolding = unfold(self._graph, trace)
        return with_fallback(self._backend, lambda name: self._decide(unfolding, SolverLimits(name, until)))

    def _decide(self, unfolding: Unfolding, limits: SolverLimits) -> Feasible | Infeasible:
        parts = relax(unfolding, limits, TRACE_PROOF_S)
        if parts is None:
            return Feasible(_run(unfolding, limits.core_solver()))
        count = self._walks.count(unfolding.trace)
        run = self._walks.go(unfolding.trace, limits.until) if self._options.walks else None
        if run is not None:
            return Feasible(run)
        proofs = self._proofs(unfolding, parts, limits, is_new=count <= _EAGER_TRACES or count & (count - 1) == 0)
        if proofs:
            return Infeasible(tuple(proofs))
        return Unrolled(self._graph, limits.backend).check(unfolding.trace, limits.until)

    def _proofs(self, unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits, is_new: bool) -> list[_Formulas]:
        trace = unfolding.trace
        found = self._sequences(unfolding, parts, limits)
        for proof in found:
            self._pool.add(trace, proof)
        if self._options.houdini and is_new and len({step.edge for step in trace.steps}) < len(trace):
            for guess in limits.patiently(lambda limits: template_interpolants(unfolding, parts, limits), TRACE_PROOF_S) or ():
                self._pool.add(trace, _told(unfolding, guess))
            invariant = limits.patiently(lambda limits: self._path_invariant(unfolding, limits), TRACE_PROOF_S)
            if invariant is not None:
                return [invariant]
        return found

    def _path_invariant(self, unfolding: Unfolding, limits: SolverLimits) -> _Formulas | None:
        found = self._pool.prove(unfolding.trace, limits)
        if found is None:
            return None
        named = [unfolding.named(step, formula) for step, formula in enumerate(found)]
        return found if is_proof(unfolding, unfolding.parts, named, limits) else None

    def _sequences(self, unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits) -> list[_Formulas]:
        found: dict[_Formulas, None] = {}

        def attempt(way: _Interpolation) -> None:
            """Take what it finds, if it is a proof and does not take too long."""

            def proved(limits: SolverLimits) -> _Formulas | None:
                formulas = way(unfolding, parts, limits)
                return formulas if formulas and is_proof(unfolding, parts, formulas, limits) else None

            formulas = limits.patiently(proved, TRACE_PROOF_S)
            if formulas is not None:
                found[_told(unfolding, formulas)] = None

        options = self._options
        attempt(word_interpolants)
        if found:
            return list(found)
        if options.farkas != "no":
            attempt(sums)
            if found and options.farkas == "first":
                return list(found)
        if options.ends != "wp":
            attempt(forwards)
        if options.ends != "sp":
            attempt(backwards)
        return list(found)


def _told(unfolding: Unfolding, formulas: _Formulas) -> _Formulas:
    return tuple([unfolding.told(step, formula) for step, formula in enumerate(formulas)])


def _run(unfolding: Unfolding, solver: CoreSolver) -> Derivation:
    """The run that a model of the trace is."""
    solver.add([part for parts in unfolding.parts for part in parts])
    values = solver.model(list(spoken_of(unfolding.parts)))
    if values is None:
        raise GaveUp("incomplete")
    facts: list[Fact] = []
    for number, step in enumerate(unfolding.trace.steps):
        inputs = {i: values[name] for i, name in unfolding.inputs[number].items() if name in values}
        facts.append(derived_fact(unfolding.graph, step.edge, step.premises, facts, inputs))
    return Derivation(unfolding.trace.prop, tuple(facts))
