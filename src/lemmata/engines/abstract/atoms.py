"""Which comparisons of numbers a graph has, and at which location each can be read.

An atom of a guard or an update speaks of a location if all its variables are those of one source, or if all are plain updates
of the target: then it is an atom about the state after the step. Atoms that mix states or speak of other inputs are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lemmata.logic.linear import Atom, comparison
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import Term, topological
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph
from lemmata.values import dataclass

_COMPARISONS = ("<", "<=", "=")


@dataclass(frozen=True, slots=True)
class ReadableAt:
    """A location and how terms of an edge become terms over its variables."""

    location: int
    names: Mapping[Term, Term]


def places(graph: Graph, edge: Edge) -> Iterator[ReadableAt]:
    """The source locations of an edge, and its target as far as updates are plain variables."""
    for source in edge.sources:
        yield ReadableAt(source.location, dict(zip(source.variables, graph.locations[source.location].variables, strict=True)))
    target = graph.locations[edge.target].variables
    yield ReadableAt(edge.target, {u: v for v, u in zip(target, edge.updates, strict=True) if u.is_var})


def localized(term: Term, place: ReadableAt) -> Term | None:
    """``term`` over the variables of the location; ``None`` if it speaks of something else."""
    if any(v not in place.names for v in variables([term])):
        return None
    (result,) = substitute([term], place.names)
    return result


def comparisons(terms: Iterable[Term]) -> list[Term]:
    """The comparisons of numbers below ``terms``, in the order in which they were made."""
    return [term for term in topological(terms) if term.op in _COMPARISONS and term.args[0].sort in (INT, REAL)]


def conditions(terms: Iterable[Term]) -> list[Term]:
    """The conditions of the case distinctions below ``terms``."""
    return list(dict.fromkeys(term.args[0] for term in topological(terms) if term.op == "ite"))


def literals(terms: Iterable[Term]) -> list[Term]:
    """The comparisons and Boolean variables that formulas are made of."""
    found = [t for t in topological(terms) if t.sort is BOOL and (t.is_var or t.op in _COMPARISONS)]
    return [t for t in found if t.is_var or t.args[0].sort in (INT, REAL)]


def strict_atom(term: Term) -> Atom | None:
    """A comparison in normal form, if it is linear over variables of one sort."""
    found = comparison(term)
    if found is None or not found.form.terms or not all(v.is_var for v in found.form.unknowns):
        return None
    return found
