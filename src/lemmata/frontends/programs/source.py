"""The text of a program, which knows line and column of every offset."""

from __future__ import annotations

from bisect import bisect_right

from lemmata.errors import InputError, Place, Unsupported


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
        return InputError(self.place(at), cause, remedy)

    def unsupported(self, at: int, cause: str, remedy: str = "") -> Unsupported:
        """The same for what is legal Boogie, but not handled."""
        return Unsupported(self.place(at), cause, remedy)
