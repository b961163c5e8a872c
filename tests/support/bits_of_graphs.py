"""A graph of bounded integers as a circuit, decided there, with evidence about the graph; and whether that is true."""

from __future__ import annotations

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.events import NOBODY
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.transforms.graph.bounded_integers import integers_as_words
from lemmata.transforms.system.blast import blast
from lemmata.transforms.system.program_counter import with_program_counter
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import in_time
from tests.support.closed_graphs import derivation


def evidence(graph: Graph, prop: int) -> GraphInvariant | Derivation:
    """By PDR on the circuit, about the graph."""
    words = integers_as_words(graph)
    assert words is not None
    counted = with_program_counter(words.model, prop)
    assert counted is not None
    blasted = blast(counted.graph, (0,))
    match Pdr(blasted.aig, NOBODY, PdrOptions()).check(0, in_time()):
        case Safe(invariant):
            return words.back.invariant(counted.back.invariant(blasted.invariant(invariant)))  # type: ignore[arg-type]
        case Unsafe(trace):
            return words.back.trace(counted.back.trace(blasted.trace(trace)))  # type: ignore[arg-type]
    raise AssertionError("PDR decides finite systems")


def is_true(graph: Graph, found: GraphInvariant | Derivation) -> None:
    """Is it evidence of what enumeration says about the first property?"""
    if isinstance(found, GraphInvariant):
        assert derivation(graph, 0) is None
        check_claims(graph, 0, found, ("z3",))
    else:
        assert derivation(graph, 0) is not None
        replay_derivation(graph, found)
