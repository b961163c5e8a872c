"""The table with a row per file."""

from dataclasses import replace
from io import StringIO

from rich.console import Console

from lemmata.bench.by_file import FEW_FILES, by_file, by_file_markdown, rich_table
from tests.support.bench_records import BASE, TIMED_OUT

RECORDS = [
    BASE,
    replace(TIMED_OUT, contestant="b|c"),
    replace(BASE, file="x/2.aig", cpu_s=0.126),
    replace(BASE, file="x/2.aig", contestant="b|c", outcome="wrong"),
]


def test_a_cell_has_seconds_or_the_outcome_and_the_sum_counts_the_limit() -> None:
    shown = by_file(RECORDS, ["a", "b|c"])
    assert shown.heads == ("file", "a", "b|c")
    assert shown.rows == (("x/1.aig", "1.00", "timeout"), ("x/2.aig", "0.13", "wrong"))
    assert shown.sums == ("sum", "1.13", "20.00")


def test_there_is_no_sum_over_files_that_somebody_has_not_run() -> None:
    shown = by_file(RECORDS[:3], ["a", "b|c"])
    assert shown.rows[1] == ("x/2.aig", "0.13", "–")
    assert shown.sums is None


def test_files_of_several_suites_are_told_apart() -> None:
    shown = by_file([BASE, replace(BASE, suite="t")], ["a"])
    assert [row[0] for row in shown.rows] == ["s/x/1.aig", "t/x/1.aig"]


def test_markdown_has_a_line_per_file_and_the_terminal_shows_the_same_cells() -> None:
    shown = by_file(RECORDS, ["a", "b|c"])
    assert by_file_markdown(shown).splitlines() == [
        "| file | a | b\\|c |",
        "| --- | ---: | ---: |",
        "| x/1.aig | 1.00 | timeout |",
        "| x/2.aig | 0.13 | wrong |",
        "| sum | 1.13 | 20.00 |",
    ]
    screen = StringIO()
    Console(file=screen, width=100).print(rich_table(shown))
    assert all(cell in screen.getvalue() for row in shown.rows for cell in row)


def test_many_files_are_too_many_for_a_terminal() -> None:
    many = [replace(BASE, file=f"{i}.aig") for i in range(FEW_FILES + 1)]
    assert by_file(many[:-1], ["a"]).is_short
    assert not by_file(many, ["a"]).is_short


def test_nothing_run_is_an_empty_table() -> None:
    assert by_file([], ["a"]).rows == ()
