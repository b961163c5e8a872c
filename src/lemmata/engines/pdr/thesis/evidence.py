"""Evidence: the frames of a fix-point as claims, and a chain of obligations as a run.

A run goes along the chain from ℓ_0: from the state that it is in, each edge is asked for inputs that lead into the next
obligation, and every step is evaluated. Preconditions are exact, so that there always are some.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.pdr.thesis.cfg import Cfg
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.obligations import ThesisObligation
from lemmata.engines.pdr.thesis.oracle import ThesisOracle
from lemmata.errors import GaveUp
from lemmata.logic.terms import TRUE, Term, Value, const
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.oracles.derive import derived_fact


def invariant_of_local_frames(graph: Graph, frames: ThesisFrames, level: int) -> GraphInvariant:
    """F_level as claims."""
    errors = {question.location for question in graph.questions}
    places = [(number, place) for number, place in enumerate(graph.locations) if number not in errors]
    return GraphInvariant(tuple([Claim(number, place, tuple(frames.at(number, level))) for number, place in places]))


class ChainReplay:
    """Facts along a chain; ``graph`` is the file's."""

    def __init__(self, graph: Graph, cfg: Cfg, oracle: ThesisOracle) -> None:
        self._graph = graph
        self._cfg = cfg
        self._oracle = oracle
        self._facts: list[Fact] = []

    def along(self, prop: int, chain: Sequence[ThesisObligation]) -> Derivation:
        """From ℓ_0 to the error; without a chain ℓ_0 is the error."""
        if self._cfg.entry is not None:
            self._enter(self._cfg.entry, chain[0].formula if chain else TRUE)
        for position, obligation in enumerate(chain):
            self._step(obligation.edge, chain[position + 1].formula if position + 1 < len(chain) else TRUE)
        return Derivation(prop, tuple(self._facts))

    def _enter(self, entry: int, goal: Term) -> None:
        """A state of ℓ_0, where all values are open."""
        edge = self._graph.edges[entry]
        variables = self._graph.locations[edge.target].variables
        state = self._must(self._oracle.satisfies([goal], variables))
        self._take(entry, {update: state[v] for v, update in zip(variables, edge.updates, strict=True)})

    def _step(self, number: int, goal: Term) -> None:
        terms = self._oracle.terms[number]
        (source,) = terms.edge.sources
        here = self._facts[-1].values if self._facts else ()
        known = {v: const(value, v.sort) for v, value in zip(source.variables, here, strict=True)}
        formulas = substitute([terms.edge.guard, terms.goal(goal)], known)
        self._take(number, self._must(self._oracle.satisfies(formulas, terms.edge.inputs)))

    def _take(self, number: int, inputs: dict[Term, Value]) -> None:
        premises = (len(self._facts) - 1,) if self._facts else ()
        self._facts.append(derived_fact(self._graph, number, premises, self._facts, inputs))

    def _must(self, values: dict[Term, Value] | None) -> dict[Term, Value]:
        if values is None:
            raise GaveUp("incomplete")
        return values
