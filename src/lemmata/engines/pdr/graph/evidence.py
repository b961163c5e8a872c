"""Evidence: what the frames claim of each location, and the derivation behind a fact.

A derivation is made from the values of the error's fact downwards: an edge whose target values are fixed is solved for
its inputs and sources, which lie in the cubes of the fact's premises; then these. Every step is checked by evaluation, so that
what comes out is a run, or nothing.
"""

from __future__ import annotations

from lemmata.engines.pdr.graph.edges import FramedEdge
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.errors import GaveUp
from lemmata.logic.build import disj, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import Term, Value, const
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.oracles.fallback import FallbackSolver
from lemmata.solvers.smt import Unsat

_Node = tuple[ReachFact, tuple[Value, ...]]


def invariant_of_frames(graph: Graph, frames: GraphFrames, level: int) -> GraphInvariant:
    """F_level as claims."""
    errors = {question.location for question in graph.questions}
    claims = []
    for number, place in enumerate(graph.locations):
        if number not in errors:
            clauses = [disj([negate(x) for x in lemma.cube.literals]) for lemma in frames.at(number, level)]
            claims.append(Claim(number, place, tuple(clauses)))
    return GraphInvariant(tuple(claims))


class DerivationBuilder:
    """Facts in the order in which they are derived."""

    def __init__(self, graph: Graph, solvers: list[FramedEdge], solver: str, until: float | None) -> None:
        self._graph = graph
        self._solvers = solvers
        self._solver = solver
        self._until = until
        self._facts: list[Fact] = []
        self._position: dict[_Node, int] = {}

    def tell(self, prop: int, error: ReachFact) -> Derivation:
        """The derivation whose last fact is the error."""
        waiting: list[tuple[_Node, tuple[dict[Term, Value], tuple[_Node, ...]] | None]] = [((error, ()), None)]
        while waiting:
            node, solved = waiting.pop()
            if node in self._position:
                continue
            if solved is None:
                solved = self._solve(*node)
                waiting.append((node, solved))
                waiting += [(premise, None) for premise in reversed(solved[1])]
            else:
                self._conclude(node, *solved)
        return Derivation(prop, tuple(self._facts))

    def _solve(self, fact: ReachFact, target: tuple[Value, ...]) -> tuple[dict[Term, Value], tuple[_Node, ...]]:
        """Values for the edge behind the fact that give the target these values; with the nodes that they come from."""
        edge = self._solvers[fact.edge]
        if fact.inputs is not None:
            return dict(fact.inputs), tuple([(premise, tuple(premise.sample.values())) for premise in fact.premises])
        solver = FallbackSolver(self._solver)
        solver.add(edge.edge.guard)
        for update, value in zip(edge.edge.updates, target, strict=True):
            solver.add(equal(update, const(value, update.sort)))
        for j, premise in enumerate(fact.premises):
            for literal in edge.to_source[j].all(premise.cube.literals):
                solver.add(literal)
        answer = solver.check((), edge.wanted, self._until)
        if isinstance(answer, Unsat):
            raise GaveUp("incomplete")
        values = dict(answer.values)
        if not evaluate([edge.edge.guard], values)[0] or tuple(evaluate(edge.edge.updates, values)) != target:
            raise GaveUp("incomplete")
        sources = [tuple([values[v] for v in source.variables]) for source in edge.edge.sources]
        return values, tuple(zip(fact.premises, sources, strict=True))

    def _conclude(self, node: _Node, values: dict[Term, Value], premises: tuple[_Node, ...]) -> None:
        fact, target = node
        edge = self._graph.edges[fact.edge]
        self._position[node] = len(self._facts)
        inputs = tuple([(i, values[i]) for i in edge.inputs])
        known = tuple([self._position[premise] for premise in premises])
        self._facts.append(Fact(fact.edge, known, inputs, self._graph.locations[edge.target], target))
