"""``Steps``: an incremental solver per edge, for the question whether the edge leads out of what is known.

The solver holds ``guard ∧ target = updates ∧ facts(sources)`` for ever; the cells of the moment come and go in scopes. Facts
are only added: they hold in every state that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from lemmata.engines.abstract.partition import Partition
from lemmata.logic.build import conj, equal
from lemmata.logic.terms import Term, Value, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Inexpressible, Sat, Smt, open_solver

_SECOND = "z3"  # has a word for everything


class Steps:
    """The steps along one edge."""

    def __init__(self, graph: Graph, index: int, backend: str) -> None:
        self.edge = edge = graph.edges[index]
        self.queries = 0
        self._places = [graph.locations[source.location] for source in edge.sources]
        self._goal = graph.locations[edge.target]
        taken = {v for source in edge.sources for v in source.variables} | set(edge.inputs)
        self.target = [u if u in taken else _fresh(v, taken) for v, u in zip(self._goal.variables, edge.updates, strict=True)]
        self._relation = conj(
            [edge.guard, *[equal(t, u) for t, u in zip(self.target, edge.updates, strict=True) if t is not u]]
        )
        self._solver = _open(backend, self._relation)
        self._scopes = 0

    def learn(self, location: int, facts: Sequence[Term]) -> None:
        """Facts over the variables of ``location`` hold for ever."""
        for source, place in zip(self.edge.sources, self._places, strict=True):
            if source.location == location:
                for fact in substitute(facts, dict(zip(place.variables, source.variables, strict=True))):
                    self._solver.add(fact)

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

    def exclude(self, formulas: Iterable[Term]) -> None:
        """The target is in none of these."""
        for formula in formulas:
            self._solver.add(formula)

    def ask(self, wanted: Sequence[Term], until: float | None) -> list[Value] | None:
        """Values of ``wanted`` after some step that is left, or ``None`` if there is no such step."""
        self.queries += 1
        answer = self._solver.check((), wanted, until)
        return [answer.values[term] for term in wanted] if isinstance(answer, Sat) else None


def _open(backend: str, relation: Term) -> Smt:
    solver = open_solver(backend)
    try:
        solver.add(relation)
    except Inexpressible:
        if backend == _SECOND:
            raise
        return _open(_SECOND, relation)
    return solver


def _fresh(variable: Term, taken: set[Term]) -> Term:
    """A variable for the value after the step."""
    name = f"→{name_of(variable)}"
    while (fresh := var(name, variable.sort)) in taken:
        name = f"→{name}"
    taken.add(fresh)
    return fresh
