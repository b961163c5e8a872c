"""``lemmata check --cluster``: files and their properties on many machines, with a journal.

A row appears when everything about its file is known. The table, the documents of ``--format json`` and the exit codes are
those of several files on one machine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from fnmatch import fnmatch
from pathlib import Path
from time import monotonic
from typing import TextIO, cast

from lemmata.cli.choices import Format
from lemmata.cli.codes import BROKEN, INTERRUPTED, USAGE, code_of_words, worst
from lemmata.cli.file_rows import FileRows
from lemmata.cli.many import models_in
from lemmata.cli.output import OnlyThisThread, complain, is_live, say
from lemmata.config import Config, DesignOptions
from lemmata.errors import UsageError
from lemmata.escapes import in_json, printable
from lemmata.result import NotChecked
from lemmata.run.cluster.documents import Document, covers_of
from lemmata.run.cluster.driver import Driver, Judges
from lemmata.run.cluster.journal import RunJournal
from lemmata.run.cluster.ray_sites import RaySites
from lemmata.run.options import processors
from lemmata.values import dataclass

_FORMATS = (Format.text, Format.json, Format.jsonl)
_SITES_OF_A_JUDGE = 8
_REDRAW_S = 0.5
_LATER_RANK = 10


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
    table = _Table(form, tuple(asked), has_live_line=not is_quiet and is_live())
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


def code_of_document(document: Document, has_bugs: bool) -> int:
    """As that of a run on one machine."""
    if document["verdict"] == "error":
        return USAGE
    return BROKEN if has_bugs and document["verdict"] == "unknown" else code_of_words(document["verdict"], covers_of(document))


class _Table:
    """The rows, in the format that was asked for, as files are done."""

    def __init__(self, form: Format, files: Sequence[str], has_live_line: bool) -> None:
        self._form = form
        self._lines = FileRows(files)
        self._total = len(files) if has_live_line else None
        self._documents: list[Document] = []
        self._drawn = 0.0
        self.codes: list[int] = []
        if form is Format.text:
            say(self._lines.head)

    def add(self, file: str, document: Document) -> None:
        """One more file."""
        self._lines.count(document["verdict"])
        bugs = document.pop("bugs", [])
        self.codes.append(code_of_document(document, bool(bugs)))
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
            return self._lines.refused(file, cause)
        properties = document["properties"]
        reasons = sorted({one["reason"] for one in properties or (document,) if one["reason"]})
        if rest := NotChecked(**document.get("not_checked") or {}).describe():
            reasons.append(f"not checked: {rest}")
        engines = ",".join(dict.fromkeys(one["engine"] for one in properties))
        seconds = f"{document['time_s']:.2f}"
        return self._lines.line((file, document["verdict"], str(len(properties)), engines, seconds, ", ".join(reasons)))

    def _draw(self) -> None:
        if self._total is not None and monotonic() > self._drawn + _REDRAW_S:
            self._drawn = monotonic()
            print(f"\r{self._lines.total}/{self._total} files", end="", file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._total is not None and self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """What is told at the end."""
        self._clear()
        if self._form is Format.json:
            say(in_json(self._documents, indent=2))
        elif self._form is Format.text:
            say(self._lines.summary)
