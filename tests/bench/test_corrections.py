"""Expectations that are known to be wrong are corrected, and said to be."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

import lemmata.bench
from lemmata.bench import tables
from lemmata.bench.contestants import Lemmata
from lemmata.bench.corrections import correct
from lemmata.bench.records import judged_again
from lemmata.bench.runners import RunLimits
from lemmata.bench.suites import Case
from lemmata.errors import InputError, UsageError
from tests.support.bench_records import BASE, TIMED_OUT

HERE = Path(__file__).resolve()
KNOWN = Path(lemmata.bench.__file__).parent / "known" / "boogie.csv"
SUITE = HERE.parents[3] / "shared" / "bench" / "boogie"
CASES = [Case("s", "x/1.aig", Path("1"), "safe"), Case("s", "x/2.aig", Path("2"), "unsafe")]


def source(folder: Path, text: str) -> str:
    path = folder / "mine.csv"
    path.write_text(text)
    return str(path)


def test_a_correction_replaces_what_the_index_says(tmp_path: Path) -> None:
    cases, corrections = correct(
        CASES, [source(tmp_path, "file,expected,why\nx/1.aig,unsafe,it counts to 3\nx/9.aig,safe,so\n")]
    )
    assert [case.expected for case in cases] == ["unsafe", "unsafe"]
    (one,) = corrections
    assert str(one) == "s/x/1.aig is unsafe, not safe: it counts to 3"


def test_what_the_index_says_already_is_no_correction(tmp_path: Path) -> None:
    cases, corrections = correct(CASES, [source(tmp_path, "file,expected,why\nx/1.aig,safe,so\n")])
    assert (cases, corrections) == (CASES, ())


def test_the_report_lists_corrections(tmp_path: Path) -> None:
    _, corrections = correct(CASES, [source(tmp_path, "file,expected,why\nx/1.aig,unsafe,it counts to 3\n")])
    shown = tables.bench_report([BASE], [Lemmata("a")], RunLimits(10.0, 100), corrections)
    assert "- Corrected expectation: s/x/1.aig is unsafe, not safe: it counts to 3\n" in tables.tables_markdown(shown)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file,expected\na,safe\n", r"mine.csv:1:1: no column why"),
        ("", r"mine.csv:1:1: no column file and no column expected and no column why"),
        ("file,expected,why\na,safe,\n", r"mine.csv:2:1: not a correction"),
        ("file,expected,why\na,sat,so\n", r"mine.csv:2:1: not a correction"),
    ],
)
def test_bad_corrections_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        correct(CASES, [source(tmp_path, text)])


def test_a_name_that_nobody_knows_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--expected nowhere: no such file, .*these are: boogie"):
        correct(CASES, ["nowhere"])


def test_rows_are_judged_again_when_expectations_change() -> None:
    case = replace(CASES[0], expected="unsafe", category="y")
    wrong = judged_again(BASE, case)
    assert (wrong.outcome, wrong.expected, wrong.subset) == ("wrong", "unsafe", "y")
    assert judged_again(wrong, replace(case, expected="safe")).outcome == "solved"
    assert judged_again(wrong, replace(case, expected="unknown")).outcome == "solved"
    assert judged_again(replace(wrong, certified=False), CASES[0]).outcome == "uncertified"
    assert judged_again(replace(wrong, reason="cpu"), CASES[0]).outcome == "timeout"
    assert judged_again(TIMED_OUT, case).outcome == "timeout"
    assert judged_again(BASE, Case("s", "x/1.aig", Path("1"), "safe")) is BASE


@pytest.mark.skipif(not SUITE.is_dir(), reason="the suite is not here")
def test_with_the_shipped_corrections_the_suite_expects_what_the_programs_do() -> None:
    with (SUITE / "index.csv").open(newline="") as file:
        cases = [Case("boogie", row["file"], SUITE / row["file"], row["expected"]) for row in csv.DictReader(file)]
    corrected, corrections = correct(cases, ["boogie"])
    known = {row["file"]: row["expected"] for row in csv.DictReader(KNOWN.read_text().splitlines())}
    assert len(known) == 5 and {name.partition("/")[0] for name in known} == {"pdr"}
    assert {case.file: case.expected for case in corrected if case.file in known} == known
    assert {one.file for one in corrections} <= known.keys()  # an index may be right by itself
