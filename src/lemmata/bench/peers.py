"""Peers: other model checkers, found on ``PATH`` or in installed wheels, called in the way that is fairest to them.

ABC needs care. Files that it would refuse or misread are rewritten (``abc_form``) before the clock starts; of BTOR2 it gets the
bits, made by Lemmata's own blaster. ``undc`` before ``zero`` keeps free latches free, ``fold`` keeps the constraints. When
hashing or folding turns every property into the constant 0, ``pdr`` says "All outputs solved" with an undecided status: that is
a proof, and counted as one. Its ``-T`` is wall time and is not given: the CPU limit comes from outside. It stops at the first
property that fails and proves the others together, so its verdict is that of the file: unsafe if any is.

btormc is Boolector's model checker, driven by ``bench.btormc``; it reads BTOR2 only. rIC3's call (``check FILE ic3``) and words
are those of its documentation.

z3's Spacer, Golem and Eldarica read CHC-COMP's format, in which ``sat`` means safe and ``unsat`` unsafe. A transition system
(VMT-LIB, BTOR2) or program (Boogie) is written as clauses by Lemmata before the clock starts, one query per property: the file
is unsafe if any is. Spacer is in z3's program, which the wheel ``z3-solver`` ships beside its library. ``fp.spacer.global``
(Vediramana Krishnan et al. 2020) solves more, and sometimes z3 aborts in it: that is an error of that run, like any crash.

What a peer cannot be given, it does not support, which is no error.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path

from lemmata.bench import btormc
from lemmata.bench.abc_form import abc_form, is_plain
from lemmata.bench.contestants import Contestant, PeerAnswer, crashed, split_options
from lemmata.bench.runners import Finished, RunLimits
from lemmata.bench.suites import BTOR2_SUFFIXES
from lemmata.errors import Place, Unsupported, UsageError
from lemmata.frontends import load
from lemmata.frontends.aiger import write_aiger
from lemmata.frontends.horn.writer import format_horn
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.transforms.system.arrays import TooLarge
from lemmata.transforms.system.blast import blast
from lemmata.values import dataclass

_HORN_WORDS = {"sat": "safe", "unsat": "unsafe", "unknown": "unknown"}


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

    def command(self, model: Path, limits: RunLimits) -> list[str]:
        """The program, its options, the file; no time limit, which comes from outside."""
        return [self.binary, *split_options(self.options), str(model)]

    def read(self, finished: Finished) -> PeerAnswer:
        """The last line that is a verdict word; after an error nothing counts."""
        lines = [line.strip().lower() for line in finished.stdout.splitlines()]
        if errors := [line for line in lines if line.startswith("(error")]:
            return PeerAnswer("unknown", errors[0][:200], is_error=True)
        verdicts = [_HORN_WORDS[line] for line in lines if line in _HORN_WORDS]
        return PeerAnswer(verdicts[-1]) if verdicts else crashed(finished)


def find_spacer(label: str, options: str) -> HornSolver | None:
    """z3 as the wheel ``z3-solver`` ships it, else the one on ``PATH``."""
    beside = Path(sys.executable).with_name("z3")
    binary = str(beside) if beside.is_file() else shutil.which("z3")
    return HornSolver(label, binary, f"fp.engine=spacer {options}".strip()) if binary else None


def find_program(label: str, name: str, options: str = "") -> HornSolver | None:
    """A program on ``PATH``."""
    binary = shutil.which(name)
    return HornSolver(label, binary, options) if binary else None


_ABC_NAMES = ("yosys-abc", "berkeley-abc", "abc")
_ABC_SCRIPT = "read_aiger model.aig; logic; undc; strash; zero; fold; strash; pdr; print_status"
_ABC_STATUS = {"1": "safe", "0": "unsafe"}
_RIC3_NAMES = ("ric3", "rIC3")
_WORDS = {"safe": "safe", "unsafe": "unsafe", "unknown": "unknown", "unsat": "safe", "sat": "unsafe"}


@dataclass(frozen=True, slots=True)
class Abc:
    """ABC's ``pdr``."""

    binary: str
    label: str = "abc"
    options: str = "pdr"
    is_peer = True

    def version(self) -> str:
        """What ``version`` prints."""
        return _first_line([self.binary, "-q", "version"])

    def prepare(self, file: Path, scratch: Path) -> Path:
        """``model.aig`` in ``scratch``: a link, or a rewritten file where ABC would refuse or misread the original."""
        model = scratch / "model.aig"
        if is_plain(file):
            model.symlink_to(file)
        else:
            write_aiger(abc_form(_circuit(file)), model, binary=True)
        return model

    def command(self, model: Path, limits: RunLimits) -> list[str]:
        """One script; the model has a fixed name, so no path can confuse ABC's command line."""
        return [self.binary, "-c", _ABC_SCRIPT]

    def read(self, finished: Finished) -> PeerAnswer:
        """The last status line, and the proof that is not called one."""
        statuses = re.findall(r"Status\s*=\s*(-?\d+)", finished.stdout)
        if not statuses:
            return crashed(finished)
        verdict = _ABC_STATUS.get(statuses[-1], "unknown")
        if verdict == "unknown" and "All outputs solved" in finished.stdout:
            verdict = "safe"
        return PeerAnswer(verdict)


@dataclass(frozen=True, slots=True)
class PeerCommand:
    """Any tool that prints a verdict word (safe, unsafe, unknown, or the competition's sat and unsat) alone on a line."""

    label: str
    options: str  # the command, with {file} where the model goes
    is_peer = True

    def version(self) -> str:
        """Unknown: nobody told how to ask."""
        return ""

    def prepare(self, file: Path, scratch: Path) -> Path:
        """Nothing to do."""
        return file

    def command(self, model: Path, limits: RunLimits) -> list[str]:
        """The command with the model in its place."""
        return [word.replace("{file}", str(model)) for word in split_options(self.options)]

    def read(self, finished: Finished) -> PeerAnswer:
        """The last line that is a verdict word."""
        return _last_word(finished)


@dataclass(frozen=True, slots=True)
class Btormc:
    """Boolector's model checker; the wheel ``pyboolector`` has the library, ``bench.btormc`` is the program around it."""

    label: str = "btormc"
    options: str = "--kind"
    is_peer = True

    def version(self) -> str:
        """That of the wheel."""
        return metadata.version("pyboolector")

    def prepare(self, file: Path, scratch: Path) -> Path:
        """BTOR2 as it is; nothing else."""
        if file.suffix.lower() not in BTOR2_SUFFIXES:
            raise Unsupported(Place(file), "btormc reads BTOR2 only")
        return file

    def command(self, model: Path, limits: RunLimits) -> list[str]:
        """A process of its own."""
        return [sys.executable, "-m", "lemmata.bench.btormc", *split_options(self.options), str(model)]

    def read(self, finished: Finished) -> PeerAnswer:
        """The last line that is a verdict word."""
        return _last_word(finished)


def _last_word(finished: Finished) -> PeerAnswer:
    lines = (line.strip().lower().removeprefix("result: ") for line in finished.stdout.splitlines())
    verdicts = [_WORDS[line] for line in lines if line in _WORDS]
    return PeerAnswer(verdicts[-1]) if verdicts else crashed(finished)


def _circuit(file: Path) -> Aig:
    model = load(file)
    if isinstance(model, Aig):
        return model
    try:
        return blast(model).aig
    except TooLarge as error:
        raise Unsupported(Place(file), error.reason) from None


def find_abc() -> Abc | None:
    """ABC on ``PATH``, or the one inside the wheel ``pyosys``."""
    on_path = next(filter(None, map(shutil.which, _ABC_NAMES)), None)
    if on_path:
        return Abc(on_path)
    wheel = importlib.util.find_spec("pyosys")
    folders = map(Path, wheel.submodule_search_locations or ()) if wheel else ()
    binary = next((path for folder in folders if (path := folder / "yosys-abc").is_file()), None)
    return Abc(str(binary)) if binary else None


def find_ric3() -> PeerCommand | None:
    """rIC3 on ``PATH``, with its single-thread engine."""
    binary = next(filter(None, map(shutil.which, _RIC3_NAMES)), None)
    return PeerCommand("ric3", f"{shlex.quote(binary)} check {{file}} ic3") if binary else None


def find_btormc(label: str, options: str) -> Btormc | None:
    """The library of Boolector inside the wheel ``pyboolector``."""
    return Btormc(label, options) if btormc.library() else None


_BOOLECTOR = "install the wheel `pyboolector`"
_Z3 = "install the wheel `z3-solver`, or put z3 on PATH"
PEERS: dict[str, tuple[Callable[[], Contestant | None], str]] = {
    "abc": (find_abc, "install the wheel `pyosys`, or put yosys-abc, berkeley-abc or abc on PATH"),
    "btormc": (partial(find_btormc, "btormc", "--kind"), _BOOLECTOR),
    "btormc-bmc": (partial(find_btormc, "btormc-bmc", ""), _BOOLECTOR),
    "ric3": (find_ric3, "put ric3 or rIC3 on PATH (cargo install rIC3)"),
    "spacer": (partial(find_spacer, "spacer", ""), _Z3),
    "spacer-global": (partial(find_spacer, "spacer-global", "fp.spacer.global=true"), _Z3),
    "golem": (partial(find_program, "golem", "golem"), "put golem on PATH"),
    "eldarica": (partial(find_program, "eldarica", "eld"), "put eld on PATH"),
}


def find(names: Sequence[str]) -> list[Contestant]:
    """The peers of ``--peer``: names separated by commas, or ``LABEL=COMMAND`` with ``{file}`` in it."""
    wanted = [part.strip() for name in names for part in ([name] if "=" in name else name.split(","))]
    return [_find(name) for name in wanted if name]


def _find(name: str) -> Contestant:
    label, equals, command = name.partition("=")
    if equals:
        if "{file}" not in command:
            raise UsageError(f"--peer {name!r}: write {{file}} where the model goes")
        return PeerCommand(label.strip(), command.strip())
    if name not in PEERS:
        raise UsageError(f"--peer {name}: unknown peer; known are {', '.join(PEERS)}, or write LABEL=COMMAND with {{file}}")
    search, remedy = PEERS[name]
    peer = search()
    if peer is None:
        raise UsageError(f"--peer {name}: not found; {remedy}")
    return peer


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), "")
