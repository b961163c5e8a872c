"""``lemmata check`` of several files: one table, one exit code, and nobody stops the others."""

from __future__ import annotations

import json
import sys

import pytest

from lemmata.cli import command_line
from lemmata.cli.codes import worst
from tests.support.fake_engines import SAFE, TWO, UNSAFE, Raising, install

LOOP = """(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (> x 5)) false)))
(check-sat)
"""


@pytest.fixture
def lemmata(tmp_path, monkeypatch, capsys):
    """Call the program in a folder of tiny models; exit code, standard output, standard error."""
    (tmp_path / "sub" / "below").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    files = {
        "safe.aag": SAFE,
        "sub/two.aag": TWO,
        "sub/below/unsafe.aag": UNSAFE,
        "sub/notes.txt": "no model",
        "wrong.aag": "aag x\n",
    }
    for name, text in (files | {"loop.smt2": LOOP}).items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lemmata", "check", *arguments])
        with pytest.raises(SystemExit) as ended:
            command_line()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return call


def rows(out: str) -> list[list[str]]:
    """The first two cells of each row."""
    return [line.split()[:2] for line in out.splitlines()[1:-1]]


def test_files_and_folders_are_rows_in_order_each_once(lemmata):
    code, out, err = lemmata("safe.aag", "loop.smt2", "sub", "safe.aag")
    assert rows(out) == [
        ["safe.aag", "safe"],
        ["loop.smt2", "safe"],
        ["sub/below/unsafe.aag", "unsafe"],
        ["sub/two.aag", "unsafe"],
    ]
    assert out.splitlines()[-1] == "4 files: 2 safe, 2 unsafe"
    assert (code, err) == (10, "")


def test_a_folder_alone_is_several_files(lemmata):
    code, out, _ = lemmata("sub")
    assert code == 10 and len(rows(out)) == 2


def test_a_file_that_cannot_be_read_is_a_row_and_the_others_go_on(lemmata):
    code, out, _ = lemmata("nowhere.aag", "wrong.aag", "safe.aag")
    assert rows(out) == [["nowhere.aag", "error"], ["wrong.aag", "error"], ["safe.aag", "safe"]]
    assert code == 2 and "2 error" in out


def test_a_bug_of_ours_is_a_row_and_the_others_go_on(lemmata, monkeypatch):
    install(monkeypatch, Raising)
    code, out, err = lemmata("safe.aag", "sub/two.aag", "--engine", "pdr")
    assert [verdict for _, verdict in rows(out)] == ["unknown", "unknown"]
    assert code == 1 and err.count("internal error") == 2


def test_json_has_an_object_for_each_file(lemmata):
    code, out, _ = lemmata("safe.aag", "wrong.aag", "--format", "json")
    documents = json.loads(out)
    assert [(d["file"], d["verdict"]) for d in documents] == [("safe.aag", "safe"), ("wrong.aag", "error")]
    assert documents[1]["error"] and code == 2


def test_lines_of_json_say_which_file_they_are_about(lemmata):
    _, out, _ = lemmata("safe.aag", "sub/below/unsafe.aag", "--format", "jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    assert all("file" in line for line in lines)
    assert [line["verdict"] for line in lines if "tool" in line] == ["safe", "unsafe"]
    assert {line["file"] for line in lines if "event" in line} == {"safe.aag", "sub/below/unsafe.aag"}


def test_verbose_shows_the_reports(lemmata):
    _, out, _ = lemmata("safe.aag", "sub", "-v")
    assert "    safe\n" in out and "    unsafe\n" in out


@pytest.mark.parametrize(
    "arguments", [["--witness", "w"], ["--certificate", "c.aag"], ["--format", "html"], ["--format", "chc"]]
)
def test_what_is_about_one_file_is_refused(lemmata, arguments):
    code, out, err = lemmata("safe.aag", "sub", *arguments)
    assert (code, out) == (2, "") and "about one file" in err


def test_a_folder_without_models_is_refused(lemmata):
    code, _, err = lemmata("safe.aag", "empty")
    assert code == 2 and "without models" in err


def test_the_worst_exit_code_wins():
    assert (
        worst([0, 10, 5]) == 10
        and worst([10, 2]) == 2
        and worst([2, 1, 0]) == 1
        and worst([5, 0]) == 5
        and worst([0, 130, 1]) == 130
    )
