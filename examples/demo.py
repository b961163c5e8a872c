"""Check every shipped example and compare with what it promises: the main job of Lemmata, through its Python API."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

import lemmata

HERE = Path(__file__).parent
COLOR = {"safe": "green", "unsafe": "red", "unknown": "yellow"}


def _number(value: int) -> str:
    return str(value) if value >= 0 else "-"


def main() -> int:
    """Print the table; 0 if all verdicts are as expected and certified."""
    table = Table(title=f"Lemmata {lemmata.__version__} on its examples")
    for column in ("file", "property", "verdict", "engine", "bound or depth", "certified", "seconds"):
        table.add_column(column)
    surprises = []
    console = Console(width=None if sys.stdout.isatty() else 110)
    with (HERE / "index.csv").open() as index, console.status("checking") as status:
        for row in csv.DictReader(index):
            status.update(f"checking {row['file']}")
            result = lemmata.check(HERE / row["file"], timeout=60)
            if result.verdict != row["expected"] or not all(p.certified for p in result.properties):
                surprises.append(f"{row['file']}: expected {row['expected']}, got {result.verdict}")
            for prop in result.properties:
                word = prop.verdict.word
                table.add_row(
                    row["file"],
                    prop.name,
                    f"[{COLOR[word]}]{word}[/]",
                    prop.engine,
                    _number(prop.bound if prop.depth is None else prop.depth),
                    "yes" if prop.certified else "NO",
                    f"{prop.time_s:.2f}",
                )
    console.print(table)
    console.print("safe = an inductive invariant was found and re-checked; unsafe = a run was found and replayed")
    for surprise in surprises:
        console.print(f"[bold red]{surprise}[/]")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
