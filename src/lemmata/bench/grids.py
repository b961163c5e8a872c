"""Grids of cells, for a terminal and for a Markdown page. What is in the cells is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rich import box
from rich.markup import escape
from rich.table import Table

from lemmata.escapes import in_markdown

_ALARMING = ("wrong", "uncertified")
_Rows = Sequence[Sequence[str]]


def terminal(title: str, heads: Sequence[str], rows: _Rows, text: Sequence[str], quiet: Sequence[str] = ()) -> Table:
    """A table whose ``text`` columns are flush left, without the ``quiet`` columns that hold nothing but zeros.

    A row that has something in an alarming column is red. Rows whose first cell is the same, or empty, are a section.
    """
    shown = [place for place, head in enumerate(heads) if head not in quiet or any(row[place] != "0" for row in rows)]
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=0, show_edge=False)
    for place in shown:
        table.add_column(escape(heads[place]), justify="left" if heads[place] in text else "right", overflow="fold")
    alarming = [place for place, head in enumerate(heads) if head in _ALARMING]
    has_sections = any(after[0] in ("", row[0]) for row, after in pairwise(rows))
    for row, after in zip(rows, [*rows[1:], [""]], strict=True):
        is_alarming = any(row[place] != "0" for place in alarming)
        cells = (escape(row[place]) for place in shown)
        is_last = has_sections and after[0] not in ("", row[0])
        table.add_row(*cells, style="bold red" if is_alarming else None, end_section=is_last)
    return table


def grid_page(heads: Sequence[str], rows: Iterable[Sequence[str]], text: Sequence[str]) -> str:
    """The same in Markdown, with all columns."""
    lines = [heads, ["---" if head in text else "---:" for head in heads], *rows]
    return "".join("| " + " | ".join(in_markdown(cell) for cell in line) + " |\n" for line in lines)
