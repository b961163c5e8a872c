"""Edges in the names of their locations.

The variables of a source are called as its location calls them, unless a source before it took the names; the inputs of an
initial edge that are nothing but values of variables are called like these variables. So equal edges are equal terms, and a
transition system looks like one. Names that are taken get a number.
"""

from __future__ import annotations

from collections.abc import Collection

from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph, Source


def fresh(v: Term, taken: Collection[Term]) -> Term:
    """``v``, or a variable called like it with a number, such that it is not taken."""
    found, number = v, 0
    while found in taken:
        number += 1
        found = var(f"{name_of(v)}~{number}", v.sort)
    return found


def in_own_names(graph: Graph, edge: Edge) -> tuple[Edge, dict[Term, Term]]:
    """The edge with these names, and its new names by old ones if anything changed."""
    names: dict[Term, Term] = {}
    taken: set[Term] = set()
    sources: list[Source] = []
    for source in edge.sources:
        own = [_take(v, taken) for v in graph.locations[source.location].variables]
        names |= zip(source.variables, own, strict=True)
        sources.append(Source(source.location, tuple(own)))
    inputs = _inputs(graph, edge, taken)
    names |= inputs
    if all(old is new for old, new in names.items()):
        return edge, {}
    guard, *updates = substitute([edge.guard, *edge.updates], names)
    return Edge(tuple(sources), edge.target, tuple(inputs.values()), guard, tuple(updates), edge.line), names


def _take(v: Term, taken: set[Term]) -> Term:
    found = fresh(v, taken)
    taken.add(found)
    return found


def _inputs(graph: Graph, edge: Edge, taken: set[Term]) -> dict[Term, Term]:
    wanted: dict[Term, Term] = {}
    if not edge.sources:
        for v, update in zip(graph.locations[edge.target].variables, edge.updates, strict=True):
            if update.is_var:
                wanted.setdefault(update, v)
    first = {v: _take(wanted[v], taken) for v in edge.inputs if v in wanted}
    rest = {v: _take(v, taken) for v in edge.inputs if v not in wanted}
    return {v: first[v] if v in first else rest[v] for v in edge.inputs}
