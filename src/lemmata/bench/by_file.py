"""A table with a row per file and a column per contestant, as papers print them for a handful of instances.

A cell has the CPU seconds of a run that was solved, and otherwise the outcome in a word. The last row sums up, with the time
limit for every run that was not solved; it is left out while a contestant has files to go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich import box
from rich.markup import escape
from rich.table import Table

from lemmata.bench.records import Record
from lemmata.escapes import in_markdown
from lemmata.values import dataclass

FEW_FILES = 20  # files that a terminal shows one by one


@dataclass(frozen=True, slots=True)
class ByFile:
    """The cells; the first column has the files."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...] | None

    @property
    def is_short(self) -> bool:
        """Are there so few files that one wants to see each of them?"""
        return len(self.rows) <= FEW_FILES


def by_file(records: Sequence[Record], contestants: Sequence[str]) -> ByFile:
    """The table of some records, files in order of appearance. Suites are named where there are several."""
    has_several = len({one.suite for one in records}) > 1
    runs = {(one.suite, one.file, one.contestant): one for one in records}
    files = dict.fromkeys((one.suite, one.file) for one in records)
    names = [f"{suite}/{file}" if has_several else file for suite, file in files]
    lines = [[runs.get((*file, label)) for label in contestants] for file in files]
    rows = [(name, *map(_cell, line)) for name, line in zip(names, lines, strict=True)]
    columns = [[one for one in column if one] for column in zip(*lines, strict=True)]
    is_complete = all(len(column) == len(files) for column in columns)
    sums = ("sum", *(_seconds(math.fsum(map(_counted, column))) for column in columns)) if is_complete else None
    return ByFile(("file", *contestants), tuple(rows), sums)


def by_file_markdown(shown: ByFile) -> str:
    """The table in Markdown."""
    align = ("---", *("---:" for _ in shown.heads[1:]))
    lines = [shown.heads, align, *shown.rows, *([shown.sums] if shown.sums else [])]
    return "".join("| " + " | ".join(in_markdown(cell) for cell in line) + " |\n" for line in lines)


def rich_table(shown: ByFile) -> Table:
    """The table for a terminal."""
    table = Table(title="CPU seconds per file", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    for place, head in enumerate(shown.heads):
        table.add_column(escape(head), justify="right" if place else "left", no_wrap=not place)
    for row in shown.rows:
        table.add_row(*map(escape, row), end_section=row is shown.rows[-1])
    if shown.sums:
        table.add_row(*shown.sums)
    return table


def _cell(run: Record | None) -> str:
    if run is None:
        return "–"
    return _seconds(run.cpu_s) if run.is_solved else run.outcome


def _counted(run: Record) -> float:
    return run.cpu_s if run.is_solved else run.timeout_s


def _seconds(value: float) -> str:
    return f"{value:.2f}"
