"""A graph as a picture, in the language of Graphviz.

Locations are boxes, errors are red, initial edges come out of dots. An edge is labelled with its line, its guard and what it
changes; one with two sources, a call and a summary, runs through a small diamond. Long labels are cut.
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.escapes import in_dot
from lemmata.logic.terms import TRUE, Term, name_of
from lemmata.logic.text import infix
from lemmata.models.graph import Edge, Graph

_LONG = 60  # characters of a formula
_MANY = 6  # formulas of a label


def dot_text(graph: Graph) -> str:
    """The whole picture."""
    return "\n".join(["digraph {", '  node [shape=box, fontname="monospace"];', *_lines(graph), "}", ""])


def _lines(graph: Graph) -> Iterator[str]:
    errors = {question.location for question in graph.questions}
    for number, place in enumerate(graph.locations):
        look = ", color=red, shape=octagon" if number in errors else ""
        yield f"  n{number} [label={in_dot([place.name])}{look}];"
    for number, edge in enumerate(graph.edges):
        label = f"label={in_dot(_label(graph, edge))}"
        dashed = ", style=dashed" if number in graph.origin.inexact else ""
        match edge.sources:
            case [source]:
                yield f"  n{source.location} -> n{edge.target} [{label}{dashed}];"
            case _:
                shape = "diamond" if edge.sources else "point"
                yield f'  e{number} [shape={shape}, label=""];'
                for source in edge.sources:
                    yield f"  n{source.location} -> e{number} [dir=none];"
                yield f"  e{number} -> n{edge.target} [{label}{dashed}];"


def _label(graph: Graph, edge: Edge) -> list[str]:
    """The line, the guard, and the updates of variables that do not keep their values."""
    guards = edge.guard.args if edge.guard.op == "and" else () if edge.guard is TRUE else (edge.guard,)
    kept = _kept(graph, edge)
    pairs = zip(graph.locations[edge.target].variables, edge.updates, strict=True)
    updates = [f"{name_of(v)} := {infix(term)}" for v, term in pairs if kept.get(v) is not term]
    texts = [*map(infix, guards), *updates]
    more = [f"… {len(texts) - _MANY} more"] if len(texts) > _MANY else []
    line = [] if edge.line is None else [f"line {edge.line}"]
    return [*line, *map(_cut, texts[:_MANY]), *more]


def _kept(graph: Graph, edge: Edge) -> dict[Term, Term]:
    """What the edge calls the variables of its first source, by their names there; at the start inputs are variables."""
    if not edge.sources:
        return {v: v for v in edge.inputs}
    first = edge.sources[0]
    return dict(zip(graph.locations[first.location].variables, first.variables, strict=True))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
