"""What leads into an obligation: weakest preconditions (3.4.1), as one formula or split into cubes (3.4.2).

What the thesis calls weakest precondition is the pre-image ``∃ inputs. guard ∧ t[updates]``: all states from which some step
leads into t. (Dijkstra's wp asks that *every* step does, and holds where none is possible: as an obligation it would lose
errors behind a havoc, and see some behind a closed guard.) Inputs that the guard defines are put in; for others the formula is
*covered* by cubes: a model, an implicant, a projection, and again without that cube. ``Split`` does so always, and only where
the frame below has states: that is the disjunctive normal form, a cube at a time.

Where more than ``_MOST_CUBES`` are needed the rest is left out. Nothing is lost: the obligation stays, and is asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lemmata.engines.pdr.thesis.formulas import normal_comparisons
from lemmata.engines.pdr.thesis.oracle import Satisfiable, ThesisOracle, patient
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.rewrite.solved import Solved, solve_inputs
from lemmata.logic.terms import Term, Value
from lemmata.logic.walk import variables
from lemmata.oracles.edge import EdgeTerms
from lemmata.solvers.smt import Sat

_MOST_CUBES = 40

_Values = dict[Term, Value]


class Preconditions(Protocol):
    """How obligations one level below are made."""

    def before(self, edge: int, level: int | None, goal: Term, first: _Values) -> list[Term]:
        """Formulas at the source of ``edge``, whose states lead into ``goal``; ``first`` is such a state of F_level."""
        ...


class Weakest:
    """All of the pre-image, as one formula."""

    def __init__(self, oracle: ThesisOracle, solver: str, tick: Callable[[], float | None]) -> None:
        self._oracle = oracle
        self._solver = solver
        self._tick = tick
        self._known: dict[tuple[int, Term], Term] = {}

    def before(self, edge: int, level: int | None, goal: Term, first: _Values) -> list[Term]:
        """One formula."""
        key = edge, goal
        if key not in self._known:
            terms = self._oracle.terms[edge]
            solved = _step(terms, goal)
            doomed = [v for v in variables([solved.guard]) if v in solved.free]
            if doomed:
                formula, is_exact = self._covered(solved.guard, doomed, first)
                if not is_exact:
                    return [normal_comparisons(terms.to_here[0](formula))]
            else:
                formula = solved.guard
            self._known[key] = normal_comparisons(terms.to_here[0](formula))
        return [self._known[key]]

    def _covered(self, formula: Term, doomed: list[Term], first: _Values) -> tuple[Term, bool]:
        """∃ doomed. formula, and whether that is all of it."""
        solver = patient(self._solver, formula)
        cubes: list[Term] = []
        values: _Values | None = first
        while values is not None and len(cubes) < _MOST_CUBES:
            cubes.append(_cube(formula, values, doomed))
            answer = solver.check([negate(cube) for cube in cubes], variables([formula]), self._tick())
            values = dict(answer.values) if isinstance(answer, Sat) else None
        return disj(cubes), values is None


class Split:
    """The pre-image as cubes, those that meet the frame; in one piece where a solver divides by zero in its own way."""

    def __init__(self, oracle: ThesisOracle) -> None:
        self._oracle = oracle

    def before(self, edge: int, level: int | None, goal: Term, first: _Values) -> list[Term]:
        """One formula per cube."""
        terms = self._oracle.terms[edge]
        solved = _step(terms, goal)
        cubes: list[Term] = []
        values: _Values | None = first
        while values is not None and len(cubes) < _MOST_CUBES:
            try:
                cubes.append(_cube(solved.guard, values, list(solved.free)))
            except GaveUp:
                if any(v in solved.free for v in variables([solved.guard])):
                    raise
                return [normal_comparisons(terms.to_here[0](solved.guard))]
            answer = self._oracle.ask(edge, level, [goal], [negate(cube) for cube in cubes])
            values = answer.values if isinstance(answer, Satisfiable) else None
        return [normal_comparisons(terms.to_here[0](cube)) for cube in cubes]


def _step(terms: EdgeTerms, goal: Term) -> Solved:
    """guard ∧ goal[updates], without the inputs that it defines."""
    return solve_inputs(conj([terms.edge.guard, terms.goal(goal)]), terms.edge.inputs)


def _cube(formula: Term, values: _Values, doomed: list[Term]) -> Term:
    """A cube around ``values`` in ∃ doomed. formula."""
    literals = implicant(formula, values, doomed)
    return conj(project(literals, values, doomed) if doomed else literals)
