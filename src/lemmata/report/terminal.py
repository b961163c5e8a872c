"""The text report with colours, for a terminal."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lemmata.report import text
from lemmata.result import Result

_STYLES = {"safe": "bold green", "unsafe": "bold red", "unknown": "bold yellow"} | {
    "covered": "bold green",
    "unreachable": "bold red",
}
_NUMBERS = ("bound", "depth", "seconds")


def show_on_terminal(result: Result, console: Console, verbose: bool = False) -> None:
    """Print the report."""
    console.print(_report(result, verbose, console.width), soft_wrap=True)


def _report(result: Result, verbose: bool, width: int) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in text.COLUMNS:
        table.add_column(name, justify="right" if name in _NUMBERS else "left", overflow="fold")
    for prop in result.properties:
        cells = zip(text.COLUMNS, text.row(prop), strict=True)
        table.add_row(*(Text(cell, _STYLES[cell] if name == "verdict" else "") for name, cell in cells))
    lines = [Text(line) for line in (*text.remarks(result), *text.evidence(result, verbose, width))]
    return Group(Text(result.verdict, _STYLES[result.verdict]), table, *lines, Text(text.footer(result), "dim"))
