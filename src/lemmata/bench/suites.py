"""Suites: where cases come from.

A suite is a folder with an ``index.csv`` (columns ``file``, ``expected`` and perhaps ``category``; for designs ``files``,
``top`` and ``defines``; for C ``semantics``, or ``expected_int`` in place of ``expected``; others are ignored), a folder
without one (all model files below it but designs, which may be made of several, and tasks of SV-COMP), or a single file. A
single file looks for an index in the folders above it, so that a few files of a suite can be named and keep their
expectations; a task has its own.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from lemmata.config import DESIGNS, DesignOptions
from lemmata.errors import InputError, Place, UsageError
from lemmata.escapes import printable
from lemmata.values import dataclass

BTOR2_SUFFIXES = (".btor", ".btor2")
CLAUSE_SUFFIXES = (".smt2", ".vmt", ".bpl")
C_SUFFIXES = (".c", ".i")
TASK_SUFFIXES = (".yml", ".yaml")  # of SV-COMP
MODEL_SUFFIXES = (".aag", ".aig", *BTOR2_SUFFIXES, *CLAUSE_SUFFIXES)
VERDICTS = ("safe", "unsafe", "unknown")
_OVER_INTEGERS = "expected_int"  # in place of ``expected``: the verdict if numbers have no bounds
_UNBOUNDED = ("mathematical", "nonlinear integer")  # how ``semantics`` that are no machine's begin


@dataclass(frozen=True, slots=True)
class Case:
    """One file of a suite. ``file`` is its path within the suite, printable; ``expected`` is safe, unsafe or unknown.

    ``design`` is how a hardware description is read; of other files there is nothing to tell. A C program
    ``is_unbounded`` if the index means the integers of mathematics.
    """

    suite: str
    file: str
    path: Path
    expected: str
    category: str = ""
    design: DesignOptions | None = None
    is_unbounded: bool = False

    @property
    def subset(self) -> str:
        """The part of the suite that the file belongs to: its category, else its first folder, else the suite's name."""
        if self.category:
            return self.category
        folder, slash, _ = self.file.partition("/")
        return folder if slash else self.suite

    def digest(self) -> str:
        """A short digest of what the verdict is about: the content of all files, and how a design or a C program is read."""
        found = hashlib.sha256(self.path.read_bytes())
        if self.design is not None and self.design != DesignOptions():
            found.update(repr((self.design.top, self.design.defines)).encode())
            for file in self.design.files:
                found.update(hashlib.sha256(Path(file).read_bytes()).digest())
        if self.is_unbounded:
            found.update(b"unbounded")
        return found.hexdigest()[:12]


def load_suite(sources: Iterable[Path], globs: Sequence[str] = (), at_most: int | None = None) -> list[Case]:
    """The cases of all ``sources`` in order, each file once, those that match one of ``globs``, the first ``at_most``."""
    found = {(case.path, case.design): _shown(case) for source in sources for case in _visible(source)}
    kept = [case for case in found.values() if not globs or any(fnmatch(case.file, glob) for glob in globs)]
    cases = kept[:at_most]
    if not cases:
        raise UsageError("no file to run" + (f" matches {', '.join(globs)}" if globs else ": the suites are empty"))
    names = {(case.suite, case.file) for case in cases}
    if len(names) < len(cases):
        raise UsageError("two suites have the same name and a file in common; rename one's folder")
    for path in (path for case in cases for path in (case.path, *map(Path, case.design.files if case.design else ()))):
        if not path.is_file():
            raise InputError(Place(path), "no such file", "the suite's index.csv names it")
    return cases


def _shown(case: Case) -> Case:
    """The case under a name that tables, logs and terminals can take."""
    return replace(case, suite=printable(case.suite), file=printable(case.file), category=printable(case.category))


def has_question(case: Case) -> bool:
    """Does the file ask anything? A circuit without bads, and without outputs that stand for them, does not."""
    if case.path.suffix.lower() in (*CLAUSE_SUFFIXES, *C_SUFFIXES, *TASK_SUFFIXES, *DESIGNS):
        return True  # whether it does is found out when it is read
    try:
        with case.path.open("rb") as file:
            if case.path.suffix.lower() in BTOR2_SUFFIXES:
                return any(line.split(maxsplit=2)[1:2] == [b"bad"] for line in file)
            words = file.readline(200).split()[1:]
    except OSError as error:
        raise _unreadable(case.path, error) from None
    if len(words) < 5 or not all(word.isdigit() for word in words):
        return True  # a bad header is for the contestants to complain about
    _, _, _, outputs, _, bads, _, justice, _ = (*map(int, words[:9]), *[0] * (9 - len(words)))
    return bool(bads or (outputs and not justice))


