"""What a proof owed is written down: one obligation per query or edge, with who discharged it."""

from __future__ import annotations

import pytest

from lemmata import run
from lemmata.certify.circuit.check import certify
from lemmata.certify.journal import Journal
from lemmata.config import Config
from lemmata.errors import CertificateError
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.proof_obligations import CheckedProof, Discharged, ProofObligation
from lemmata.run.task import Wanted
from lemmata.verdict import Safe
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"


def checked(name: str, **options: object) -> list[CheckedProof | None]:
    config = Config(workers=1, **options)
    result = run.supervise(str(EXAMPLES / name), config, wanted=Wanted(details=True)).result
    return [prop.checked for prop in result.properties]


@pytest.mark.parametrize("name", ["elevator.aag", "btor2/counter.btor2"])
def test_an_invariant_of_one_place_owes_three_things(name):
    proofs = [proof for proof in checked(name) if proof is not None]
    assert proofs
    for proof in proofs:
        assert [one.obligation.kind for one in proof.each] == ["initiation", "consecution", "property"]
        assert all(one.by and one.time_s >= 0 for one in proof.each) and proof.count == 3


@pytest.mark.parametrize("name", ["lfsr-free-start.aag", "btor2/counter.btor2"])
def test_a_k_inductive_property_owes_base_and_step(name):
    (proof,) = [proof for proof in checked(name, engine="kinduction") if proof is not None]
    assert [one.obligation.kind for one in proof.each] == ["base", "step"]


def test_an_invariant_of_a_program_owes_something_of_each_edge_to_a_place_with_a_claim():
    graph = load(EXAMPLES / "boogie" / "account.bpl")
    assert isinstance(graph, Graph)
    for proof in checked("boogie/account.bpl"):
        assert proof is not None and proof.count == len(proof.each)
        for one in proof.each:
            edge = graph.edges[one.obligation.edge]
            assert one.obligation.target == graph.locations[edge.target].name and one.obligation.line == edge.line
        assert [one.obligation.target for one in proof.each if one.obligation.kind == "property"]


def test_nothing_is_written_down_for_who_does_not_ask():
    result = run.supervise(str(EXAMPLES / "elevator.aag"), Config(workers=1)).result
    assert {prop.checked for prop in result.properties} == {None}


def test_what_fails_is_not_discharged():
    model = load(EXAMPLES / "fifo.aag")
    assert isinstance(model, Aig)
    journal = Journal()
    with pytest.raises(CertificateError):
        certify(model, 0, Safe(Invariant((), first_latch=model.first_latch)), journal=journal)
    assert [one.obligation.kind for one in journal.discharged] == ["initiation", "consecution"]


def test_of_many_obligations_those_that_took_longest_are_kept_in_their_order():
    many = [Discharged(ProofObligation("consecution", k), "z3", float(k % 1000)) for k in range(5000)]
    proof = CheckedProof.of(many)
    edges = [one.obligation.edge for one in proof.each]
    assert proof.count == 5000 and len(edges) == 400 and edges == sorted(edges) and all(one.time_s >= 920 for one in proof.each)
