"""The text report with colours, for a terminal."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lemmata.report import text
from lemmata.result import Result

# Of the 256 colours those that themes leave alone, with a contrast of at least 3.5 to white and to black; more than 4.6 to both
# is impossible. Words say the same without them.
_GREEN, _RED, _ORANGE, _BLUE = "green4", "red3", "dark_orange3", "turquoise4"
VERDICT_STYLES = {
    "safe": f"bold {_GREEN}",
    "unsafe": f"bold {_RED}",
    "unknown": f"bold {_ORANGE}",
    "covered": f"bold {_GREEN}",
    "unreachable": f"bold {_RED}",
}
LINE_STYLES = VERDICT_STYLES | {"title": "bold", "query": _BLUE, "yes": _ORANGE, "no": _GREEN, "faint": "dim"}
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
