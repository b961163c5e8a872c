"""The command line on BTOR2: verdicts, exit codes, formats, evidence as files and back."""

from __future__ import annotations

import json
import re
import time

import pytest

from tests.support.clock import LATE
from tests.support.in_process import caller
from tests.support.small_graphs import BYSTANDER, CAPPED, EVEN, MEMORY, PAIR

FILES = {"even": EVEN, "capped": CAPPED, "pair": PAIR, "memory": MEMORY.format(bits=2), "bystander": BYSTANDER}
# a word whose value has more decimal digits than Python writes
WIDE = """1 sort bitvec 20000
2 ones 1
3 state 1 x
4 init 1 3 2
5 one 1
6 add 1 3 5
7 next 1 3 6
8 sort bitvec 1
9 eq 8 3 5
10 bad 9
"""
# a trace to "same" needs an array that has 1 in all of its 2³² cells
ONES = """1 sort bitvec 32
2 sort bitvec 8
3 sort array 1 2
4 sort bitvec 1
5 one 2
6 state 3 a
7 next 3 6 6
8 state 3 c
9 init 3 8 5
10 next 3 8 8
11 eq 4 6 8
12 bad 11 same
"""
ODD_NAMES = PAIR.replace("state 1 x", "state 1 a|b").replace("state 1 y", "state 1 (let")


@pytest.fixture
def lemmata(tmp_path, monkeypatch, capsys):
    """Call the program in this process, in a folder of small models; exit code, standard output, standard error."""
    for name, text in (FILES | {"odd": ODD_NAMES, "wide": WIDE, "ones": ONES}).items():
        (tmp_path / f"{name}.btor2").write_text(text)
    (tmp_path / "bits.aag").write_text("aag 1 0 1 0 0 1\n2 2\n2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lemmata.run.processes.process.can_fork", lambda: True)

    return caller(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("arguments", "word", "code"),
    [
        (("even.btor2",), "unsafe", 10),
        (("even.btor2", "-p", "five", "-e", "pdr"), "safe", 0),
        (("pair.btor2", "-e", "word"), "safe", 0),
        (("capped.btor2", "-p", "0", "-e", "kinduction"), "safe", 0),
        (("even.btor2", "-p", "five", "-e", "bmc", "--timeout", "0.5"), "unknown", 5),
    ],
)
def test_the_first_line_is_the_verdict_and_the_exit_code_agrees(lemmata, arguments, word, code):
    ended, out, err = lemmata("check", *arguments)
    assert (ended, out.split("\n")[0], err) == (code, word, "")


def test_invariants_and_traces_are_shown_in_words(lemmata):
    _, out, _ = lemmata("check", "even.btor2", "-e", "pdr", "-v")
    assert "invariant of five:\n  x[0] = 0" in out
    assert "trace to six:\n  step     0  1  2  3\n  x        0  2  4  6\n" in out
    assert "x = 9" not in out


def test_json_has_formulas_and_values_by_name(lemmata):
    _, out, _ = lemmata("check", "even.btor2", "-e", "pdr", "--format", "json")
    safe, unsafe = json.loads(out)["properties"]
    assert safe["invariant"] == {"kind": "formulas", "formulas": ["x[0] = 0"]}
    assert unsafe["trace"]["initial"] == {"x": "0"}
    assert unsafe["trace"]["states"] == [{"x": "0"}, {"x": "2"}, {"x": "4"}, {"x": "6"}]
    assert unsafe["depth"] == 3


def test_events_of_words_are_lines_of_json(lemmata):
    _, out, _ = lemmata("check", "even.btor2", "-e", "word", "--format", "jsonl")
    events = [json.loads(line) for line in out.splitlines()]
    assert {"property_started", "certified", "lemma_learned"} <= {e.get("event") for e in events}
    assert events[-1]["verdict"] == "unsafe"


def test_the_page_shows_words(lemmata):
    _, out, _ = lemmata("check", "even.btor2", "-e", "pdr", "--format", "html")
    assert "x[0] = 0" in out


@pytest.mark.parametrize(("prop", "word", "written"), [("five", "unsat", "cert.unsat"), ("six", "sat", "cert.sat")])
def test_the_competition_gets_its_words_and_files(lemmata, tmp_path, prop, word, written):
    _, out, _ = lemmata("check", "even.btor2", "-p", prop, "--format", "hwmcc", "cert.sat", "cert.unsat")
    assert out == f"{word}\n"
    assert [name for name in ("cert.sat", "cert.unsat") if (tmp_path / name).exists()] == [written]


