"""The table of several files as text: a row each, and how many have which verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lemmata.escapes import printable

_COLUMNS = ("file", "verdict", "properties", "engine", "seconds", "remark")
_WIDTHS = (7, 10, 10, 7, 0)  # of all but the first
_WORDS = ("safe", "unsafe", "covered", "unreachable", "unknown", "error")


class FileRows:
    """Lines as wide as the longest name of a file wants them."""

    def __init__(self, files: Sequence[str]) -> None:
        self._widths = (max(len(printable(file)) for file in files), *_WIDTHS)
        self._words: Counter[str] = Counter()

    @property
    def head(self) -> str:
        """The names of the columns."""
        return self.line(_COLUMNS)

    @property
    def total(self) -> int:
        """Files that were counted."""
        return self._words.total()

    def count(self, word: str) -> None:
        """One more file with this verdict."""
        self._words[word] += 1

    def line(self, cells: Sequence[str]) -> str:
        """A row."""
        return "  ".join(printable(cell).ljust(width) for cell, width in zip(cells, self._widths, strict=True)).rstrip()

    def refused(self, file: str, cause: str) -> str:
        """The row of a file about which there is no result."""
        return self.line((file, "error", "-", "-", "-", cause))

    @property
    def summary(self) -> str:
        """How many there were."""
        counts = [f"{self._words[word]} {word}" for word in _WORDS if self._words[word]]
        return f"{self.total} file{'' if self.total == 1 else 's'}: {', '.join(counts)}"
