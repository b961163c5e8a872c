"""A BTOR2 file as lines of words, and where each word stands.

Blanks and tabs part words, lines end with LF or CRLF, a word that starts with ``;`` opens a comment. The last line may lack
its end. Words stay bytes until they are known to be numbers or symbols: what Python's ``int`` takes is more than digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lemmata.errors import InputError, Place
from lemmata.frontends.files import shown

MOST_ID_DIGITS = 18  # of an id or an index
_WORD = re.compile(rb"\S+")
_COMMENT = re.compile(rb"(?:^|[ \t]);.*", re.DOTALL)
_SOURCE = re.compile(r"(?P<file>[^\s|:]+):(?P<line>\d{1,9})\.(?P<column>\d{1,9})(?:-\d+\.\d+)?(?:\||$)")
_FIRST_LINE = re.compile(rb"(?:[ \t\r\n]|;[^\n]*\n)*[0-9]+[ \t]+sort[ \t]+(?:bitvec|array)[ \t]")


class Btor2Line:
    """One line with something on it; ``words[0]`` is the id, ``words[1]`` the tag."""

    __slots__ = ("comment", "file", "number", "raw", "words")

    def __init__(self, file: str, number: int, raw: bytes, comment: bytes = b"") -> None:
        self.file = file
        self.number = number
        self.raw = raw
        self.words = raw.split()
        self.comment = comment

    def fault(self, field: int, cause: str, remedy: str = "") -> InputError:
        """An error about that word; past the last one: about the end of the line."""
        return InputError(self.place(field), cause, remedy)

    def place(self, field: int) -> Place:
        """Where that word stands."""
        columns = [found.start() for found in _WORD.finditer(self.raw)]
        return Place(self.file, self.number, 1 + (columns[field] if field < len(columns) else len(self.raw)))

    def require(self, count: int, shape: str) -> None:
        """At least ``count`` words, and one more at most, which is the symbol."""
        if len(self.words) < count:
            raise self.fault(len(self.words), f"the line ends too early: expected '{shape}'", "the file may be truncated")
        if len(self.words) > count + 1:
            raise self.fault(count + 1, f"{shown(self.words[count + 1])} is one word too many", f"expected '{shape} [symbol]'")

    def natural(self, field: int, what: str) -> int:
        """A number without sign."""
        word = self.words[field]
        if not word.isdigit():
            raise self.fault(field, f"{shown(word)} is no {what}", "expected decimal digits")
        if len(word) > MOST_ID_DIGITS:
            raise self.fault(field, f"the {what} {shown(word)} is too large", f"at most {MOST_ID_DIGITS} digits are read")
        return int(word)

    def symbol(self, field: int) -> str | None:
        """The symbol that stands there, if one does."""
        if field >= len(self.words):
            return None
        try:
            name = self.words[field].decode()
        except UnicodeDecodeError:
            raise self.fault(field, f"the symbol {shown(self.words[field])} is no text", "expected UTF-8") from None
        if not name.isprintable():
            raise self.fault(field, f"the symbol {shown(self.words[field])} has characters that cannot be printed")
        return name


def source_place(text: str) -> Place | None:
    """The place in a source that Yosys writes as ``cnt.sv:5.25-5.40``, the first one of several; ``None`` if it is none."""
    found = _SOURCE.match(text)
    return None if found is None else Place(found["file"], int(found["line"]), int(found["column"]))


def is_btor2(head: bytes) -> bool:
    """Does a file that starts like this look like BTOR2? Its first line defines a sort."""
    return _FIRST_LINE.match(head) is not None


def read_lines(data: bytes, file: str) -> Iterator[Btor2Line]:
    """The lines that count, in order."""
    for number, raw in enumerate(data.split(b"\n"), 1):
        comment = b""
        if b";" in raw and (found := _COMMENT.search(raw)):
            raw, comment = raw[: found.start()], raw[found.start() :].strip(b"; \t\r")
        if raw and not raw.isspace():
            yield Btor2Line(file, number, raw.rstrip(), comment)
