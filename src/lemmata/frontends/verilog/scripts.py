"""Scripts of Yosys that read a design: which files with which macros, and which module is the top.

A script that only reads Verilog for formal use, and then chooses a top module, says what our own options say. Its files are
judged and rewritten as any others; the other commands stay. Of a script with commands that read in another way nothing is
known here, and nothing is judged.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lemmata.config import DesignOptions
from lemmata.values import dataclass

_READING = {"read", "read_verilog"}
_CHOOSING = {"prep", "hierarchy"}
_WITHOUT_MEANING = {
    "-sv",
    "-sv2005",
    "-sv2009",
    "-sv2012",
    "-formal",
    "-norestrict",
    "-assume-asserts",
    "-noassert",
    "-noassume",
}
_OTHER_READERS = {
    "verific",
    "read_rtlil",
    "read_ilang",
    "read_json",
    "read_blif",
    "read_aiger",
    "read_liberty",
    "plugin",
    "chparam",
}


@dataclass(frozen=True, slots=True)
class ScriptedDesign:
    """What a script reads; ``commands`` are words, in which files can be replaced."""

    files: tuple[str, ...]
    options: DesignOptions
    commands: tuple[tuple[str, ...], ...]

    def with_files(self, readable: Sequence[str], includes: Sequence[str]) -> list[str]:
        """The commands, reading these files instead."""
        new = dict(zip(self.files, readable, strict=True))
        found = []
        for words in self.commands:
            is_reading = words[0] in _READING and any(word in new for word in words)
            head = ["read_verilog", "-sv", *(w for w in words[1:] if w.startswith("-") and not w.startswith("-sv")), *includes]
            found.append(" ".join([*head, *(new[w] for w in words[1:] if w in new)] if is_reading else words))
        return found


def scripted(options: DesignOptions) -> ScriptedDesign | None:
    """What the script of these options reads; None if it does more than our options can say."""
    files: list[str] = []
    defines: list[str] = []
    parameters: list[str] = []
    top: str | None = None
    commands = [tuple(shlex.split(line)) for line in options.script]
    for words in commands:
        if not words or words[0] in _OTHER_READERS:
            return None
        if words[0] in _READING:
            found = _read(words, files, defines)
            if not found:
                return None
        elif words[0] in _CHOOSING:
            top = _after(words, "-top") or top
            parameters += [f"{words[k + 1]}={words[k + 2]}" for k, word in enumerate(words) if word == "-chparam"]
    if not files or any(not (Path(options.folder or ".") / file).is_file() for file in files):
        return None
    same = replace(options, top=top, defines=tuple(defines), parameters=tuple(parameters), script=(), includes=())
    return ScriptedDesign(tuple(files), same, tuple(commands))


def _read(words: Sequence[str], files: list[str], defines: list[str]) -> bool:
    """One reading command; false if it is not known what it reads."""
    if "-define" in words:
        defines += [word for word in words[1:] if not word.startswith("-")]
        return True
    if "-formal" not in words:
        return False
    for word in words[1:]:
        if word.startswith("-D"):
            defines.append(word[2:])
        elif not word.startswith("-"):
            files.append(word)
        elif word not in _WITHOUT_MEANING:
            return False
    return True


def _after(words: Sequence[str], option: str) -> str | None:
    return words[words.index(option) + 1] if option in words[:-1] else None
