"""What tests of designs share: files read into graphs, and Icarus Verilog where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lemmata.config import DesignOptions
from lemmata.frontends.verilog import parse_design
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from tests.support.clock import HANGS

pytest.importorskip("pyosys")

needs_icarus = pytest.mark.skipif(
    not (shutil.which("iverilog") and shutil.which("vvp")), reason="Icarus Verilog is not installed"
)
_LABEL = re.compile(r"\b\w+\s*:\s*(?=assert\b)")


def read_text(folder: Path, text: str, name: str = "design.sv", **options: object) -> Graph:
    """The design in ``text``."""
    file = folder / name
    file.write_text(text)
    return parse_design([str(file)], DesignOptions(**options))  # type: ignore[arg-type]


def as_system(graph: Graph) -> System:
    """The graph, which is a system."""
    system = system_of(graph)
    assert system is not None
    return system


def simulate(folder: Path, top: str, *texts: str) -> str:
    """What the module ``top`` prints; labels of assertions, which older versions do not read, are left out."""
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"simulated{number}.sv")
        files[-1].write_text(_LABEL.sub("", text))
    program = folder / "simulated"
    subprocess.run(["iverilog", "-g2012", "-s", top, "-o", program, *files], check=True, timeout=HANGS)
    return subprocess.run(["vvp", "-n", program], check=True, capture_output=True, text=True, timeout=HANGS).stdout
