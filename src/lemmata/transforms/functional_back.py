"""The way back from ``functional``: from evidence about the system to evidence about the graph.

An invariant Inv(x, first) comes back as ``I ∨ Inv(x, false)``: a state is initial or has been reached by a step. In a run,
steps that change nothing are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lemmata.logic.build import disj
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.logic.values import default_value
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace


@dataclass(frozen=True, slots=True)
class Shape:
    """The edges of a graph in VMT's form, by their numbers; ``errors`` in the order of the properties."""

    start: int
    loop: int
    errors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FunctionalBack:
    """From evidence about the system to evidence about the graph; ``inputs`` are those of the loop in a step of the system."""

    graph: Graph
    shape: Shape
    system: System
    inputs: Mapping[Term, Term]
    first: Term | None

    @property
    def _place(self) -> int:
        return self.graph.edges[self.shape.loop].target

    def invariant(self, invariant: WordInvariant) -> GraphInvariant:
        """What holds at the location: every lemma, or the state is initial."""
        lemmas: Iterable[Term] = invariant.lemmas
        if self.first is not None:
            initial = self.graph.edges[self.shape.start].guard
            lemmas = [disj([initial, lemma]) for lemma in substitute(invariant.lemmas, {self.first: FALSE})]
        return self._claims(tuple(dict.fromkeys(lemma for lemma in lemmas if lemma is not TRUE)))

    def kinductive(self, proof: KInductive) -> GraphKInductive | None:
        """The property is as inductive on the graph, which has fewer paths; ``None`` if only simple paths were looked at."""
        return None if proof.simple else GraphKInductive(proof.k + 1, self._claims(()))

    def _claims(self, lemmas: tuple[Term, ...]) -> GraphInvariant:
        errors = {question.location for question in self.graph.questions}
        places = [(n, place) for n, place in enumerate(self.graph.locations) if n not in errors]
        return GraphInvariant(tuple(Claim(n, place, lemmas if n == self._place else ()) for n, place in places))

    def trace(self, trace: WordTrace) -> Derivation:
        """The run, without steps that change nothing."""
        system, known = self.system, self.graph.locations[self._place].variables
        program = Program([*(system.nexts[v] for v in system.variables), *self.inputs.values()])
        zeros = {leaf: default_value(leaf.sort) for leaf in program.leaves}
        state = dict(trace.initial)
        facts = [self._fact(self.shape.start, (), state, state)]
        for line in trace.inputs[:-1]:
            values = program.run({**zeros, **state, **dict(line)})
            following = dict(zip(system.variables, values, strict=False))
            if any(following[v] != state[v] for v in known):
                given = dict(zip(self.inputs, values[len(following) :], strict=True))
                facts.append(self._fact(self.shape.loop, (len(facts) - 1,), given, following))
            state = following
        last = self._fact(self.shape.errors[trace.prop], (len(facts) - 1,), {**state, **dict(trace.inputs[-1])}, {})
        return Derivation(trace.prop, (*facts, last))

    def _fact(self, number: int, premises: tuple[int, ...], given: Mapping[Term, Value], state: Mapping[Term, Value]) -> Fact:
        edge = self.graph.edges[number]
        place = self.graph.locations[edge.target]
        inputs = tuple((i, given[i] if i in given else default_value(i.sort)) for i in edge.inputs)
        return Fact(number, premises, inputs, place, tuple(state[v] for v in place.variables))
