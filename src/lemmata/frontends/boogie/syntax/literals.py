"""Values as Boogie writes them: ``12``, ``1.5``, ``2e-3``, ``7bv32``, ``true``."""

from __future__ import annotations

from fractions import Fraction

from lemmata.frontends.boogie.syntax.cursor import MOST_DIGITS, Cursor
from lemmata.frontends.programs.tree import BOOL_TYPE, INT_TYPE, REAL_TYPE, BitVecType, Literal

MOST_BV_BITS = 1 << 20


def read_literal(cursor: Cursor) -> Literal | None:
    """The value at a cursor, if there is one."""
    at = cursor.at
    match cursor.kind:
        case "number":
            return Literal(at, cursor.digits(at, cursor.take()), INT_TYPE)
        case "true" | "false":
            return Literal(at, cursor.take() == "true", BOOL_TYPE)
        case "decimal":
            return Literal(at, _real(cursor), REAL_TYPE)
        case "bits":
            return _bits(cursor)
    return None


def _real(cursor: Cursor) -> Fraction:
    at = cursor.at
    digits, _, exponent = cursor.take().partition("e")
    whole, _, rest = digits.partition(".")
    if len(exponent) > 6 or abs(int(exponent or 0)) > MOST_DIGITS:
        raise cursor.source.error(at, f"the exponent {exponent[:40]} is too large", f"at most {MOST_DIGITS} is read")
    return Fraction(cursor.digits(at, whole + rest), 10 ** len(rest)) * Fraction(10) ** int(exponent or 0)


def _bits(cursor: Cursor) -> Literal:
    at = cursor.at
    digits, _, width = cursor.take().partition("bv")
    value, size = cursor.digits(at, digits), cursor.digits(at, width)
    if not 0 < size <= MOST_BV_BITS:
        raise cursor.source.unsupported(at, f"bit-vectors have 1 to {MOST_BV_BITS} bits, not {width[:40]}")
    if value.bit_length() > size:
        raise cursor.source.error(at, f"{digits[:40]} does not fit into {size} bits")
    return Literal(at, value, BitVecType(size))
