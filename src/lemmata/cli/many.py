"""``lemmata check`` of several files and folders: one table whose rows appear as they are known, one exit code.

Files are checked one after another, each as if it were alone: with its own limits, workers and certification. What the workers
of one file had to load is loaded here before those of the next are forked, so the start is paid once for each kind of file.
A file that cannot be read is a row like others. The exit code is the worst of the files': interrupted, internal error, wrong
input, unsafe, unknown, safe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from lemmata import run
from lemmata.cli.choices import Format
from lemmata.cli.codes import INTERRUPTED, USAGE, code_of, worst
from lemmata.cli.file_rows import FileRows
from lemmata.cli.output import complain, is_live, say
from lemmata.cli.show import Stream, show_results
from lemmata.config import Config
from lemmata.errors import InputError, LemmataError, UsageError
from lemmata.escapes import in_json
from lemmata.report.live.line import LiveLine
from lemmata.result import Result
from lemmata.run.processes.preload import load_modules
from lemmata.run.task import Wanted
from lemmata.values import dataclass
from lemmata.verdict import Unknown

_SUFFIXES = frozenset({".aag", ".aig", ".btor", ".btor2", ".vmt", ".smt2", ".bpl", ".c", ".i"})
_FORMATS = (Format.text, Format.json, Format.jsonl, Format.junit, Format.sarif, Format.github)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file about which there is no result, and why."""

    file: str
    cause: str

    def to_json(self) -> dict[str, object]:
        """The documented object of ``--format json``."""
        return {"tool": "lemmata", "file": self.file, "verdict": "error", "error": self.cause}


def models_in(paths: Sequence[Path]) -> list[Path]:
    """The files, and those in the folders whose suffix says that they are models, each once and in order."""
    found: dict[Path, None] = {}
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112 (a name that is too long is no folder)
            found[path] = None
            continue
        inside = sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file())
        if not inside:
            raise UsageError(f"{path} is a folder without models ({', '.join(sorted(_SUFFIXES))})")
        found.update(dict.fromkeys(inside))
    return list(found)


def check_many(paths: Sequence[Path], config: Config, form: Format, verbose: bool, bundles: Path | None, is_quiet: bool) -> int:
    """Check all, show the table, and answer with the exit code."""
    if form not in _FORMATS:
        raise UsageError(f"--format {form.value} is about one file: with several use {', '.join(f.value for f in _FORMATS)}")
    files = models_in(paths)
    table = _Table(form, verbose, [str(file) for file in files])
    codes = []
    for number, file in enumerate(files, 1):
        live = None if is_quiet or not is_live() else LiveLine(sys.stderr, f"{number}/{len(files)} {file}")
        try:
            outcome = _checked(file, config, form, bundles, live)
        except LemmataError as error:
            codes.append(USAGE)
            cause = str(error).removeprefix(f"{file}: ") if isinstance(error, InputError) else str(error)
            table.add(Refusal(str(file), cause))
            continue
        codes.append(code_of(outcome))
        table.add(outcome.result)
        for bug, bundle in outcome.bugs:
            complain(bug.request(bundle))
        if codes[-1] == INTERRUPTED:
            break
        load_modules(outcome.modules)
    table.close()
    return worst(codes)


def _checked(file: Path, config: Config, form: Format, bundles: Path | None, live: LiveLine | None) -> run.Outcome:
    watchers: list[run.Watcher] = [live] if live else []
    if form is Format.jsonl:
        watchers.append(Stream(str(file)))
    wanted = Wanted(lemmas=form is Format.jsonl, modules=True)
    try:
        return run.supervise(str(file), config, wanted=wanted, watchers=tuple(watchers), bundles=bundles)
    finally:
        if live:
            live.close()


class _Table:
    """The rows, in the format that was asked for."""

    def __init__(self, form: Format, verbose: bool, files: Sequence[str]) -> None:
        self._form = form
        self._verbose = verbose
        self._lines = FileRows(files)
        self._rows: list[dict[str, object]] = []
        self._results: list[Result] = []
        if form is Format.text:
            say(self._lines.head)

    def add(self, found: Result | Refusal) -> None:
        """One more file."""
        self._lines.count("error" if isinstance(found, Refusal) else found.verdict)
        match self._form:
            case Format.json:
                self._rows.append(found.to_json())
            case Format.jsonl:
                say(in_json(found.to_json()))
            case Format.junit | Format.sarif | Format.github:
                if isinstance(found, Refusal):
                    complain(f"{found.file}: {found.cause}")
                else:
                    self._results.append(found)
            case _:
                say("\n".join(self._text(found)))

    def _text(self, found: Result | Refusal) -> Iterator[str]:
        if isinstance(found, Refusal):
            yield self._lines.refused(found.file, found.cause)
            return
        reasons = sorted({p.verdict.reason for p in found.properties if isinstance(p.verdict, Unknown)})
        remark = ", ".join([*reasons, *([found.remark] if found.remark else [])])
        engines = ",".join(dict.fromkeys(p.engine for p in found.properties))
        yield self._lines.line((found.file, found.verdict, str(len(found.properties)), engines, f"{found.time_s:.2f}", remark))
        if self._verbose:
            from lemmata.report import text

            yield from (f"    {line}" for line in text.report(found, True).split("\n"))

    def close(self) -> None:
        """What is told at the end."""
        if self._form is Format.json:
            say(in_json(self._rows, indent=2))
        elif self._form in (Format.junit, Format.sarif, Format.github):
            show_results(self._results, self._form)
        elif self._form is Format.text:
            say(self._lines.summary)
