"""The whole flow on tiny random circuits against enumeration: verdicts, and the files that show them."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify, check_certificate, parse_witness, replay
from lemmata.cli.proofs import parse_proof
from lemmata.config import Config
from lemmata.frontends.aiger import parse_aiger
from lemmata.run.processes.messages import Listed, Settled
from lemmata.run.processes.worker import work
from lemmata.run.task import Task, Wanted
from lemmata.verdict import Safe
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit

SEEDS = range(1000, 1040)


def settled(model, engine: str, prop: str, wanted: Wanted, preprocess: bool) -> dict[int, Settled]:
    """What a worker settles; it must settle everything that it lists."""
    told: list[object] = []
    work(Task(model, Config(engine=engine, property=prop, preprocess=preprocess), wanted=wanted), told.append, set)
    (listed,) = [message for message in told if isinstance(message, Listed)]
    found = {message.prop: message for message in told if isinstance(message, Settled)}
    assert found.keys() == {index for index, _ in listed.properties}
    return found


@pytest.mark.parametrize("preprocess", [True, False])
@pytest.mark.parametrize("engine", ["auto", "pdr", "kinduction"])
def test_all_properties_are_settled_as_enumeration_says(engine, preprocess):
    for seed in SEEDS if engine != "auto" else SEEDS[:6]:  # which takes its time
        model = random_circuit(seed)
        found = settled(model, engine, "all", Wanted(), preprocess)
        for prop, depth in enumerate(shortest_depths(model)):
            assert found[prop].verdict.word == ("safe" if depth is None else "unsafe"), seed
            if depth is not None:
                assert found[prop].bound < depth, seed


@pytest.mark.parametrize("suffix", [".aag", ".aig", ".txt"])
def test_evidence_files_of_a_single_property_are_accepted(suffix, tmp_path):
    for seed in SEEDS:
        model = random_circuit(seed)
        last = len(model.properties()) - 1
        if last < 0:
            continue
        files = settled(model, "pdr", str(last), Wanted(witness=True, certificate=suffix), True)[last].files
        if files.witness is not None:
            trace = parse_witness(files.witness.decode(), model)
            assert trace.prop == last
            replay(model, trace)
        elif suffix == ".txt":
            (tmp_path / "proof.txt").write_bytes(files.certificate or b"")
            certify(model, last, Safe(parse_proof(tmp_path / "proof.txt", model)))
        else:
            assert files.certificate is not None
            check_certificate(model, last, parse_aiger(files.certificate, "proof"))
