"""``lemmata check --cluster``: files and their properties on many machines, with a journal.

A row appears when everything about its file is known. The table, the documents of ``--format json`` and the exit codes are
those of several files on one machine.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from fnmatch import fnmatch
from pathlib import Path
from time import monotonic
from typing import TextIO, cast

from lemmata.cli.choices import Format
from lemmata.cli.codes import BROKEN, INTERRUPTED, SAFE, UNKNOWN, UNREACHABLE, UNSAFE, USAGE, worst
from lemmata.cli.many import models_in
from lemmata.cli.output import OnlyThisThread, complain, is_live, say
from lemmata.config import Config, DesignOptions
from lemmata.errors import UsageError
from lemmata.escapes import in_json, printable
from lemmata.result import NotChecked
from lemmata.run.cluster.documents import Document
from lemmata.run.cluster.driver import Driver, Judges
from lemmata.run.cluster.journal import RunJournal
from lemmata.run.cluster.ray_sites import RaySites
from lemmata.run.options import processors
from lemmata.values import dataclass

_FORMATS = (Format.text, Format.json, Format.jsonl)
_SITES_OF_A_JUDGE = 8
_REDRAW_S = 0.5
_LATER_RANK = 10
_WIDTHS = (7, 10, 10, 7, 0)
_CODES = {
    "safe": SAFE,
    "covered": SAFE,
    "unsafe": UNSAFE,
    "unknown": UNKNOWN,
    "unreachable": UNREACHABLE,
    "error": USAGE,
}


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """How the cluster is found and used."""

    address: str  # auto: RAY_ADDRESS, or processes of this machine
    journal: Path | None = None
    deadline: float | None = None  # seconds for everything
    first: tuple[str, ...] = ()  # globs: these files before the others


def check_on_cluster(
    paths: Sequence[Path], config: Config, form: Format, options: ClusterOptions, is_quiet: bool, started: float
) -> int:
    """Check all, show the table, and answer with the exit code."""
    if form not in _FORMATS:
        raise UsageError(f"--format {form.value} is not for --cluster: use {', '.join(f.value for f in _FORMATS)}")
    if config.design != DesignOptions() or config.c.includes or config.c.property_file or config.reuse is not None:
        raise UsageError("--cluster sends single files: designs of several files, folders of headers and --reuse stay here")
    groups = [[str(file) for file in models_in([path])] for path in paths]
    asked = {file: number for number, group in reversed(list(enumerate(groups))) for file in group}
    table = _Table(form, max(len(printable(file)) for file in asked), None if is_quiet or not is_live() else len(asked))
    journal = RunJournal(options.journal, config)
    deadline = None if options.deadline is None else started + options.deadline
    judges = sites = None
    try:
        with redirect_stdout(cast("TextIO", OnlyThisThread())):  # Ray has a thread that prints which node is lost
            sites = RaySites(options.address, config)
            judges = Judges(max(1, min(processors(), sites.size // _SITES_OF_A_JUDGE)))
            driver = Driver(sites, judges, journal, config, table.add)
            for file in sorted(asked, key=lambda file: asked[file]):
                driver.ask(file, group=asked[file], rank=_rank(file, options.first))
            if driver.run(deadline) == "timeout":
                for file in driver.unfinished:
                    table.add(file, driver.reached(file))
    except KeyboardInterrupt:
        table.codes.append(INTERRUPTED)
    finally:
        if sites is not None:
            sites.close()
        if judges is not None:
            judges.close()
        journal.close()
    table.close()
    return worst(table.codes)


def _rank(file: str, first: Sequence[str]) -> int:
    """Files that match come before the others; what is asked about properties one by one comes after the file."""
    return 0 if any(fnmatch(file, glob) for glob in first) else _LATER_RANK


class _Table:
    """The rows, in the format that was asked for, as files are done."""

    def __init__(self, form: Format, width: int, total: int | None) -> None:
        self._form = form
        self._width = width
        self._total = total  # None: no live line
        self._words: Counter[str] = Counter()
        self._documents: list[Document] = []
        self._drawn = 0.0
        self.codes: list[int] = []
        if form is Format.text:
            say(self._line(("file", "verdict", "properties", "engine", "seconds", "remark")))

    def add(self, file: str, document: Document) -> None:
        """One more file."""
        self._words[document["verdict"]] += 1
        bugs = document.pop("bugs", [])
        self.codes.append(BROKEN if bugs and document["verdict"] == "unknown" else _CODES[document["verdict"]])
        for bug in bugs:
            complain(printable(f"{file}: {bug}; please report it"))
        match self._form:
            case Format.json:
                self._documents.append(document)
            case Format.jsonl:
                say(in_json(document))
            case _:
                self._clear()
                say(self._row(file, document))
        self._draw()

    def _row(self, file: str, document: Document) -> str:
        if document["verdict"] == "error":
            cause = document["error"].removeprefix(f"{file}: ")
            return self._line((file, "error", "-", "-", "-", cause))
        properties = document["properties"]
        reasons = sorted({one["reason"] for one in properties or (document,) if one["reason"]})
        if rest := NotChecked(**document.get("not_checked") or {}).describe():
            reasons.append(f"not checked: {rest}")
        engines = ",".join(dict.fromkeys(one["engine"] for one in properties))
        seconds = f"{document['time_s']:.2f}"
        return self._line((file, document["verdict"], str(len(properties)), engines, seconds, ", ".join(reasons)))

    def _line(self, cells: Sequence[str]) -> str:
        widths = (self._width, *_WIDTHS)
        return "  ".join(printable(cell).ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

    def _draw(self) -> None:
        if self._total is not None and monotonic() > self._drawn + _REDRAW_S:
            self._drawn = monotonic()
            print(f"\r{sum(self._words.values())}/{self._total} files", end="", file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._total is not None and self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """What is told at the end."""
        self._clear()
        if self._form is Format.json:
            say(in_json(self._documents, indent=2))
        elif self._form is Format.text:
            counts = [f"{self._words[word]} {word}" for word in ("safe", "unsafe", "unknown", "error") if self._words[word]]
            total = sum(self._words.values())
            say(f"{total} file{'' if total == 1 else 's'}: {', '.join(counts)}")