@pytest.mark.parametrize(
    ("file", "prop"), [("even", "five"), ("pair", "far"), ("odd", "far"), ("memory", "big"), ("capped", "0")]
)
@pytest.mark.parametrize(("engine", "suffix"), [("pdr", "smt2"), ("word", "txt")])
def test_a_certificate_is_accepted_again_and_refused_for_another_property(lemmata, tmp_path, file, prop, engine, suffix):
    lemmata("check", f"{file}.btor2", "-p", prop, "-e", engine, "--certificate", f"proof.{suffix}")
    code, out, _ = lemmata("certify", f"{file}.btor2", f"proof.{suffix}", "-p", prop)
    assert (code, out.split(":")[0]) == (0, "accepted")
    if file == "even":
        code, out, _ = lemmata("certify", "even.btor2", f"proof.{suffix}", "-p", "six")
        assert (code, out.split(":")[0]) == (1, "rejected")


def test_a_changed_certificate_is_rejected(lemmata, tmp_path):
    lemmata("check", "pair.btor2", "-e", "pdr", "--certificate", "proof.smt2")
    whole = (tmp_path / "proof.smt2").read_text()
    lemmas = [line for line in whole.splitlines() if line.startswith("(assert")]
    assert len(lemmas) > 1
    for lemma in lemmas:
        (tmp_path / "less.smt2").write_text(whole.replace(lemma, ""))
        code, out, _ = lemmata("certify", "pair.btor2", "less.smt2")
        assert (code, out.split(":")[0]) == (1, "rejected")


def test_a_sentence_is_a_proof_of_words_too(lemmata, tmp_path):
    lemmata("check", "capped.btor2", "-p", "0", "-e", "kinduction", "--certificate", "proof.txt")
    assert (tmp_path / "proof.txt").read_text() == "the property is 1-inductive\n"
    assert lemmata("certify", "capped.btor2", "proof.txt", "-p", "0")[0] == 0
    (tmp_path / "proof.txt").write_text("the property is 0-inductive\n")
    assert lemmata("certify", "capped.btor2", "proof.txt", "-p", "0")[0] == 1


def test_a_certificate_that_cannot_be_read_says_where(lemmata, tmp_path):
    (tmp_path / "proof.smt2").write_text("(assert (bvult x\n  w))\n")
    code, out, err = lemmata("certify", "even.btor2", "proof.smt2", "-p", "0")
    assert (code, out) == (2, "")
    assert "proof.smt2:2:3: there is no 'w'" in err


def test_a_check_that_takes_too_long_is_unknown(lemmata, tmp_path):
    (tmp_path / "proof.smt2").write_text("(assert true)")
    code, _, err = lemmata("certify", "even.btor2", "proof.smt2", "-p", "0", "--timeout", "0.000001")
    assert (code, err) == (5, "lemmata: unknown: timeout\n")


@pytest.mark.parametrize(
    ("file", "prop", "steps"), [("even", "six", "3 steps"), ("capped", "1", "0 steps"), ("memory", "1", "1 step")]
)
def test_witnesses_are_replayed(lemmata, tmp_path, file, prop, steps):
    lemmata("check", f"{file}.btor2", "-p", prop, "-e", "bmc", "--witness", "bug.wit")
    code, out, _ = lemmata("replay", f"{file}.btor2", "bug.wit", "-v")
    assert code == 0
    assert f"is reached in {steps}\n  step " in out


def test_a_changed_witness_is_rejected(lemmata, tmp_path):
    lemmata("check", "capped.btor2", "-p", "1", "-e", "bmc", "--witness", "bug.wit")
    text = (tmp_path / "bug.wit").read_text()
    changed = re.sub("[01]+ y#0", "0011 y#0", text)
    assert changed != text
    (tmp_path / "bug.wit").write_text(changed)
    code, out, _ = lemmata("replay", "capped.btor2", "bug.wit")
    assert (code, out.split(":")[0]) == (1, "rejected")


