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
from lemmata.models.graph import Graph

_COMMUTATIVE = frozenset({"and", "or", "xor", "=", "+", "*", "bvadd", "bvmul", "bvand", "bvor", "bvxor"})


def fingerprint(graph: Graph) -> int:
    """A number that is the same in every process that read the same graph."""
    roots = [term for edge in graph.edges for term in (*edge.inputs, edge.guard, *edge.updates)]
    digests = fold(roots, _digest)
    shape = [(tuple(source.location for source in edge.sources), edge.target) for edge in graph.edges]
    return crc32(repr((shape, [digests[root] for root in roots])).encode())


def _digest(term: Term, parts: Sequence[int]) -> int:
    """Of one term. (Python writes no numbers of thousands of digits, SMT-LIB does.)"""
    data = value_to_text(*term.data) if term.is_const else term.data
    parts = sorted(parts) if term.op in _COMMUTATIVE else list(parts)
    return crc32(repr((term.op, data, parts)).encode())
