"""Check every shipped example and compare with what it promises: the main job of Lemmata, through its Python API."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

import lemmata
from lemmata.config import DesignOptions

HERE = Path(__file__).parent
FOLDERS = (HERE, HERE / "btor2", HERE / "welp", HERE / "lia", HERE / "boogie", HERE / "c", HERE / "verilog")
ENGINES = {"welp": "word"}  # the engine that a folder is about; elsewhere Lemmata chooses
LIMIT = 1800  # seconds, against hanging: an idle machine needs 20 for the slowest file, one that does ten other things 200
COLOR = {"safe": "green", "unsafe": "red", "unknown": "yellow", "covered": "green", "unreachable": "red"}


def _number(value: int) -> str:
    return str(value) if value >= 0 else "-"


def examples() -> Iterator[tuple[Path, str, DesignOptions]]:
    """The files of all folders with their expected verdicts, and how designs are read."""
    for folder in FOLDERS:
        with (folder / "index.csv").open() as index:
            for row in csv.DictReader(index):
                yield folder / row["file"], row["expected"], DesignOptions(multiclock=row.get("options") == "multiclock")


def main() -> int:
    """Print the table; 0 if all verdicts are as expected and certified."""
    table = Table(title=f"Lemmata {lemmata.__version__} on its examples")
    for column in ("file", "property", "verdict", "engine", "bound or depth", "certified", "seconds"):
        table.add_column(column)
    surprises = []
    console = Console(width=None if sys.stdout.isatty() else 110)
    with console.status("checking") as status:
        for path, expected, design in examples():
            name = str(path.relative_to(HERE))
            status.update(f"checking {name}")
            result = lemmata.check(path, engine=ENGINES.get(path.parent.name, "auto"), timeout=LIMIT, design=design)
            if result.verdict != expected or not all(p.certified for p in result.properties):
                surprises.append(f"{name}: expected {expected}, got {result.verdict}")
            for prop in result.properties:
                word = prop.word
                table.add_row(
                    name,
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
