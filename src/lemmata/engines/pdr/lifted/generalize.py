"""Generalization of a blocked cube: drop literals, as long as what remains is inductive relative to the frame below.

A failed attempt leaves a transition into the larger cube; within one generalization the frame stays as it is, so a candidate
that has the target of such a transition but not its source needs no question.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.pdr.lifted.cube import Cube, State
from lemmata.engines.pdr.lifted.edges import EdgeSolver
from lemmata.engines.pdr.lifted.obligations import Obligation
from lemmata.engines.pdr.lifted.oracle import SmtOracle
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import Term


class Trial:
    """Tries cubes at one level, and remembers why they failed."""

    def __init__(self, oracle: SmtOracle, level: int) -> None:
        self._oracle = oracle
        self.level = level
        self._ways: list[tuple[Sequence[State], State]] = []  # states at the cube's location before, and the one after

    def inductive(self, cube: Cube) -> Cube | None:
        """The core of the cube if it is blocked at the level, else ``None``."""
        for before, after in self._ways:
            if all(evaluate(cube.literals, after)) and not any(all(evaluate(cube.literals, state)) for state in before):
                return None
        if any(all(evaluate(cube.literals, fact.sample)) for fact in self._oracle.facts.at(cube.location)):
            return None
        answer = self._oracle.transition(cube, self.level)
        if isinstance(answer, Cube):
            return answer
        self._ways.append(self._way(cube, *answer))
        return None

    def _way(self, cube: Cube, solver: EdgeSolver, values: State) -> tuple[Sequence[State], State]:
        variables = self._oracle.graph.locations[cube.location].variables
        before = [
            {v: values[w] for v, w in zip(variables, source.variables, strict=True)}
            for source in solver.edge.sources
            if source.location == cube.location
        ]
        return before, dict(zip(variables, evaluate(solver.edge.updates, values), strict=True))


class Drop:
    """Drop literals one by one."""

    def __init__(self, oracle: SmtOracle) -> None:
        self._oracle = oracle

    def generalize(self, core: Cube, obligation: Obligation) -> Cube:
        """A cube that contains ``core`` and is blocked at the obligation's level, too."""
        return drop(core, Trial(self._oracle, obligation.level))


def drop(cube: Cube, trial: Trial, keep: Sequence[Term] = ()) -> Cube:
    """The cube without every literal that it can do without."""
    for literal in cube.literals:
        if literal in cube.literals and literal not in keep:
            core = trial.inductive(cube.without(literal))
            if core is not None:
                cube = core
    return cube
