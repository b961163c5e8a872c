"""A VMT-LIB system as a graph: one location, an initial edge, a loop and an error per property.

The initial edge takes any values that satisfy the initial formula; the loop takes any next values and inputs that satisfy the
relation. A state that violates a property is bad even if no step leads on from it, so the edges to errors have no more in
their guards than the negated property.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lemmata.logic.build import negate
from lemmata.logic.terms import Term
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source


@dataclass(frozen=True, slots=True)
class Part:
    """An annotated formula: the initial states, the steps, or a property with its name."""

    formula: Term
    at: int
    name: str = ""


def make_graph(
    nexts: tuple[Term, ...],
    init: Part,
    trans: Part,
    properties: Sequence[Part],
    origin: Origin,
    line: Callable[[int], int],
    file: str,
) -> Graph:
    """The graph; ``nexts`` are the next values of ``origin.states``, ``line`` tells the line of an offset."""
    states = origin.states
    here = Source(0, states)
    start = Edge((), 0, states, init.formula, states, line(init.at))
    loop = Edge((here,), 0, (*nexts, *origin.inputs), trans.formula, nexts, line(trans.at))
    names = _distinct([part.name for part in properties])
    errors, questions = [], []
    for index, (part, name) in enumerate(zip(properties, names, strict=True)):
        read = set(variables([part.formula]))
        inputs = tuple(v for v in origin.inputs if v in read)
        errors.append(Edge((here,), 1 + index, inputs, negate(part.formula), (), line(part.at)))
        questions.append(GraphProperty(index, name, 1 + index))
    places = (Location("main", states), *(Location(f"error: {name}") for name in names))
    return Graph(places, (start, loop, *errors), tuple(questions), origin, file)


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a suffix where one repeats."""
    taken: set[str] = set()
    found = []
    for name in names:
        candidate, count = name, 1
        while candidate in taken or (count > 1 and candidate in names):
            count += 1
            candidate = f"{name}~{count}"
        taken.add(candidate)
        found.append(candidate)
    return found
