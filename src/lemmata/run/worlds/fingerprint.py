"""Did two processes read the same graph? A number that says so, whatever order the terms were made in.

Arguments that may be swapped are in the order in which they were made, and a worker that replaces another one starts with the
terms of all verdicts so far: their order does not count here.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from lemmata.logic.smtlib.writer import value_to_text
from lemmata.logic.terms import Term
from lemmata.logic.walk import fold
from lemmata.models.graph import Graph, changed

_COMMUTATIVE = frozenset({"and", "or", "xor", "=", "+", "*", "bvadd", "bvmul", "bvand", "bvor", "bvxor"})


def fingerprint(graph: Graph) -> int:
    """A number that is the same in every process that read the same graph."""
    lists = {id(place.variables): place.variables for place in graph.locations}
    changes = [changed(edge) for edge in graph.edges]
    roots = [v for names in lists.values() for v in names]
    for edge, places in zip(graph.edges, changes, strict=True):
        roots += (*edge.inputs, edge.guard, *[edge.updates[k] for k in places])
    digests = fold(roots, _digest)
    names = {key: crc32(repr([digests[v] for v in variables]).encode()) for key, variables in lists.items()}
    number = crc32(repr([names[id(place.variables)] for place in graph.locations]).encode())
    for edge, places in zip(graph.edges, changes, strict=True):
        terms = [digests[term] for term in (*edge.inputs, edge.guard, *[edge.updates[k] for k in places])]
        shape = [source.location for source in edge.sources], edge.target, len(edge.inputs), places
        number = crc32(repr((shape, terms)).encode(), number)
    return number


def _digest(term: Term, parts: Sequence[int]) -> int:
    """Of one term. (Python writes no numbers of thousands of digits, SMT-LIB does.)"""
    data = value_to_text(*term.data) if term.is_const else term.data
    parts = sorted(parts) if term.op in _COMMUTATIVE else list(parts)
    return crc32(repr((term.op, data, parts)).encode())
