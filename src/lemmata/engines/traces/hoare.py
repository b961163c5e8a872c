"""Hoare triples of edges, asked as rarely as possible: the steps of interpolant automata.

``Triples.post(edge, known)`` is the largest set Q of predicates with ``{known} edge {q}`` valid for each q in Q, or a
contradiction: the step of the interpolant automaton, generalized as far as its predicates go (Heizmann, Hoenicke, Podelski
2013). Whether ``{known} edge {q}`` is valid is

    known(sources) ∧ guard ∧ ¬q[updates]

on one incremental solver per edge. Most answers cost no question. A predicate that the edge does not change stays valid. An
unsatisfiable core says that every superset of it will do. A model is a step from values that satisfy some predicates to values
that violate others: it refutes these for every set that it satisfies. What models say about predicates that come later is found
by evaluation. Each edge remembers all this (``Postcondition``), so that one iteration helps the next.

A question that takes longer than ``patience`` counts as not valid. The automaton then refutes less, and stays sound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.budgets import HOARE_TRIPLE_S
from lemmata.engines.traces.difference import CONTRADICTION
from lemmata.engines.traces.predicates import Predicates, numbers_in
from lemmata.logic.build import negate
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.models.graph import Graph
from lemmata.oracles.edge import EdgeSolver
from lemmata.solvers.smt import Sat, Unsat
from lemmata.values import dataclass

_MODELS = 48  # that an edge remembers
_RENEW_TERMS = 3000  # assumed terms after which a solver is built anew

_Known = tuple[int, ...]  # for each source of an edge the mask of the predicates that hold there


@dataclass(slots=True)
class QuestionLimit:
    """How long a question may take, and how many there were."""

    patience: float | None  # seconds
    until: float | None = None
    steps: int = 0  # of automata
    remembered: int = 0  # steps that took no question
    questions: int = 0
    hard: int = 0  # questions that nobody had the patience for


@dataclass(slots=True)
class _Model:
    """A step that can be taken, as predicates see it: those that hold at each source, and those that fail after it."""

    values: dict[Term, Value]
    holds: list[int]
    fails: int = 0

    def satisfies(self, known: _Known) -> bool:
        """Is it a step from what is known?"""
        return _within(known, self.holds)


@dataclass(frozen=True, slots=True)
class _View:
    """Predicates that were new at the same time, ready to be evaluated."""

    program: Program
    sources: list[list[int]]
    target: list[int]

    def show(self, model: _Model) -> None:
        """Tell a model what it says about them."""
        seen = iter(self.program.run(model.values))
        for position, own in enumerate(self.sources):
            model.holds[position] |= sum([1 << number for number in own if next(seen)])
        model.fails |= sum([1 << number for number in self.target if not next(seen)])


class Postcondition:
    """All that is known of one edge."""

    def __init__(self, graph: Graph, number: int, predicates: Predicates, solver: str) -> None:
        edge = graph.edges[number]
        self._edge = edge
        self._step = EdgeSolver(graph, edge, solver, renew=_RENEW_TERMS)
        self._predicates = predicates
        self._given: list[dict[int, Term]] = [{} for _ in edge.sources]  # predicates in the names of a source
        self._goals: dict[int, Term] = {}  # predicates over the updates
        self._kept = [0] * len(edge.sources)  # predicates that the edge does not change, by source
        self._cores: list[tuple[_Known, int]] = []  # what is needed, and the mask of what follows
        self._contradictions: list[_Known] = []
        self._models: list[_Model] = []
        self._views: list[_View] = []
        self._numbers: Sequence[int] = ()  # of the automaton that is meant
        self._here = 0  # the mask of those of them that are about the target

    def post(self, known: _Known, numbers: Sequence[int], limit: QuestionLimit) -> int:
        """The mask of those of the predicates ``numbers`` that hold after the edge, or ``CONTRADICTION``."""
        if numbers is not self._numbers:
            self._take_up(numbers)
        before = limit.questions
        found = self._found(known, limit)
        limit.steps += 1
        limit.remembered += before == limit.questions
        return found

    def _found(self, known: _Known, limit: QuestionLimit) -> int:
        if any(_within(core, known) for core in self._contradictions):
            return CONTRADICTION
        found = 0
        for mask, kept in zip(known, self._kept, strict=True):
            found |= mask & kept
        for core, mask in self._cores:
            if mask & ~found and _within(core, known):
                found |= mask
        found &= self._here
        goals = self._here & ~found
        is_possible = False
        for model in self._models:
            if model.satisfies(known):
                is_possible = True
                goals &= ~model.fails
                if not goals:
                    break
        if not is_possible:
            answer = self._ask(known, CONTRADICTION, limit)
            if answer is None:
                return CONTRADICTION
            goals &= ~answer
        while goals:
            number = (goals & -goals).bit_length() - 1
            goals ^= 1 << number
            answer = self._ask(known, number, limit)
            if answer is None:
                found |= 1 << number
            else:
                goals &= ~answer
        return found

    def _take_up(self, numbers: Sequence[int]) -> None:
        """Another automaton is meant; models are asked what they say about its predicates that are new."""
        predicates, edge = self._predicates, self._edge
        self._numbers = numbers
        about = predicates.at(edge.target, numbers)
        self._here = _mask(about)
        target = [number for number in about if number not in self._goals]
        goals = self._step.goal.all([predicates.terms[n] for n in target])
        self._goals |= zip(target, goals, strict=True)
        sources: list[list[int]] = []
        terms: list[Term] = []
        for position, (source, given) in enumerate(zip(edge.sources, self._given, strict=True)):
            new = [number for number in predicates.at(source.location, numbers) if number not in given]
            renamed = self._step.to_source[position].all([predicates.terms[n] for n in new])
            given |= zip(new, renamed, strict=True)
            self._kept[position] |= _mask([n for n, term in zip(new, renamed, strict=True) if self._goals.get(n) is term])
            sources.append(new)
            terms += renamed
        if always := _mask([number for number, goal in zip(target, goals, strict=True) if goal is TRUE]):
            self._cores.append(((0,) * len(edge.sources), always))
        if terms or goals:
            self._look([*terms, *goals], sources, target)

    def _look(self, terms: list[Term], sources: list[list[int]], target: list[int]) -> None:
        """Models of applications of functions have no values for them: such predicates are not looked at."""
        view = _View(Program(terms), sources, target)
        if all(leaf.is_var for leaf in view.program.leaves):
            self._views.append(view)
            for model in self._models:
                view.show(model)

    def _ask(self, known: _Known, number: int, limit: QuestionLimit) -> int | None:
        """None if it follows; else what is refuted, as a mask."""
        goal = FALSE if number == CONTRADICTION else self._goals[number]
        given = {self._given[j][n]: (j, n) for j, mask in enumerate(known) for n in numbers_in(mask)}
        assumed = [*given, *([] if goal is FALSE else [negate(goal)])]
        match self._answer(assumed, limit):
            case Unsat(core):
                needed = [given[term] for term in core if term in given]
                self._learn(number, needed)
                if number != CONTRADICTION and len(needed) == len(core):
                    self._learn(CONTRADICTION, needed)
                return None
            case Sat(values):
                return self._note(dict(values))
        return 0

    def _learn(self, number: int, needed: list[tuple[int, int]]) -> None:
        core = tuple([_mask([n for j, n in needed if j == position]) for position in range(len(self._given))])
        if number == CONTRADICTION:
            self._contradictions.append(core)
        else:
            self._cores.append((core, 1 << number))

    def _note(self, values: dict[Term, Value]) -> int:
        """Remember a model; what it refutes, as evaluation sees it."""
        model = _Model(values, [0] * len(self._given))
        for view in self._views:
            view.show(model)
        self._models.insert(0, model)
        del self._models[_MODELS:]
        return model.fails

    def _answer(self, assumed: list[Term], limit: QuestionLimit) -> Sat | Unsat | None:
        """``guard ∧ ⋀ assumed``; ``None`` if it takes too long."""
        limit.questions += 1
        answer = self._step.solver.attempt(assumed, self._step.wanted, limit.until, limit.patience)
        limit.hard += answer is None
        return answer


def _within(part: Sequence[int], whole: Sequence[int]) -> bool:
    """Is each mask a part of the other one?"""
    if len(part) == 1:
        return not part[0] & ~whole[0]
    return not any(a & ~b for a, b in zip(part, whole, strict=True))


def _mask(numbers: Sequence[int]) -> int:
    return sum([1 << number for number in numbers])


class Triples:
    """The steps over one graph; ``tick`` is called before each that is new."""

    def __init__(self, graph: Graph, predicates: Predicates, solver: str, tick: Callable[[], None]) -> None:
        self._graph = graph
        self._predicates = predicates
        self._solver = solver
        self._tick = tick
        self._edges: dict[int, Postcondition] = {}
        self._numbers: list[int] = []
        self.limit = QuestionLimit(HOARE_TRIPLE_S)

    def begin(self, numbers: Sequence[int]) -> None:
        """From now on the automaton with these predicates is meant."""
        self._numbers = list(numbers)

    def post(self, edge: int, known: _Known) -> int:
        """The mask of the predicates that hold after the edge, or ``CONTRADICTION``."""
        self._tick()
        if edge not in self._edges:
            self._edges[edge] = Postcondition(self._graph, edge, self._predicates, self._solver)
        return self._edges[edge].post(known, self._numbers, self.limit)
