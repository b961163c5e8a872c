"""Where tokens are from: all files that were read share one line of offsets, so that one number says file, line and column."""

from __future__ import annotations

from bisect import bisect_right, insort

from lemmata.errors import InputError, Place, Unsupported
from lemmata.frontends.c.preprocessor.tokens import CToken, OpenComment, scan


class SourceFile:
    """The text of a file; ``base`` is the offset of its first character."""

    def __init__(self, name: str, text: str, base: int) -> None:
        self.name = name
        self.text = text
        self.base = base
        self._starts: list[int] = []
        self._renamed: list[tuple[int, int, str]] = []  # offset, line, name: what #line says of the lines after it

    def tokens(self) -> list[CToken]:
        """What is in the file."""
        try:
            return scan(self.text, self.base)
        except OpenComment as error:
            raise self.error(error.at, "this comment does not end") from None

    def error(self, at: int, cause: str, remedy: str = "") -> InputError:
        """An error at an offset."""
        return InputError(self.place(at), cause, remedy)

    def spot(self, at: int) -> tuple[int, int]:
        """Line and column in the file as it is."""
        offset = at - self.base
        if not self._starts:
            self._starts.append(0)
            end = self.text.find("\n")
            while end >= 0:
                self._starts.append(end + 1)
                end = self.text.find("\n", end + 1)
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def rename(self, at: int, line: int, name: str) -> None:
        """The line after that of ``at``, which ends a directive, has this number, in a file of this name (6.10.4)."""
        self._renamed = [entry for entry in self._renamed if entry[0] != at]
        insort(self._renamed, (at, line, name))

    def place(self, at: int) -> Place:
        """File, line and column, as ``#line`` has them."""
        line, column = self.spot(at)
        number = bisect_right(self._renamed, (at,))
        if not number:
            return Place(self.name, line, column)
        since, first, name = self._renamed[number - 1]
        return Place(name, first + line - self.spot(since)[0] - 1, column)


class Sources:
    """All files of one translation unit."""

    def __init__(self) -> None:
        self._all: list[SourceFile] = []
        self._bases: list[int] = []

    def add(self, name: str, text: str) -> SourceFile:
        """Another file."""
        last = self._all[-1] if self._all else None
        source = SourceFile(name, text, 0 if last is None else last.base + len(last.text) + 1)
        self._all.append(source)
        self._bases.append(source.base)
        return source

    def of(self, at: int) -> SourceFile:
        """The file that has the offset."""
        return self._all[max(0, bisect_right(self._bases, at) - 1)]

    def place(self, at: int) -> Place:
        """File, line and column."""
        return self.of(at).place(at)

    def error(self, at: int, cause: str, remedy: str = "") -> InputError:
        """An error at an offset."""
        return self.of(at).error(at, cause, remedy)

    def unsupported(self, at: int, cause: str, remedy: str = "") -> Unsupported:
        """The same for what is legal."""
        return Unsupported(self.place(at), cause, remedy)
