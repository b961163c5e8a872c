"""``Steps``: the steps along one edge, for the question whether they lead out of what is known.

The solver holds ``guard ∧ target = updates ∧ facts(sources)`` for ever; the cells of the moment come and go in scopes. Facts
are only added: they hold in every state that can be reached. A question that takes too long is given up, so that one hard edge
costs facts about its target but not the rest of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from lemmata.budgets import ABSTRACT_QUESTION_S
from lemmata.engines.abstract.partition import Partition
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, equal
from lemmata.logic.terms import Term, Value, name_of, var
from lemmata.models.graph import Graph
from lemmata.oracles.edge import EdgeSolver
from lemmata.solvers.smt import Sat


class Steps(EdgeSolver):
    """The steps along one edge; ``target`` are names for the values after one."""

    def __init__(self, graph: Graph, index: int, solver: str) -> None:
        edge = graph.edges[index]
        taken = {v for source in edge.sources for v in source.variables} | set(edge.inputs)
        goal = graph.locations[edge.target].variables
        self.target = [u if u in taken else _fresh(v, taken) for v, u in zip(goal, edge.updates, strict=True)]
        equations = [equal(t, u) for t, u in zip(self.target, edge.updates, strict=True) if t is not u]
        super().__init__(graph, edge, solver, known=conj([edge.guard, *equations]))

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self.solver.queries

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is assumed here is forgotten afterwards."""
        self.solver.push()
        try:
            yield
        finally:
            self.solver.pop()

    def assume_sources(self, partitions: Sequence[Partition]) -> None:
        """Every source is in one of its cells."""
        self.assume(partitions[source.location].formula(source.variables) for source in self.edge.sources)

    def assume(self, formulas: Iterable[Term]) -> None:
        """All these hold."""
        for formula in formulas:
            self.solver.add(formula)

    def ask(self, wanted: Sequence[Term], until: float | None) -> list[Value] | None:
        """Values of ``wanted`` after some step that is left, or ``None`` if there is no such step."""
        answer = self.solver.attempt((), wanted, until, ABSTRACT_QUESTION_S)
        if answer is None:
            raise GaveUp("incomplete")
        return [answer.values[term] for term in wanted] if isinstance(answer, Sat) else None


def _fresh(variable: Term, taken: set[Term]) -> Term:
    """A variable for the value after the step."""
    name = f"→{name_of(variable)}"
    while (fresh := var(name, variable.sort)) in taken:
        name = f"→{name}"
    taken.add(fresh)
    return fresh
