"""Execution of graphs that were made of C programs: a run has zero for everything that is open, but for chosen truth values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import default_value
from lemmata.models.graph import Edge, Graph

State = tuple[int, dict[Term, Value]]
MOST = 200_000  # edges of a run
DEEPEST = 200  # calls in calls


@dataclass(frozen=True, slots=True)
class Run:
    """Where a run ended: the property that it violates, if any, with the values of variables by name before that."""

    error: str | None
    values: Mapping[str, Value]
    is_exact: bool


class _Stop(Exception):
    def __init__(self, run: Run) -> None:
        self.run = run


class Execution:
    """Runs one graph; calls that are summaries are executed."""

    def __init__(self, graph: Graph, choices: Sequence[bool] = ()) -> None:
        self.choices = list(choices)  # the open truth values, one after the other; those after the last one are added
        self._chosen = 0
        self._graph = graph
        self._errors = {question.location: question.name for question in graph.questions}
        self._from: dict[int, list[tuple[int, Edge]]] = {}
        self._joins: dict[int, list[tuple[int, Edge]]] = {}
        for number, edge in enumerate(graph.edges):
            if len(edge.sources) == 1:
                self._from.setdefault(edge.sources[0].location, []).append((number, edge))
            elif edge.sources:
                self._joins.setdefault(edge.sources[0].location, []).append((number, edge))
        self._programs: dict[int, Program] = {}
        self._inexact = set(graph.origin.inexact)
        self._is_exact = True
        self._steps = self._depth = 0

    def run(self) -> Run:
        """From the initial edge on."""
        for number, edge in enumerate(self._graph.edges):
            if not edge.sources:
                state = self._taken(number, edge, {})
                if state is None:
                    continue
                try:
                    self._go(state, None)
                except _Stop as stop:
                    return stop.run
                return Run(None, {}, self._is_exact)
        raise AssertionError("the program does not start")

    def _taken(self, number: int, edge: Edge, point: dict[Term, Value]) -> State | None:
        if number not in self._programs:
            self._programs[number] = Program([edge.guard, *edge.updates])
        inputs = {v: self._choice() if v.sort == BOOL else default_value(v.sort) for v in edge.inputs}
        guard, *updates = self._programs[number].run({**point, **inputs})
        if not guard:
            return None
        return edge.target, dict(zip(self._graph.locations[edge.target].variables, updates, strict=True))

    def _choice(self) -> bool:
        if self._chosen == len(self.choices):
            self.choices.append(False)
        self._chosen += 1
        return self.choices[self._chosen - 1]

    def _go(self, state: State, end: int | None) -> State | None:
        while True:
            self._steps += 1
            if self._steps > MOST:
                raise _Stop(Run("too long", {}, self._is_exact))
            place, values = state
            if place == end:
                return state
            following = self._call(place, values) if place in self._joins else self._step(place, values)
            if following is None:
                return None
            state = following

    def _step(self, place: int, values: dict[Term, Value]) -> State | None:
        found = None
        for number, edge in self._from.get(place, ()):
            state = self._taken(number, edge, dict(zip(edge.sources[0].variables, values.values(), strict=True)))
            if state is None:
                continue
            if edge.target in self._errors:
                named = {name_of(term): value for term, value in values.items()}
                raise _Stop(Run(self._errors[edge.target], named, self._is_exact))
            assert found is None, f"two ways from {self._graph.locations[place].name}"
            found = state
            self._is_exact &= number not in self._inexact
        return found

    def _call(self, place: int, values: dict[Term, Value]) -> State | None:
        inside = self._step(place, values)
        number, edge = self._joins[place][0]
        if inside is None:
            return None
        if self._depth == DEEPEST:
            raise _Stop(Run("too deep", {}, self._is_exact))
        self._depth += 1
        done = self._go(inside, edge.sources[1].location)
        self._depth -= 1
        if done is None:
            return None
        point = dict(zip(edge.sources[0].variables, values.values(), strict=True))
        point |= dict(zip(edge.sources[1].variables, done[1].values(), strict=True))
        self._is_exact &= number not in self._inexact
        return self._taken(number, edge, point)


def execute(graph: Graph) -> Run:
    """One run of the graph."""
    return Execution(graph).run()


def executions(graph: Graph) -> Iterator[Run]:
    """The runs of the graph, with all choices of truth values; there must be few."""
    choices: list[bool] = []
    while True:
        execution = Execution(graph, choices)
        yield execution.run()
        choices = execution.choices
        while choices and choices[-1]:
            choices.pop()
        if not choices:
            return
        choices[-1] = True
