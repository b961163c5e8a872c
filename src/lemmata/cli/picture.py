"""``lemmata info --graph``: the graph as a file for Graphviz, or drawn by it."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lemmata.cli.files import refuse_overwriting
from lemmata.errors import UsageError
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.report.drawing.dot import dot_text
from lemmata.run.processes.limits import die_with_parent
from lemmata.writes import write_whole

_SECONDS = 120  # for large graphs Graphviz takes its time


def draw_graph(model: Aig | Graph, source: Path, target: Path) -> None:
    """Write the picture of a graph; the suffix says how."""
    if not isinstance(model, Graph):
        raise UsageError(f"{source} is a circuit: pictures are for graphs (programs, Horn clauses, VMT-LIB, BTOR2)")
    suffix = target.suffix.lower()
    if suffix not in (".dot", ".svg"):
        raise UsageError(f"{target}: cannot tell the format to draw (use the suffix .dot or .svg)")
    refuse_overwriting(target, source)
    text = dot_text(model).encode(errors="replace")
    write_whole(target, text if suffix == ".dot" else _drawn(text))


def _drawn(text: bytes) -> bytes:
    program = shutil.which("dot")
    if program is None:
        raise UsageError("drawing needs Graphviz, whose program dot is not there: install it, or write a .dot file")
    try:
        follow = partial(die_with_parent, os.getpid())
        call = [program, "-Tsvg"]
        done = subprocess.run(call, input=text, capture_output=True, timeout=_SECONDS, check=True, preexec_fn=follow)
        return done.stdout
    except subprocess.TimeoutExpired:
        raise UsageError(f"dot did not finish within {_SECONDS} s: write a .dot file, and draw a part of it") from None
    except subprocess.CalledProcessError as error:
        cause = error.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UsageError(f"dot failed: {cause}") from None
