"""A BTOR2 file as a dictionary of lines, read naively from the paper alone (Niemetz, Preiner, Wolf, Biere, CAV 2018, figure 1).

A line is ``id tag …``: a number, a tag, the arguments of the tag, perhaps a symbol, perhaps a comment after ``;``. Numbers are
decimal digits; an argument that is a node may have a minus, which negates all bits. Ids increase, and are defined before they
are used; a state's initial value is defined before the state, so none depends on itself. The sorts of operands and results
are those of the table. Whatever does not fit is a ``CertificateError``: two readers that disagree about what a file is do not
agree on what it says.

A sort is a number (the width of a word) or a pair (widths of index and element of an array).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import NoReturn

from lemmata.certify.reading.btor2_values import ONE_BIT_RULES, SAME, UNARY
from lemmata.errors import CertificateError
from lemmata.values import dataclass

LineSort = int | tuple[int, int]
_DIGITS = {"const": frozenset(b"01"), "constd": frozenset(b"0123456789"), "consth": frozenset(b"0123456789abcdefABCDEF")}
_BASE = {"const": 2, "constd": 10, "consth": 16}
_FIXED = ("zero", "one", "ones")
_NUMBER = frozenset(b"0123456789")


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A node: ``args`` are ids, negative where negated; ``detail`` are numbers that are no ids (bits, amounts, a constant)."""

    tag: str
    sort: LineSort
    args: tuple[int, ...] = ()
    detail: tuple[int, ...] = ()
    symbol: str = ""


@dataclass(slots=True)
class Btor2Lines:
    """What the file says; nodes by id, the rest by what it is about."""

    nodes: dict[int, ReadLine] = field(default_factory=dict)
    sorts: dict[int, LineSort] = field(default_factory=dict)
    inputs: list[int] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    inits: dict[int, int] = field(default_factory=dict)
    nexts: dict[int, int] = field(default_factory=dict)
    bads: list[tuple[int, str]] = field(default_factory=list)  # node, symbol
    constraints: list[int] = field(default_factory=list)
    last: int = 0  # id

    def sort(self, node: int) -> LineSort:
        """The sort of an operand, negated or not."""
        return self.nodes[abs(node)].sort

    def cone(self, roots: Iterable[int], *through: Mapping[int, int]) -> list[int]:
        """The ids of all nodes that the roots need, in order; states also need what these tables say about them."""
        seen: set[int] = set()
        stack = [abs(root) for root in roots]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack += map(abs, self.nodes[node].args)
                stack += [abs(table[node]) for table in through if node in table]
        return sorted(seen)


def read_btor2_lines(path: str) -> Btor2Lines:
    """The file's lines."""
    return btor2_lines(Path(path).read_bytes(), path)


def btor2_lines(data: bytes, path: str) -> Btor2Lines:
    """The lines in ``data``."""
    lines = Btor2Lines()
    for number, raw in enumerate(data.split(b"\n"), 1):
        words = raw.split()
        comment = next((k for k, word in enumerate(words) if word.startswith(b";")), len(words))
        if words[:comment]:
            _Reader(path, number, lines, words[:comment]).read()
    return lines


