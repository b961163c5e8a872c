"""Write a graph as Horn clauses in CHC-COMP's format.

A location is a predicate over its variables, an edge is a clause, and an edge to an error is a query (head ``false``). A file
of clauses asks one question: are all queries refuted? Several properties therefore become several queries of one question,
each under a comment that names its property. Names are those of the graph; where two things in one scope share a name, the
later one gets a suffix.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lemmata.escapes import printable
from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, make, name_of
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph


def format_horn(graph: Graph) -> bytes:
    """The bytes of an ``smt2`` file with logic HORN."""
    return _Clauses(graph).text().encode(errors="surrogateescape")


class _Clauses:
    """One graph; ``predicates`` are the ``data`` of the applications of each location's predicate."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._errors = {question.location: question.name for question in graph.questions}
        taken = {name_of(v) for edge in graph.edges for v in _locals(edge)}
        self._predicates: dict[int, Any] = {}
        for number, place in enumerate(graph.locations):
            if number not in self._errors:
                name = _free(place.name, taken)
                taken.add(name)
                self._predicates[number] = (name, tuple(v.sort for v in place.variables), BOOL)

    def text(self) -> str:
        """All lines."""
        lines = ["(set-logic HORN)"]
        for name, sorts, _ in self._predicates.values():
            lines.append(f"(declare-fun {symbol(name)} ({' '.join(map(str, sorts))}) Bool)")
        for edge in self._graph.edges:
            if edge.target in self._errors:
                lines.append(f"; {printable(self._errors[edge.target])}")
            lines.append(self._clause(edge))
        return "\n".join([*lines, "(check-sat)", ""])

    def _clause(self, edge: Edge) -> str:
        premises = [self._atom(source.location, source.variables) for source in edge.sources]
        body = premises if edge.guard is TRUE and premises else [*premises, edge.guard]
        head = FALSE if edge.target in self._errors else self._atom(edge.target, edge.updates)
        clause = make("=>", (body[0] if len(body) == 1 else make("and", tuple(body)), head))
        bound = list(variables([clause]))
        names = _distinct(bound)
        formula = to_text(clause, names)
        quantified = " ".join(f"({names[v.data]} {v.sort})" for v in bound)
        return f"(assert (forall ({quantified}) {formula}))" if bound else f"(assert {formula})"

    def _atom(self, location: int, args: tuple[Term, ...]) -> Term:
        return make("apply", args, self._predicates[location])


def _locals(edge: Edge) -> Iterable[Term]:
    yield from edge.inputs
    for source in edge.sources:
        yield from source.variables


def _distinct(bound: Iterable[Term]) -> dict[Any, str]:
    """A symbol for each variable, by its ``data``."""
    names: dict[Any, str] = {}
    taken = {name_of(v) for v in bound}
    given: set[str] = set()
    for v in bound:
        name = name_of(v) if name_of(v) not in given else _free(name_of(v), taken | given)
        given.add(name)
        names[v.data] = symbol(name)
    return names


def _free(name: str, taken: set[str]) -> str:
    """The name, or the name with the first suffix that makes it new."""
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name}~{count}"
    return candidate
