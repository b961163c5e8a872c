"""Liveness beside safety is never passed over in silence: text, JSON, and the other formats say what was not checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lemmata
from lemmata.errors import Unsupported
from lemmata.result import NotChecked, Result
from tests.support.clock import HANGS
from tests.support.program import run_program

LATCH = "2 3\n"  # x starts as 0 and toggles
AIGER = {
    "both.aag": f"aag 1 0 1 0 0 1 0 1 2\n{LATCH}0\n1\n2\n2\n3\n",
    "justice.aag": f"aag 1 0 1 0 0 0 0 2\n{LATCH}1\n1\n2\n3\n",
    "fairness.aag": f"aag 1 0 1 0 0 1 0 0 1\n{LATCH}0\n2\n",
    "unsafe.aag": f"aag 1 0 1 0 0 1 0 1 1\n{LATCH}2\n1\n3\n0\n",  # fairness that no run keeps: a bad state is still reached
    "outputs.aag": f"aag 1 0 1 1 0 0 0 0 1\n{LATCH}0\n2\n",
}
_BTOR2 = "1 sort bitvec 1\n2 zero 1\n3 state 1 x\n4 init 1 3 2\n5 not 1 3\n6 next 1 3 5\n"
BTOR2 = {
    "both.btor2": f"{_BTOR2}7 bad 2\n8 justice 1 3\n9 fair 3\n10 fair -3\n",
    "justice.btor2": f"{_BTOR2}7 fair 3\n8 justice 2 3 -3\n9 justice 1 3\n",
    "fairness.btor2": f"{_BTOR2}7 bad 2\n8 fair 3\n",
    "unsafe.btor2": f"{_BTOR2}7 bad 3\n8 justice 1 -3\n9 fair 2\n",
}
_VMT = """(declare-fun x () Int)
(declare-fun y () Int)
(define-fun sx () Int (! x :next y))
(define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= y (+ x 1)) :trans true))
"""
_LIVE = "(define-fun l () Bool (! (> x 5) :live-property 1))\n"
VMT = {
    "both.vmt": f"{_VMT}(define-fun p () Bool (! (>= x 0) :invar-property 0))\n{_LIVE}",
    "justice.vmt": _VMT + _LIVE,
    "unsafe.vmt": f"{_VMT}(define-fun p () Bool (! (< x 2) :invar-property 0))\n{_LIVE}",
}
FILES = AIGER | BTOR2 | VMT
CHECKED = {
    "both.aag": ("safe", 1, 2, "1 justice property, 2 fairness constraints"),
    "fairness.aag": ("safe", 0, 1, "1 fairness constraint"),
    "outputs.aag": ("safe", 0, 1, "1 fairness constraint"),
    "unsafe.aag": ("unsafe", 1, 1, "1 justice property, 1 fairness constraint"),
    "both.btor2": ("safe", 1, 2, "1 justice property, 2 fairness constraints"),
    "fairness.btor2": ("safe", 0, 1, "1 fairness constraint"),
    "unsafe.btor2": ("unsafe", 1, 1, "1 justice property, 1 fairness constraint"),
    "both.vmt": ("safe", 1, 0, "1 justice property"),
    "unsafe.vmt": ("unsafe", 1, 0, "1 justice property"),
}
REFUSED = {
    "justice.aag": ("justice.aag:1:1: the file asks for liveness only (2 justice properties)", "l2s"),
    "justice.btor2": (
        "justice.btor2:8:1: the file asks for liveness only (2 justice properties, 1 fairness constraint)",
        "l2s",
    ),
    "justice.vmt": ("justice.vmt:6:", ":invar-property"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("file", CHECKED)
def test_safety_is_checked_and_the_result_says_what_was_not(folder: Path, file: str) -> None:
    verdict, justice, fairness, words = CHECKED[file]
    result = lemmata.check(file, timeout=HANGS, workers=1)
    assert (result.verdict, result.not_checked) == (verdict, NotChecked(justice, fairness))
    assert all(prop.certified for prop in result.properties)
    assert result.remark == f"not checked: {words}"
    assert result.to_json()["not_checked"] == {"justice": justice, "fairness": fairness}
    assert f"<p>not checked: {words}</p>" in result._repr_html_()


@pytest.mark.parametrize("file", ["both.aag", "unsafe.btor2", "both.vmt"])
def test_text_says_it_below_the_table(folder: Path, file: str) -> None:
    verdict, _, _, words = CHECKED[file]
    done = run_program("check", file, "--workers", "1")
    lines = done.out.splitlines()
    assert (lines[0], done.err) == (verdict, "")
    assert lines[3:5] == ["", f"not checked: {words}"]


@pytest.mark.parametrize("form", ["json", "jsonl"])
@pytest.mark.parametrize("file", ["both.aag", "both.btor2", "unsafe.vmt"])
def test_json_says_it(folder: Path, file: str, form: str) -> None:
    verdict, justice, fairness, _ = CHECKED[file]
    done = run_program("check", file, "--format", form, "--workers", "1")
    document = json.loads(done.out if form == "json" else done.out.splitlines()[-1])
    assert (document["verdict"], document["not_checked"]) == (verdict, {"justice": justice, "fairness": fairness})


@pytest.mark.parametrize(("file", "form", "word"), [("both.aag", "hwmcc", "unsat"), ("unsafe.vmt", "chc", "unsat")])
def test_where_the_output_is_one_word_standard_error_says_it(folder: Path, file: str, form: str, word: str) -> None:
    done = run_program("check", file, "--format", form, "--workers", "1")
    assert (done.out, done.err) == (f"{word}\n", f"lemmata: not checked: {CHECKED[file][3]}\n")


@pytest.mark.parametrize("file", REFUSED)
def test_liveness_alone_is_refused_with_place_cause_and_remedy(folder: Path, file: str) -> None:
    beginning, remedy = REFUSED[file]
    with pytest.raises(Unsupported) as refused:
        lemmata.check(file, workers=1)
    assert str(refused.value).startswith(beginning)
    assert remedy in refused.value.remedy


def test_liveness_alone_gives_no_verdict_on_the_command_line(folder: Path) -> None:
    done = run_program("check", "justice.btor2", "--format", "json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("lemmata: justice.btor2:8:1: the file asks for liveness only")


def test_a_justice_property_by_name_is_refused_with_its_place(folder: Path) -> None:
    with pytest.raises(Unsupported, match=r"both.btor2:8:1: 'j0' is a justice property.*bad literal"):
        lemmata.check("both.btor2", property="j0", workers=1)


@pytest.mark.parametrize(("file", "counts"), [("both.aag", (1, 2)), ("justice.btor2", (2, 1)), ("both.vmt", (1, 0))])
def test_info_counts_both(folder: Path, file: str, counts: tuple[int, int]) -> None:
    facts = json.loads(run_program("info", file, "--format", "json").out)
    assert (facts["justice"], facts["fairness"]) == counts


def test_what_is_lost_on_the_way_to_another_notation_is_said(folder: Path) -> None:
    done = run_program("convert", "both.btor2", "bits.aag")
    assert (done.code, done.err) == (0, "lemmata: not written: 1 justice property, 2 fairness constraints\n")
    assert run_program("convert", "both.aag", "same.aig").err == ""  # AIGER keeps them
    assert lemmata.check("same.aig", workers=1).not_checked == NotChecked(1, 2)


def test_explain_says_it(folder: Path) -> None:
    assert "(not checked: 1 justice property, 2 fairness constraints)" in run_program("explain", "both.aag").out


def test_nothing_is_said_where_there_is_nothing() -> None:
    assert Result("f", "0", (), 0.0, 0.0).remark == ""


def test_of_a_file_that_was_not_read_nothing_is_claimed() -> None:
    assert Result("f", "0", (), 0.0, 0.0, None).to_json()["not_checked"] is None
