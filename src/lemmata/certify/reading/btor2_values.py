"""The operators of BTOR2 on concrete values, straight from the table of the paper (Niemetz, Preiner, Wolf, Biere, CAV 2018).

A word is an ``int`` in 0 … 2ʷ - 1; where the table says *signed* it is read as two's complement. Division by zero is that of
SMT-LIB: ``udiv`` gives all ones and ``urem`` the dividend, and the signed ones follow from these two by the signs of their
operands. Shifts by the width or more leave nothing but the sign (``sra``) or 0. Rotations go round.

Nothing here knows terms, and nothing is shared with the reader of ``frontends``.
"""

from __future__ import annotations

from collections.abc import Callable

_Unary = Callable[[int, int], int]  # operand, its width
_Binary = Callable[[int, int, int], int]  # operands, their width


def signed_value(word: int, width: int) -> int:
    """The word as two's complement."""
    return word - (1 << width) if word >> (width - 1) else word


def _udiv(a: int, b: int, width: int) -> int:
    return a // b if b else (1 << width) - 1


def _urem(a: int, b: int, _: int) -> int:
    return a % b if b else a


def _size(a: int, width: int) -> int:
    """The absolute value, as a word: the smallest number has no positive brother and stays."""
    return abs(signed_value(a, width))


def _sdiv(a: int, b: int, width: int) -> int:
    """Rounds towards zero."""
    quotient = _udiv(_size(a, width), _size(b, width), width)
    is_negative = (signed_value(a, width) < 0) != (signed_value(b, width) < 0)
    return (-quotient if is_negative else quotient) % (1 << width)


def _srem(a: int, b: int, width: int) -> int:
    """What ``sdiv`` leaves; its sign is that of the dividend."""
    rest = _urem(_size(a, width), _size(b, width), width)
    return (-rest if signed_value(a, width) < 0 else rest) % (1 << width)


def _smod(a: int, b: int, width: int) -> int:
    """What division that rounds down leaves; its sign is that of the divisor."""
    divisor = signed_value(b, width)
    return (signed_value(a, width) % divisor if divisor else a) % (1 << width)


def _sra(a: int, b: int, width: int) -> int:
    return (signed_value(a, width) >> min(b, width)) % (1 << width)


def _rol(a: int, b: int, width: int) -> int:
    by = b % width
    return (a << by | a >> (width - by)) % (1 << width)


def _ror(a: int, b: int, width: int) -> int:
    return _rol(a, width - b % width, width)


def _leaves(number: int, width: int) -> int:
    """Does a signed result not fit?"""
    return int(not -(1 << (width - 1)) <= number < 1 << (width - 1))


UNARY: dict[str, _Unary] = {
    "not": lambda a, w: (1 << w) - 1 - a,
    "inc": lambda a, w: (a + 1) % (1 << w),
    "dec": lambda a, w: (a - 1) % (1 << w),
    "neg": lambda a, w: -a % (1 << w),
    "redand": lambda a, w: int(a == (1 << w) - 1),
    "redor": lambda a, w: int(a != 0),
    "redxor": lambda a, w: a.bit_count() % 2,
}

SAME: dict[str, _Binary] = {  # the result is as wide as the operands
    "and": lambda a, b, w: a & b,
    "nand": lambda a, b, w: (1 << w) - 1 - (a & b),
    "nor": lambda a, b, w: (1 << w) - 1 - (a | b),
    "or": lambda a, b, w: a | b,
    "xnor": lambda a, b, w: (1 << w) - 1 - (a ^ b),
    "xor": lambda a, b, w: a ^ b,
    "rol": _rol,
    "ror": _ror,
    "sll": lambda a, b, w: (a << b) % (1 << w) if b < w else 0,
    "sra": _sra,
    "srl": lambda a, b, w: a >> b if b < w else 0,
    "add": lambda a, b, w: (a + b) % (1 << w),
    "mul": lambda a, b, w: (a * b) % (1 << w),
    "sdiv": _sdiv,
    "udiv": _udiv,
    "smod": _smod,
    "srem": _srem,
    "urem": _urem,
    "sub": lambda a, b, w: (a - b) % (1 << w),
}

ONE_BIT_RULES: dict[str, _Binary] = {  # the result is one bit
    "iff": lambda a, b, w: int(a == b),
    "implies": lambda a, b, w: int(not a or b != 0),
    "eq": lambda a, b, w: int(a == b),
    "neq": lambda a, b, w: int(a != b),
    "sgt": lambda a, b, w: int(signed_value(a, w) > signed_value(b, w)),
    "ugt": lambda a, b, w: int(a > b),
    "sgte": lambda a, b, w: int(signed_value(a, w) >= signed_value(b, w)),
    "ugte": lambda a, b, w: int(a >= b),
    "slt": lambda a, b, w: int(signed_value(a, w) < signed_value(b, w)),
    "ult": lambda a, b, w: int(a < b),
    "slte": lambda a, b, w: int(signed_value(a, w) <= signed_value(b, w)),
    "ulte": lambda a, b, w: int(a <= b),
    "saddo": lambda a, b, w: _leaves(signed_value(a, w) + signed_value(b, w), w),
    "uaddo": lambda a, b, w: int(a + b >= 1 << w),
    "sdivo": lambda a, b, w: int(a == 1 << (w - 1) and b == (1 << w) - 1),
    "smulo": lambda a, b, w: _leaves(signed_value(a, w) * signed_value(b, w), w),
    "umulo": lambda a, b, w: int(a * b >= 1 << w),
    "ssubo": lambda a, b, w: _leaves(signed_value(a, w) - signed_value(b, w), w),
    "usubo": lambda a, b, w: int(a < b),
}
