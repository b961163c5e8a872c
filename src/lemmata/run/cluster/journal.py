"""The journal: a line of JSON for each item that is done; a driver that is lost goes on from it.

A line counts if it is whole and speaks of the same content, the same question and the same options. The evidence is in it as
it is told to users; it was certified before the line was written. Who can write the journal can write verdicts, as with every
file of results.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lemmata import __version__
from lemmata.config import Config
from lemmata.errors import UsageError
from lemmata.escapes import in_json
from lemmata.run.cluster.documents import Document
from lemmata.run.cluster.executor import digest_of
from lemmata.run.cluster.jobs import WorkItem

_Key = tuple[str, str, str, int, int]


class RunJournal:
    """The documents of items that are done; without a path it remembers nothing."""

    def __init__(self, path: Path | None, config: Config) -> None:
        self._path = path
        self._seats = config.workers
        self._options = digest_of(in_json([__version__, asdict(replace(config, property=""))]).encode())
        self._found: dict[_Key, Document] = {}
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            with path.open("rb") as file:
                last = b"\n"
                for last in file:
                    self._read(last)
            if not last.endswith(b"\n"):  # a line that was cut off when a driver was lost
                os.write(self._fd, b"\n")
        except OSError as error:
            raise UsageError(f"--journal {path}: {error.strerror}") from None

    def _read(self, line: bytes) -> None:
        try:
            entry = json.loads(line)
            if entry["options"] == self._options:
                key = (entry["file"], entry["digest"], entry["property"], entry["seat"], entry["seats"])
                self._found[key] = dict(entry["result"])
        except (ValueError, KeyError, TypeError):
            return

    def recall(self, item: WorkItem) -> Document | None:
        """What came of an item before, if it was done."""
        return self._found.pop(self._key(item), None)

    def _key(self, item: WorkItem) -> _Key:
        return item.file, item.digest, item.prop, item.seat, self._seats

    def note(self, item: WorkItem, document: Mapping[str, Any]) -> None:
        """An item is done; when this returns, the system has it."""
        if self._path is None:
            return
        names = ("file", "digest", "property", "seat", "seats")
        entry = dict(zip(names, self._key(item), strict=True)) | {"options": self._options, "result": document}
        try:
            data = memoryview(f"{in_json(entry)}\n".encode())
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            raise UsageError(f"--journal {self._path}: {error.strerror}") from None

    def close(self) -> None:
        """Let it be on the disk."""
        if self._path is not None:
            os.fsync(self._fd)
            os.close(self._fd)
