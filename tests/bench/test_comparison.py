"""Contestants side by side: by category, exclusively, and together; on records written by hand."""

import json
from dataclasses import replace

from lemmata.bench import comparison, tables
from lemmata.bench.contestants import Lemmata
from lemmata.bench.records import Record
from lemmata.bench.runners import RunLimits
from tests.support.bench_records import BASE, TIMED_OUT

LIMITS = RunLimits(10.0, 100)


def ran(contestant: str, file: str, like: Record = BASE, **changes: object) -> Record:
    subset = file.partition("/")[0]
    return replace(like, contestant=contestant, file=file, subset=subset, **changes)  # type: ignore[arg-type]


RECORDS = [
    ran("a", "x/1", cpu_s=1.0),
    ran("b", "x/1", cpu_s=3.0),
    ran("a", "x/2", cpu_s=2.0, verdict="unsafe"),
    ran("b", "x/2", TIMED_OUT),
    ran("a", "y/3", TIMED_OUT, outcome="error"),
    ran("b", "y/3", cpu_s=4.0),
    ran("a", "y/4", TIMED_OUT, outcome="memory"),
    ran("b", "y/4", TIMED_OUT, outcome="unknown"),
]


def report(records: list[Record], *labels: str) -> tables.Report:
    return tables.bench_report(records, [Lemmata(label) for label in labels], LIMITS)


def test_what_one_contestant_alone_solved_is_listed() -> None:
    first, second = comparison.solved_by_one(RECORDS, ["a", "b"])
    assert (first.contestant, first.files, first.beyond) == ("a", ("x/2",), {"b": 1})
    assert (second.contestant, second.files, second.beyond) == ("b", ("y/3",), {"a": 1})


def test_a_contestant_made_of_others_hides_them_but_not_by_pairs() -> None:
    third = [replace(one, contestant="c") for one in RECORDS if one.is_solved]
    found = comparison.solved_by_one([*RECORDS, *third], ["a", "b", "c"])
    assert [one.files for one in found] == [(), (), ()]
    assert found[0].beyond == {"b": 1, "c": 0}
    assert found[2].beyond == {"a": 1, "b": 1}


def test_the_virtual_best_is_the_quickest_on_each_file() -> None:
    together = comparison.best(RECORDS)
    assert (together.files, together.safe, together.unsafe, together.solved_s) == (4, 2, 1, 7.0)


def test_files_of_several_suites_are_told_apart() -> None:
    other = [replace(one, suite="t") for one in RECORDS]
    assert comparison.solved_by_one([*RECORDS, *other], ["a", "b"])[0].files == ("s/x/2", "t/x/2")
    assert comparison.best([*RECORDS, *other]).files == 8


def test_the_page_has_a_row_per_measure_and_the_total_first() -> None:
    page = tables.tables_markdown(report(RECORDS, "a", "b"))
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    begin = rows.index("| category | measure | a | b | virtual best |")
    assert rows[begin + 2 : begin + 17] == [
        "| total | solved | 2/4 | 2/4 | 3/4 |",
        "|  | safe | 1 | 2 | 2 |",
        "|  | unsafe | 1 | 0 | 1 |",
        "|  | solve time, s | 3 | 7 | 7 |",
        "|  | time-outs | 0 | 1 |  |",
        "|  | unknown | 1 | 1 |  |",
        "|  | errors | 1 | 0 |  |",
        "| x | solved | 2/2 | 1/2 |  |",
        "|  | safe | 1 | 1 |  |",
        "|  | unsafe | 1 | 0 |  |",
        "|  | solve time, s | 3 | 3 |  |",
        "|  | time-outs | 0 | 1 |  |",
        "|  | unknown | 0 | 0 |  |",
        "|  | errors | 0 | 0 |  |",
        "| y | solved | 0/2 | 1/2 |  |",
    ]
    assert "| a | 1 | – | 1 |" in rows
    assert "Only b:\n\n- `y/3`\n" in page


def test_wrong_verdicts_have_a_row_where_there_are_some() -> None:
    wrong = [*RECORDS, ran("a", "y/5", outcome="wrong"), ran("b", "y/5")]
    page = tables.tables_markdown(report(wrong, "a", "b"))
    assert page.count("| wrong or uncertified | 1 | 0 |") == 2  # in the total, and in y
    assert "wrong or uncertified" not in tables.tables_markdown(report(RECORDS, "a", "b"))


def test_one_contestant_alone_is_not_compared() -> None:
    page = tables.tables_markdown(report([one for one in RECORDS if one.contestant == "a"], "a"))
    assert "By category" not in page
    assert "exclusively" not in page


def test_json_has_the_same() -> None:
    data = json.loads(tables.to_json(report(RECORDS, "a", "b")))
    assert data["exclusive"][0] == {"contestant": "a", "files": ["x/2"], "beyond": {"b": 1}}
    assert data["best"]["solved_s"] == 7.0
    assert data["scores"][0]["solved_s"] == 3.0