def test_several_witnesses_in_one_file_are_replayed_one_after_the_other(lemmata, tmp_path):
    lemmata("check", "even.btor2", "-p", "six", "-e", "bmc", "--witness", "bug.wit")
    text = (tmp_path / "bug.wit").read_text()
    (tmp_path / "bug.wit").write_text(text * 2 + text.replace("b1", "b7"))
    code, out, err = lemmata("replay", "even.btor2", "bug.wit")
    assert (code, out.count("accepted")) == (2, 2)
    assert f"bug.wit:{2 * text.count(chr(10)) + 2}:" in err


def test_info_counts_what_is_there(lemmata):
    _, out, _ = lemmata("info", "memory.btor2", "--format", "json")
    facts = json.loads(out)
    assert facts["kind"] == "BTOR2 over words"
    assert facts["inputs"] == {"2 bits": 1, "8 bits": 1}
    assert facts["states"] == {"array of 8 bits at 2 bits": 1}
    assert facts["properties"] == ["big", "answer"]
    assert facts["operators"]["store"] == 1
    _, out, _ = lemmata("info", "capped.btor2", "--format", "json")
    facts = json.loads(out)
    assert (facts["constraints"], facts["starts"]) == (1, {"free": 1, "constant": 1})
    assert lemmata("info", "capped.btor2")[1].splitlines()[1].split() == ["kind", "BTOR2", "over", "words"]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("bits.aag", "--unit", "polytope"), "circuit of bits"),
        (("bits.aag", "-e", "word"), "circuit of bits"),
        (("bits.aag", "--certificate", "p.smt2"), "not .smt2"),
        (("even.btor2", "--certificate", "p.aag"), "has words"),
        (("even.btor2", "--certificate", "p.pdf"), "use such a suffix"),
        (("even.btor2", "-e", "bmc", "--unit", "mixed"), "techniques are PDR's"),
        (("even.btor2", "-p", "seven"), "there is no property 'seven'"),
    ],
)
def test_wrong_calls_end_with_one_line(lemmata, arguments, hint):
    code, out, err = lemmata("check", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert hint in err


def test_explain_works_on_the_bits_and_checks_the_words(lemmata):
    code, out, _ = lemmata("explain", "capped.btor2", "-p", "1")
    assert code == 10
    assert "Replayed on the file by evaluation" in out
    code, out, _ = lemmata("explain", "even.btor2", "--preset", "strong")
    assert code == 0
    assert "x[3] is bit 3 of x" in out
    assert "Checked again by bitwuzla" in out
    code, _, err = lemmata("explain", "bystander.btor2")
    assert code == 2
    assert "too large" in err


def test_numbers_may_be_longer_than_python_writes_them(lemmata):
    code, out, err = lemmata("check", "wide.btor2", "-e", "bmc", "--format", "json")
    assert (code, err) == (10, "")
    assert json.loads(out)["properties"][0]["trace"]["initial"] == {"x": "0x" + "f" * 5000}


def test_a_verdict_is_not_lost_for_a_witness_that_cannot_be_written(lemmata, tmp_path):
    code, out, err = lemmata("check", "ones.btor2", "-e", "bmc", "--witness", "bug.wit")
    assert (code, out.split("\n")[0]) == (10, "unsafe")
    assert err.startswith("lemmata: no witness was written: the trace depends on arrays as a whole")
    assert not (tmp_path / "bug.wit").exists()


def test_a_model_with_words_is_not_overwritten_by_its_bits(lemmata, tmp_path):
    (tmp_path / "link.aag").symlink_to(tmp_path / "even.btor2")
    code, _, err = lemmata("convert", "even.btor2", "link.aag")
    assert (code, err) == (2, "lemmata: link.aag is the model: it would be overwritten\n")
    assert (tmp_path / "even.btor2").read_text() == FILES["even"]


def test_a_limit_of_time_holds_while_a_long_question_is_written_down(lemmata, tmp_path):
    (tmp_path / "proof.txt").write_text("the property is 999999-inductive\n")
    began = time.monotonic()
    assert lemmata("certify", "pair.btor2", "proof.txt", "--timeout", "0.3")[0] == 5
    assert time.monotonic() - began < LATE


def test_an_arity_beyond_all_variables_is_no_more_than_all(lemmata):
    code, out, _ = lemmata("check", "pair.btor2", "-e", "word", "--technique", "arity=999999999", "--timeout", "300")
    assert (code, out.split("\n")[0]) == (0, "safe")
