"""Minimising: what is left is still a proof, and nothing in it can be left out."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import check_invariant, minimize
from lemmata.certify.circuit.minimize import without_subsumed
from lemmata.errors import CertificateError
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.invariant import Invariant, LatchCube
from tests.support.clock import HANGS

# Two tokens go round three latches each; bad: two latches of the first ring have one.
RINGS = parse_aiger(b"aag 7 0 6 0 1 1\n2 6 1\n4 2\n6 4\n8 12 1\n10 8\n12 10\n14\n14 4 2\n")
FIRST = ((2, 4), (2, 6), (4, 6))
SECOND = ((8, 10), (8, 12), (10, 12))
WIDER = ((2, 4, 9), (4, 6, 8), (3, 5, 7), (2, 8, 10))


def reduced(*cubes: LatchCube, seconds: float = HANGS) -> tuple[LatchCube, ...]:
    return minimize(RINGS, 0, Invariant(cubes, (), RINGS.first_latch), seconds).cubes


@pytest.mark.parametrize("extra", [(), SECOND, WIDER, (*WIDER, *SECOND)], ids=["none", "other-ring", "wider", "both"])
def test_only_the_lemmas_of_the_first_ring_are_kept(extra: tuple[LatchCube, ...]) -> None:
    assert reduced(*extra, *FIRST) == FIRST
    check_invariant(RINGS, 0, Invariant(reduced(*extra, *FIRST), (), RINGS.first_latch))


def test_without_time_only_subsumed_lemmas_go() -> None:
    assert reduced(*SECOND, *WIDER, *FIRST, seconds=0.0) == (*SECOND, (3, 5, 7), *FIRST)


def test_what_was_no_proof_is_left_for_the_check_to_reject() -> None:
    assert reduced((2, 4), (2, 6)) == ((2, 4), (2, 6))
    with pytest.raises(CertificateError, match="not a latch"):
        reduced((14,))


def test_a_property_that_needs_no_lemma_keeps_none() -> None:
    model = parse_aiger(b"aag 1 0 1 0 0 1\n2 2\n0\n")
    assert minimize(model, 0, Invariant(((2,),))).cubes == ()


def test_names_stay() -> None:
    invariant = Invariant(FIRST, ("a", "b", "c", "d", "e", "f"), 1)
    assert minimize(RINGS, 0, invariant).describe() == "¬a ∨ ¬b\n¬a ∨ ¬c\n¬b ∨ ¬c"


@pytest.mark.parametrize(
    ("cubes", "kept"),
    [
        ([(2, 4), (2,), (2, 4, 6)], [(2,)]),
        ([(2, 4), (2, 4)], [(2, 4)]),
        ([(2, 5), (4, 6), (3, 4, 6), (2, 4)], [(2, 5), (4, 6), (2, 4)]),
        ([(2,), (), (4,)], [()]),
        ([], []),
    ],
)
def test_a_cube_that_contains_another_goes(cubes: list[LatchCube], kept: list[LatchCube]) -> None:
    assert without_subsumed(cubes) == kept
