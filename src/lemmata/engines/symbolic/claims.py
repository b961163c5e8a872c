"""What of a closed tree of symbolic states matters: the invariant, told in few words.

Each state is a conjunction of *parts*. A part is needed if it helps to show that an edge cannot be taken, or that the states
after it have what is needed of them. The search for the least solution starts with nothing; whenever a state needs one more
part, those before it are asked again. A question is about one state and one edge, and its unsatisfiable core says which parts
take part:

    parts ∧ guard ∧ ¬⋁ (needed parts of the states after the edge)[updates]

What comes out is inductive, since each question was asked with what is needed in the end. States that need the same are one;
what all states of a location need is a lemma of its own. (Along one path this is interpolation by cores; McMillan 2006.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field

from lemmata.engines.symbolic.state import SymbolicState, distinct_conjuncts
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Edge, Graph
from lemmata.solvers.smt import Sat, Unsat
from lemmata.values import dataclass
from lemmata.work import is_over

Ask = Callable[[Sequence[Term], float | None], Sat | Unsat | None]  # formulas, until when; None is too hard to say
Leaving = Mapping[int | None, Sequence[tuple[int, Edge]]]


@dataclass(eq=False, slots=True)
class StateNode:
    """A state, how it was reached first, and where its edges lead; ``within`` is the state that replaced it."""

    state: SymbolicState
    edge: int
    parent: StateNode | None
    after: dict[int, list[StateNode]] = field(default_factory=dict)  # by edge
    within: StateNode | None = None

    def last(self) -> StateNode:
        """The state that stands for this one by now."""
        node = self
        while node.within is not None:
            node = node.within
        return node


def claims(graph: Graph, found: Mapping[int, Sequence[Sequence[Term]]], unreached: Collection[int]) -> GraphInvariant:
    """For each location the disjunction of its states, each given by its parts."""
    errors = {question.location for question in graph.questions}
    told = []
    for number, place in enumerate(graph.locations):
        if number not in errors:
            lemmas = (FALSE,) if number in unreached else _claim(found.get(number, [()]))
            told.append(Claim(number, place, lemmas))
    return GraphInvariant(tuple(told))


def _claim(states: Sequence[Sequence[Term]]) -> tuple[Term, ...]:
    """What all states say is a lemma of its own; states that say more than another one are left out."""
    distinct = {frozenset(parts): parts for parts in states}
    kept = [parts for own, parts in distinct.items() if not any(other < own for other in distinct)]
    common = [part for part in kept[0] if all(part in parts for parts in kept)]
    rest = disj([conj([part for part in parts if part not in common]) for parts in kept])
    return (*common, *distinct_conjuncts(rest))


class Relevance:
    """The parts that matter of each state of a closed tree."""

    def __init__(self, graph: Graph, nodes: Sequence[StateNode], leaving: Leaving, ask: Ask) -> None:
        self._graph = graph
        self._nodes = nodes
        self._leaving = leaving
        self._ask = ask
        self._parts = {node: _parts(graph, node.state) for node in nodes}
        self._needed: dict[StateNode, list[Term]] = {node: [] for node in nodes}
        self._before: dict[StateNode, dict[StateNode, None]] = {node: {} for node in nodes}
        self._queue = dict.fromkeys(reversed(nodes))
        for node in nodes:
            for after in node.after.values():
                for other in after:
                    self._before[other.last()][node] = None

    def solve(self, until: float | None) -> dict[int, list[list[Term]]]:
        """By location the parts of its states that are needed; after a time-out it goes on where it was."""
        while self._queue:
            if is_over(until):
                raise GaveUp("timeout")
            node = next(iter(self._queue))
            edges = self._leaving.get(node.state.location, ())
            if sum([self._grow(node, number, edge, until) for number, edge in edges]):
                self._queue |= self._before[node]
            else:
                del self._queue[node]
        found: dict[int, list[list[Term]]] = {}
        for node in self._nodes:
            parts = [part for part in self._parts[node] if part in self._needed[node]]
            found.setdefault(node.state.location, []).append(parts)
        return found

    def _grow(self, node: StateNode, number: int, edge: Edge, until: float | None) -> bool:
        """Ask about one edge; whether more is needed now."""
        place = self._graph.locations[edge.target]
        after = dict.fromkeys(other.last() for other in node.after.get(number, ()))
        moved = dict(zip(place.variables, edge.updates, strict=True))
        kept = disj(substitute([conj(self._needed[other]) for other in after], moved))
        question = conj([edge.guard, negate(kept)])
        if question is FALSE:
            return False
        names = dict(zip(self._graph.locations[node.state.location].variables, edge.sources[0].variables, strict=True))
        parts = dict(zip(substitute(self._parts[node], names), self._parts[node], strict=True))
        needed = [told for told, part in parts.items() if part in self._needed[node]]
        if isinstance(self._ask([*needed, question], until), Unsat):
            return False
        answer = self._ask([*parts, question], until)
        more = [part for told, part in parts.items() if not isinstance(answer, Unsat) or told in answer.core]
        fresh = [part for part in more if part not in self._needed[node]]
        self._needed[node] += fresh
        return bool(fresh)


def _parts(graph: Graph, state: SymbolicState) -> list[Term]:
    return list(dict.fromkeys([*state.equations(graph.locations[state.location]), *state.facts]))
