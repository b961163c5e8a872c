"""The word operators once more, straight from the definitions of SMT-LIB's FixedSizeBitVectors, for tests to compare with.

Values are unsigned integers (Booleans: 0 and 1). ``cases(width)`` gives each operator as a term over fresh variables together
with a function on their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lemmata.logic.sorts import BOOL, BitVec, Sort
from lemmata.logic.terms import Term, make, var

Function = Callable[..., int]


def signed(value: int, width: int) -> int:
    return value - (value >> (width - 1) << width)


def _udiv(a: int, b: int, w: int) -> int:
    return a // b if b else (1 << w) - 1


def _urem(a: int, b: int, w: int) -> int:
    return a % b if b else a


def _sdiv(a: int, b: int, w: int) -> int:
    minus_a, minus_b = a >> (w - 1), b >> (w - 1)
    quotient = _udiv(abs(signed(a, w)), abs(signed(b, w)), w)
    return -quotient if minus_a != minus_b else quotient


def _srem(a: int, b: int, w: int) -> int:
    remainder = _urem(abs(signed(a, w)), abs(signed(b, w)), w)
    return -remainder if a >> (w - 1) else remainder


def _smod(a: int, b: int, w: int) -> int:
    remainder = _urem(abs(signed(a, w)), abs(signed(b, w)), w)
    match (a >> (w - 1), b >> (w - 1)):
        case _ if remainder == 0:
            return 0
        case (0, 0):
            return remainder
        case (1, 0):
            return b - remainder
        case (0, 1):
            return remainder + b
    return -remainder


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "bvand": lambda a, b, w: a & b,
    "bvor": lambda a, b, w: a | b,
    "bvxor": lambda a, b, w: a ^ b,
    "bvadd": lambda a, b, w: a + b,
    "bvsub": lambda a, b, w: a - b,
    "bvmul": lambda a, b, w: a * b,
    "bvudiv": _udiv,
    "bvurem": _urem,
    "bvsdiv": _sdiv,
    "bvsrem": _srem,
    "bvsmod": _smod,
    "bvshl": lambda a, b, w: a << b if b < w else 0,
    "bvlshr": lambda a, b, w: a >> b,
    "bvashr": lambda a, b, w: signed(a, w) >> b,
}
UNARY: dict[str, Callable[[int], int]] = {"bvnot": lambda a: ~a, "bvneg": lambda a: -a}
PREDICATES: dict[str, Callable[[int, int, int], bool]] = {
    "=": lambda a, b, w: a == b,
    "bvult": lambda a, b, w: a < b,
    "bvule": lambda a, b, w: a <= b,
    "bvslt": lambda a, b, w: signed(a, w) < signed(b, w),
    "bvsle": lambda a, b, w: signed(a, w) <= signed(b, w),
}
CONNECTIVES: dict[str, tuple[int, Function]] = {
    "not": (1, lambda a: 1 - a),
    "and": (3, lambda a, b, c: a & b & c),
    "or": (3, lambda a, b, c: a | b | c),
    "xor": (2, lambda a, b: a ^ b),
    "=>": (2, lambda a, b: (1 - a) | b),
    "=": (2, lambda a, b: int(a == b)),
    "ite": (3, lambda a, b, c: b if a else c),
}


def fresh(position: int, sort: Sort) -> Term:
    return var(f"operand{position}", sort)


def width_of(term: Term) -> int:
    return 1 if term.sort is BOOL else term.width


def cases(width: int) -> Iterator[tuple[Term, Function]]:
    """Every operator that takes words of ``width`` bits, except concatenation."""
    sort = BitVec(width)
    a, b = fresh(0, sort), fresh(1, sort)
    every = (1 << width) - 1
    for op, binary in BINARY.items():
        yield make(op, (a, b)), lambda x, y, f=binary: f(x, y, width) & every
    for op, unary in UNARY.items():
        yield make(op, (a,)), lambda x, f=unary: f(x) & every
    for op, predicate in PREDICATES.items():
        yield make(op, (a, b)), lambda x, y, f=predicate: int(f(x, y, width))
    yield make("ite", (fresh(2, BOOL), a, b)), lambda x, y, c: x if c else y
    for more in (0, 1, 3):
        yield make("zero_extend", (a,), more), lambda x: x
        yield make("sign_extend", (a,), more), lambda x, m=more: signed(x, width) & ((1 << (width + m)) - 1)
    for low in range(width):
        for high in {low, (low + width) // 2, width - 1}:
            yield make("extract", (a,), (high, low)), lambda x, h=high, k=low: x >> k & ((1 << (h - k + 1)) - 1)


def connectives() -> Iterator[tuple[Term, Function]]:
    """Every operator on Booleans."""
    for op, (arity, function) in CONNECTIVES.items():
        yield make(op, tuple(fresh(i, BOOL) for i in range(arity))), function


def concatenation(high: int, low: int) -> tuple[Term, Function]:
    return make("concat", (fresh(0, BitVec(high)), fresh(1, BitVec(low)))), lambda x, y: x << low | y


def operands(term: Term) -> list[Term]:
    """The variables of a case in the order in which its function takes them."""
    return sorted(term.args, key=lambda variable: variable.data[0])
