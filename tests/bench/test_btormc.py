"""btormc as a peer: what it is given, what it answers, and BTOR2 for the other peers."""

from __future__ import annotations

import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.bench import btormc, peers
from lemmata.bench.campaign import Campaign, plan_runs
from lemmata.bench.contestants import PeerAnswer
from lemmata.bench.runners import Finished, RunLimits
from lemmata.bench.suites import Case, has_question, load_suite
from lemmata.errors import UsageError
from tests.support.btor2_interpreter import reachable
from tests.support.btor2_random import random_model
from tests.support.clock import HANGS

ABC = peers.find_abc()
DONE = Finished(0, "", 1.0, 1.0, 1.0, "", "")
HAS_LIBRARY = btormc.library() is not None

COUNTER = """
1 sort bitvec 3
2 zero 1
3 state 1 x
4 init 1 3 2
5 inc 1 3
6 next 1 3 5
7 constd 1 {target}
8 sort bitvec 1
9 eq 8 3 7
10 bad 9
"""
STUCK = """
1 sort bitvec 8
2 constd 1 -3
3 state 1
4 init 1 3 2
5 next 1 3 3
6 sort bitvec 1
7 eq 6 3 2
8 bad -7 never
"""
TWICE = """
1 sort bitvec 1
6 zero 1
7 state 1
8 init 1 7 6
9 not 1 7
12 next 1 7 9
13 bad -9
14 bad -9
"""
MEMORY = """
1 sort bitvec 1
2 sort bitvec 20
3 sort bitvec 8
4 sort array 2 3
5 zero 3
6 state 4 memory
7 init 4 6 5
8 input 2 where
9 consth 3 2a
10 write 4 6 8 9
11 next 4 6 10
12 input 2 look
13 read 3 6 12
14 eq 1 13 9
15 one 3
16 eq 1 13 15
17 bad {bad}
18 constraint -16
"""

# name, model, verdict
MODELS = [
    ("counter", COUNTER.format(target=5), "unsafe"),
    ("property that is 1-inductive only after good steps", STUCK, "safe"),  # boolector#220
    ("two equal properties", TWICE, "unsafe"),  # boolector#164
    ("memory", MEMORY.format(bad=14), "unsafe"),
    ("memory under a constraint", MEMORY.format(bad=16), "safe"),
    ("no property", "1 sort bitvec 1\n2 input 1\n3 output 2\n", "safe"),
]


def ask(peer: peers.Btormc | peers.Abc, file: Path, scratch: Path) -> PeerAnswer:
    command = peer.command(peer.prepare(file, scratch), RunLimits(10, 1000))
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=HANGS, check=False)
    return peer.read(replace(DONE, stdout=done.stdout, stderr=done.stderr, exit_code=done.returncode))


@pytest.mark.skipif(not HAS_LIBRARY, reason="no pyboolector here")
@pytest.mark.parametrize(("text", "verdict"), [case[1:] for case in MODELS], ids=[case[0] for case in MODELS])
def test_btormc_settles_small_models(tmp_path: Path, text: str, verdict: str) -> None:
    (tmp_path / "m.btor2").write_text(text)
    (peer,) = peers.find(["btormc"])
    assert ask(peer, tmp_path / "m.btor2", tmp_path) == PeerAnswer(verdict)


@pytest.mark.skipif(not HAS_LIBRARY, reason="no pyboolector here")
def test_btormc_stops_at_its_bound(tmp_path: Path) -> None:
    (tmp_path / "m.btor2").write_text(COUNTER.format(target=5))
    bounded = [peers.Btormc("b", options) for options in ("-kmax 4", "--kind -kmax 4", "--kind --simple-path -kmax 5")]
    assert [ask(peer, tmp_path / "m.btor2", tmp_path).verdict for peer in bounded] == ["unknown", "unknown", "unsafe"]


