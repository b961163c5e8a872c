"""The SMT oracle: the page's questions, asked edge by edge.

A cube is blocked when no edge leads into it; the core is what all edges together need. Otherwise a model of one edge is made a
cube: an implicant of guard and goal (and, where an edge has several sources, of what is known of the others), projected to the
variables of one source (Komuravelli, Gurfinkel, Chaki 2014). Sources are dealt with from left to right: those before it are
taken from facts that are reached, those after it from their frames, so that each answer either blocks a part of a source or
brings a fact, and the edge moves on.

The edge that led somewhere last is asked first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from lemmata.budgets import OPTIONAL_QUESTION_S
from lemmata.engines.pdr.graph.cube import Assignment, GraphCube, convex
from lemmata.engines.pdr.graph.edges import FramedEdge
from lemmata.engines.pdr.graph.facts import ReachFact, ReachFacts
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.engines.pdr.graph.observed_transitions import ObservedTransition, ObservedTransitions
from lemmata.engines.pdr.graph.questions import Blocked, PredecessorCube, Reached
from lemmata.engines.pdr.graph.symbolic_constants import SymbolicConstants
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.build import conj, disj, equal
from lemmata.logic.evaluate import evaluate
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.sorts import Array
from lemmata.logic.terms import FALSE, Term, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.oracles.fallback import FALLBACK, FallbackSolver
from lemmata.solvers.smt import Sat, Unsat


class SmtOracle:
    """PDR's questions about one graph."""

    def __init__(self, graph: Graph, frames: GraphFrames, solver: str, tick: Callable[[], None]) -> None:
        self.graph = graph
        self.frames = frames
        self.facts = ReachFacts()
        self.observed = ObservedTransitions(graph, frames)
        self.symbolic_constants = SymbolicConstants(graph)
        self.queries = 0
        self.until: float | None = None
        self._tick = tick
        self.solvers = [FramedEdge(graph, number, frames, solver) for number in range(len(graph.edges))]
        self._into: defaultdict[int, list[FramedEdge]] = defaultdict(list)
        for edge in self.solvers:
            self._into[edge.edge.target].append(edge)
        for edges in self._into.values():
            edges.sort(key=lambda e: len(e.edge.sources))
        self.spare = FALLBACK if _has_arrays(graph) else solver  # for questions about values, which may be arrays
        self._plain = FallbackSolver(self.spare)

    @property
    def used(self) -> frozenset[str]:
        """The solvers that answer by now."""
        return frozenset([self.spare, self._plain.name, *[edge.solver.name for edge in self.solvers]])

    # the page's questions

    def consecution(self, cube: GraphCube, level: int) -> Blocked | PredecessorCube | Reached:
        """⋁ over edges into ℓ: ⋀ F_{level-1}(sources) ∧ ¬cube (at sources that are ℓ) ∧ guard ∧ cube[updates]."""
        needed: set[Term] = set()
        for edge in list(self._into[cube.location]):
            answer = self.step(edge, cube, level, None)
            assert answer is not None
            if isinstance(answer, Sat):
                self._prefer(edge)
                self.observed.note(edge, answer.values)
                return self._explain(edge, cube, level, answer.values)
            needed |= self._core(edge, cube, answer)
        return Blocked(self.observed.apart(cube.only(needed), cube))

    def inductive(self, cube: GraphCube, level: int) -> GraphCube | None:
        """The core if the same is unsatisfiable for every edge, else ``None``."""
        answer = self.transition(cube, level)
        return answer if isinstance(answer, GraphCube) else None

    def transition(self, cube: GraphCube, level: int) -> GraphCube | ObservedTransition | None:
        """The core, or a transition into the cube; ``None`` is too hard to say."""
        needed: set[Term] = set()
        for edge in list(self._into[cube.location]):
            answer = self.step(edge, cube, level, OPTIONAL_QUESTION_S)
            if answer is None:
                return None
            if isinstance(answer, Sat):
                self._prefer(edge)
                return self.observed.note(edge, answer.values)
            needed |= self._core(edge, cube, answer)
        return self.observed.apart(cube.only(needed), cube)

    def derive(self, cube: GraphCube, edge: int) -> ReachFact | None:
        """Reached facts(sources) ∧ guard ∧ cube[updates] for one edge."""
        solver = self.solvers[edge]
        answer = self._with_facts(solver, cube, len(solver.edge.sources), 0)
        return self._new_fact(solver, cube, answer.values) if isinstance(answer, Sat) else None

    def known(self, cube: GraphCube) -> ReachFact | None:
        """A reached fact that meets the cube."""
        met = self.observed.reached_in(cube)
        if met is not None:
            self.facts.add(met)
            return met
        for fact in self.facts.at(cube.location):
            self._count()
            if isinstance(self._plain.check([*fact.cube.literals, *cube.literals], (), self.until), Sat):
                return fact
        return None

    # one edge

    def step(self, solver: FramedEdge, cube: GraphCube, level: int, patience: float | None) -> Sat | Unsat | None:
        """⋀ F_{level-1}(sources) ∧ ¬cube (at sources that are ℓ) ∧ guard ∧ cube[updates]."""
        sources = solver.edge.sources
        below = INFINITY if level == INFINITY else level - 1
        extra = [solver.clause(j, cube) for j, source in enumerate(sources) if source.location == cube.location]
        if FALSE in extra:
            return Unsat()
        self._count()
        return solver.ask(solver.goal.all(cube.literals), [below] * len(sources), extra, self.until, patience)

    def witness(self, solver: FramedEdge, goal: Term, given: Sequence[Term]) -> ObservedTransition | Unsat | None:
        """⋀ F_∞(sources) ∧ given ∧ guard ∧ goal, all over the names of the edge; ``None`` is too hard to say."""
        self._count()
        answer = solver.ask([goal], [INFINITY] * len(solver.edge.sources), given, self.until, OPTIONAL_QUESTION_S)
        return self.observed.note(solver, answer.values) if isinstance(answer, Sat) else answer

    def _core(self, solver: FramedEdge, cube: GraphCube, answer: Unsat) -> set[Term]:
        back = dict(zip(reversed(solver.goal.all(cube.literals)), reversed(cube.literals), strict=True))
        return {back[term] for term in answer.core if term in back}

    def _prefer(self, edge: FramedEdge) -> None:
        edges = self._into[edge.edge.target]
        edges.remove(edge)
        edges.insert(0, edge)

    def _explain(self, solver: FramedEdge, cube: GraphCube, level: int, values: Assignment) -> PredecessorCube | Reached:
        """What a way into the cube tells: a fact, or a cube at the first source that is not yet known to be reached."""
        count = len(solver.edge.sources)
        if count == 0:
            return Reached(self._new_fact(solver, cube, values))
        if count == 1:
            return PredecessorCube(self._project(solver, cube, 0, [], values), solver.number)
        for j in range(count):
            answer = self._with_facts(solver, cube, j + 1, level)
            if not isinstance(answer, Sat):
                return PredecessorCube(
                    self._project(solver, cube, j, self._others(solver, j, level, values), values), solver.number
                )
            values = answer.values
        return Reached(self._new_fact(solver, cube, values))

    def _with_facts(self, solver: FramedEdge, cube: GraphCube, count: int, level: int) -> Sat | Unsat | None:
        """The first ``count`` sources from facts, the others from their frames."""
        sources = solver.edge.sources
        extra = []
        for j, source in enumerate(sources[:count]):
            cubes = [conj(solver.to_source[j].all(fact.cube.literals)) for fact in self.facts.at(source.location)]
            extra.append(disj(cubes))
        if FALSE in extra:
            return Unsat()
        self._count()
        levels = [None if j < count else level - 1 for j in range(len(sources))]
        return solver.ask(solver.goal.all(cube.literals), levels, extra, self.until)

    def _others(self, solver: FramedEdge, j: int, level: int, values: Assignment) -> list[Term]:
        """What holds of the other sources: the facts that the model uses on the left, frames on the right."""
        known = [
            literal
            for i, fact in enumerate(self._used(solver, j, values))
            for literal in solver.to_source[i].all(fact.cube.literals)
        ]
        return known + [clause for i in range(j + 1, len(solver.edge.sources)) for clause in solver.frame(i, level - 1)]

    def _used(self, solver: FramedEdge, count: int, values: Assignment) -> list[ReachFact]:
        """For each of the first sources a fact that holds in the model."""
        used = []
        for j, source in enumerate(solver.edge.sources[:count]):
            holds = [all(evaluate(solver.to_source[j].all(f.cube.literals), values)) for f in self.facts.at(source.location)]
            used.append(self.facts.at(source.location)[holds.index(True)])
        return used

    def _project(self, solver: FramedEdge, cube: GraphCube, j: int, more: Sequence[Term], values: Assignment) -> GraphCube:
        """The states of the j-th source from which the goal is in reach."""
        source = solver.edge.sources[j]
        own = set(source.variables)
        others = [v for v in solver.wanted if v not in own]
        formulas = [solver.edge.guard, *solver.goal.all(cube.literals), *more]
        literals = project(_implicants(formulas, values), values, others)
        here = self.graph.locations[source.location].variables
        state = {v: values[w] for v, w in zip(here, source.variables, strict=True)}
        return convex(source.location, solver.to_here[j].all(literals), state, self.symbolic_constants.names[source.location])

    def _new_fact(self, solver: FramedEdge, cube: GraphCube, values: Assignment) -> ReachFact:
        """What is reached through this edge: the goal's part of the image of facts, projected to the target."""
        edge = solver.edge
        premises = tuple(self._used(solver, len(edge.sources), values))
        variables = self.graph.locations[edge.target].variables
        reached = solver.updates.run(values)
        images = [var(f"{v.data[0]}⟨new⟩", v.sort) for v in variables]
        both = {**values, **dict(zip(images, reached, strict=True))}
        inside = [x for j, fact in enumerate(premises) for x in solver.to_source[j].all(fact.cube.literals)]
        equations = [equal(v, update) for v, update in zip(images, edge.updates, strict=True)]
        formulas = [edge.guard, *inside, *solver.goal.all(cube.literals), *equations]
        literals = project(_implicants(formulas, both), both, solver.wanted)
        back = dict(zip(images, variables, strict=True))
        state = dict(zip(variables, reached, strict=True))
        larger = convex(edge.target, substitute(literals, back), state, self.symbolic_constants.names[edge.target])
        fact = ReachFact(edge.target, solver.number, premises, state, larger)
        self.facts.add(fact)
        self.observed.meet(fact)
        return fact

    def _count(self) -> None:
        self.queries += 1
        self._tick()


def _has_arrays(graph: Graph) -> bool:
    inputs = [i for edge in graph.edges for i in edge.inputs]
    return any(isinstance(v.sort, Array) for v in (*inputs, *[v for place in graph.locations for v in place.variables]))


def _implicants(formulas: Sequence[Term], values: Assignment) -> list[Term]:
    """Literals that imply all formulas; one after the other, since a guard's implicants are prepared once."""
    return list(dict.fromkeys([literal for formula in formulas for literal in implicant(formula, values)]))