def _visible(source: Path) -> list[Case]:
    try:
        return _cases(source)
    except (OSError, RuntimeError) as error:  # no permission; links in a circle
        raise _unreadable(source, error) from None


def _unreadable(path: Path, error: Exception) -> InputError:
    cause = (getattr(error, "strerror", None) or str(error)).lower()
    return InputError(Place(path), f"cannot read: {cause}", "check the path")


def _cases(source: Path) -> list[Case]:
    source = source.resolve()
    if source.name == "index.csv":
        source = source.parent
    if source.is_dir():
        index = source / "index.csv"
        return _read_index(index) if index.is_file() else _walk(source)
    if not source.is_file():
        raise InputError(Place(source), "no such file or folder", "a suite is a folder with index.csv, or files")
    for folder in source.parents:
        if (folder / "index.csv").is_file():
            listed = [case for case in _read_index(folder / "index.csv") if case.path == source]
            if listed:
                return listed
    return [Case(source.parent.name, source.name, source, _expected(source), design=_design(source, source.parent, {}))]


def _walk(folder: Path) -> list[Case]:
    """All model files; C programs where there are no tasks of SV-COMP that name them."""
    below = [path for path in folder.rglob("*") if path.is_file()]
    tasks = [path for path in below if _is_task(path)]
    suffixes = MODEL_SUFFIXES if tasks else (*MODEL_SUFFIXES, *C_SUFFIXES)
    files = sorted([*[path for path in below if path.suffix.lower() in suffixes], *tasks])
    return [Case(folder.name, path.relative_to(folder).as_posix(), path, _expected(path)) for path in files]


def _is_task(path: Path) -> bool:
    if path.suffix.lower() not in TASK_SUFFIXES:
        return False
    from lemmata.frontends.c.tasks import read_task

    try:
        read_task(path)
    except InputError:
        return False
    return True


def _expected(path: Path) -> str:
    """What a task of SV-COMP says."""
    if not _is_task(path):
        return "unknown"
    from lemmata.frontends.c.tasks import read_task

    return read_task(path).expected


def _read_index(index: Path) -> list[Case]:
    try:
        text = index.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Place(index), f"cannot read: {error}", "needs text with the columns file, expected") from None
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True)
    columns = set(reader.fieldnames or ())
    missing = {"file", "expected"} - columns - ({"expected"} if _OVER_INTEGERS in columns else set())
    if missing:
        raise InputError(Place(index, 1), f"no column {' and no column '.join(sorted(missing))}", "needs file, expected")
    return [_listed(index, reader.line_num, row) for row in reader]


def _listed(index: Path, line: int, row: dict[str, str | None]) -> Case:
    over_integers = row.get(_OVER_INTEGERS)
    file, expected = (row["file"] or "").strip(), row.get("expected") or over_integers or ""
    verdict = expected.strip().lower() or "unknown"
    if not file or verdict not in VERDICTS:
        cause = f"expected verdict is {expected!r}" if file else "no file named"
        raise InputError(Place(index, line), cause, "safe, unsafe or unknown")
    path, category = (index.parent / file).resolve(), (row.get("category") or "").strip()
    semantics = (row.get("semantics") or "").strip()
    is_unbounded = path.suffix.lower() in C_SUFFIXES and (over_integers is not None or semantics.startswith(_UNBOUNDED))
    return Case(index.parent.name, file, path, verdict, category, _design(path, index.parent, row), is_unbounded)


def _design(path: Path, root: Path, row: Mapping[str, str | None]) -> DesignOptions | None:
    """How a design is read: columns ``files`` (separated by ``;``), ``defines`` (or by blanks), ``top``, if they are there."""
    if path.suffix.lower() not in DESIGNS:
        return None
    files = [part.strip() for part in (row.get("files") or "").split(";") if part.strip()]
    defines = (row.get("defines") or "").replace(";", " ").split()
    others = [str(other) for file in files if (other := (root / file).resolve()) != path]
    return DesignOptions(files=tuple(others), top=(row.get("top") or "").strip() or None, defines=tuple(defines))
