"""Witness circuits: ours pass all five checks; a circuit with anything wrong in it fails the check that it should."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lemmata.certify.circuit.check import check_certificate, witness_circuit
from lemmata.errors import CertificateError, UsageError
from lemmata.frontends.aiger import format_aiger, parse_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive

# One token goes round three latches, when the input says so; bad: two of them have it.
RING = parse_aiger(
    b"aag 14 1 3 0 10 1\n2\n4 19 1\n6 23\n8 27\n28\n"
    b"10 8 2\n12 4 3\n14 4 2\n16 6 3\n18 13 11\n20 6 2\n22 17 15\n24 8 3\n26 25 21\n28 6 4\nl0 = 999\n"
)
EXCLUSIVE = Invariant(((4, 6), (4, 8), (6, 8)), (), 2)
# x → y → z pass 0 on; bad: z. 3-inductive.
PIPE = parse_aiger(b"aag 3 0 3 0 0 1\n2 0\n4 2\n6 4\n6\n")
# s becomes 1 and t follows; the constraint ¬s ends every run after one step; bad: t.
KILLER = parse_aiger(b"aag 2 0 2 0 0 1 1\n2 1\n4 2\n4\n3\n")
# Latch b starts as the negation of latch a, which starts as the input; both stay; bad: both are 1.
FUNCTION = parse_aiger(b"aag 4 1 2 0 1 1\n2\n4 4 2\n6 6 5\n8\n8 6 4\n")
# The only initial state violates the constraint; bad: always.
VOID = parse_aiger(b"aag 1 0 1 0 0 1 1\n2 2\n1\n2\n")
# The same with a bad literal that is an input.
VOID_INPUT = parse_aiger(b"aag 2 1 1 0 0 1 1\n2\n4 5\n2\n4\n")
# No latches; the constraint rules the bad input out.
FLAT = parse_aiger(b"aag 1 1 0 0 0 1 1\n2\n2\n3\n")


@pytest.mark.parametrize("binary", [False, True], ids=["aag", "aig"])
@pytest.mark.parametrize(
    ("model", "evidence"),
    [
        (RING, EXCLUSIVE),
        (PIPE, KInductive(3)),
        (PIPE, KInductive(5)),
        (KILLER, Invariant(((3, 4),))),
        (KILLER, KInductive(2)),
        (FUNCTION, Invariant(((4, 6),), (), 2)),
        (VOID, Invariant(((),))),
        (VOID, KInductive(1)),
        (VOID_INPUT, Invariant(((),))),
        (VOID_INPUT, Invariant(((4,),), (), 2)),
        (FLAT, Invariant(())),
        (FLAT, KInductive(0)),
        (FLAT, KInductive(3)),
    ],
    ids=lambda x: x.describe().splitlines()[0] if not isinstance(x, Aig) else "",
)
def test_our_witness_circuits_pass(model: Aig, evidence: Invariant | KInductive, binary: bool) -> None:
    circuit = witness_circuit(model, 0, evidence)
    check_certificate(model, 0, parse_aiger(format_aiger(circuit, binary)))


def test_the_witness_of_an_invariant_keeps_inputs_latches_and_constraints_in_place() -> None:
    circuit = witness_circuit(KILLER, 0, Invariant(((3, 4),)))
    assert (circuit.inputs, circuit.nexts, circuit.resets, circuit.constraints) == (0, (1, 2), (0, 0), (3,))
    assert len(circuit.bads) == 1
    assert circuit.symbols == {}


@pytest.mark.parametrize("k", [1, 2])
def test_too_small_a_k_gives_a_circuit_that_is_no_proof(k: int) -> None:
    with pytest.raises(CertificateError, match="inductive"):
        check_certificate(PIPE, 0, witness_circuit(PIPE, 0, KInductive(k)))


def test_simple_paths_cannot_be_written_as_a_circuit() -> None:
    with pytest.raises(UsageError, match="pdr"):
        witness_circuit(PIPE, 0, KInductive(3, simple=True))


@pytest.mark.parametrize("missing", [1, 2])  # lemma 0 is the property itself
def test_a_dropped_lemma_is_noticed(missing: int) -> None:
    cubes = tuple(cube for i, cube in enumerate(EXCLUSIVE.cubes) if i != missing)
    with pytest.raises(CertificateError, match="inductive"):
        check_certificate(RING, 0, witness_circuit(RING, 0, Invariant(cubes, (), 2)))


def mutants() -> list[tuple[str, Aig, Aig, str]]:
    ring, killer = witness_circuit(RING, 0, EXCLUSIVE), witness_circuit(KILLER, 0, Invariant(((3, 4),)))
    void, function = witness_circuit(VOID, 0, Invariant(((),))), witness_circuit(FUNCTION, 0, Invariant(((4, 6),), (), 2))
    return [
        ("bad-dropped", RING, replace(ring, bads=()), "needs a bad literal"),
        ("bad-is-false", RING, replace(ring, bads=(0,)), "safety"),
        ("bad-is-true", RING, replace(ring, bads=(1,)), "base"),
        ("property-only", RING, replace(ring, bads=(28,)), "inductive"),
        ("constraint-false", RING, replace(ring, constraints=(0,)), "reset"),
        ("constraint-invented", RING, replace(ring, constraints=(2,)), "reset"),
        ("constraint-on-a-later-state", RING, replace(ring, constraints=(7,)), "transition"),
        ("constraint-dropped", KILLER, replace(killer, constraints=()), "inductive"),
        ("constraint-dropped-void", VOID, replace(void, constraints=()), "base"),
        ("reset-changed", RING, replace(ring, resets=(1, 1, 0)), "reset"),
        ("reset-narrowed", FUNCTION, replace(function, resets=(0, 1)), "reset"),
        ("reset-cyclic", FUNCTION, replace(function, resets=(6, 4)), "cycle"),
        ("next-changed", RING, replace(ring, nexts=(4, 6, 8)), "transition"),
        (
            "latch-forgotten",
            RING,
            replace(ring, symbols={("l", 0): "= 4", ("l", 1): "= 6", ("i", 0): "= 2"}),
            "safety|transition",
        ),
    ]


@pytest.mark.parametrize(("model", "circuit", "cause"), [m[1:] for m in mutants()], ids=[m[0] for m in mutants()])
def test_a_mutated_circuit_fails(model: Aig, circuit: Aig, cause: str) -> None:
    with pytest.raises(CertificateError, match=cause):
        check_certificate(model, 0, circuit)


def test_a_circuit_is_a_proof_of_its_own_property_only() -> None:
    model = parse_aiger(b"aag 2 0 2 0 0 2\n2 2\n4 4 1\n2\n4\n")
    circuit = witness_circuit(model, 0, Invariant(((2,),)))
    check_certificate(model, 0, circuit)
    with pytest.raises(CertificateError, match="safety"):
        check_certificate(model, 1, circuit)


def test_symbols_map_latches_in_any_order() -> None:
    model = parse_aiger(b"aag 2 0 2 0 0 1\n2 2\n4 4 1\n2\n")
    swapped = parse_aiger(b"aag 2 0 2 0 0 1\n2 2 1\n4 4\n4\n")
    with pytest.raises(CertificateError, match="reset"):
        check_certificate(model, 0, swapped)
    check_certificate(model, 0, replace(swapped, symbols={("l", 0): "= 4", ("l", 1): "=2"}))


def test_a_circuit_may_share_only_what_it_needs() -> None:
    model = parse_aiger(b"aag 2 0 2 0 0 1\n2 2 2\n4 4\n4\n")
    check_certificate(model, 0, parse_aiger(b"aag 1 0 1 0 0 1\n2 2\n2\nl0 = 4\n"))


def test_a_circuit_without_latches_proves_what_needs_none() -> None:
    model = parse_aiger(b"aag 3 0 3 1 0\n2 1 2\n4 0\n6 1\n0\n")
    check_certificate(model, 0, parse_aiger(b"aag 0 0 0 0 0 1\n0\n"))
    with pytest.raises(CertificateError, match="safety"):
        check_certificate(replace(model, outputs=(2,)), 0, parse_aiger(b"aag 0 0 0 0 0 1\n0\n"))


@pytest.mark.parametrize("name", ["= x", "= 5", "= 0", "= 10", "=", "= 4 5"])
def test_a_mapping_to_nowhere_is_an_error(name: str) -> None:
    circuit = replace(witness_circuit(RING, 0, EXCLUSIVE), symbols={("l", 0): name})
    with pytest.raises(CertificateError, match="symbol"):
        check_certificate(RING, 0, circuit)


def test_gate_mappings_are_refused() -> None:
    circuit = replace(witness_circuit(RING, 0, EXCLUSIVE), comments=("MAPPING 1", "4 4"))
    with pytest.raises(CertificateError, match="MAPPING"):
        check_certificate(RING, 0, circuit)
