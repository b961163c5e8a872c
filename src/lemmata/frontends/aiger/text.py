"""The text parts of an AIGER file: lines of numbers, and where each number stands.

A section is ``count`` lines with the same number of fields. ``AigerText.section`` reads one in two ways: a fast one, which
looks at the bytes of the whole section at once and gives up at the first doubt, and a slow one, which goes line by line,
defines what is legal, and raises with line and column. So a good file of a million gates takes a second and a bad one gets an
exact place.

Lines may end with LF or CRLF and fields may be parted by several blanks; a line that begins with one is refused, since other
readers take what follows for the second number of the line. Every line of numbers must end with a line end: a file
cut in the middle of its last number would otherwise be read as another circuit.
"""

from __future__ import annotations

import re
from operator import methodcaller

from lemmata.errors import InputError, Place
from lemmata.frontends.files import shown
from lemmata.values import dataclass

TRUNCATED = "the file may be truncated"
LARGEST_VARIABLE = 2**31 - 1  # of variables; the AIGER tools have the same limit

_FIELD = re.compile(rb"[^ \t]+")
_MOST_DIGITS = len(str(2 * LARGEST_VARIABLE))
_PLAIN = b"0123456789 \n"
_count_blanks = methodcaller("count", b" ")


@dataclass(frozen=True, slots=True)
class Section:
    """``width`` numbers from each of some consecutive lines, one line after the other."""

    text: AigerText
    what: str  # one row of it, for messages: "input", "latch", "gate" …
    start: int  # byte of the first line
    line: int  # number of the first line
    width: int
    numbers: list[int]

    def column(self, field: int) -> list[int]:
        """The numbers in one field of all rows."""
        return self.numbers[field :: self.width]

    def place(self, row: int, field: int) -> Place:
        """Where that number stands."""
        start = self.start
        for _ in range(row):
            start = self.text.data.index(b"\n", start) + 1
        return self.text.place(self.line + row, start, field)

    def error(self, row: int, field: int, cause: str, remedy: str = "") -> InputError:
        """An error about that number."""
        return InputError(self.place(row, field), cause, remedy)


class AigerText:
    """Reads a file from the front, section by section."""

    def __init__(self, data: bytes, file: str) -> None:
        self.data = data
        self.file = file
        self.position = 0
        self.line = 1

    def place(self, line: int, start: int, field: int = 0) -> Place:
        """Where ``field`` of the line that starts at byte ``start`` stands; past the last field: the end of the line."""
        row = self._row(start, self._line_end(start))
        columns = [found.start() for found in _FIELD.finditer(row)]
        return Place(self.file, line, 1 + (columns[field] if field < len(columns) else len(row)))

    def header(self) -> list[bytes]:
        """The fields of the first line."""
        end = self.data.find(b"\n")
        if end < 0:
            raise InputError(self.place(1, 0, LARGEST_VARIABLE), "the header line does not end", TRUNCATED)
        self.position, self.line = end + 1, 2
        return _FIELD.findall(self._row(0, end))

    def section(self, what: str, count: int, width: int, optional: int = 0) -> Section:
        """Read ``count`` lines of ``width`` numbers; with ``optional`` = 1 the last one may be missing and is 0."""
        start, line = self.position, self.line
        numbers = self._fast(count, width, optional) if count else []
        if numbers is None:
            numbers = self._slow(what, count, width, optional)
        return Section(self, what, start, line, width, numbers)

    def _fast(self, count: int, width: int, optional: int) -> list[int] | None:
        find, end = self.data.find, self.position
        for _ in range(count):
            end = find(b"\n", end) + 1
            if not end:
                return None
        chunk = self.data[self.position : end].replace(b"\r\n", b"\n")
        if chunk.translate(None, _PLAIN) or chunk[:1] == b" " or b"\n " in chunk:
            return None
        if width > 1:
            rows = chunk[:-1].split(b"\n")
            if optional:
                rows = [row if row.count(b" ") == width - 1 else row + b" 0" for row in rows]
            if set(map(_count_blanks, rows)) != {width - 1}:
                return None
            chunk = b" ".join(rows) if optional else chunk
        fields = chunk.split()
        if len(fields) != count * width or len(max(fields, key=len)) > _MOST_DIGITS:
            return None
        self.position, self.line = end, self.line + count
        return list(map(int, fields))

    def _slow(self, what: str, count: int, width: int, optional: int) -> list[int]:
        numbers: list[int] = []
        for row in range(count):
            start = self.position
            end = self.data.find(b"\n", start)
            if end < 0:
                raise self._cut(what, row, count, start)
            if self.data[start : start + 1] in (b" ", b"\t"):
                raise InputError(Place(self.file, self.line, 1), "a blank before the first number", "begin the line with it")
            fields = _FIELD.findall(self._row(start, end))
            numbers += [self.number(field, self.line, start, i) for i, field in enumerate(fields[:width])]
            if len(fields) > width:
                raise self._error(start, width, f"{shown(fields[width])} after the {what}", f"expected {width} numbers")
            if len(fields) < width - optional:
                raise self._error(start, len(fields), f"{what} {row} is incomplete", f"expected {width - optional} numbers")
            numbers += [0] * (width - len(fields))
            self.position, self.line = end + 1, self.line + 1
        return numbers

    def number(self, field: bytes, line: int, start: int, index: int) -> int:
        """The value of a field, which is unsigned and decimal."""
        if not field.isdigit():
            remedy = "expected decimal digits; is a count in the header wrong?"
            raise InputError(self.place(line, start, index), f"{shown(field)} is not a number", remedy)
        digits = field.lstrip(b"0") or b"0"
        if len(digits) > _MOST_DIGITS or int(digits) > 2 * LARGEST_VARIABLE + 1:
            raise InputError(
                self.place(line, start, index), f"{shown(field)} is too large", f"the limit is {2 * LARGEST_VARIABLE + 1}"
            )
        return int(digits)

    def _cut(self, what: str, row: int, count: int, start: int) -> InputError:
        if start >= len(self.data):
            place = Place(self.file, self.line, 1)
            return InputError(
                place, f"the file ends before {what} {row} of {count}", TRUNCATED + ", or the header's count is wrong"
            )
        return self._error(
            start, LARGEST_VARIABLE, f"the file ends within {what} {row} of {count}", TRUNCATED + "; each line needs a line end"
        )

    def _error(self, start: int, field: int, cause: str, remedy: str) -> InputError:
        return InputError(self.place(self.line, start, field), cause, remedy)

    def _line_end(self, start: int) -> int:
        end = self.data.find(b"\n", start)
        return len(self.data) if end < 0 else end

    def _row(self, start: int, end: int) -> bytes:
        return self.data[start:end].removesuffix(b"\r")
