"""Some states that a graph reaches, found breadth first: those that pictures of invariants show.

From each state every edge is tried. Where the edge's inputs leave a choice a solver is asked for a few successors, which
differ from each other; small numbers come first, since these are what a picture shows. So what is found is reached, and it is
all there is if ``is_all`` says so: no choice was cut short, no budget was used up, and no edge has several sources.

A state of a transition system counts only if some inputs satisfy the constraint there: a run has it on every step, the last
included.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from lemmata.budgets import REACHED_QUERIES, REACHED_S, REACHED_STATES
from lemmata.errors import GaveUp
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import FALSE, Term, Value, const, make
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.models.system import primed, system_of
from lemmata.solvers.smt import Sat, open_solver
from lemmata.work import is_over, now

SMALL_NUMBER = 40  # numbers that are looked for first
_FANOUT = 6  # successors of a state along an edge
_TERMS = 200  # variables of a location and inputs of an edge, above which nothing is tried

State = tuple[int, tuple[Value, ...]]  # a location, and the values of its variables


class ReachedStates:
    """The states that were found, in the order in which they were; ``is_all``: there are no others."""

    def __init__(self, graph: Graph) -> None:
        self.states: list[State] = []
        self.is_all = True
        self._graph = graph
        self._system = system_of(graph)
        self._solver = open_solver("z3")
        self._queries = 0
        self._until = now() + REACHED_S
        self._seen: set[State] = set()
        self._explore()

    def at(self, location: int) -> list[tuple[Value, ...]]:
        """The states at a location."""
        return [values for place, values in self.states if place == location]

    def _explore(self) -> None:
        errors = {question.location for question in self._graph.questions}
        edges = [edge for edge in self._graph.edges if edge.target not in errors]
        if any(len(edge.sources) > 1 or len(edge.inputs) + len(edge.updates) > _TERMS for edge in edges):
            self.is_all = False
        leaving: dict[int | None, list[Edge]] = {}
        for edge in edges:
            if len(edge.sources) <= 1 and len(edge.inputs) + len(edge.updates) <= _TERMS:
                leaving.setdefault(edge.sources[0].location if edge.sources else None, []).append(edge)
        queue = deque(self._after(leaving.get(None, []), ()))
        self._seen.update(queue)
        while queue:
            if is_over(self._until) or len(self.states) >= REACHED_STATES:
                self.is_all = False
                return
            place, values = queue.popleft()
            self.states.append((place, values))
            after = self._after(leaving.get(place, []), values)
            queue += [state for state in after if state not in self._seen]
            self._seen.update(after)

    def _after(self, edges: list[Edge], values: tuple[Value, ...]) -> list[State]:
        """A few states to which edges lead from these values."""
        return list(dict.fromkeys((edge.target, after) for edge in edges for after in self._successors(edge, values)))

    def _successors(self, edge: Edge, values: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
        """A few states to which the edge leads from these values."""
        names = edge.sources[0].variables if edge.sources else ()
        fixed = {v: const(value, v.sort) for v, value in zip(names, values, strict=True)}
        guard, *updates = substitute([edge.guard, *edge.updates], fixed)
        if guard is FALSE:
            return
        self._solver.push()
        try:
            self._solver.add(guard)
            if self._system is not None:
                after = dict(zip(self._system.variables, updates, strict=True)) | {i: primed(i) for i in self._system.inputs}
                self._solver.add(substitute([self._system.constraint], after)[0])
            near = [_is_small(update) for update in updates if not update.is_const and update.sort is not BOOL]
            for _ in range(_FANOUT):
                found = (self._ask(updates, near) if near else None) or self._ask(updates)
                if found is None:
                    return
                yield found
                if all(update.is_const for update in updates):
                    return
                self._solver.add(make("or", tuple([_differs(u, value) for u, value in zip(updates, found, strict=True)])))
            self.is_all = self.is_all and self._ask(updates) is None
        finally:
            self._solver.pop()

    def _ask(self, updates: list[Term], assumptions: Sequence[Term] = ()) -> tuple[Value, ...] | None:
        """The values of one more successor, if there is one and the budget allows to look for it."""
        self._queries += 1
        if self._queries > REACHED_QUERIES:
            self.is_all = False
            return None
        try:
            answer = self._solver.check(assumptions, updates, self._until)
        except GaveUp:
            self.is_all = False
            return None
        return tuple([answer.values[update] for update in updates]) if isinstance(answer, Sat) else None


def _is_small(term: Term) -> Term:
    """At most ``SMALL_NUMBER``, whatever the sign."""
    if term.sort is INT:
        low, high = const(-SMALL_NUMBER, INT), const(SMALL_NUMBER, INT)
        return make("and", (make("<=", (low, term)), make("<=", (term, high))))
    low, high = const(-SMALL_NUMBER % (1 << term.width), term.sort), const(min(SMALL_NUMBER, (1 << term.width) - 1), term.sort)
    return make("or", (make("bvule", (term, high)), make("bvule", (low, term))))


def _differs(term: Term, value: Value) -> Term:
    if term.sort is BOOL:
        return make("not", (term,)) if value else term
    return make("not", (make("=", (term, const(value, term.sort))),))
