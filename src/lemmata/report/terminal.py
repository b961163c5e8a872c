"""The text report with colours, for a terminal."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lemmata.report import text
from lemmata.result import Result

VERDICT_STYLES = {"safe": "bold green4", "unsafe": "bold red3", "unknown": "bold dark_orange3"} | {
    "covered": "bold green4",
    "unreachable": "bold red3",
}  # readable on light and on dark grounds
_NUMBERS = ("bound", "depth", "seconds")


def show_on_terminal(result: Result, console: Console, verbose: bool = False) -> None:
    """Print the report."""
    console.print(_report(result, verbose, console.width), soft_wrap=True)


def _report(result: Result, verbose: bool, width: int) -> RenderableType:
    rows = [text.row(prop) for prop in result.properties]
    kept = text.kept_columns(rows, width)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in (text.COLUMNS[k] for k in kept):
        table.add_column(name, justify="right" if name in _NUMBERS else "left", overflow="fold")
    for row in rows:
        cells = [(text.COLUMNS[k], row[k]) for k in kept]
        table.add_row(*(Text(cell, VERDICT_STYLES[cell] if name == "verdict" else "") for name, cell in cells))
    told = (*text.remarks(result), *text.advice_lines(result, width), *text.evidence(result, verbose, width))
    lines = [Text(line) for line in told]
    foot = Text(text.footer(result, width), "dim")
    return Group(Text(result.verdict, VERDICT_STYLES[result.verdict]), table, *lines, foot)
