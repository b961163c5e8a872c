"""Write the shipped examples and their index: ``python examples/generate.py [FOLDER]``.

The designs are in ``generator/``; each file gets a comment with what it is, the expected verdict and where it is from.
"""

from __future__ import annotations

import sys
from pathlib import Path

from generator import controllers, datapaths, papers, protocols
from generator.catalog import CATALOG

from lemmata.frontends.aiger import write_aiger

DESIGNS = (papers, protocols, controllers, datapaths)  # importing them fills the catalog


def main(folder: Path) -> None:
    """Write every example of the catalog and ``index.csv`` into ``folder``."""
    for entry in CATALOG:
        write_aiger(entry.build(), folder / entry.file, binary=entry.file.endswith(".aig"))
    rows = "".join(f"{entry.file},{entry.expected}\n" for entry in sorted(CATALOG, key=lambda entry: entry.file))
    (folder / "index.csv").write_text("file,expected\n" + rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
