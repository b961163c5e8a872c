"""Invariants: the three queries accept proofs, and say which lemma breaks where in what is not one."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify, check_invariant
from lemmata.certify.circuit.resets import require_stratified
from lemmata.errors import CertificateError, GaveUp
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.models.trace import Trace
from lemmata.verdict import Safe, Unknown
from lemmata.work import now

# One token goes round three latches; bad: two of them have it.
RING = b"aag 4 0 3 0 1 1\n2 6 1\n4 2\n6 4\n8\n8 4 2\nl0 a\nl1 b\nl2 c\n"
EXCLUSIVE = ((2, 4), (2, 6), (4, 6))
# s becomes 1 and t follows; the constraint ¬s ends every run after one step; bad: t.
KILLER = b"aag 2 0 2 0 0 1 1\n2 1\n4 2\n4\n3\nl0 s\nl1 t\n"
# A latch that may start as anything and keeps its value; bad: it is 1.
FREE = b"aag 1 0 1 0 0 1\n2 2 2\n2\n"
# Latch b starts as the negation of latch a, which starts as the input; both stay; bad: they are equal, both 1.
FUNCTION = b"aag 4 1 2 0 1 1\n2\n4 4 2\n6 6 5\n8\n8 6 4\n"
# The only initial state violates the constraint; bad: always.
VOID = b"aag 1 0 1 0 0 1 1\n2 2\n1\n2\n"


def invariant(model: Aig, *cubes: LatchCube) -> Invariant:
    return Invariant(cubes, tuple(map(model.latch_name, range(model.latches))), model.first_latch)


def check(text: bytes, *cubes: LatchCube, backend: str = "cadical153") -> None:
    model = parse_aiger(text)
    check_invariant(model, 0, invariant(model, *cubes), backend)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", ["cadical153", "glucose4"])
@pytest.mark.parametrize(
    ("text", "cubes"),
    [
        (RING, EXCLUSIVE),
        (RING, tuple(reversed(EXCLUSIVE))),
        (RING, (*EXCLUSIVE, (3, 5, 7))),
        (KILLER, ((3, 4),)),
        (FUNCTION, ((4, 6),)),
        (VOID, ((),)),
        (b"aag 1 1 0 0 0 1\n2\n0\n", ()),
        (b"aag 1 1 0 0 0 1 1\n2\n2\n3\n", ()),
    ],
    ids=["ring", "reversed", "superfluous", "killer", "function", "void", "no-latches", "no-latches-constrained"],
)
def test_a_proof_is_accepted(text: bytes, cubes: tuple[LatchCube, ...], backend: str) -> None:
    check(text, *cubes, backend=backend)


@pytest.mark.parametrize("missing", EXCLUSIVE)
def test_no_lemma_of_the_ring_can_be_dropped(missing: LatchCube) -> None:
    with pytest.raises(CertificateError, match=r"consecution|safety"):
        check(RING, *(cube for cube in EXCLUSIVE if cube != missing))


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("place", range(2))
def test_no_literal_of_the_ring_can_be_flipped(at: int, place: int) -> None:
    cubes = [list(cube) for cube in EXCLUSIVE]
    cubes[at][place] ^= 1
    with pytest.raises(CertificateError):
        check(RING, *map(tuple, cubes))


@pytest.mark.parametrize(
    ("text", "cubes", "cause"),
    [
        (RING, ((2,), *EXCLUSIVE), "initiation fails: the initial state a=1 .* violates the lemma ¬a$"),
        (RING, ((4, 6), (2, 4)), "consecution fails: a successor of the state .* violates the lemma"),
        (RING, (), "safety fails: the invariant allows the bad state a=1 b=1"),
        (RING, ((),), "initiation .* the lemma false"),
        (FREE, ((2,),), "initiation"),
        (FREE, (), "safety"),
        (FUNCTION, ((5, 6), (4, 6)), "initiation"),
        (FUNCTION, ((4, 7), (4, 6)), "initiation"),
        (VOID, (), "safety"),
        (KILLER, ((2,), (3, 4)), "consecution"),
    ],
    ids=[
        "excludes-initial",
        "not-closed",
        "empty",
        "false",
        "free-is-not-0",
        "free-empty",
        "function-of-1",
        "function-of-0",
        "void-empty",
        "constraint-of-the-successor-is-not-assumed",
    ],
)
def test_what_is_no_proof_is_rejected_with_its_cause(text: bytes, cubes: tuple[LatchCube, ...], cause: str) -> None:
    with pytest.raises(CertificateError, match=cause):
        check(text, *cubes)


@pytest.mark.parametrize("cube", [(0,), (1,), (8,), (9,), (-2,), (100,), (2, 3)])
def test_a_cube_that_is_not_about_latches_is_rejected(cube: LatchCube) -> None:
    with pytest.raises(CertificateError, match="lemma 3"):
        check(RING, *EXCLUSIVE, cube)


def test_an_input_is_not_a_latch() -> None:
    with pytest.raises(CertificateError, match="not a latch"):
        check(FUNCTION, (2,))


@pytest.mark.parametrize("prop", [-1, 1])
def test_a_property_that_does_not_exist_is_rejected(prop: int) -> None:
    model = parse_aiger(RING)
    with pytest.raises(CertificateError, match="no property"):
        check_invariant(model, prop, invariant(model, *EXCLUSIVE))


@pytest.mark.parametrize(
    "resets",
    [(3, 0), (4, 3), (6, 6), (2, 7)],
    ids=["own-negation", "two-latches", "through-a-gate", "gate-of-itself"],
)
def test_cyclic_reset_functions_prove_nothing(resets: tuple[int, int]) -> None:
    model = Aig(0, (2, 4), resets, (4,), (2,), bads=(1,))
    with pytest.raises(CertificateError, match="cycle"):
        check_invariant(model, 0, invariant(model, ()))


def test_a_free_latch_below_a_reset_function_is_no_cycle() -> None:
    require_stratified(Aig(0, (2, 4), (2, 3), (), (), bads=(0,)))


def test_certify_names_the_solver() -> None:
    model = parse_aiger(RING)
    assert certify(model, 0, Safe(invariant(model, *EXCLUSIVE))) == "cadical153"


@pytest.mark.parametrize("verdict", [Unknown("timeout"), Safe(Trace(0, (), ((),)))])
def test_certify_refuses_verdicts_without_fitting_evidence(verdict: Safe | Unknown) -> None:
    with pytest.raises(CertificateError):
        certify(parse_aiger(RING), 0, verdict)


def test_a_check_past_its_time_gives_up() -> None:
    model = parse_aiger(RING)
    with pytest.raises(GaveUp, match="timeout"):
        certify(model, 0, Safe(invariant(model, *EXCLUSIVE)), until=now() - 1)
