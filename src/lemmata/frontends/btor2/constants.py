"""Constants: ``const`` (binary), ``constd`` (decimal, perhaps negative), ``consth``, ``zero``, ``one``, ``ones``.

A value must fit: ``const`` has exactly as many digits as the sort has bits, a negative ``constd`` is at least -2ʷ⁻¹.
"""

from __future__ import annotations

import re

from lemmata.errors import Unsupported
from lemmata.frontends.btor2.lines import Btor2Line
from lemmata.frontends.btor2.sorts import bits_of
from lemmata.frontends.files import shown
from lemmata.logic.sorts import BitVec, Sort
from lemmata.logic.terms import Term, const

_FIXED = {b"zero": 0, b"one": 1, b"ones": -1}
_DIGITS = {
    b"const": (2, re.compile(rb"[01]+"), "binary digits"),
    b"constd": (10, re.compile(rb"-?[0-9]+"), "decimal digits"),
    b"consth": (16, re.compile(rb"[0-9a-fA-F]+"), "hexadecimal digits"),
}
CONSTANTS = frozenset(_FIXED) | frozenset(_DIGITS)
_MOST_DECIMALS = 4300  # Python converts no more, since the time is quadratic


def read_constant(line: Btor2Line, sort: Sort) -> Term:
    """The constant on this line."""
    tag = line.words[1]
    if not isinstance(sort, BitVec):
        raise line.fault(2, "a constant is a word, but this sort is an array")
    if tag in _FIXED:
        line.require(3, f"id {tag.decode()} sort")
        return const(_FIXED[tag], sort)
    line.require(4, f"id {tag.decode()} sort value")
    value = _value(line, sort)
    if not -(1 << (sort.width - 1)) <= value < 1 << sort.width:
        raise line.fault(3, f"{shown(line.words[3])} does not fit into {bits_of(sort)}")
    return const(value, sort)


def _value(line: Btor2Line, sort: BitVec) -> int:
    word = line.words[3]
    base, pattern, digits = _DIGITS[line.words[1]]
    if not pattern.fullmatch(word):
        raise line.fault(3, f"{shown(word)} is no number", f"expected {digits}")
    if base == 2 and len(word) != sort.width:
        raise line.fault(3, f"{shown(word)} has {len(word)} digits, but the sort has {bits_of(sort)}")
    if base == 10 and len(word) > _MOST_DECIMALS:
        raise Unsupported(line.place(3), f"a decimal number of {len(word)} digits is too long", "write it with consth")
    return int(word, base)
