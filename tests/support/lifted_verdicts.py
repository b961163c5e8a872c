"""PDR on graphs with its verdict checked again here: claims by z3, edge by edge, and derivations by evaluation."""

from __future__ import annotations

from lemmata.config import LiftedOptions
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.logic.build import conj, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Sat, open_solver
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import HANGS


def holds(graph: Graph, invariant: GraphInvariant) -> bool:
    """Is the invariant one, by z3, edge by edge?"""
    claims = {claim.location: conj(list(claim.lemmas)) for claim in invariant.claims}
    for edge in graph.edges:
        solver = open_solver("z3")
        solver.add(edge.guard)
        for source in edge.sources:
            own = graph.locations[source.location].variables
            solver.add(substitute([claims[source.location]], dict(zip(own, source.variables, strict=True)))[0])
        if edge.target in claims:
            own = graph.locations[edge.target].variables
            solver.add(negate(substitute([claims[edge.target]], dict(zip(own, edge.updates, strict=True)))[0]))
        if isinstance(solver.check(), Sat):
            return False
    return True


def runs(graph: Graph, derivation: Derivation) -> bool:
    """Is every fact what its edge makes of its premises, and the last one the error?"""
    for fact in derivation.facts:
        edge = graph.edges[fact.edge]
        values = dict(fact.inputs)
        for source, premise in zip(edge.sources, fact.premises, strict=True):
            assert graph.edges[derivation.facts[premise].edge].target == source.location
            values |= dict(zip(source.variables, derivation.facts[premise].values, strict=True))
        if not evaluate([edge.guard], values)[0] or tuple(evaluate(edge.updates, values)) != fact.values:
            return False
    return graph.edges[derivation.facts[-1].edge].target == graph.questions[derivation.prop].location


def settle(graph: Graph, seconds: float = HANGS, options: LiftedOptions | None = None) -> Verdict:
    """The verdict, with its evidence checked."""
    verdict = LiftedPdr(graph, options=options).check(0, now() + seconds)
    match verdict:
        case Safe(GraphInvariant() as invariant):
            assert holds(graph, invariant)
        case Unsafe(Derivation() as derivation):
            assert runs(graph, derivation)
        case _:
            raise AssertionError(verdict)
    return verdict
