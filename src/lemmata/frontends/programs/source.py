"""The text of a program, which knows line and column of every offset."""

from __future__ import annotations

import re
from bisect import bisect_right

from lemmata.errors import InputError, Place, Unsupported

_WORDS = 200  # characters that are quoted, at most
_LONG = re.compile(r"[^\s']{100,}")  # words of which errors tell the first characters,
_TOLD = 40  # so many


class SourceText:
    """A text and where its lines begin; nodes keep offsets only, which are turned into lines here."""

    __slots__ = ("_starts", "file", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def line(self, at: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, at)

    def words(self, at: int) -> str:
        """What is written there, to the end of the statement or of the line, without blanks that say nothing."""
        end = self.text.find("\n", at)
        rest = " ".join(self.text[at : len(self.text) if end < 0 else min(end, at + _WORDS)].split("//")[0].split())
        words = rest.partition(";")[0]
        if words.count(")") > words.count("("):  # part of an expression: all of its line
            words = self.text[self.text.rfind("\n", 0, at) + 1 : len(self.text) if end < 0 else end].strip()[:_WORDS]
        return words.partition("{")[0].rstrip() or words

    def place(self, at: int) -> Place:
        """Line and column of an offset, both from 1."""
        line = self.line(at)
        return Place(self.file, line, at - self._starts[line - 1] + 1)

    def spot(self, at: int) -> tuple[int, int] | None:
        """Line and column in the file as it is, where that is known."""
        place = self.place(at)
        return place.line or 1, place.column or 1

    def error(self, at: int, cause: str, remedy: str = "") -> InputError:
        """An error at an offset."""
        return InputError(self.place(at), _shortened(cause), remedy)

    def unsupported(self, at: int, cause: str, remedy: str = "") -> Unsupported:
        """The same for what is legal Boogie, but not handled."""
        return Unsupported(self.place(at), _shortened(cause), remedy)


def _shortened(cause: str) -> str:
    return _LONG.sub(lambda word: f"{word[0][:_TOLD]}…", cause)
