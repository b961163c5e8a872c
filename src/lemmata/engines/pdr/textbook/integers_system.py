"""What the textbook over integers works on: I, T and P of a graph with one location, and the queries about them.

A formula over variables and inputs becomes one over variables by *covering* it: take a model, an implicant, project the inputs
out, forbid the cube that results, repeat. That is quantifier elimination, a model at a time; the cubes are exact: from each of
their states the inputs exist. A formula that needs more than ``_MOST_CUBES`` of them is given up (``incomplete``).

Frames are lists of formulas and each query takes them as assumptions ("tracked formulas" in the proposal), so an unsatisfiable
answer says which of them, and which literals of a cube, were needed. T is asserted once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, equal, negate
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.rewrite.solved import solve_inputs
from lemmata.logic.terms import FALSE, TRUE, Term, name_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph
from lemmata.models.system import primed
from lemmata.models.words import Values
from lemmata.oracles.fallback import FallbackSolver
from lemmata.oracles.shape import edges_towards, leading_to
from lemmata.solvers.smt import Sat, Unsat
from lemmata.steps.lia import LiaCube, LiaFrame
from lemmata.values import dataclass

_MOST_CUBES = 200  # of one formula without its inputs


@dataclass(frozen=True, slots=True)
class Predecessor:
    """A state from which a step leads into a cube."""

    state: Values


@dataclass(frozen=True, slots=True)
class NoPredecessor:
    """No step leads into a cube, and these literals of it suffice to say so."""

    literals: LiaCube


class OneLocation:
    """I, T and the bad states of one property, over the variables of the only location that leads to its error."""

    def __init__(self, graph: Graph, prop: int, solver: str, until: float | None) -> None:
        error = graph.questions[prop].location
        places = sorted(leading_to(graph, error) - {error})
        edges = list(edges_towards(graph, error))
        if len(places) > 1 or any(len(edge.sources) > 1 for _, edge in edges):
            raise GaveUp("incomplete")
        self.place = places[0] if places else None
        self.variables = graph.locations[places[0]].variables if places else ()
        self.starts = [number for number, edge in edges if not edge.sources and edge.target != error]
        self.loops = [number for number, edge in edges if edge.sources and edge.target != error]
        self.ends = [number for number, edge in edges if edge.target == error]
        self._nexts = tuple(map(primed, self.variables))
        self._until = until
        self._backend = solver
        starts = [self._relation(n, graph.edges[n], self.variables) for n in self.starts]
        self.initial = self._formulas(starts)
        self.transition = disj([self._relation(n, graph.edges[n], self._nexts) for n in self.loops])
        self.bad = tuple(
            cube for n in self.ends if (e := graph.edges[n]).sources for cube in self._cover(self._relation(n, e, ()))
        )
        self._solver, self._still = FallbackSolver(solver), FallbackSolver(solver)  # with T, and without
        self._solver.add(self.transition)

    def some_bad(self) -> Term:
        """¬P."""
        return disj([conj(cube) for cube in self.bad])

    def bad_initially(self) -> Values | None:
        """``I ∧ ¬P``: a bad initial state."""
        answer = self._still.check((*self.initial, self.some_bad()), self.variables, self._until)
        return self._state(answer) if isinstance(answer, Sat) else None

    def bad_next(self, frame: LiaFrame) -> Values | None:
        """``F ∧ T ∧ ¬P′``: a state of the frame that leads to a bad one."""
        answer = self._solver.check((*frame, *self._later([self.some_bad()])), self.variables, self._until)
        return self._state(answer) if isinstance(answer, Sat) else None

    def is_initial(self, cube: LiaCube) -> bool:
        """Is ``I ∧ s`` satisfiable?"""
        return isinstance(self._still.check((*self.initial, *cube), until=self._until), Sat)

    def relative(self, frame: LiaFrame, cube: LiaCube) -> Predecessor | NoPredecessor:
        """``F ∧ ¬s ∧ T ∧ s′``: a state that leads into the cube from outside, or the literals of s that cannot be reached."""
        goal = self._later(cube)
        answer = self._solver.check((*frame, negate(conj(cube)), *goal), self.variables, self._until)
        if isinstance(answer, Sat):
            return Predecessor(self._state(answer))
        return NoPredecessor(tuple([literal for literal, later in zip(cube, goal, strict=True) if later in answer.core]))

    def with_initiation(self, kept: LiaCube, cube: LiaCube) -> LiaCube:
        """``kept``, with as many literals of ``cube`` as it needs to meet no initial state; ``cube`` meets none."""
        if not self.is_initial(kept):
            return kept
        answer = self._still.check((*self.initial, *cube), until=self._until)
        needed = {*kept, *(answer.core if isinstance(answer, Unsat) else cube)}
        return tuple([literal for literal in cube if literal in needed])

    def holds_next(self, frame: LiaFrame, formula: Term) -> bool:
        """``F ∧ T ∧ ¬c′`` is unsatisfiable."""
        return isinstance(self._solver.check((*frame, *self._later([negate(formula)])), until=self._until), Unsat)

    def implies(self, frame: LiaFrame, other: LiaFrame) -> bool:
        """Does every state of one frame belong to the other?"""
        return isinstance(self._still.check((*frame, negate(conj(other))), until=self._until), Unsat)

    def pre_image(self, frame: LiaFrame, cube: LiaCube | None) -> tuple[LiaCube, ...]:
        """``∃x′. F ∧ ¬s ∧ T ∧ s′`` as cubes; for None ``∃x′. F ∧ T ∧ ¬P′``."""
        goal = self.some_bad() if cube is None else conj(cube)
        outside = TRUE if cube is None else negate(goal)
        return self._cover(conj([*frame, outside, self.transition, *self._later([goal])]))

    def _formulas(self, starts: Sequence[Term]) -> LiaFrame:
        """I as a list of formulas over the variables."""
        whole = disj(starts)
        if set(variables([whole])) <= set(self.variables):
            return tuple(whole.args) if whole.op == "and" else (whole,)
        return (disj([conj(cube) for cube in self._cover(whole)]),)

    def _relation(self, number: int, edge: Edge, after: Collection[Term]) -> Term:
        """An edge as a formula over the variables, ``after`` and inputs, whose names are not those of variables."""
        taken = {*self.variables, *self._nexts}
        names = {i: var(f"{name_of(i)}!{number}", i.sort) if i in taken else i for i in edge.inputs}
        own = {v: w for source in edge.sources for v, w in zip(source.variables, self.variables, strict=True)}
        guard, *updates = substitute([edge.guard, *edge.updates], names | own)
        moves = [equal(v, update) for v, update in zip(after, updates, strict=True)]
        return solve_inputs(conj([guard, *moves]), tuple(names.values())).guard

    def _cover(self, formula: Term) -> tuple[LiaCube, ...]:
        """Cubes over the variables whose union is ``∃ everything else. formula``."""
        mine = set(self.variables)
        others = [v for v in variables([formula]) if v not in mine]
        solver = FallbackSolver(self._backend)
        solver.add(formula)
        cubes: list[LiaCube] = []
        while formula is not FALSE and isinstance(answer := solver.check((), variables([formula]), self._until), Sat):
            if len(cubes) >= _MOST_CUBES:
                raise GaveUp("incomplete")
            literals = implicant(formula, answer.values, others)
            cubes.append(tuple(project(literals, answer.values, others) if others else literals))
            solver.add(negate(conj(cubes[-1])))
        return tuple(cubes)

    def _later(self, formulas: Sequence[Term]) -> list[Term]:
        return substitute(formulas, dict(zip(self.variables, self._nexts, strict=True)))

    def _state(self, answer: Sat) -> Values:
        return tuple([(v, answer.values[v]) for v in self.variables])
