"""Hoare triples: which predicates are valid after an edge, given those that hold before it.

``post(edge, known)`` is the largest set Q of predicates with ``{known} edge {q}`` valid for each q in Q, or a contradiction:
the step of the interpolant automaton, generalized as far as its predicates go (Heizmann, Hoenicke, Podelski 2013). The
question is

    known(sources) ∧ guard ∧ ¬q[updates]

on one incremental solver per edge. Most answers cost no question. A predicate that the edge does not change stays valid. An
unsatisfiable core says that every superset of it will do. A model is a step from values that satisfy some predicates to
values that violate others: it refutes these for every set that it satisfies. Models outlive their iteration; what they say
about new predicates is found by evaluation.

A question that takes longer than ``patience`` counts as not valid. The automaton then refutes less, and stays sound.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lemmata.engines.traces.difference import CONTRADICTION
from lemmata.engines.traces.predicates import Predicates, numbers_in
from lemmata.errors import GaveUp
from lemmata.logic.build import negate
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Inexpressible, Sat, Smt, Unsat, open_solver

_MODELS = 48  # that an edge remembers
_RENEW = 3000  # assumed terms after which a solver is built anew
PATIENCE = 0.5  # seconds

Known = tuple[int, ...]  # for each source of an edge the mask of the predicates that hold there


@dataclass(slots=True)
class Asked:
    """How many steps were wanted, and how many questions that took."""

    steps: int = 0
    questions: int = 0
    hard: int = 0  # questions that nobody had the patience for


class Triples:
    """The steps of interpolant automata over one graph; what was learnt in one iteration helps in the next."""

    def __init__(self, graph: Graph, predicates: Predicates, solver: str, tick: Callable[[], None]) -> None:
        self._graph = graph
        self._predicates = predicates
        self._solver = solver
        self._tick = tick
        self._edges: dict[int, _Edge] = {}
        self._steps: dict[tuple[int, Known], int] = {}
        self._numbers: list[int] = []
        self.asked = Asked()
        self.patience: float | None = PATIENCE
        self.until: float | None = None

    def begin(self, numbers: Sequence[int]) -> None:
        """From now on the automaton with these predicates is meant."""
        self._numbers = list(numbers)
        self._steps.clear()

    def remembered(self, edge: int, known: Known) -> int | None:
        """``post``, if it was asked for before."""
        self.asked.steps += 1
        return self._steps.get((edge, known))

    def post(self, edge: int, known: Known) -> int:
        """The predicates that hold after the edge."""
        self._tick()
        if edge not in self._edges:
            self._edges[edge] = _Edge(self._graph, edge, self._predicates, self._solver)
        found = self._steps[edge, known] = self._edges[edge].post(known, self._numbers, self)
        return found


@dataclass(frozen=True, slots=True)
class _Model:
    """A step that can be taken, by its values, as predicates see it: those that hold at each source, those that fail after."""

    values: dict[Term, Value]
    holds: list[int]
    fails: int


class _Edge:
    """All that is known of one edge."""

    def __init__(self, graph: Graph, number: int, predicates: Predicates, solver: str) -> None:
        edge = graph.edges[number]
        self._edge = edge
        self._predicates = predicates
        self._places = [source.location for source in edge.sources]
        own = [graph.locations[place].variables for place in self._places]
        self._before = [dict(zip(v, s.variables, strict=True)) for v, s in zip(own, edge.sources, strict=True)]
        self._after = dict(zip(graph.locations[edge.target].variables, edge.updates, strict=True))
        self._wanted = (*[v for s in edge.sources for v in s.variables], *edge.inputs)
        self._name = solver
        self._solver: Smt | None = None
        self._assumed: set[Term] = set()
        self._given: list[dict[int, Term]] = [{} for _ in edge.sources]  # predicates in the names of a source
        self._goals: dict[int, Term] = {}  # predicates over the updates
        self._kept: dict[int, Known] = {}  # predicates each of which, at a source, is the goal
        self._cores: dict[int, list[Known]] = {}  # by goal
        self._models: list[_Model] = []
        self._numbers: list[int] = []  # of the automaton that is meant
        self._here: list[int] = []  # those of them that are about the target

    def post(self, known: Known, numbers: list[int], asking: Triples) -> int:
        """The mask of what holds after the edge."""
        if numbers is not self._numbers:
            self._prepare(numbers)
        if self._follows(CONTRADICTION, known):
            return CONTRADICTION
        found, open_goals = 0, []
        for number in self._here:
            if self._goals[number] is TRUE or self._is_kept(number, known) or self._follows(number, known):
                found |= 1 << number
            else:
                open_goals.append(number)
        refuted, is_possible = 0, False
        for model in self._models:
            if _satisfies(model, known):
                is_possible = True
                refuted |= model.fails
        if not is_possible:
            answer = self._ask(known, CONTRADICTION, asking)
            if answer is True:
                return CONTRADICTION
            refuted |= answer or 0
        for number in open_goals:
            if not refuted >> number & 1:
                answer = self._ask(known, number, asking)
                if answer is True:
                    found |= 1 << number
                else:
                    refuted |= answer or 0
        return found

    def _prepare(self, numbers: list[int]) -> None:
        """Take up the predicates of another automaton; models are asked what they say about them."""
        predicates = self._predicates
        self._numbers = numbers
        self._here = predicates.at(self._edge.target, numbers)
        new = [number for number in self._here if number not in self._goals]
        self._goals |= zip(new, substitute([predicates.terms[n] for n in new], self._after), strict=True)
        self._kept = {}
        sources: list[list[int]] = []
        for position, place in enumerate(self._places):
            given = self._given[position]
            sources.append(predicates.at(place, numbers))
            new = [number for number in sources[-1] if number not in given]
            given |= zip(new, substitute([predicates.terms[n] for n in new], self._before[position]), strict=True)
        for goal in self._here:
            same = [sum(1 << n for n in own if self._given[j][n] is self._goals[goal]) for j, own in enumerate(sources)]
            self._kept[goal] = tuple(same)
        self._sources = sources
        terms = [self._given[j][n] for j, own in enumerate(sources) for n in own]
        self._views = Program([*terms, *[self._goals[n] for n in self._here]])
        self._is_seen = all(leaf.is_var for leaf in self._views.leaves)
        self._models = [self._view(model.values) for model in self._models] if self._is_seen else []

    def _view(self, values: dict[Term, Value]) -> _Model:
        seen = iter(self._views.run(values))
        holds = [sum(1 << number for number in own if next(seen)) for own in self._sources]
        return _Model(values, holds, sum(1 << number for number in self._here if not next(seen)))

    def _is_kept(self, number: int, known: Known) -> bool:
        return any(mask & same for mask, same in zip(known, self._kept[number], strict=True))

    def _follows(self, number: int, known: Known) -> bool:
        for core in self._cores.get(number, ()):
            if all(part & ~mask == 0 for part, mask in zip(core, known, strict=True)):
                return True
        return False

    def _ask(self, known: Known, number: int, asking: Triples) -> bool | int | None:
        """True if it follows; else what is refuted, as a mask, or ``None`` if that is too hard to say."""
        goal = FALSE if number == CONTRADICTION else self._goals[number]
        given = {self._given[j][n]: (j, n) for j, mask in enumerate(known) for n in numbers_in(mask)}
        assumed = [*given, *([] if goal is FALSE else [negate(goal)])]
        answer = self._answer(assumed, asking)
        match answer:
            case Unsat(core):
                self._learn(number, [given[term] for term in core if term in given])
                if number != CONTRADICTION and assumed[-1] not in core:
                    self._learn(CONTRADICTION, [given[term] for term in core if term in given])
                return True
            case Sat(values):
                return self._refute(dict(values), number)
        return None

    def _learn(self, number: int, core: list[tuple[int, int]]) -> None:
        masks = [0] * len(self._places)
        for position, predicate in core:
            masks[position] |= 1 << predicate
        self._cores.setdefault(number, []).append(tuple(masks))

    def _refute(self, values: dict[Term, Value], number: int) -> int:
        """What a model refutes; the goal itself in any case, whatever evaluation thinks of it."""
        own = 0 if number == CONTRADICTION else 1 << number
        if not self._is_seen:
            return own
        model = self._view(values)
        self._models.insert(0, model)
        del self._models[_MODELS:]
        return own | model.fails

    def _answer(self, assumed: list[Term], asking: Triples) -> Sat | Unsat | None:
        """``guard ∧ ⋀ assumed``; ``None`` if it takes too long."""
        asking.asked.questions += 1
        now = time.monotonic()
        until, patience = asking.until, asking.patience
        limit = until if patience is None else now + patience if until is None else min(until, now + patience)
        try:
            return self._open(assumed).check(assumed, self._wanted, limit)
        except Inexpressible:
            if self._name == "z3":
                return None
            self._name, self._solver = "z3", None
            return self._answer(assumed, asking)
        except GaveUp:
            if until is not None and time.monotonic() >= until:
                raise GaveUp("timeout") from None
            asking.asked.hard += 1
            return None

    def _open(self, assumed: list[Term]) -> Smt:
        if self._solver is None or len(self._assumed) > _RENEW:
            self._assumed.clear()
            self._solver = open_solver(self._name)
            self._solver.add(self._edge.guard)
        self._assumed.update(assumed)
        return self._solver


def _satisfies(model: _Model, known: Known) -> bool:
    return not any(mask & ~holds for mask, holds in zip(known, model.holds, strict=True))
