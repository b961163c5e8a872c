"""Peers: found or clearly missed, and ABC read fairly."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.bench import peers
from lemmata.bench.abc_form import abc_form
from lemmata.bench.contestants import Lemmata, PeerAnswer, lineup
from lemmata.bench.runners import Finished, RunLimits
from lemmata.errors import UsageError
from lemmata.frontends.aiger import write_aiger
from tests.support.clock import HANGS
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit

ABC = peers.find_abc()
DONE = Finished(0, "", 1.0, 1.0, 1.0, "", "")

# name, binary AIGER, verdict under AIGER 1.9
CIRCUITS = [
    ("output is constant false", b"aig 0 0 0 1 0\n0\n", "safe"),
    ("output is constant true", b"aig 0 0 0 1 0\n1\n", "unsafe"),
    ("output is an input, no latch", b"aig 1 1 0 1 0\n2\n", "unsafe"),
    ("latch stays 0", b"aig 1 0 1 0 0 1\n2\n2\n", "safe"),
    ("latch starts at 1", b"aig 1 0 1 0 0 1\n2 1\n2\n", "unsafe"),
    ("latch is free", b"aig 1 0 1 0 0 1\n2 2\n2\n", "unsafe"),
    ("latch toggles", b"aig 1 0 1 0 0 1\n3\n2\n", "unsafe"),
    ("constraint forbids the bad state", b"aig 1 0 1 0 0 1 1\n3\n2\n3\n", "safe"),
    ("constraint is false", b"aig 1 0 1 0 0 1 1\n3\n2\n0\n", "safe"),
    ("constraint kills the successor of the bad state", b"aig 2 0 2 0 0 1 1\n3\n2\n2\n5\n", "unsafe"),
    ("second of two properties fails", b"aig 2 0 2 0 0 2\n2\n5\n2\n4\n", "unsafe"),
    ("two properties hold", b"aig 2 0 2 0 0 2\n2\n4\n2\n4\n", "safe"),
    ("output is no property beside a bad", b"aig 2 0 2 1 0 1\n3\n4\n2\n4\n", "safe"),
    ("justice beside a bad", b"aig 2 0 2 0 0 1 0 1\n3\n4\n4\n1\n2\n", "safe"),
    ("fairness beside a bad", b"aig 2 0 2 0 0 1 0 0 1\n3\n5\n4\n2\n", "unsafe"),
    ("no property", b"aig 0 0 0 0 0\n", "safe"),
    ("reset is an input", b"aig 2 1 1 0 0 1\n4 2\n4\n", "unsafe"),
    ("reset is another latch that is 0", b"aig 2 0 2 0 0 1\n2\n4 2\n4\n", "safe"),
    ("reset is another latch negated", b"aig 2 0 2 0 0 1\n2\n4 3\n5\n", "safe"),
    ("reset holds in the first step only", b"aig 2 0 2 0 0 1\n2\n5 2\n4\n", "unsafe"),
    ("reset is a gate", b"aig 4 2 1 0 1 1\n6 8\n6\n\x04\x02", "unsafe"),
    ("reset is a gate that is constant", b"aag 3 1 1 0 1 1\n2\n4 4 6\n4\n6 2 3\n", "safe"),
    ("text", b"aag 1 0 1 0 0 1\n2 3\n2\n", "unsafe"),
]


def _ask_abc(abc: peers.Abc, file: Path, scratch: Path) -> PeerAnswer:
    command = abc.command(abc.prepare(file, scratch), RunLimits(10, 100))
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=HANGS, check=False)
    return abc.read(replace(DONE, stdout=done.stdout, stderr=done.stderr, exit_code=done.returncode))


@pytest.mark.skipif(ABC is None, reason="no ABC here")
@pytest.mark.parametrize(("circuit", "verdict"), [case[1:] for case in CIRCUITS], ids=[case[0] for case in CIRCUITS])
def test_abc_gets_every_circuit_in_a_form_that_it_understands(tmp_path: Path, circuit: bytes, verdict: str) -> None:
    assert ABC
    file = tmp_path / "a name; with spaces.aig"
    file.write_bytes(circuit)
    assert _ask_abc(ABC, file, tmp_path) == PeerAnswer(verdict)


def test_the_form_for_abc_keeps_every_shortest_counterexample() -> None:
    models = [random_circuit(seed) for seed in range(300)]
    assert any(reset not in (0, 1, model.latch_lit(i)) for model in models for i, reset in enumerate(model.resets))
    assert [shortest_depths(abc_form(model)) for model in models] == [shortest_depths(model) for model in models]


@pytest.mark.skipif(ABC is None, reason="no ABC here")
def test_abc_agrees_with_enumeration_on_random_circuits(tmp_path: Path) -> None:
    assert ABC
    for seed in range(25):
        model, scratch = random_circuit(seed), tmp_path / str(seed)
        scratch.mkdir()
        write_aiger(model, scratch / "original.aig", binary=bool(seed % 2))
        verdict = "safe" if all(depth is None for depth in shortest_depths(model)) else "unsafe"
        assert (seed, _ask_abc(ABC, scratch / "original.aig", scratch)) == (seed, PeerAnswer(verdict))


@pytest.mark.skipif(ABC is None, reason="no ABC here")
def test_abc_tells_its_version() -> None:
    assert ABC
    assert "ABC" in ABC.version()


@pytest.mark.parametrize(
    ("stdout", "answer"),
    [
        ("Property proved.\nStatus = 1  Frames = 3   Cex is not defined.\n", PeerAnswer("safe")),
        ("Output 0 of miter\nStatus = 0  Frames = 0   CEX: Po = 0\n", PeerAnswer("unsafe")),
        ("Property UNDECIDED.\nStatus = -1  Frames = 0\n", PeerAnswer("unknown")),
        ("All outputs solved or timed out in frame 1.\nProperty UNDECIDED.\nStatus = -1  Frames = 0\n", PeerAnswer("safe")),
        (
            "Reading AIG from file has failed.\n",
            PeerAnswer("unknown", "exit code 0: Reading AIG from file has failed.", is_error=True),
        ),
    ],
)
def test_abc_is_read_by_its_status(stdout: str, answer: PeerAnswer) -> None:
    assert peers.Abc("abc").read(replace(DONE, stdout=stdout)) == answer


@pytest.mark.parametrize(
    ("stdout", "verdict"),
    [
        ("UNSAT\n", "safe"),
        ("log\nSAT\n", "unsafe"),
        ("UNKNOWN\n", "unknown"),
        ("result: safe\n", "safe"),
        ("unsafe\nbye\n", "unsafe"),
    ],
)
def test_other_peers_are_read_by_their_last_verdict_word(stdout: str, verdict: str) -> None:
    assert peers.PeerCommand("p", "p {file}").read(replace(DONE, stdout=stdout)).verdict == verdict


def test_a_peer_that_says_nothing_crashed() -> None:
    answer = peers.PeerCommand("p", "p {file}").read(replace(DONE, exit_code=-11, stderr="boom\n"))
    assert answer == PeerAnswer("unknown", "signal 11: boom", is_error=True)


def test_a_peer_can_be_given_as_a_command() -> None:
    (peer,) = peers.find(["mine=tool --x=1 '{file}' a,b"])
    assert peer.label == "mine"
    assert peer.command(Path("/a b"), RunLimits(1, 1)) == ["tool", "--x=1", "/a b", "a,b"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "unknown peer; known are abc, btormc, btormc-bmc, ric3"),
        ("x=tool", "write {file}"),
        ("ric3", "not found; put ric3"),
    ],
)
def test_a_missing_peer_is_a_clear_message(name: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=message):
        peers.find([name])


def test_ric3_is_called_with_its_single_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rIC3").write_text("#!/bin/sh\n")
    (tmp_path / "rIC3").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (peer,) = peers.find(["ric3"])
    assert peer.command(Path("m.aig"), RunLimits(1, 1)) == [str(tmp_path / "rIC3"), "check", "m.aig", "ic3"]


def test_lemmata_runs_as_a_module_and_is_told_wall_time_and_memory() -> None:
    command = Lemmata("x", "--engine pdr").command(Path("m.aig"), RunLimits(10, 500))
    assert command[:6] == [sys.executable, "-m", "lemmata", "check", "m.aig", "--format"]
    assert command[6:] == ["json", "--timeout", "104", "--memory", "500", "--engine", "pdr"]


@pytest.mark.parametrize(
    ("stdout", "exit_code", "answer"),
    [
        (
            '{"verdict": "safe", "properties": [{"verdict": "safe", "reason": null, "certified": true}]}',
            0,
            PeerAnswer("safe", "", True),
        ),
        (
            '{"verdict": "safe", "properties": [{"verdict": "safe", "reason": null, "certified": false}]}',
            0,
            PeerAnswer("safe", "", False),
        ),
        (
            '{"verdict": "unknown", "properties": [{"verdict": "unknown", "reason": "timeout"}]}',
            5,
            PeerAnswer("unknown", "timeout", True),
        ),
        (
            '{"verdict": "unknown", "properties": [{"verdict": "unknown", "reason": "uncertified"}]}',
            1,
            PeerAnswer("unknown", "uncertified", False),
        ),
        (
            '{"verdict": "safe", "properties": []}',
            10,
            PeerAnswer("unknown", "said safe with exit code 10", is_error=True),
        ),
        ("Traceback", 1, PeerAnswer("unknown", "exit code 1: Traceback", is_error=True)),
        ("[]", 0, PeerAnswer("unknown", "exit code 0: []", is_error=True)),
    ],
)
def test_lemmata_is_read_by_its_json_and_its_exit_code(stdout: str, exit_code: int, answer: PeerAnswer) -> None:
    assert Lemmata().read(replace(DONE, stdout=stdout, exit_code=exit_code)) == answer


def test_the_lineup_names_engines_and_labels() -> None:
    found = lineup(["pdr", "bmc:--seed 3"], ["core=--technique lift=core"], ["--workers 1"])
    assert [(one.label, one.options) for one in found] == [
        ("lemmata:pdr", "--engine pdr --workers 1"),
        ("lemmata:bmc:--seed 3", "--engine bmc --seed 3 --workers 1"),
        ("core", "--technique lift=core --workers 1"),
    ]
    assert lineup([], [], []) == [Lemmata()]
    with pytest.raises(UsageError, match="LABEL=OPTIONS"):
        lineup([], ["--technique lift=core"], [])
