"""A graph as a picture, in the language of Graphviz.

Locations are boxes, errors are red, initial edges come out of dots. An edge is labelled with its line, its guard and what it
changes (``havoc`` where anything may be the new value); one with two sources, a call and a summary, runs through a small
diamond. Long labels are cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lemmata.escapes import in_dot
from lemmata.logic.terms import TRUE, Term, name_of
from lemmata.logic.text import infix
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph

_FORMULA_CHARACTERS = 60  # characters of a formula
_LABEL_FORMULAS = 6  # formulas of a label
_NODES = 400  # of a formula that is written out


def dot_text(graph: Graph) -> str:
    """The whole picture."""
    return "\n".join(["digraph {", '  node [shape=box, fontname="monospace"];', *_lines(graph), "}", ""])


def _lines(graph: Graph) -> Iterator[str]:
    errors = {question.location for question in graph.questions}
    for number, place in enumerate(graph.locations):
        look = ", color=red, shape=octagon" if number in errors else ""
        yield f"  n{number} [label={in_dot([place.name])}{look}];"
    for number, edge in enumerate(graph.edges):
        line = [] if edge.line is None else [f"line {edge.line}"]
        label = f"label={in_dot([*line, *edge_texts(graph, edge)])}"
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


def edge_texts(graph: Graph, edge: Edge, most: int = _LABEL_FORMULAS, longest: int = _FORMULA_CHARACTERS) -> list[str]:
    """The guard, and the updates of variables that do not keep their values; at most so many formulas of so many characters."""
    guards = edge.guard.args if edge.guard.op == "and" else () if edge.guard is TRUE else (edge.guard,)
    kept = _kept(graph, edge)
    pairs = zip(graph.locations[edge.target].variables, edge.updates, strict=True)
    changed = [(v, term) for v, term in pairs if kept.get(v) is not term]
    spoken = Counter(x for root in [edge.guard, *edge.updates] for x in variables([root]))
    arbitrary = {term for term in edge.inputs if spoken[term] == 1}  # nothing else is said of it
    havoc = [name_of(v) for v, term in changed if term in arbitrary]
    updates = [f"{name_of(v)} := {infix(term, _NODES)}" for v, term in changed if term not in arbitrary]
    texts = [*[infix(guard, _NODES) for guard in guards], *([f"havoc {', '.join(havoc)}"] if havoc else []), *updates]
    more = [f"… {len(texts) - most} more"] if len(texts) > most else []
    return [*[_cut(text, longest) for text in texts[:most]], *more]


def _kept(graph: Graph, edge: Edge) -> dict[Term, Term]:
    """What the edge calls the variables of its first source, by their names there; at the start inputs are variables."""
    if not edge.sources:
        return {v: v for v in edge.inputs}
    first = edge.sources[0]
    return dict(zip(graph.locations[first.location].variables, first.variables, strict=True))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
