"""A folder with what was proved: one small JSON file for each property of a model, found by content or by name.

A file is called ``NAME-CONTENT.json`` after two digests: of the model's file name and the property's name, and of the model
itself. The same content is taken under any name, and what was last kept under the name serves as well. Nothing in it is
believed: the evidence is checked like any other. Files appear whole or not at all, so several processes may share a folder;
past ``REUSE_STORE_MB`` the oldest go.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from lemmata.budgets import REUSE_ENTRY_MB, REUSE_STORE_MB
from lemmata.errors import UsageError
from lemmata.values import dataclass
from lemmata.writes import replace_whole, unwritable

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Key:
    """A property of a model: by ``name`` (of the file and of the property), and by ``content``."""

    name: str
    content: str

    @classmethod
    def of(cls, file: str, prop: str, fingerprint: int) -> Key:
        """The digests."""
        return cls(_digest(f"{Path(file).name}\n{prop}"), _digest(f"{fingerprint}\n{prop}"))

    @property
    def file(self) -> str:
        """What the file is called."""
        return f"{self.name}-{self.content}.json"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:20]


class ProofStore:
    """One folder; it is made when something is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is no folder: --reuse names one in which proofs are kept")

    def find(self, key: Key) -> list[Path]:
        """Where something may be known: the same content first, then what has the same name, the latest first."""
        with suppress(OSError):
            same = sorted(self._folder.glob(f"*-{key.content}.json"), key=_age)
            alike = sorted((p for p in self._folder.glob(f"{key.name}-*.json") if p not in same), key=_age)
            return [*same[:1], *alike[:1]]
        return []

    def read(self, path: Path) -> dict[str, Any]:
        """One entry; ``ValueError`` says what is wrong with it."""
        try:
            if path.stat().st_size > REUSE_ENTRY_MB << 20:
                raise ValueError("it is too large")
            entry = json.loads(path.read_bytes())
        except OSError as error:
            raise ValueError((error.strerror or "it cannot be read").lower()) from None
        except (RecursionError, UnicodeDecodeError, json.JSONDecodeError):
            raise ValueError("it is damaged") from None
        if not isinstance(entry, dict) or entry.get("lemmata") != FORMAT:
            raise ValueError("it was not written by this version of Lemmata")
        return entry

    def keep(self, key: Key, entry: dict[str, Any]) -> None:
        """Write an entry, in the place of those under the same name, and make room for it."""
        data = json.dumps({"lemmata": FORMAT} | entry, separators=(",", ":")).encode()
        if len(data) > REUSE_ENTRY_MB << 20:
            return
        path = self._folder / key.file
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_whole(path.resolve(), data)
        except (OSError, ValueError) as error:
            raise unwritable(path, error) from None
        for other in self._folder.glob(f"{key.name}-*.json"):
            if other.name != path.name:
                other.unlink(missing_ok=True)
        self._make_room()

    def _make_room(self) -> None:
        """The oldest go first."""
        sizes: list[tuple[float, int, Path]] = []
        for path in self._folder.glob("*-*.json"):
            with suppress(OSError):
                status = path.stat()
                sizes.append((status.st_mtime, status.st_size, path))
        excess = sum(size for _, size, _ in sizes) - (REUSE_STORE_MB << 20)
        for _, size, path in sorted(sizes):
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= size


def _age(path: Path) -> float:
    try:
        return -os.stat(path).st_mtime  # noqa: PTH116
    except OSError:
        return 0.0
