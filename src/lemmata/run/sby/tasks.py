"""The file format: sections of lines, some of which are for some tasks only.

``[tasks]`` names tasks and the groups that they belong to: each line has a task and its groups, or several tasks (as patterns)
and, after a colon, groups; the group ``default`` picks the tasks that run when none is named. Elsewhere a line that starts with
``tags:`` is for tasks or groups with one of these names, ``~tags:`` for the others; a tag alone on its line opens a block that
ends with ``--``. Comments start with ``#``. Sections with Python code are refused: a task is data.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.frontends.files import read_bytes
from lemmata.values import dataclass

MODES = ("bmc", "prove", "cover")
_ENGINES = ("smtbmc", "abc", "aiger", "btor", "itp", "lemmata")
_OPTIONS = {"mode", "depth", "timeout", "expect", "multiclock"}
_WITHOUT_MEANING = {  # about sby's own engines and files
    "append", "append_assume", "aigfolds", "aigsmt", "aigvmap", "aigsyms", "assume_early", "cover_assert", "fst", "keepgoing",
    "make_model", "smtc", "skip", "skip_prep", "tbtop", "vcd", "vcd_sim", "wait", "witrename", "diffs", "cycle_width",
}  # fmt: skip
_SECTION = re.compile(r"\[\s*(?P<name>\w+)(?:\s+(?P<argument>[^\]]*?))?\s*\]")
_TAGGED = re.compile(r"(?P<tags>~?[\w*?.\[\]-]+(?:\s+[\w*?.\[\]-]+)*)\s*:(?:\s+(?P<rest>.*)|\s*)")


@dataclass(frozen=True, slots=True)
class SbyTask:
    """One task: its name (empty if the file has none), its options, script and files."""

    name: str
    mode: str
    place: Place  # of the mode
    depth: int
    expect: tuple[str, ...]
    timeout: float | None
    multiclock: bool
    engines: tuple[str, ...]
    script: tuple[str, ...]
    files: tuple[tuple[str, str], ...]  # name in the folder, path
    contents: Mapping[str, str] = field(default_factory=dict)  # files that the task has in itself
    text: str = ""


@dataclass(slots=True)
class _Line:
    number: int
    text: str


def read_tasks(path: Path, wanted: Sequence[str] = ()) -> list[SbyTask]:
    """The tasks that ``wanted`` names, or the default ones; errors have their lines."""
    text = read_bytes(path).decode("utf-8", "replace")
    sections = _sections(path, text)
    groups = _groups(sections.get("tasks", []))
    chosen = list(wanted) or [name for name, tags in groups.items() if "default" in tags] or list(groups) or [""]
    for name in chosen:
        if name and name not in groups:
            raise UsageError(f"{path} has no task '{name}': it has {', '.join(groups) or 'none'}")
    return [_task(path, name, {name, *groups.get(name, ())}, sections, text) for name in chosen]


def _sections(path: Path, text: str) -> dict[str, list[_Line]]:
    sections: dict[str, list[_Line]] = {}
    current: list[_Line] | None = None
    is_file = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.rstrip()
        if found := _SECTION.fullmatch(line.strip()) if line.startswith("[") else None:
            name = f"file {found['argument']}" if found["name"] == "file" else found["name"]
            is_file = found["name"] == "file"
            current = sections.setdefault(name, [])
        elif "--pycode-begin--" in line:
            raise Unsupported(Place(path, number, 1), "a task file with Python code is not run", "write its lines out")
        elif current is not None and is_file:
            current.append(_Line(number, raw))
        elif (bare := _uncommented(line).strip()) and current is None:
            raise InputError(
                Place(path, number, 1), f"'{bare}' stands before the first section", "sections are [options], [script], …"
            )
        elif bare and current is not None:
            current.append(_Line(number, bare))
    return sections


def _uncommented(line: str) -> str:
    return "" if line.lstrip().startswith("#") else re.split(r"\s#", line, maxsplit=1)[0]


def _groups(lines: Sequence[_Line]) -> dict[str, list[str]]:
    """Tasks in order, with their groups."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        names, colon, tags = line.text.partition(":")
        if colon:
            for pattern in names.split():
                matching = [name for name in groups if fnmatch.fnmatchcase(name, pattern)]
                for name in matching or [pattern]:
                    groups.setdefault(name, []).extend(tags.split())
        else:
            name, *own = line.text.split()
            groups.setdefault(name, []).extend(own)
    return groups


