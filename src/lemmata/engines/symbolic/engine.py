"""Symbolic execution that also proves: all paths at once, each as far as it goes.

A path's states are one ``SymbolicState`` per location on it; a state that an earlier one contains is not followed again. Where
the tree closes, the states at a location, read as a disjunction, are an inductive invariant. Path programs, protocols with
a few modes, loops with a known number of turns: few paths are feasible there, and most guards fold to true or false.
(King 1976; subsumption: Anand, Păsăreanu, Visser 2006.)

States that differ in one fact, of which one has the opposite, are joined: the branch did not matter. A state at the error
is followed back exactly; either it is a counterexample, or something that was dropped would have been needed, and
the search gives up. So it does beyond ``SYMBOLIC_STATES`` states, for then paths do not become fewer.

For linear graphs. Left out: interpolants that say what of a state matters, which is what trace abstraction does.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.budgets import SYMBOLIC_EXPLAINED_STATES, SYMBOLIC_QUESTION_S, SYMBOLIC_STATES
from lemmata.engines.names import SYMBOLIC
from lemmata.engines.pulse import Pulse
from lemmata.engines.symbolic.claims import Relevance, StateNode, claims
from lemmata.engines.symbolic.state import SymbolicState, Taken, arrive, distinct_conjuncts, leave
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import conj, negate
from lemmata.logic.terms import FALSE, TRUE, Term, Value, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.derive import run_of
from lemmata.oracles.fallback import FallbackSolver
from lemmata.oracles.shape import edges_towards, has_linear_runs, leading_to
from lemmata.solvers.smt import Sat, Unsat, preferred
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import NODE, is_over, tally


class Symbolic:
    """Exhaustive symbolic execution of one graph."""

    name = SYMBOLIC

    def __init__(self, graph: Graph, listener: Listener = NOBODY, solver: str = "") -> None:
        self.bound = -1
        self._graph = graph
        self._pulse = Pulse(listener)
        self._backend = solver or preferred()
        self._searches: dict[int, _Search] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """An invariant, a counterexample, or ``GaveUp("incomplete")``; trees are given up."""
        if not has_linear_runs(self._graph):
            raise GaveUp("incomplete")
        if prop not in self._searches:
            self._searches[prop] = _Search(self._graph, prop, self._backend)
        search = self._searches[prop]
        while search.pending:
            if is_over(until):
                raise GaveUp("timeout")
            self._pulse.beat(self.name, self.bound, search.count, search.queries)
            if (found := search.expand(until)) is not None:
                return Unsafe(found)
        return Safe(search.invariant(until))


class _Search:
    """The tree for one property."""

    def __init__(self, graph: Graph, prop: int, backend: str) -> None:
        self.count = 0
        self._graph = graph
        self._prop = prop
        self._error = graph.questions[prop].location
        self._solver = FallbackSolver(backend)
        self._backend = backend
        self._nodes: list[list[StateNode]] = [[] for _ in graph.locations]
        self._leaving: dict[int | None, list[tuple[int, Edge]]] = {}
        for number, edge in edges_towards(graph, self._error):
            self._leaving.setdefault(edge.sources[0].location if edge.sources else None, []).append((number, edge))
        self._order = _ranks(self._leaving)
        self._relevance: Relevance | None = None
        self.pending: dict[StateNode | None, None] = {None: None}  # None: before the initial edges

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def expand(self, until: float | None) -> Derivation | None:
        """Follow one state along all its edges; a counterexample, if one of them is the last of it."""
        node = min(self.pending, key=lambda node: -1 if node is None else self._order[node.state.location])
        if (found := self._follow(node, until)) is not None:
            return found
        del self.pending[node]
        return None

    def _follow(self, node: StateNode | None, until: float | None) -> Derivation | None:
        if node is not None:
            if node.within is not None:
                return None
            node.after.clear()
        place = None if node is None else self._graph.locations[node.state.location]
        for number, edge in self._leaving.get(None if node is None else node.state.location, ()):
            for taken in leave(edge, None if node is None else node.state, place):
                if not self._is_possible(taken.doubtful(), until):
                    continue
                if edge.target == self._error:
                    return self._counterexample(node, number, until)
                self._arrive(node, number, edge, taken, until)
        return None

    def _is_possible(self, needs: Sequence[Term], until: float | None) -> bool:
        return not isinstance(self._ask(needs, until), Unsat)

    def _ask(self, formulas: Sequence[Term], until: float | None) -> Sat | Unsat | None:
        """None is too hard to say."""
        parts = [part for part in formulas if part is not TRUE]
        if not parts:
            return Sat({})
        if FALSE in parts:
            return Unsat()
        return self._solver.attempt(parts, (), until, SYMBOLIC_QUESTION_S)

    def _arrive(self, node: StateNode | None, number: int, edge: Edge, taken: Taken, until: float | None) -> None:
        symbols = (*edge.inputs, *(edge.sources[0].variables if edge.sources else ()))
        state = arrive(taken, symbols, edge.target, self._graph.locations[edge.target])
        if state is None:
            return
        after = self._container(state, until)
        if after is None:
            after = StateNode(self._joined(state), number, node)
            self._add(after)
        if node is not None:
            node.after.setdefault(number, []).append(after)

    def _container(self, state: SymbolicState, until: float | None) -> StateNode | None:
        """A state that contains this one."""
        place = self._graph.locations[state.location]
        known = dict(zip(place.variables, state.values, strict=True))
        facts = set(state.facts)
        tally[NODE] += len(self._nodes[state.location])
        for node in reversed(self._nodes[state.location]):
            if _clash(state.values, node.state.values):
                continue
            (wanted,) = substitute([node.state.formula(place)], known)
            missing = [part for part in distinct_conjuncts(wanted) if part not in facts]
            if not missing:
                return node
            if FALSE not in missing and isinstance(self._ask([*state.facts, negate(conj(missing))], until), Unsat):
                return node
        return None

    def _joined(self, state: SymbolicState) -> SymbolicState:
        """The state together with one that differs in a branch only, if there is one; and so on."""
        for node in self._nodes[state.location]:
            other = node.state
            if other.values == state.values and len(other.facts) == len(state.facts):
                mine = [fact for fact in state.facts if fact not in other.facts]
                if len(mine) == 1 and negate(mine[0]) in other.facts:
                    facts = tuple([fact for fact in state.facts if fact is not mine[0]])
                    return self._joined(SymbolicState(state.location, state.values, facts))
        return state

    def _add(self, node: StateNode) -> None:
        self.count += 1
        if self.count > SYMBOLIC_STATES:
            raise GaveUp("incomplete")
        nodes = self._nodes[node.state.location]
        facts = set(node.state.facts)
        for other in nodes:
            if other.state.values == node.state.values and facts <= set(other.state.facts):
                other.within = node
        nodes[:] = [other for other in nodes if other.within is None]
        nodes.append(node)
        self.pending[node] = None

    def _counterexample(self, node: StateNode | None, last: int, until: float | None) -> Derivation:
        """The path as it was taken, every symbol with a name of its own."""
        path = [last]
        while node is not None:
            path.append(node.edge)
            node = node.parent
        path.reverse()
        solver = FallbackSolver(self._backend)
        state: list[Term] = []
        wanted: list[list[tuple[Term, Term]]] = []
        for position, number in enumerate(path):
            edge = self._graph.edges[number]
            inputs = [(i, var(f"{name_of(i)}@{position}", i.sort)) for i in edge.inputs]
            names = dict(inputs) | dict(zip(edge.sources[0].variables if edge.sources else (), state, strict=True))
            guard, *state = substitute([edge.guard, *edge.updates], names)
            wanted.append(inputs)
            solver.add(guard)
        answer = solver.check((), [leaf for inputs in wanted for _, leaf in inputs], until)
        if not isinstance(answer, Sat):
            raise GaveUp("incomplete")
        steps: list[tuple[int, dict[Term, Value]]] = [
            (number, {i: answer.values[leaf] for i, leaf in inputs}) for number, inputs in zip(path, wanted, strict=True)
        ]
        return run_of(self._graph, self._prop, steps)

    def invariant(self, until: float | None) -> GraphInvariant:
        """For each location the disjunction of its states; what matters of them, unless they are many."""
        nodes = [node for place in self._nodes for node in place]
        unreached = [number for number in leading_to(self._graph, self._error) if not self._nodes[number]]
        if len(nodes) <= SYMBOLIC_EXPLAINED_STATES:
            self._relevance = self._relevance or Relevance(self._graph, nodes, self._leaving, self._ask)
            found = self._relevance.solve(until)
        else:
            found = {}
            for node in nodes:
                place = self._graph.locations[node.state.location]
                found.setdefault(node.state.location, []).append([*node.state.equations(place), *node.state.facts])
        return claims(self._graph, found, unreached)


def _clash(values: tuple[Term, ...], others: tuple[Term, ...]) -> bool:
    """Are they different constants somewhere?"""
    return any(a is not b and a.op == b.op == "const" for a, b in zip(values, others, strict=True))


def _ranks(leaving: dict[int | None, list[tuple[int, Edge]]]) -> dict[int, int]:
    """Locations in the order of their runs: what comes before a place is done before it, as far as there are no loops."""
    order: list[int] = []
    seen: set[int] = set()
    stack: list[tuple[int | None, int]] = [(None, 0)]
    while stack:
        place, position = stack.pop()
        edges = leaving.get(place, [])
        if position == len(edges):
            if place is not None:
                order.append(place)
            continue
        stack.append((place, position + 1))
        target = edges[position][1].target
        if target not in seen:
            seen.add(target)
            stack.append((target, 0))
    return {place: rank for rank, place in enumerate(reversed(order))}
