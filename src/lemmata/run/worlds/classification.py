"""Which engines a graph is for: those on words, or those on graphs in general; and which traces count."""

from __future__ import annotations

from lemmata.logic.sorts import INT, REAL, Array, Sort
from lemmata.logic.terms import topological
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.verdict import Evidence


def is_system_of_words(graph: Graph) -> bool:
    """Is this a transition system with functions, over words only?"""
    return graph.origin.kind not in ("horn", "vmt", "boogie", "c") and is_over_words(graph) and system_of(graph) is not None


def is_inexact(model: Graph, trace: Evidence) -> bool:
    """Does the trace use an edge that does more than the file says? Then it shows nothing."""
    if not model.origin.inexact:
        return False
    inexact = set(model.origin.inexact)
    return not isinstance(trace, Derivation) or any(edge in inexact for fact in trace.facts for edge in fact.edges)


def is_over_words(graph: Graph) -> bool:
    """Are there no numbers, only words, bits and arrays of them?"""
    lists = {id(names): names for names in [*[p.variables for p in graph.locations], *[e.inputs for e in graph.edges]]}
    if any(_has_numbers(sort) for sort in {v.sort for names in lists.values() for v in names}):
        return False
    terms = topological(term for edge in graph.edges for term in (edge.guard, *edge.updates))
    return not any(_has_numbers(sort) for sort in {term.sort for term in terms})


def _has_numbers(sort: Sort) -> bool:
    while isinstance(sort, Array):
        if _has_numbers(sort.index):
            return True
        sort = sort.element
    return sort in (INT, REAL)