def _lines(lines: Sequence[_Line], tags: set[str]) -> Iterator[_Line]:
    """The lines for a task with these tags."""
    is_open, in_block = True, False
    for line in lines:
        if line.text == "--" and in_block:
            is_open, in_block = True, False
            continue
        found = _TAGGED.fullmatch(line.text)
        if found is None or found["tags"].startswith("read"):
            if is_open:
                yield line
            continue
        holds = _holds(found["tags"], tags)
        if found["rest"]:
            if holds and (is_open or not in_block):
                yield _Line(line.number, found["rest"])
        else:
            is_open, in_block = holds, True


def _holds(text: str, tags: set[str]) -> bool:
    negated = text.startswith("~")
    patterns = text.removeprefix("~").split()
    return negated != any(fnmatch.fnmatchcase(tag, pattern) for tag in tags if tag for pattern in patterns)


def _task(path: Path, name: str, tags: set[str], sections: Mapping[str, list[_Line]], text: str) -> SbyTask:
    known = {"tasks", "options", "engines", "script", "files"}
    if strange := [s for s in sections if s not in known and not s.startswith("file ")]:
        raise Unsupported(Place(path), f"the section [{strange[0]}] is not supported", f"there are {', '.join(sorted(known))}")
    options = {}
    for line in _lines(sections.get("options", []), tags):
        key, _, value = line.text.partition(" ")
        if key not in _OPTIONS | _WITHOUT_MEANING:
            raise Unsupported(
                Place(path, line.number, 1), f"the option '{key}' is not supported", f"known are {', '.join(sorted(_OPTIONS))}"
            )
        options[key] = value.strip(), line.number
    mode, where = options.get("mode", ("", 1))
    if not mode:
        raise InputError(Place(path), f"the task {name} has no mode".replace("  ", " "), f"modes are {', '.join(MODES)}")
    engines = list(_lines(sections.get("engines", []), tags))
    for line in engines:
        if line.text.split()[0] not in _ENGINES:
            raise Unsupported(
                Place(path, line.number, 1), f"'{line.text.split()[0]}' is no engine of sby", f"known are {', '.join(_ENGINES)}"
            )
    script = list(_lines(sections.get("script", []), tags))
    for line in script:
        if re.match(r"(verific|read)\s+-vhdl|ghdl\b", line.text):
            raise Unsupported(Place(path, line.number, 1), "VHDL is not supported", "Lemmata reads Verilog and SystemVerilog")
    return SbyTask(
        name,
        mode,
        Place(path, where, 1),
        int(_number(path, options, "depth", 20)),
        tuple(word.strip().upper() for word in options.get("expect", ("pass", 0))[0].split(",")),
        _number(path, options, "timeout", 0) or None,
        options.get("multiclock", ("off", 0))[0] == "on",
        tuple(line.text for line in engines),
        tuple(line.text for line in script),
        tuple(_file(line.text) for line in _lines(sections.get("files", []), tags)),
        {
            key.removeprefix("file "): "\n".join(line.text for line in lines) + "\n"
            for key, lines in sections.items()
            if key.startswith("file ")
        },
        text,
    )


def _number(path: Path, options: Mapping[str, tuple[str, int]], key: str, default: float) -> float:
    text, line = options.get(key, (str(default), 1))
    if not re.fullmatch(r"\d{1,9}(\.0)?", text):
        raise InputError(Place(path, line, 1), f"'{text}' is no number", f"{key} is a number")
    return float(text)


def _file(text: str) -> tuple[str, str]:
    """``target source``, or a source alone, which goes by its own name."""
    first, _, second = text.partition(" ")
    return (first, second.strip()) if second else (Path(first).name, first)
