"""Horn solvers as peers: found or clearly missed, read rightly, and run side by side with Lemmata's files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from lemmata.bench import peers, suites
from lemmata.bench.contestants import PeerAnswer
from lemmata.bench.peers import HornSolver, find_program, find_spacer
from lemmata.bench.records import RecordStore
from lemmata.bench.runners import Finished, RunLimits
from lemmata.cli.bench import Session
from lemmata.errors import Unsupported, UsageError
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
SPACER = find_spacer("spacer", "")
DONE = Finished(0, "", 1.0, 1.0, 1.0, "", "")
NEVER = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))\n"
SAFE = NEVER + "(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))\n(check-sat)\n"
UNSAFE = NEVER + "(assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))\n(check-sat)\n"
needs_z3 = pytest.mark.skipif(SPACER is None, reason="no z3 here")


def test_sat_means_safe_for_a_solver_of_horn_clauses() -> None:
    solver = HornSolver("golem", "golem")
    answers = {
        text: solver.read(replace(DONE, stdout=text)).verdict for text in ("sat\n", "unsat\n", "; note\nUNSAT\n", "unknown")
    }
    assert answers == {"sat\n": "safe", "unsat\n": "unsafe", "; note\nUNSAT\n": "unsafe", "unknown": "unknown"}


def test_an_abort_is_an_error_of_that_run() -> None:
    answer = HornSolver("spacer-global", "z3").read(replace(DONE, exit_code=-6, stderr="ASSERTION VIOLATION"))
    assert answer == PeerAnswer("unknown", "signal 6: ASSERTION VIOLATION", is_error=True)


def test_what_is_said_after_an_error_does_not_count() -> None:
    stdout = '(error "line 7 column 3: unknown constant x")\nsat\n'
    answer = HornSolver("spacer", "z3").read(replace(DONE, stdout=stdout))
    assert answer == PeerAnswer("unknown", '(error "line 7 column 3: unknown constant x")', is_error=True)


def test_options_come_before_the_file() -> None:
    solver = HornSolver("spacer", "z3", "fp.engine=spacer")
    assert solver.command(Path("a b.smt2"), RunLimits(1, 100)) == ["z3", "fp.engine=spacer", "a b.smt2"]


def test_programs_that_are_not_there_are_missed_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert find_program("golem", "golem") is None
    for name, remedy in (("golem", "put golem on PATH"), ("eldarica", "put eld on PATH")):
        with pytest.raises(UsageError, match=remedy):
            peers.find([name])


def test_a_program_on_the_path_is_found_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "golem"
    program.write_text("#!/bin/sh\necho Golem\necho version 1.2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    (golem,) = peers.find(["golem"])
    assert (golem.label, golem.version()) == ("golem", "version 1.2")


def test_bits_are_not_for_solvers_of_clauses(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="does not read circuits of bits"):
        HornSolver("spacer", "z3").prepare(EXAMPLES / "fifo.aag", tmp_path)


@needs_z3
def test_both_spacers_answer_on_clauses_and_on_what_becomes_clauses(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "safe.smt2").write_text(SAFE)
    (suite / "unsafe.smt2").write_text(UNSAFE)
    (suite / "slope.vmt").write_bytes((EXAMPLES / "lia" / "slope.vmt").read_bytes())
    (suite / "constraints.btor2").write_bytes((EXAMPLES / "btor2" / "constraints.btor2").read_bytes())
    (suite / "index.csv").write_text("file,expected\nsafe.smt2,safe\nunsafe.smt2,unsafe\nslope.vmt,safe\nconstraints.btor2,\n")
    both = peers.find(["spacer,spacer-global"])
    cases = suites.load_suite([suite])
    assert all(map(suites.has_question, cases))
    session = Session(Console(quiet=True), RunLimits(20, 2000), tmp_path / "out", draw=False)
    assert session.conduct(both, cases) == 0
    records = RecordStore(tmp_path / "out" / "results.csv").load().values()
    assert {one.contestant for one in records} == {"spacer", "spacer-global"}
    assert [one.outcome for one in records if one.file != "constraints.btor2"] == ["solved"] * 6
    assert not [one.reason for one in records if one.outcome == "error"]


def test_a_folder_without_an_index_offers_clauses_and_relations(tmp_path: Path) -> None:
    for name in ("a.smt2", "b.vmt", "c.txt"):
        (tmp_path / name).write_text(SAFE)
    assert [case.file for case in suites.load_suite([tmp_path])] == ["a.smt2", "b.vmt"]