class _Reader:
    """One line, word by word."""

    def __init__(self, path: str, number: int, lines: Btor2Lines, words: list[bytes]) -> None:
        self._where = f"{path}:{number}"
        self._lines = lines
        self._words = words
        self._next = 0

    def fail(self, why: str) -> NoReturn:
        raise CertificateError(f"{self._where}: the second reader cannot read this line: {why}")

    def read(self) -> None:
        ident, tag = self._number(), self._word().decode("latin-1")
        if ident <= self._lines.last:
            self.fail(f"the id {ident} is not above the one before")
        self._lines.last = ident
        match tag:
            case "sort":
                self._lines.sorts[ident] = self._new_sort()
                self._symbol()
            case "init" | "next":
                self._init_or_next(tag)
            case "bad":
                self._lines.bads.append((self._bit(), self._symbol()))
            case "constraint":
                self._lines.constraints.append(self._bit())
                self._symbol()
            case "output" | "fair":
                self._node()
                self._symbol()
            case "justice":
                for _ in range(self._number()):
                    self._node()
                self._symbol()
            case _:
                self._lines.nodes[ident] = self._node_line(tag)
                if tag in ("input", "state"):
                    (self._lines.inputs if tag == "input" else self._lines.states).append(ident)

    # Words of a line.

    def _word(self) -> bytes:
        if self._next == len(self._words):
            self.fail("it ends too early")
        self._next += 1
        return self._words[self._next - 1]

    def _symbol(self) -> str:
        rest = self._words[self._next :]
        if len(rest) > 1:
            self.fail("it has too many words")
        return rest[0].decode("utf-8", "replace") if rest else ""

    def _number(self) -> int:
        word = self._word()
        if not _NUMBER.issuperset(word):
            self.fail(f"{word!r} is no number")
        return int(word)

    def _node(self) -> int:
        word = self._word()
        digits = word.removeprefix(b"-")
        if not digits or not _NUMBER.issuperset(digits) or int(digits) not in self._lines.nodes:
            self.fail(f"{word!r} is no node defined before")
        if word != digits and not isinstance(self._lines.sort(int(digits)), int):
            self.fail("an array is negated")
        return int(word)

    def _bit(self) -> int:
        node = self._node()
        if self._lines.sort(node) != 1:
            self.fail("a condition must have one bit")
        return node

    def _sort(self) -> LineSort:
        ident = self._number()
        if ident not in self._lines.sorts:
            self.fail(f"{ident} is no sort defined before")
        return self._lines.sorts[ident]

    def _new_sort(self) -> LineSort:
        kind = self._word()
        if kind == b"bitvec":
            if (width := self._number()) < 1:
                self.fail("a word needs a bit")
            return width
        if kind != b"array":
            self.fail(f"{kind!r} is no kind of sort")
        index, element = self._sort(), self._sort()
        if not isinstance(index, int) or not isinstance(element, int):
            self.fail("an array of arrays")
        return index, element

    def _init_or_next(self, tag: str) -> None:
        sort, state, value = self._sort(), self._node(), self._node()
        self._symbol()
        table = self._lines.inits if tag == "init" else self._lines.nexts
        if state not in self._lines.states or state in table:
            self.fail(f"{state} is no state, or this is its second {tag}")
        fills = tag == "init" and isinstance(sort, tuple) and self._lines.sort(value) == sort[1]
        if self._lines.sort(state) != sort or (self._lines.sort(value) != sort and not fills):
            self.fail("the sorts of state and value differ")
        if tag == "init" and abs(value) >= state:
            self.fail("the initial value comes after the state")
        table[state] = value

    # Nodes.

    def _node_line(self, tag: str) -> ReadLine:
        if tag in ("input", "state", *_FIXED):
            line = ReadLine(tag, self._sort())
        elif tag in _DIGITS:
            sort = self._sort()
            line = ReadLine(tag, sort, (), (self._constant(tag, sort),))
        elif tag in ("slice", "uext", "sext"):
            sort, node, count = self._sort(), self._node(), 2 if tag == "slice" else 1
            line = ReadLine(tag, sort, (node,), tuple(self._number() for _ in range(count)))
        elif tag in UNARY or tag in SAME or tag in ONE_BIT_RULES or tag in ("concat", "read", "ite", "write"):
            count = 1 if tag in UNARY else 3 if tag in ("ite", "write") else 2
            line = ReadLine(tag, self._sort(), tuple(self._node() for _ in range(count)))
        else:
            self.fail(f"{tag!r} is no tag of the table")
        if not _is_sorted(line, [self._lines.sort(arg) for arg in line.args]):
            self.fail(f"sorts that {tag!r} does not have in the table")
        return ReadLine(line.tag, line.sort, line.args, line.detail, self._symbol())

    def _constant(self, tag: str, sort: LineSort) -> int:
        word = self._word()
        digits = word.removeprefix(b"-") if tag == "constd" else word
        if not isinstance(sort, int) or not digits or not _DIGITS[tag].issuperset(digits):
            self.fail(f"{word!r} is no {tag}")
        value = int(digits, _BASE[tag])
        smallest, largest = -(1 << (sort - 1)), (1 << sort) - 1
        if tag == "const" and len(digits) != sort:
            self.fail("a binary constant has as many digits as its sort has bits")
        if not smallest <= (value if digits == word else -value) <= largest:
            self.fail(f"{word!r} does not fit into {sort} bits")
        return (value if digits == word else -value) % (1 << sort)


def _is_sorted(line: ReadLine, sorts: list[LineSort]) -> bool:
    """Are these the sorts of the table?"""
    match line.tag, line.sort, sorts:
        case (("input" | "state"), _, _):
            return True
        case _, int(), [] if line.tag in _FIXED or line.tag in _DIGITS:
            return True
        case "slice", int(width), [int(from_)]:
            upper, lower = line.detail
            return from_ > upper >= lower and width == upper - lower + 1
        case (("uext" | "sext"), int(width), [int(from_)]):
            return width == from_ + line.detail[0]
        case (("not" | "inc" | "dec" | "neg"), int(width), [int(from_)]):
            return width == from_
        case (("redand" | "redor" | "redxor"), 1, [int()]):
            return True
        case (("iff" | "implies"), 1, [1, 1]):
            return True
        case (("eq" | "neq"), 1, [left, right]):
            return left == right
        case "concat", int(width), [int(left), int(right)]:
            return width == left + right
        case "read", element, [tuple() as array, index]:
            return (index, element) == array
        case "write", array, [tuple(), _, _]:
            return array == sorts[0] == (sorts[1], sorts[2])
        case "ite", sort, [1, left, right]:
            return sort == left == right
        case tag, int(width), [int(left), int(right)] if tag in SAME:
            return width == left == right
        case tag, 1, [int(left), int(right)] if tag in ONE_BIT_RULES and tag not in ("iff", "implies"):
            return left == right
    return False
