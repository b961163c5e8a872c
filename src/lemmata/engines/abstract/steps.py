"""``Steps``: an incremental solver per edge, for the question whether the edge leads out of what is known.

The solver holds ``guard ∧ target = updates ∧ facts(sources)`` for ever; the cells of the moment come and go in scopes. Facts
are only added: they hold in every state that can be reached. The solver is opened when the first question comes; a question
that takes too long is given up, so that one hard edge costs facts about its target but not the rest of the time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from lemmata.engines.abstract.partition import Partition
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, equal
from lemmata.logic.terms import Term, Value, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Inexpressible, Sat, Smt, open_solver

_SECOND = "z3"  # has a word for everything
_PATIENCE_S = 3.0


class Steps:
    """The steps along one edge."""

    def __init__(self, graph: Graph, index: int, backend: str) -> None:
        self.edge = edge = graph.edges[index]
        self.queries = 0
        self._backend = backend
        self._places = [graph.locations[source.location] for source in edge.sources]
        taken = {v for source in edge.sources for v in source.variables} | set(edge.inputs)
        goal = graph.locations[edge.target].variables
        self.target = [u if u in taken else _fresh(v, taken) for v, u in zip(goal, edge.updates, strict=True)]
        self._facts: list[Term] = []
        self._opened: Smt | None = None

    @property
    def _solver(self) -> Smt:
        if self._opened is None:
            equations = [equal(t, u) for t, u in zip(self.target, self.edge.updates, strict=True) if t is not u]
            self._opened = _open(self._backend, [conj([self.edge.guard, *equations]), *self._facts])
        return self._opened

    def learn(self, location: int, facts: Sequence[Term]) -> None:
        """Facts over the variables of ``location`` hold for ever."""
        for source, place in zip(self.edge.sources, self._places, strict=True):
            if source.location == location:
                fresh = substitute(facts, dict(zip(place.variables, source.variables, strict=True)))
                self._facts += fresh
                self._state(fresh)

    def _state(self, facts: Sequence[Term]) -> None:
        """Tell the solver if there is one; where it has no words for a fact, the next one is opened with all of them."""
        try:
            for fact in facts if self._opened is not None else ():
                self._solver.add(fact)
        except Inexpressible:
            self._opened = None

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is assumed here is forgotten afterwards."""
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def assume_sources(self, partitions: Sequence[Partition]) -> None:
        """Every source is in one of its cells."""
        for source in self.edge.sources:
            self._solver.add(partitions[source.location].formula(source.variables))

    def assume(self, formulas: Iterable[Term]) -> None:
        """All these hold."""
        for formula in formulas:
            self._solver.add(formula)

    def ask(self, wanted: Sequence[Term], until: float | None) -> list[Value] | None:
        """Values of ``wanted`` after some step that is left, or ``None`` if there is no such step."""
        self.queries += 1
        end = time.monotonic() + _PATIENCE_S
        try:
            answer = self._solver.check((), wanted, end if until is None else min(end, until))
        except GaveUp as gave_up:
            is_over = until is not None and time.monotonic() >= until
            raise GaveUp("timeout" if is_over else "incomplete") from gave_up
        return [answer.values[term] for term in wanted] if isinstance(answer, Sat) else None


def _open(backend: str, formulas: Sequence[Term]) -> Smt:
    solver = open_solver(backend)
    try:
        for formula in formulas:
            solver.add(formula)
    except Inexpressible:
        if backend == _SECOND:
            raise
        return _open(_SECOND, formulas)
    return solver


def _fresh(variable: Term, taken: set[Term]) -> Term:
    """A variable for the value after the step."""
    name = f"→{name_of(variable)}"
    while (fresh := var(name, variable.sort)) in taken:
        name = f"→{name}"
    taken.add(fresh)
    return fresh
