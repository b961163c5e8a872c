"""All facts of a graph that Lemmata has read, by plain enumeration where every input is one of a few values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import Array, Sort
from lemmata.logic.terms import Term, Value
from lemmata.logic.values import ArrayValue
from lemmata.models.graph import Edge, Graph
from tests.fuzz.smt_values import small_values
from tests.fuzz.world import Beyond

Point = tuple[Value, ...]
_FACTS = 4000  # at one location
_TRIES = 300_000  # evaluations of an edge


def reached(graph: Graph, zeros: bool = False) -> list[bool]:
    """For each property: is its error among the facts?"""
    points = facts(graph, zeros)
    return [bool(points[question.location]) for question in graph.questions]


def facts(graph: Graph, zeros: bool = False) -> list[set[Point]]:
    """For each location the values that its variables have there; ``Beyond`` if there are too many.

    With ``zeros`` a large array starts as zeros: for programs that read no cell before they write it.
    """
    points: list[set[Point]] = [set() for _ in graph.locations]
    programs = [Program([edge.guard, *edge.updates]) for edge in graph.edges]
    changed, tries = True, 0
    done: set[tuple[int, tuple[Point, ...]]] = set()
    while changed:
        changed = False
        for number, edge in enumerate(graph.edges):
            for premises in product(*[list(points[source.location]) for source in edge.sources]):
                if (number, premises) in done:
                    continue
                done.add((number, premises))
                new, cost = _facts(edge, programs[number], premises, zeros)
                tries += cost
                if tries > _TRIES:
                    raise Beyond("too many evaluations")
                changed |= not new <= points[edge.target]
                points[edge.target] |= new
                if len(points[edge.target]) > _FACTS:
                    raise Beyond("too many facts")
    return points


def _facts(edge: Edge, program: Program, premises: tuple[Point, ...], zeros: bool) -> tuple[set[Point], int]:
    values: dict[Term, Value] = {}
    for source, point in zip(edge.sources, premises, strict=True):
        values |= zip(source.variables, point, strict=True)
    needed = set(program.leaves) - values.keys()
    open_inputs = [v for v in edge.inputs if v in needed]
    found, count = set(), 0
    for inputs in product(*[_values(v.sort, zeros) for v in open_inputs]):
        count += 1
        holds, *after = program.run(values | dict(zip(open_inputs, inputs, strict=True)))
        if holds:
            found.add(tuple(after))
    return found, count


def _values(sort: Sort, zeros: bool) -> Sequence[Value]:
    if zeros and isinstance(sort, Array):
        return [_zeros(sort)]
    return small_values(sort)


def _zeros(sort: Array) -> Value:
    inner = sort.element
    return ArrayValue(sort, _zeros(inner) if isinstance(inner, Array) else small_values(inner)[0])
