"""Peers that solve Horn clauses: z3's Spacer, Golem, Eldarica.

They read CHC-COMP's format, in which ``sat`` means safe and ``unsat`` unsafe. A transition system (VMT-LIB, BTOR2) or program
(Boogie) is written as clauses by Lemmata before the clock starts. Several properties become one query each: the file is unsafe
if any is.

Spacer is in z3's program, which the wheel ``z3-solver`` ships beside its library. ``fp.spacer.global`` (Vediramana Krishnan et
al. 2020) solves more, and sometimes z3 aborts in it: that is an error of that run, like any crash.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lemmata.bench.contestants import Answer, crashed, words
from lemmata.bench.runners import Finished, Limits
from lemmata.errors import Place, Unsupported
from lemmata.frontends import load
from lemmata.frontends.horn.writer import format_horn
from lemmata.models.graph import Graph

_WORDS = {"sat": "safe", "unsat": "unsafe", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class HornSolver:
    """A program that reads clauses and prints ``sat`` or ``unsat``."""

    label: str
    binary: str
    options: str = ""
    is_peer = True

    def version(self) -> str:
        """The first line with a number that ``--version`` prints."""
        try:
            done = subprocess.run([self.binary, "--version"], capture_output=True, text=True, timeout=20, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return next((line.strip() for line in done.stdout.splitlines() if re.search(r"\d", line)), "")

    def prepare(self, file: Path, scratch: Path) -> Path:
        """Clauses as they are; other graphs are written as clauses."""
        if file.suffix.lower() == ".smt2":
            return file
        model = load(file)
        if not isinstance(model, Graph):
            raise Unsupported(Place(file), f"{self.label} does not read circuits of bits")
        clauses = scratch / "model.smt2"
        clauses.write_bytes(format_horn(model))
        return clauses

    def command(self, model: Path, limits: Limits) -> list[str]:
        """The program, its options, the file; no time limit, which comes from outside."""
        return [self.binary, *words(self.options), str(model)]

    def read(self, finished: Finished) -> Answer:
        """The last line that is a verdict word; after an error nothing counts."""
        lines = [line.strip().lower() for line in finished.stdout.splitlines()]
        if errors := [line for line in lines if line.startswith("(error")]:
            return Answer("unknown", errors[0][:200], is_error=True)
        verdicts = [_WORDS[line] for line in lines if line in _WORDS]
        return Answer(verdicts[-1]) if verdicts else crashed(finished)


def find_spacer(label: str, options: str) -> HornSolver | None:
    """z3 as the wheel ``z3-solver`` ships it, else the one on ``PATH``."""
    beside = Path(sys.executable).with_name("z3")
    binary = str(beside) if beside.is_file() else shutil.which("z3")
    return HornSolver(label, binary, f"fp.engine=spacer {options}".strip()) if binary else None


def find_program(label: str, name: str, options: str = "") -> HornSolver | None:
    """A program on ``PATH``."""
    binary = shutil.which(name)
    return HornSolver(label, binary, options) if binary else None
