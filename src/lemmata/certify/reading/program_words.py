"""What ``{:bvbuiltin "bvadd"}`` and its like compute, from the definitions of SMT-LIB's theory of bit-vectors.

Words are integers in 0 … 2ʷ - 1. An operator is made for the widths of its arguments; what is not listed has no meaning here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

WordOperator = Callable[..., Any]
_TEXT = re.compile(r"\(?\s*(?:_\s+)?([a-z_0-9]+?)((?:\s+\d+)*)\s*\)?")


def builtin(text: str, indices: Sequence[int], widths: Sequence[int | None]) -> WordOperator | None:
    """The operator that an attribute names, for arguments of these widths (``None``: no word)."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        return None
    name, numbers = match[1], (*map(int, match[2].split()), *indices)
    known = [width for width in widths if width is not None]
    if len(known) != len(widths) or not known:
        return None if numbers else _on_numbers(name)
    if numbers:
        return _indexed(name, numbers, known[0]) if len(known) == 1 else None
    if name == "concat" and len(known) == 2:
        return lambda a, b: a << known[1] | b
    if any(width != known[0] for width in known):
        return None
    return (_unary if len(known) == 1 else _binary)(name, known[0])


def _on_numbers(name: str) -> WordOperator | None:
    table: dict[str, WordOperator] = {"div": _div, "mod": _mod, "abs": abs}
    return table.get(name)


def _div(a: int, b: int) -> int:
    return (a - a % abs(b)) // b  # no divisor of zero: ZeroDivisionError says that the value is open


def _mod(a: int, b: int) -> int:
    return a % abs(b)


def _unary(name: str, width: int) -> WordOperator | None:
    mask = (1 << width) - 1
    return {"bvnot": lambda a: a ^ mask, "bvneg": lambda a: -a & mask}.get(name)


def _indexed(name: str, numbers: tuple[int, ...], width: int) -> WordOperator | None:
    match name, numbers:
        case "zero_extend", (_,):
            return lambda a: a
        case "sign_extend", (more,):
            return lambda a: _signed(a, width) & (1 << width + more) - 1
        case "extract", (high, low):
            return lambda a: a >> low & (1 << high - low + 1) - 1
        case "rotate_left", (by,):
            return lambda a: _rotated(a, by, width)
        case "rotate_right", (by,):
            return lambda a: _rotated(a, -by, width)
    return None


def _rotated(a: int, by: int, width: int) -> int:
    by %= width
    return (a << by | a >> width - by) & (1 << width) - 1


def _signed(a: int, width: int) -> int:
    return a - (1 << width) if a >> width - 1 else a


def _binary(name: str, width: int) -> WordOperator | None:
    mask = (1 << width) - 1

    def signed(a: int) -> int:
        return _signed(a, width)

    table: dict[str, WordOperator] = {
        "bvadd": lambda a, b: a + b & mask,
        "bvsub": lambda a, b: a - b & mask,
        "bvmul": lambda a, b: a * b & mask,
        "bvand": lambda a, b: a & b,
        "bvor": lambda a, b: a | b,
        "bvxor": lambda a, b: a ^ b,
        "bvnand": lambda a, b: (a & b) ^ mask,
        "bvnor": lambda a, b: (a | b) ^ mask,
        "bvxnor": lambda a, b: a ^ b ^ mask,
        "bvcomp": lambda a, b: int(a == b),
        "bvudiv": lambda a, b: a // b if b else mask,
        "bvurem": lambda a, b: a % b if b else a,
        "bvsdiv": lambda a, b: _sdiv(signed(a), signed(b)) & mask,
        "bvsrem": lambda a, b: (signed(a) - signed(b) * _sdiv(signed(a), signed(b)) if b else signed(a)) & mask,
        "bvsmod": lambda a, b: (signed(a) % signed(b) if b else a) & mask,
        "bvshl": lambda a, b: a << b & mask if b < width else 0,
        "bvlshr": lambda a, b: a >> b if b < width else 0,
        "bvashr": lambda a, b: signed(a) >> min(b, width) & mask,
        "bvult": lambda a, b: a < b,
        "bvule": lambda a, b: a <= b,
        "bvugt": lambda a, b: a > b,
        "bvuge": lambda a, b: a >= b,
        "bvslt": lambda a, b: signed(a) < signed(b),
        "bvsle": lambda a, b: signed(a) <= signed(b),
        "bvsgt": lambda a, b: signed(a) > signed(b),
        "bvsge": lambda a, b: signed(a) >= signed(b),
    }
    return table.get(name)


def _sdiv(a: int, b: int) -> int:
    """Towards zero; by zero it is -1, or 1 for a negative number."""
    if b == 0:
        return 1 if a < 0 else -1
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient
