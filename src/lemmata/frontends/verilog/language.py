"""The opinion of a second front end about the files of a design: slang, which knows all of SystemVerilog, in a child process.

It refuses what the language refuses and what Yosys would read as something else (``frontends/slang``), each with its place.
What it reports of the rest is what Yosys is held to: which module is the top, the values of its parameters, the width of every
signal; and edits of the text after which both read the same.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from os import getpid
from pathlib import Path
from typing import Any

from lemmata.config import DesignOptions
from lemmata.errors import InputError, Place, UsageError
from lemmata.frontends.slang import child
from lemmata.frontends.verilog.netlist import Net
from lemmata.values import dataclass

INSTALL_READERS = "Verilog needs Yosys and slang: pip install 'lemmata[verilog]'"
_UNIQUE = re.compile(r"\b(?:unique0?|priority)(?=\s+(?:if|case[zx]?)\b)")
_SYNTHESIS = re.compile(r"\b(?:full|parallel)_case\b")


@dataclass(frozen=True, slots=True)
class Elaboration:
    """What slang makes of a design: its top module, values of parameters that can be set, width and sign of signals by path,
    and the texts of the files as Yosys shall read them."""

    top: str
    parameters: Mapping[str, str]
    signals: Mapping[str, tuple[int, bool]]
    texts: tuple[str, ...]


def elaborate(files: Sequence[str], options: DesignOptions, includes: Sequence[str], folder: Path) -> Elaboration:
    """Judge the files; what the language or Yosys does not allow is an ``InputError`` with its place."""
    report = _report(files, options, includes, folder)
    real = {str(Path(file).resolve()): file for file in files}
    for number, file in enumerate(files):
        for copy in (f"{number}", f"plain{number}"):
            real[str((folder / copy / Path(file).name).resolve())] = file
    if refusals := report["refusals"]:
        first = refusals[0]
        file, line, column = first["place"]
        place = Place(real.get(file, file), line, column)
        raise InputError(place, first["cause"], first["remedy"])
    for edit in report["edits"]:
        if edit["file"] not in real:
            line = Path(edit["file"]).read_bytes().count(b"\n", 0, edit["start"]) + 1
            cause = "in an included file this is not supported, because Yosys would read it in another way"
            raise InputError(
                Place(edit["file"], line, 1), cause, "give the file as one of the design, or write it in another way"
            )
    top = _top(report["tops"], files)
    for name in (text.partition("=")[0] for text in options.parameters):
        if name not in report["parameters"]:
            known = ", ".join(report["parameters"]) or "none"
            raise UsageError(f"{top} has no parameter {name}: it has {known}")
    signals = {path: (width, bool(sign)) for path, (width, sign) in report["signals"].items()}
    texts = tuple(
        _edited(copy, [e for e in report["edits"] if real.get(e["file"]) == file])
        for file, copy in zip(files, report["files"], strict=True)
    )
    return Elaboration(top, report["parameters"], signals, texts)


def _report(files: Sequence[str], options: DesignOptions, includes: Sequence[str], folder: Path) -> dict[str, Any]:
    arguments = [
        *(f"-D{macro}" for macro in options.defines),
        *(f"-I{path}" for path in includes),
        *(["--top", options.top.removeprefix("\\")] if options.top else []),
        *(word for text in options.parameters for word in ("-G", text)),
    ]
    request = {"files": [str(Path(file).resolve()) for file in files], "arguments": arguments, "folder": str(folder)}
    call = [sys.executable, "-P", "-m", child.__name__, str(getpid())]
    done = subprocess.run(call, input=json.dumps(request), capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == child.SLANG_MISSING:
        raise UsageError(INSTALL_READERS)
    if not done.stdout:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise InputError(Place(files[0]), f"slang ended without an answer; it last said: {said}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _top(tops: Sequence[str], files: Sequence[str]) -> str:
    if len(tops) == 1:
        return tops[0]
    if not tops:
        raise InputError(Place(files[0]), "there is no module that no other instantiates", "name the top module with --top")
    raise InputError(Place(files[0]), f"there are several top modules: {', '.join(sorted(tops))}", "choose one with --top")


def _edited(file: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """The text with the edits; lines keep their numbers."""
    data = Path(file).read_bytes()
    for edit in sorted(edits, key=lambda edit: edit["start"], reverse=True):
        start, end = edit["start"], edit["end"]
        lines = b"\n" * data[start:end].count(b"\n")
        data = data[:start] + edit["text"].encode() + lines + data[end:]
    return without_pragmas(data.decode("utf-8", "surrogateescape"))


def without_pragmas(text: str) -> str:
    """Without what only synthesis gives a meaning: a case is what the language says, not what was promised about it.

    ``unique`` and ``priority`` ask simulators for a warning and change no value; Yosys makes them ``full_case`` and
    ``parallel_case``, after which a broken promise changes the design.
    """
    text = _UNIQUE.sub(lambda found: " " * len(found[0]), text)
    return _SYNTHESIS.sub(lambda found: f"_{found[0][1:]}", text)


def compare_widths(elaboration: Elaboration, nets: Sequence[Net], file: str) -> None:
    """Have the signals of the netlist the widths that slang gives them? A difference is an error: the readers disagree."""
    for net in nets:
        known = elaboration.signals.get(".".join(net.path)) if net.is_public else None
        if known is not None and known[0] != len(net.bits):
            cause = f"the readers disagree about {net.name}: {len(net.bits)} bits for Yosys, {known[0]} for slang"
            raise InputError(net.place or Place(file), cause, "write its declaration in a simpler way")
