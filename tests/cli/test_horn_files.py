"""The command line on Horn clauses and VMT: verdicts, exit codes, formats, evidence as files and back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.clock import HANGS, LATE
from tests.support.horn_text import asked
from tests.support.in_process import caller
from tests.support.processes import children, wait_for

HEAD = "(set-logic HORN)\n(declare-fun inv (Int Int) Bool)\n"
START = "(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))\n"
STEP = "(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y 2)))))\n"
QUERY = "(assert (forall ((x Int) (y Int)) (=> (and (inv x y) {}) false)))\n(check-sat)\n"
SAFE = HEAD + START + STEP + QUERY.format("(not (= y (* 2 x)))")
UNSAFE = HEAD + START + STEP + QUERY.format("(= y (+ x 3))")
LONG = HEAD + START + STEP + QUERY.format("(= x 40)")
TREE = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
(assert (forall ((x Int)) (=> (and (p x) {}) false)))
(check-sat)
"""
DIVISION = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (div 1 0)) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (= x 3)) false)))
(check-sat)
"""
SYSTEM = """(declare-fun x () Int)
(declare-fun x.next () Int)
(define-fun .x () Int (! x :next x.next))
(define-fun .init () Bool (! (= x 0) :init true))
(define-fun .trans () Bool (! (= x.next (+ x 2)) :trans true))
(define-fun even () Bool (! (not (= x 7)) :invar-property 0))
(define-fun small () Bool (! (< x 6) :invar-property 1))
"""
WORDS = """(declare-fun x () (_ BitVec 8))
(declare-fun x.next () (_ BitVec 8))
(define-fun .x () (_ BitVec 8) (! x :next x.next))
(define-fun .init () Bool (! (= x #x00) :init true))
(define-fun .trans () Bool (! (= x.next (bvadd x #x02)) :trans true))
(define-fun even () Bool (! (not (= x #x07)) :invar-property 0))
(define-fun small () Bool (! (bvult x #x06) :invar-property 1))
"""
HARD = """(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (> x 2) (> y 2) (> z 2)) (p x y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= (+ (* x x x x x) (* y y y y y)) (* z z z z z))) false)))
(check-sat)
"""
FILES = {
    "safe.smt2": SAFE,
    "unsafe.smt2": UNSAFE,
    "long.smt2": LONG,
    "tree-safe.smt2": TREE.format("(< x 1)"),
    "tree-unsafe.smt2": TREE.format("(= x 5)"),
    "division.smt2": DIVISION,
    "system.vmt": SYSTEM,
    "words.vmt": WORDS,
    "hard.smt2": HARD,
    "bits.aag": "aag 1 0 1 0 0 1\n2 2\n2\n",
}


@pytest.fixture
def lemmata(tmp_path, monkeypatch, capsys):
    """Call the program in this process, in a folder of small models; exit code, standard output, standard error."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lemmata.run.processes.process.can_fork", lambda: True)

    return caller(monkeypatch, capsys)


def test_a_proof_is_told_in_the_names_of_the_file(lemmata):
    code, out, _ = lemmata("check", "safe.smt2", "--workers", "1")
    assert code == 0 and out.startswith("safe\n")
    assert "inv(x, y): y = 2 · x" in out


def test_a_refutation_that_is_a_run_is_told_as_a_table(lemmata):
    code, out, _ = lemmata("check", "unsafe.smt2", "--workers", "1")
    assert code == 10 and out.startswith("unsafe\n")
    assert "  step     0  1  2  3\n  x        0  1  2  3\n  y        0  2  4  6\n" in out


def test_a_long_refutation_shows_its_beginning_and_its_end(lemmata):
    code, out, _ = lemmata("check", "long.smt2", "--engine", "bmc")
    assert code == 10
    assert "  step 0: x = 0, y = 0" in out and "  step 40: x = 40, y = 80" in out and "step 20:" not in out
    assert "… 21 more lines: -v shows them, --witness FILE writes them" in out


@pytest.mark.parametrize("engine", ["auto", "pdr", "lifted", "abstract"])
def test_every_engine_that_proves_is_at_hand(lemmata, engine):
    code, out, err = lemmata("check", "system.vmt", "--property", "even", "--engine", engine, "--workers", "1")
    assert (code, err) == (0, "")
    assert out.startswith("safe\n")


@pytest.mark.parametrize("engine", ["auto", "pdr", "lifted", "bmc", "kinduction"])
@pytest.mark.parametrize("more", [[], ["--no-preprocess"]])
def test_every_engine_that_refutes_is_at_hand(lemmata, engine, more):
    code, out, err = lemmata("check", "system.vmt", "--property", "small", "--engine", engine, "--workers", "1", *more)
    assert (code, err) == (10, "")
    assert "  x        0  2  4  6\n" in out


@pytest.mark.parametrize(("name", "code", "word"), [("safe", 0, "sat"), ("unsafe", 10, "unsat"), ("tree-safe", 0, "sat")])
def test_competition_words(lemmata, name, code, word):
    assert lemmata("check", f"{name}.smt2", "--format", "chc")[:2] == (code, f"{word}\n")


def test_competition_words_for_unknown(lemmata):
    code, out, _ = lemmata("check", "safe.smt2", "--engine", "bmc", "--format", "chc", "--timeout", "0.5")
    assert (code, out) == (5, "unknown\n")


def test_a_model_can_be_asked_for_and_certified(lemmata):
    code, out, _ = lemmata("check", "safe.smt2", "--format", "chc", "--model")
    assert code == 0 and out.startswith("sat\n") and "(define-fun inv ((x Int) (y Int)) Bool" in out
    Path("model.smt2").write_text(out)
    assert lemmata("certify", "safe.smt2", "model.smt2")[:2] == (0, "accepted: false is safe\n")
    code, out, _ = lemmata("certify", "unsafe.smt2", "model.smt2")
    assert code == 1 and out.startswith(
        "rejected: the clause of line 5: the claims allow to reach false from inv(x = 3, y = 6)"
    )


def test_models_of_other_solvers_are_certified(lemmata):
    Path("good.smt2").write_text("sat\n(model (define-fun inv ((A Int) (B Int)) Bool (= (+ A A) B)))\n")
    Path("bad.smt2").write_text("sat\n((define-fun inv ((A Int) (B Int)) Bool (<= A B)))\n")
    assert lemmata("certify", "safe.smt2", "good.smt2")[0] == 0
    assert lemmata("certify", "safe.smt2", "bad.smt2")[0] == 1


def test_a_refutation_follows_as_comments(lemmata):
    code, out, _ = lemmata("check", "unsafe.smt2", "--format", "chc", "--model")
    first, *rest = out.splitlines()
    assert (code, first) == (10, "unsat")
    assert rest[0] == "; 0: inv(x = 0, y = 0)  (line 3)" and all(line.startswith("; ") for line in rest)


def test_a_proof_by_k_induction_is_no_model(lemmata):
    rotation = """(set-logic HORN)
        (declare-fun p (Int Int Int) Bool)
        (assert (forall ((x Int) (y Int) (z Int)) (=> (not (or (= x 3) (= y 3) (= z 3))) (p x y z))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p y z x))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= x 3)) false)))"""
    Path("rotation.smt2").write_text(asked(rotation))
    code, out, err = lemmata("check", "rotation.smt2", "--format", "chc", "--model", "--engine", "kinduction")
    assert (code, out) == (0, "sat\n") and "there is no model to show" in err
    code, out, err = lemmata("check", "rotation.smt2", "--format", "chc", "--model")
    assert code == 0 and "define-fun p" in out and not err


def test_k_induction_leaves_open_what_only_a_clause_that_was_simplified_away_makes_a_tree(lemmata):
    rotation = """(set-logic HORN)
        (declare-fun p (Int Int Int) Bool)
        (declare-fun never (Int) Bool)
        (assert (forall ((x Int) (y Int) (z Int)) (=> (not (or (= x 3) (= y 3) (= z 3))) (p x y z))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p y z x))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (never z)) (p y y z))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= x 3)) false)))"""
    Path("rotation.smt2").write_text(asked(rotation))
    code, out, err = lemmata("check", "rotation.smt2", "--engine", "kinduction")
    assert (code, err) == (5, "") and "incomplete" in out
    assert lemmata("check", "rotation.smt2", "--workers", "1")[0] == 0


def test_clauses_without_predicates_are_safe_with_nothing_to_claim(lemmata):
    Path("plain.smt2").write_text("(set-logic HORN)\n(assert (forall ((x Int)) (=> (< x 0) (< x 1))))\n(check-sat)\n")
    code, out, _ = lemmata("check", "plain.smt2", "--workers", "1", "--certificate", "proof.smt2")
    assert code == 0 and "true (there is nothing to claim)" in out
    assert lemmata("certify", "plain.smt2", "proof.smt2")[0] == 0


def test_a_model_belongs_to_the_format(lemmata):
    code, _, err = lemmata("check", "safe.smt2", "--model")
    assert code == 2 and "--model belongs to --format chc" in err


def test_evidence_goes_to_files_and_comes_back(lemmata):
    assert lemmata("check", "safe.smt2", "--certificate", "proof.smt2")[0] == 0
    assert lemmata("certify", "safe.smt2", "proof.smt2")[0] == 0
    assert lemmata("check", "tree-unsafe.smt2", "--witness", "bug.txt")[0] == 10
    code, out, _ = lemmata("replay", "tree-unsafe.smt2", "bug.txt", "-v")
    assert code == 0 and "accepted: false is reached in " in out and "p(x = 5)" in out
    Path("bug.txt").write_text(Path("bug.txt").read_text().replace("(values 5)", "(values 6)"))
    code, out, _ = lemmata("replay", "tree-unsafe.smt2", "bug.txt")
    assert code == 1 and out.startswith("rejected: fact ")


def test_a_system_has_a_certificate_for_each_property(lemmata):
    assert lemmata("check", "system.vmt", "--certificate", "proof.smt2", "--witness", "bug.txt")[0] == 10
    assert "(assert " in Path("proof-0.smt2").read_text() and not Path("proof-1.smt2").exists()
    assert lemmata("certify", "system.vmt", "proof-0.smt2", "--property", "even")[0] == 0
    assert lemmata("certify", "system.vmt", "proof-0.smt2", "--property", "small")[0] == 1
    assert lemmata("replay", "system.vmt", "bug.txt")[0] == 0


def test_k_inductive_proofs_go_to_files_and_come_back(lemmata):
    rotation = """(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)
        (define-fun .x () Int (! x :next x.n))(define-fun .y () Int (! y :next y.n))(define-fun .z () Int (! z :next z.n))
        (define-fun .init () Bool (! (not (or (= x 3) (= y 3) (= z 3))) :init true))
        (define-fun .trans () Bool (! (and (= x.n y) (= y.n z) (= z.n x)) :trans true))
        (define-fun p () Bool (! (not (= x 3)) :invar-property 0))"""
    Path("rotation.vmt").write_text(rotation)
    assert lemmata("check", "rotation.vmt", "--engine", "kinduction", "--certificate", "proof.smt2")[0] == 0
    assert Path("proof.smt2").read_text().startswith("; the property is 4-inductive, given that\n")
    assert lemmata("certify", "rotation.vmt", "proof.smt2")[0] == 0


def test_relations_over_words_go_to_the_engines_on_words(lemmata):
    code, out, _ = lemmata("check", "words.vmt", "--workers", "1", "--certificate", "proof.smt2", "--witness", "bug.txt")
    assert code == 10
    verdicts = {line.split()[0]: line.split()[1] for line in out.splitlines()[2:4]}
    assert verdicts == {"even": "safe", "small": "unsafe"}
    assert lemmata("certify", "words.vmt", "proof-0.smt2", "--property", "0")[0] == 0
    assert lemmata("replay", "words.vmt", "bug.txt")[0] == 0
    assert lemmata("check", "words.vmt", "--engine", "word", "--property", "0")[0] == 0
    assert lemmata("check", "words.vmt", "--engine", "lifted", "--property", "1")[0] == 10


def test_a_division_by_zero_settles_nothing(lemmata):
    code, out, err = lemmata("check", "division.smt2", "--timeout", "5")
    assert (code, err) == (5, "") and out.startswith("unknown\n")


def test_json_has_the_whole_evidence(lemmata):
    code, out, _ = lemmata("check", "long.smt2", "--engine", "bmc", "--format", "json")
    trace = json.loads(out)["properties"][0]["trace"]
    assert code == 10 and trace["depth"] == 40 and len(trace["facts"]) == 42
    assert trace["facts"][1] == {"location": "inv", "values": ["1", "2"], "premises": [0], "edge": 1, "line": 4}
    code, out, _ = lemmata("check", "safe.smt2", "--format", "jsonl")
    last = json.loads(out.splitlines()[-1])
    assert last["properties"][0]["invariant"] == {"kind": "locations", "locations": {"inv": ["y = 2 · x"]}}
    assert "<html lang" in lemmata("check", "unsafe.smt2", "--format", "html")[1]


def test_info_tells_what_a_graph_has(lemmata):
    code, out, _ = lemmata("info", "tree-safe.smt2", "--format", "json")
    facts = json.loads(out)
    assert code == 0 and facts["kind"] == "Horn clauses" and facts["logic"] == "LIA" and facts["locations"] == ["p"]
    assert facts["edges"] == 3 and facts["shape"] == "nonlinear (up to 2 sources)" and facts["variables"] == {"Int": 1}
    assert json.loads(lemmata("info", "hard.smt2", "--format", "json")[1])["logic"] == "NIA"
    assert json.loads(lemmata("info", "words.vmt", "--format", "json")[1])["logic"] == "BV"
    assert "VMT-LIB transition system" in lemmata("info", "system.vmt")[1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["check", "bits.aag", "--engine", "lifted"], "works on graphs"),
        (["check", "bits.aag", "--preset", "lia-textbook"], "works on graphs"),
        (["check", "bits.aag", "--technique", "guidance=off"], "techniques of engine lifted make no sense here"),
        (["check", "safe.smt2", "--engine", "word"], "engine word does not work on safe.smt2"),
        (["check", "safe.smt2", "--engine", "bmc", "--technique", "guidance=off"], "techniques are PDR's"),
        (["check", "safe.smt2", "--engine", "lifted", "--technique", "lift=core"], "lift is a technique of engine pdr"),
        (["check", "safe.smt2", "--certificate", "x.aag"], "is no circuit"),
        (["check", "safe.smt2", "--technique", "guidance=maybe"], "one of true, false"),
        (["certify", "safe.smt2", "unsafe.smt2"], "unsafe.smt2:"),
        (["replay", "unsafe.smt2", "safe.smt2"], "this is not a derivation"),
    ],
)
def test_wrong_calls_are_answered_with_the_right_ones(lemmata, arguments, complaint):
    code, _, err = lemmata(*arguments)
    assert code == 2 and complaint in err


def test_time_limits_hold(lemmata):
    started = time.monotonic()
    code, out, _ = lemmata("check", "hard.smt2", "--timeout", "2")
    assert code == 5 and out.startswith("unknown\n") and time.monotonic() - started < LATE


def test_an_interruption_leaves_what_was_found(tmp_path):
    (tmp_path / "hard.smt2").write_text(HARD)
    process = subprocess.Popen(
        [sys.executable, "-m", "lemmata", "check", "hard.smt2"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert wait_for(lambda: process.poll() is not None or children(process.pid))  # it started
    time.sleep(1)
    if process.poll() is None:
        os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=HANGS)
    assert process.returncode in (130, 5) and out.startswith(b"unknown")


COUNTER_VMT = """
(declare-fun x () Int) (declare-fun y () Int)
(define-fun next () Int (! x :next y)) (define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= y (+ x 1)) :trans true)) (define-fun p () Bool (! (not (= x 3)) :invar-property 0))
"""
COUNTER_BTOR2 = "1 sort bitvec 8\n2 zero 1\n3 state 1 x\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n7 next 1 3 6\n"
COUNTER_BTOR2 += "8 constd 1 3\n9 sort bitvec 1\n10 eq 9 3 8\n11 bad 10\n"


def test_depth_and_bound_mean_the_same_in_every_world(lemmata, tmp_path):
    (tmp_path / "counter.vmt").write_text(COUNTER_VMT)
    (tmp_path / "counter.btor2").write_text(COUNTER_BTOR2)
    for file in ("counter.vmt", "counter.btor2"):
        _, out, _ = lemmata("check", file, "--format", "json", "-e", "bmc")
        (prop,) = json.loads(out)["properties"]
        assert (prop["depth"], prop["bound"]) == (3, 2), file