@pytest.mark.skipif(not HAS_LIBRARY, reason="no pyboolector here")
def test_btormc_agrees_with_enumeration_on_random_models(tmp_path: Path) -> None:
    settled = 0
    for seed in range(12):
        text = random_model(random.Random(seed))
        (tmp_path / "m.btor2").write_text(text)
        depths = [depth for depth in reachable(text) if depth is not None]
        answer = ask(peers.Btormc("b", "--kind -kmax 6"), tmp_path / "m.btor2", tmp_path)
        assert (seed, answer.verdict) in ((seed, "unsafe" if depths else "safe"), (seed, "unknown"))
        settled += answer.verdict != "unknown"
    assert settled > 6


@pytest.mark.skipif(not HAS_LIBRARY, reason="no pyboolector here")
def test_a_line_that_is_not_btor2_is_an_error_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "m.btor2").write_text("1 sort bitvec 1\n2 input 1\n3 frobnicate 1 2\n")
    answer = ask(peers.Btormc(), tmp_path / "m.btor2", tmp_path)
    assert answer == PeerAnswer("unknown", "exit code 1: no such operator: frobnicate", is_error=True)


@pytest.mark.parametrize(
    ("printed", "verdict"), [("unsat\nb0\nunsat\n", "safe"), ("sat\n", "unsafe"), ("unknown\n", "unknown")]
)
def test_btormc_is_read_by_its_last_word(printed: str, verdict: str) -> None:
    assert peers.Btormc().read(replace(DONE, stdout=printed)) == PeerAnswer(verdict)


def test_btormc_is_missed_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lemmata.bench.btormc.library", lambda: None)
    with pytest.raises(UsageError, match="--peer btormc: not found; install the wheel `pyboolector`"):
        peers.find(["btormc"])


def test_btormc_is_called_in_a_process_of_its_own_with_and_without_induction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lemmata.bench.btormc.library", lambda: Path("libboolector.so"))
    both = peers.find(["btormc,btormc-bmc"])
    commands = [peer.command(Path("m.btor2"), RunLimits(1, 1))[1:] for peer in both]
    assert commands == [["-m", "lemmata.bench.btormc", "--kind", "m.btor2"], ["-m", "lemmata.bench.btormc", "m.btor2"]]


def test_what_a_peer_cannot_be_given_is_not_supported_and_no_error(tmp_path: Path) -> None:
    wide = MEMORY.format(bad=14).replace("2 sort bitvec 20", "2 sort bitvec 60")
    (tmp_path / "wide.btor2").write_text(wide)
    (tmp_path / "circuit.aig").write_bytes(b"aig 0 0 0 1 0\n0\n")
    cases = [Case("suite", name, tmp_path / name, "unsafe") for name in ("wide.btor2", "circuit.aig")]
    tasks = [*plan_runs([peers.Abc("no-such-abc")], cases[:1]), *plan_runs([_Offline()], cases[1:])]
    records = list(Campaign(RunLimits(1, 100), tmp_path / "out").perform(tasks))
    assert [(record.outcome, record.reason.split(":")[0]) for record in records] == [("unknown", "not supported")] * 2
    assert "too large" in records[0].reason and "BTOR2 only" in records[1].reason


class _Offline(peers.Btormc):
    """Where the wheel need not be installed."""

    def version(self) -> str:
        return ""


@pytest.mark.skipif(ABC is None, reason="no ABC here")
@pytest.mark.parametrize(
    ("text", "verdict"),
    [(COUNTER.format(target=5), "unsafe"), (STUCK, "safe"), (TWICE, "unsafe")],
    ids=["counter", "stuck", "twice"],
)
def test_abc_gets_the_bits_of_btor2(tmp_path: Path, text: str, verdict: str) -> None:
    assert ABC
    (tmp_path / "m.btor2").write_text(text)
    assert ask(ABC, tmp_path / "m.btor2", tmp_path) == PeerAnswer(verdict)


def test_suites_find_btor2_and_see_whether_it_asks_anything(tmp_path: Path) -> None:
    for name, text in (("a.btor2", STUCK), ("b.btor", STUCK.replace("8 bad", "8 output")), ("c.BTOR2", "; bad\n" + STUCK)):
        (tmp_path / name).write_text(text)
    cases = load_suite([tmp_path])
    assert [(case.file, has_question(case)) for case in cases] == [("a.btor2", True), ("b.btor", False), ("c.BTOR2", True)]
