"""A claim for a location that was passed through: what its ways in guarantee and its ways out need.

Let A(v) say that some way in leads to v from states that satisfy their claims, and B(v) that some way out leads from v to a
state that violates its claim. The edges that were made of both keep the claims, so A ∧ B is unsatisfiable, and any formula
between A and ¬B over the variables v of the location will do. There are two ways to find one without quantifiers:

- *weakest precondition*: where the ways out have no inputs and no other source, ¬B is ⋀ (guard → claim[updates]);
- *projection*: while the claim so far meets B, a model is generalized to a cube over v that implies B (implicant, projection of
  everything else) and its literals are reduced to those that contradict A; the rest is excluded. Projections of one formula are
  finitely many, so this ends for linear arithmetic. It is interpolation by hand, and often shorter than a precondition.

Most lemmas behind a location speak of what the ways out do not change, and hold at it, too: those that all ways in guarantee
are tried before anything is projected (a lifted proof of s3_srvr_2.cil-1: 5.2 s → 2.0 s for 441 claims).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from lemmata.budgets import CLAIM_CUBES, CLAIM_S, SHORTER_CLAIM_S
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, implies, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, topological, value_of
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph
from lemmata.solvers.smt import Sat, Smt, open_solver
from lemmata.transforms.graph.back import ClaimedLemmas
from lemmata.transforms.graph.measures import TreeSizes
from lemmata.values import dataclass
from lemmata.work import now

_SHORT_NODES = 300  # nodes of a precondition that is good enough
_LINEAR = frozenset({"var", "const", "and", "or", "not", "=>", "xor", "=", "ite", "<", "<=", "+", "-", "neg", "to_real"})


@dataclass(frozen=True, slots=True)
class RemovedLocation:
    """A location that is no longer there, with the edges into it and out of it as they were then."""

    location: int
    ins: tuple[Edge, ...]
    outs: tuple[Edge, ...]


def is_linear_arithmetic(edges: Iterable[Edge]) -> bool:
    """Is everything about these edges linear arithmetic?"""
    order = topological([term for edge in edges for term in (edge.guard, *edge.updates)])
    sources = [v for edge in edges for source in edge.sources for v in source.variables]
    return all(term.sort in (BOOL, INT, REAL) and _is_linear(term) for term in (*order, *sources))


def _is_linear(term: Term) -> bool:
    args = term.args
    match term.op:
        case "*":
            return sum(not arg.is_const for arg in args) < 2
        case "div" | "mod":
            return args[1].is_const and value_of(args[1]) != 0
        case op:
            return op in _LINEAR


def interpolate_claim(graph: Graph, removed: RemovedLocation, lemmas: ClaimedLemmas, solver: str) -> tuple[Term, ...]:
    """A claim for the location, given those of its neighbours; ``GaveUp`` if none was found in time."""
    is_function = all(len(edge.sources) == 1 and not edge.inputs for edge in removed.outs)
    needed = _precondition(graph, removed, lemmas) if is_function else ()
    sizes = TreeSizes()
    if is_function and (
        sum(sizes.of(lemma) for lemma in needed) <= _SHORT_NODES or not is_linear_arithmetic([*removed.ins, *removed.outs])
    ):
        return needed
    try:
        return _Search(graph, removed, lemmas, solver, SHORTER_CLAIM_S if is_function else CLAIM_S).claim()
    except GaveUp:
        if is_function:
            return needed
        raise


def _precondition(graph: Graph, removed: RemovedLocation, lemmas: ClaimedLemmas) -> tuple[Term, ...]:
    """⋀ (guard → claim[updates]) over the ways out."""
    own = graph.locations[removed.location].variables
    found: list[Term] = []
    for edge in removed.outs:
        needed = [implies(edge.guard, goal) for goal in _after(graph, edge, lemmas)]
        found += substitute(needed, dict(zip(edge.sources[0].variables, own, strict=True)))
    return tuple(dict.fromkeys(found))


def _after(graph: Graph, edge: Edge, lemmas: ClaimedLemmas) -> list[Term]:
    """The claim of the target as it is when the edge was taken."""
    return substitute(lemmas.get(edge.target, ()), dict(zip(graph.locations[edge.target].variables, edge.updates, strict=True)))


def _before(graph: Graph, edge: Edge, lemmas: ClaimedLemmas) -> list[Term]:
    """The claims of the sources in the names of the edge, and its guard."""
    found = [edge.guard]
    for source in edge.sources:
        names = dict(zip(graph.locations[source.location].variables, source.variables, strict=True))
        found += substitute(lemmas.get(source.location, ()), names)
    return found


class _Search:
    """The claim by projection."""

    def __init__(self, graph: Graph, removed: RemovedLocation, lemmas: ClaimedLemmas, solver: str, seconds: float) -> None:
        self._graph, self._removed, self._lemmas, self._solver = graph, removed, lemmas, solver
        self._own = graph.locations[removed.location].variables
        self._until = now() + seconds
        self._found: list[Term] = []

    @cached_property
    def _ins(self) -> list[tuple[Smt, Sequence[Term]]]:
        """A solver for each way in, with the values that it gives the variables."""
        graph, lemmas = self._graph, self._lemmas
        return [(_opened(self._solver, _before(graph, edge, lemmas)), edge.updates) for edge in self._removed.ins]

    def claim(self) -> tuple[Term, ...]:
        """Lemmas until no way out is left that violates a claim."""
        for edge in self._removed.outs:
            self._close(edge)
        return tuple(self._found)

    @cached_property
    def _carried(self) -> list[Term]:
        """What claims behind the ways out need of the location alone, where all ways in guarantee it."""
        needed: dict[Term, None] = {}
        for edge in self._removed.outs:
            back = self._back(edge)
            goals = [goal for goal in _after(self._graph, edge, self._lemmas) if goal is not TRUE]
            for goal in goals:
                if all(v in back for v in variables([goal])):
                    needed |= dict.fromkeys(substitute([goal], back))
        found = list(needed)
        for solver, updates in self._ins:
            found = self._guaranteed(solver, updates, found)
        return found

    def _guaranteed(self, solver: Smt, updates: Sequence[Term], formulas: list[Term]) -> list[Term]:
        """The formulas that hold after a way in: A(v) ∧ ¬formula is unsatisfiable."""
        goals = substitute(formulas, dict(zip(self._own, updates, strict=True)))
        while goals and isinstance(answer := solver.check([disj(map(negate, goals))], variables(goals), self._until), Sat):
            kept = [number for number, holds in enumerate(evaluate(goals, answer.values)) if holds]
            if len(kept) == len(goals):
                return []  # divisions by zero
            formulas, goals = [formulas[number] for number in kept], [goals[number] for number in kept]
        return formulas

    def _back(self, edge: Edge) -> dict[Term, Term]:
        """The variables of the location by the names that a way out has for them."""
        here = next(s.variables for s in edge.sources if s.location == self._removed.location)
        return dict(zip(here, self._own, strict=True))

    def _close(self, edge: Edge) -> None:
        """B(v) for one way out: claims of the other sources ∧ guard ∧ ¬claim(target)[updates]."""
        goals = _after(self._graph, edge, self._lemmas)
        bad = conj((*_before(self._graph, edge, self._lemmas), disj(negate(goal) for goal in goals)))
        if bad is FALSE:
            return
        back = self._back(edge)
        names = {own: here for here, own in back.items()}
        solver = _opened(self._solver, [bad, *substitute(self._found, names)])
        carried = substitute(self._carried, names)
        answer = solver.check(carried, (), self._until)
        fresh = [
            lemma for lemma, here in zip(self._carried, carried, strict=True) if isinstance(answer, Sat) or here in answer.core
        ]
        self._found += [lemma for lemma in fresh if lemma not in self._found]
        if not isinstance(answer, Sat):
            return
        for formula in carried:
            solver.add(formula)
        wanted = list(dict.fromkeys([*variables([bad]), *back]))
        others = [v for v in wanted if v not in back]
        while isinstance(answer := solver.check((), wanted, self._until), Sat):
            cube = project(implicant(bad, answer.values, others), answer.values, others)
            lemma = disj(negate(literal) for literal in self._needed(substitute(cube, back)))
            self._found.append(lemma)
            if len(self._found) > CLAIM_CUBES:
                raise GaveUp("incomplete")
            solver.add(substitute([lemma], names)[0])

    def _needed(self, cube: Sequence[Term]) -> list[Term]:
        """Literals of the cube that no way in can satisfy together: A(v) ∧ ⋀ is unsatisfiable."""
        core: set[Term] = set()
        for solver, updates in self._ins:
            literals = substitute(cube, dict(zip(self._own, updates, strict=True)))
            answer = solver.check(literals, (), self._until)
            if isinstance(answer, Sat):
                raise GaveUp("incomplete")  # divisions by zero, which solvers may read as they like
            core |= {literal for literal, here in zip(cube, literals, strict=True) if here in answer.core}
        return [literal for literal in cube if literal in core]


def _opened(name: str, formulas: Iterable[Term]) -> Smt:
    solver = open_solver(name)
    for formula in formulas:
        solver.add(formula)
    return solver
