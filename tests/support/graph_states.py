"""All facts of a graph, where inputs are one of a few values: what can be reached, by plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, Array, Sort
from lemmata.logic.terms import Term, Value
from lemmata.logic.values import ArrayValue
from lemmata.models.graph import Edge, Graph

Point = tuple[Value, ...]


def reached(graph: Graph, domain: Sequence[int]) -> set[str]:
    """The names of the properties whose errors can be reached."""
    facts = _Facts(graph, domain)
    facts.run()
    return {question.name for question in graph.questions if facts.points[question.location]}


@cache
def _same(edge: Edge, position: int) -> list[tuple[int, int]]:
    """Which variables of the two sources the guard makes equal: a filter, without which the pairs are many."""
    mine, other = edge.sources[position].variables, edge.sources[1 - position].variables
    at = {v: i for i, v in enumerate(mine)}
    equations = [t.args for t in (edge.guard, *edge.guard.args) if t.op == "="]
    pairs = [pair for a, b in equations for pair in ((a, b), (b, a))]
    return [(at[a], other.index(b)) for a, b in pairs if a in at and b in other]


class _Facts:
    def __init__(self, graph: Graph, domain: Sequence[int]) -> None:
        self._graph = graph
        self._domain = domain
        self._programs = [Program([edge.guard, *edge.updates]) for edge in graph.edges]
        self._leaving: dict[int, list[int]] = {}
        for number, edge in enumerate(graph.edges):
            for location in dict.fromkeys(source.location for source in edge.sources):
                self._leaving.setdefault(location, []).append(number)
        self.points: list[dict[Point, None]] = [{} for _ in graph.locations]
        self._open: list[tuple[int, Point]] = []

    def run(self) -> None:
        for number, edge in enumerate(self._graph.edges):
            if not edge.sources:
                self._take(number, edge, ())
        while self._open:
            location, point = self._open.pop()
            for number in self._leaving.get(location, ()):
                edge = self._graph.edges[number]
                for premises in self._premises(edge, location, point):
                    self._take(number, edge, premises)

    def _premises(self, edge: Edge, location: int, point: Point) -> Iterator[tuple[Point, ...]]:
        """The point with all known points at the other sources."""
        for position, source in enumerate(edge.sources):
            if source.location == location:
                others = [list(self.points[other.location]) for other in edge.sources]
                others[position] = [point]
                if len(others) == 2:
                    ours, theirs = others[position], others[1 - position]
                    same = _same(edge, position)
                    others[1 - position] = [t for t in theirs if all(ours[0][i] == t[j] for i, j in same)]
                yield from product(*others)

    def _values(self, sort: Sort) -> Sequence[Value]:
        """What an input may be; arrays have 0 and 1, and differ at 0 and 1 only."""
        if isinstance(sort, Array):
            return [ArrayValue(sort, 0, {0: a, 1: b}) for a, b in product(range(2), repeat=2)]
        return (False, True) if sort is BOOL else self._domain

    def _take(self, number: int, edge: Edge, premises: tuple[Point, ...]) -> None:
        values: dict[Term, Value] = {}
        for source, point in zip(edge.sources, premises, strict=True):
            values |= zip(source.variables, point, strict=True)
        for inputs in product(*[self._values(v.sort) for v in edge.inputs]):
            holds, *after = self._programs[number].run(values | dict(zip(edge.inputs, inputs, strict=True)))
            point = tuple(after)
            if holds and point not in self.points[edge.target]:
                self.points[edge.target][point] = None
                self._open.append((edge.target, point))
