"""What tests of designs share: files read into graphs, and Icarus Verilog where it is installed."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lemmata.config import DesignOptions
from lemmata.frontends.verilog import parse_design
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import Array, Sort
from lemmata.logic.values import ArrayValue
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


_RUNS, _STEPS = 150, 6  # simulated, each so long


def fired(graph: Graph) -> set[str]:
    """The properties that fail in random runs, from random initial states where the design says nothing."""
    system, rng, found = as_system(graph), random.Random(1), set()
    program = Program([*system.bads, system.constraint, *(system.nexts[v] for v in system.variables)])
    first = Program([start for start in system.starts.values() if start is not None])
    for _ in range(_RUNS):
        state = {v: _random(v.sort, rng) for v in system.variables}
        known = [v for v, start in system.starts.items() if start is not None]
        state |= dict(zip(known, first.run(state), strict=True))
        for _ in range(_STEPS):
            bads = program.run(state | {v: _random(v.sort, rng) for v in system.inputs})
            if not bads[len(system.bads)]:
                break
            found |= {q.name for q, bad in zip(graph.questions, bads, strict=False) if bad}
            state = dict(zip(system.variables, bads[len(system.bads) + 1 :], strict=True))
    return found


def _random(sort: Sort, rng: random.Random):
    if isinstance(sort, Array):
        items = {k: rng.randrange(1 << sort.element.width) for k in range(1 << sort.index.width)}
        return ArrayValue(sort, 0, items)
    return rng.randrange(1 << sort.width)
