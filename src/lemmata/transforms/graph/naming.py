"""Edges in the names of their locations.

The variables of a source are called as its location calls them, unless a source before it took the names; the inputs of an
initial edge that are nothing but values of variables are called like these variables. So equal edges are equal terms, and a
transition system looks like one. Names that are taken get a number.
"""

from __future__ import annotations

from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph, Source


def take_name(v: Term, taken: set[str]) -> Term:
    """``v``, or a variable called like it with a number, such that its name is not taken; now it is."""
    name, number = name_of(v), 0
    base = name.partition("~")[0]
    while name in taken:
        number += 1
        name = f"{base}~{number}"
    taken.add(name)
    return var(name, v.sort)


def in_own_names(graph: Graph, edge: Edge) -> tuple[Edge, dict[Term, Term]]:
    """The edge with these names, and its new names by old ones if anything changed."""
    names: dict[Term, Term] = {}
    taken: set[str] = set()
    sources: list[Source] = []
    for source in edge.sources:
        own = [take_name(v, taken) for v in graph.locations[source.location].variables]
        names |= zip(source.variables, own, strict=True)
        sources.append(Source(source.location, tuple(own)))
    inputs = _inputs(graph, edge, taken)
    names |= inputs
    if all(old is new for old, new in names.items()):
        return edge, {}
    guard, *updates = substitute([edge.guard, *edge.updates], names)
    return Edge(tuple(sources), edge.target, tuple(inputs.values()), guard, tuple(updates), edge.line), names


def _inputs(graph: Graph, edge: Edge, taken: set[str]) -> dict[Term, Term]:
    wanted: dict[Term, Term] = {}
    if not edge.sources:
        for v, update in zip(graph.locations[edge.target].variables, edge.updates, strict=True):
            if update.is_var:
                wanted.setdefault(update, v)
    first = {v: take_name(wanted[v], taken) for v in edge.inputs if v in wanted}
    rest = {v: take_name(v, taken) for v in edge.inputs if v not in wanted}
    return {v: first[v] if v in first else rest[v] for v in edge.inputs}
