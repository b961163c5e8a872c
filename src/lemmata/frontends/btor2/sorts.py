"""``sort bitvec n`` and ``sort array index element``."""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.errors import Unsupported
from lemmata.frontends.btor2.lines import Btor2Line
from lemmata.frontends.files import shown
from lemmata.logic.sorts import Array, BitVec, Sort

WIDEST = 1 << 20  # bits of one word; nobody's solver is better off with more


def read_sort(line: Btor2Line, known: Mapping[int, Sort]) -> Sort:
    """The sort that a ``sort`` line defines."""
    kind = line.words[2] if len(line.words) > 2 else b""
    if kind == b"bitvec":
        return _bitvec(line)
    if kind == b"array":
        return _array(line, known)
    raise line.fault(2, f"{shown(kind)} is no kind of sort" if kind else "the sort has no kind", "expected bitvec or array")


def find_sort(line: Btor2Line, field: int, known: Mapping[int, Sort]) -> Sort:
    """The sort that a word refers to."""
    number = line.natural(field, "id of a sort")
    sort = known.get(number)
    if sort is None:
        raise line.fault(field, f"{number} is not a sort", "a sort must be defined before it is used")
    return sort


def bits_of(sort: Sort) -> str:
    """A sort for messages."""
    if isinstance(sort, BitVec):
        return f"{sort.width} bit" + "s" * (sort.width > 1)
    assert isinstance(sort, Array)
    return f"an array sort ({bits_of(sort.index)} to {bits_of(sort.element)})"


def _bitvec(line: Btor2Line) -> Sort:
    line.require(4, "id sort bitvec width")
    width = line.natural(3, "width")
    if width == 0:
        raise line.fault(3, "a word of 0 bits", "the width must be at least 1")
    if width > WIDEST:
        raise Unsupported(line.place(3), f"words of {width} bits are too wide", f"the limit is {WIDEST}")
    return BitVec(width)


def _array(line: Btor2Line, known: Mapping[int, Sort]) -> Sort:
    line.require(5, "id sort array index-sort element-sort")
    index, element = find_sort(line, 3, known), find_sort(line, 4, known)
    for field, sort in ((3, index), (4, element)):
        if not isinstance(sort, BitVec):
            raise Unsupported(line.place(field), "arrays of arrays are not supported", "index and element must be words")
    return Array(index, element)
