"""Where products of variables matter: in the terms of a graph, or in what its loops add up."""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.logic.linear.sums import linearize
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import Term, topological
from lemmata.models.graph import Graph


def has_products(terms: Iterable[Term]) -> bool:
    """Is anything multiplied that is not constant?"""
    return any(t.op == "*" and sum(not arg.is_const for arg in t.args) > 1 for t in topological(terms))


def accumulates(graph: Graph) -> bool:
    """Is there a loop in which a variable grows by another one that changes?"""
    for edge in graph.edges:
        for source in edge.sources:
            if source.location == edge.target and _grows(source.variables, edge.updates):
                return True
    return False


def _grows(before: tuple[Term, ...], after: tuple[Term, ...]) -> bool:
    changing = {v for v, u in zip(before, after, strict=True) if v is not u}
    for v, u in zip(before, after, strict=True):
        if v is not u and v.sort in (INT, REAL):
            unknowns = linearize(u).unknowns
            if v in unknowns and any(w in changing for w in unknowns if w is not v):
                return True
    return False
