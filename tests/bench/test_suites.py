"""Which files a suite names, and what it expects of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.bench.campaign import Campaign, plan_runs
from lemmata.bench.contestants import Lemmata
from lemmata.bench.runners import RunLimits
from lemmata.bench.suites import Case, has_question, load_suite
from lemmata.errors import InputError, UsageError


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    for name in ("easy/a.aig", "easy/b.aag", "hard/c.aig", "top.aag"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    rows = ["file, expected, note", "easy/a.aig,safe,x", "easy/b.aag, unsafe,", "hard/c.aig,,", "top.aag,Unknown,"]
    (folder / "index.csv").write_text("\n".join(rows))
    return folder


def test_an_index_gives_files_expectations_and_subsets(suite: Path) -> None:
    cases = load_suite([suite])
    assert [(case.file, case.expected, case.subset) for case in cases] == [
        ("easy/a.aig", "safe", "easy"),
        ("easy/b.aag", "unsafe", "easy"),
        ("hard/c.aig", "unknown", "hard"),
        ("top.aag", "unknown", "mine"),
    ]
    assert load_suite([suite / "index.csv"]) == cases


def test_an_index_says_which_numbers_a_c_program_means(tmp_path: Path) -> None:
    rows = (
        "a.c,safe,mathematical ints\nb.c,safe,C int semantics\nc.i,safe,nonlinear integer arithmetic\nd.aag,safe,mathematical\n"
    )
    for name in ("a.c", "b.c", "c.i", "d.aag"):
        (tmp_path / name).write_text("")
    (tmp_path / "index.csv").write_text("file,expected,semantics\n" + rows)
    assert [case.is_unbounded for case in load_suite([tmp_path])] == [True, False, True, False]
    (tmp_path / "index.csv").write_text("file,expected_int,lines\na.c,unsafe,3\nb.c,,4\n")
    cases = load_suite([tmp_path])
    assert [(case.expected, case.is_unbounded) for case in cases] == [("unsafe", True), ("unknown", True)]
    assert cases[0].digest() != replace(cases[0], is_unbounded=False).digest()


def test_a_category_of_the_index_is_the_subset(suite: Path) -> None:
    (suite / "index.csv").write_text("file,category,expected\neasy/a.aig,toy/simple,safe\neasy/b.aag,,safe\n")
    assert [case.subset for case in load_suite([suite])] == ["toy/simple", "easy"]


def test_a_file_finds_its_index_above_it_and_comes_once(suite: Path) -> None:
    (case, other) = load_suite([suite / "easy" / "b.aag", suite / "easy" / "b.aag", suite / "top.aag"])
    assert (case.file, case.expected, case.subset) == ("easy/b.aag", "unsafe", "easy")
    assert other.file == "top.aag"


def test_a_folder_without_index_gives_its_model_files(suite: Path) -> None:
    (suite / "index.csv").unlink()
    assert [case.file for case in load_suite([suite])] == ["easy/a.aig", "easy/b.aag", "hard/c.aig", "top.aag"]
    assert {case.expected for case in load_suite([suite])} == {"unknown"}


def test_filters_and_the_file_limit_choose(suite: Path) -> None:
    assert [case.file for case in load_suite([suite], ["easy/*", "top*"])] == ["easy/a.aig", "easy/b.aag", "top.aag"]
    assert [case.file for case in load_suite([suite], ["easy/*"], 1)] == ["easy/a.aig"]
    with pytest.raises(UsageError, match="no file to run matches none"):
        load_suite([suite], ["none"])


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("name,expected\na,safe\n", r"index.csv:1:1: no column file"),
        ("file,verdict\na,safe\n", r"index.csv:1:1: no column expected"),
        ("", r"index.csv:1:1: no column expected and no column file"),
        ("file,expected\neasy/a.aig,safe\neasy/b.aag,sat\n", r"index.csv:3:1: expected verdict is 'sat'"),
        ("file,expected\ngone.aig,safe\n", r"gone.aig: no such file"),
    ],
)
def test_a_bad_index_is_one_clear_line(suite: Path, index: str, message: str) -> None:
    (suite / "index.csv").write_text(index)
    with pytest.raises(InputError, match=message):
        load_suite([suite])


def test_an_index_that_is_not_text_is_an_input_error(suite: Path) -> None:
    (suite / "index.csv").write_bytes(b"file,expected\n\xff\xfe,safe\n")
    with pytest.raises(InputError, match="cannot read"):
        load_suite([suite])


def test_two_suites_that_cannot_be_told_apart_are_refused(suite: Path, tmp_path: Path) -> None:
    twin = tmp_path / "other" / "mine"
    twin.mkdir(parents=True)
    (twin / "top.aag").write_text("x")
    with pytest.raises(UsageError, match="two suites have the same name"):
        load_suite([suite, twin])


def test_a_suite_that_does_not_exist_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        load_suite([tmp_path / "nowhere"])


@pytest.mark.parametrize(
    ("header", "asks"),
    [
        ("aag 0 0 0 0 0", False),
        ("aag 1 1 0 1 0", True),
        ("aag 1 1 0 0 0 1", True),
        ("aag 1 1 0 1 0 0 0 1", False),
        ("aig 1 1 0 1 0 1 0 1", True),
        ("what is this", True),
        ("", True),
    ],
)
def test_a_file_asks_something_if_it_has_bads_or_outputs_that_stand_for_them(tmp_path, header, asks):
    path = tmp_path / "model.aag"
    path.write_text(header + "\n")
    assert has_question(Case("suite", "model.aag", path, "unknown")) == asks


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="bench measures through /proc")
def test_a_c_program_is_checked_over_the_numbers_that_its_index_means(tmp_path: Path) -> None:
    pytest.importorskip("pycparser")
    program = "int unknown(void); int main(void) { int x = unknown(); if (x + 1 < x) { ERROR: return 1; } return 0; }"
    for name in ("wraps.c", "grows.c"):
        (tmp_path / name).write_text(program)
    rows = "wraps.c,unsafe,C int semantics\ngrows.c,safe,mathematical ints\n"
    (tmp_path / "index.csv").write_text("file,expected,semantics\n" + rows)
    runs = plan_runs([Lemmata()], load_suite([tmp_path]))
    records = list(Campaign(RunLimits(60, 2000), tmp_path / "out").perform(runs))
    assert [(one.verdict, one.outcome) for one in records] == [("unsafe", "solved"), ("safe", "solved")]
