"""Tables of frames: a row per location, a column per level. What does not fit is cut and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lemmata.escapes import printable
from lemmata.models.thesis_steps import Cell, Table
from lemmata.report.lines import Line, count

MOST_LEVELS = 6
MOST_PLACES = 30
_WIDTH = 36  # of a cell
_WHOLE = 110  # of a row; a table that fits is not cut


def tabled(table: Table, write: Callable[[Cell], str]) -> Iterator[Line]:
    """The table as lines; the last levels if there are many."""
    levels = len(table[0].cells) if table else 0
    first = max(0, levels - MOST_LEVELS)
    shown = table[:MOST_PLACES]
    rows = [["location", *[f"level {level}" if level == first else str(level) for level in range(first, levels)]]]
    rows += [[printable(row.place), *map(write, row.cells[first:])] for row in shown]
    if sum(_widths(rows)) > _WHOLE:
        rows = [[_cut(text) for text in row] for row in rows]
    if first:
        yield Line(f"    … {count(first, 'level', 'levels')} before these", "faint")
    widths = _widths(rows)
    for number, row in enumerate(rows):
        text = " │ ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip()
        yield Line(f"    {text}", "frame" if number else "faint")
    if (more := len(table) - len(shown)) > 0:
        yield Line(f"    … and {count(more, 'more location', 'more locations')}", "faint")


def _widths(rows: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
