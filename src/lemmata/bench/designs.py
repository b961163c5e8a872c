"""Designs in a suite: what Lemmata is told beside the file, and what peers read instead of it.

Peers that check models read no Verilog. They get the BTOR2 that Yosys itself writes of the netlist from which our front end
makes its model, once per design, kept in ``designs/``; ABC gets the bits of that. A design's covers are not in it: only
assertions have a part in the verdict of a file.
"""

from __future__ import annotations

from pathlib import Path

from lemmata.bench.suites import Case
from lemmata.config import DesignOptions
from lemmata.errors import Place, Unsupported
from lemmata.frontends import load
from lemmata.models.graph import Graph
from lemmata.writes import write_whole


def arguments_of(design: DesignOptions) -> list[str]:
    """Further files and options of ``lemmata check``."""
    top = ["--top", design.top] if design.top else []
    return [*design.files, *top, *(word for macro in design.defines for word in ("-D", macro))]


def netlist_of(case: Case, design: DesignOptions, folder: Path) -> Path:
    """Yosys' BTOR2 of the design, in ``folder``; made if it is not there yet."""
    path = folder / f"{case.digest()}.btor2"
    if not path.is_file():
        model = load(case.path, design=design)
        if not isinstance(model, Graph) or model.design is None or not model.design.btor2:
            raise Unsupported(Place(case.path), "Yosys writes no BTOR2 of this design")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, model.design.btor2)
    return path
