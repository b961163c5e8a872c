"""What every operator means on concrete values: SMT-LIB's semantics, in one table.

A Bool is a ``bool``, a word an ``int`` in 0 … 2ʷ - 1, an Int an ``int``, a Real a ``Fraction``, an array an ``ArrayValue``.
Words: ``bvudiv x 0`` is all ones and ``bvurem x 0`` is x; the signed operators are defined through them, so ``bvsdiv x 0`` is 1
for negative x and -1 otherwise, ``bvsrem x 0`` and ``bvsmod x 0`` are x; shifts past the width give 0 (``bvashr``: the sign
everywhere). Integers: ``div`` and ``mod`` are Euclidean, ``mod`` is never negative. SMT-LIB leaves ``div``, ``mod`` and ``/``
by zero open; here they give 0, and nobody may fold them (``is_open``).

Numbers have no largest one, and a short text can square one forty times. Operators whose result, or whose work, grows faster
than their arguments are folded up to a size (``is_foldable``), beyond it a term stays a term; at a point, where there must be
a value, a product of more bits than anybody needs is given up.

A meaning is a function of a *detail*, which depends on sorts and indices only, and of the values of the arguments. ``evaluate``
computes details once and runs many times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from typing import Any

from lemmata.errors import GaveUp
from lemmata.logic.sorts import BOOL, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Value

_LARGEST_BITS = 60  # of the number of values of an index, beyond which nobody stores half of them
_FOLDED_BITS = 1 << 14  # of all arguments together, where a term is simplified
_EVALUATED_BITS = 1 << 20  # of a product, where a term is evaluated


class ArrayValue:
    """An immutable array: ``default`` everywhere except at ``items``. Equal if and only if every cell is.

    The form is canonical: where the index has finitely many values and the default is not the value of most cells, the most
    frequent value (of those, the one at the smallest index) becomes the default.
    """

    __slots__ = ("_cells", "_hash", "default", "sort")
    sort: Array
    default: Value

    def __init__(self, sort: Array, default: Value, items: Mapping[Value, Value] | Iterable[tuple[Value, Value]] = ()) -> None:
        self.sort = sort
        self._hash: int | None = None
        self._settle(default, dict(items))

    def _settle(self, default: Value, cells: dict[Value, Value]) -> None:
        size = _size(sort := self.sort.index)
        if size is not None and 2 * len(cells) >= size:
            everywhere = {index: cells.get(index, default) for index in _all_of(sort)}
            default = _most_frequent(everywhere.values())
            cells = everywhere
        self.default = default
        self._cells = {index: value for index, value in cells.items() if value != default}

    @property
    def items(self) -> tuple[tuple[Value, Value], ...]:
        """The cells that differ from the default, by index."""
        return tuple(sorted(self._cells.items(), key=lambda item: _rank(item[0])))

    def select(self, index: Value) -> Value:
        """The value at ``index``."""
        return self._cells.get(index, self.default)

    def store(self, index: Value, value: Value) -> ArrayValue:
        """The same array with ``value`` at ``index``."""
        if self.select(index) == value:
            return self
        return ArrayValue(self.sort, self.default, {**self._cells, index: value})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayValue):
            return NotImplemented
        return self.sort is other.sort and self.default == other.default and self._cells == other._cells

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.default, frozenset(self._cells.items())))
        return self._hash

    def __reduce__(self) -> tuple[type[ArrayValue], tuple[Any, ...]]:
        return ArrayValue, (self.sort, self.default, self.items)

    def __repr__(self) -> str:
        return f"ArrayValue({self.sort}, {self.default}, {dict(self.items)})"


def _rank(value: Value) -> Any:
    """A key to sort values of one sort by."""
    if isinstance(value, ArrayValue):
        return _rank(value.default), tuple((_rank(index), _rank(cell)) for index, cell in value.items)
    return value


@cache
def _size(index: Sort) -> int | None:
    """How many values an index has; ``None`` if that is not finite, or more than anybody stores."""
    if index is BOOL:
        return 2
    if isinstance(index, Array):
        cells, values = _size(index.index), _size(index.element)
        return values**cells if cells and values and cells * values.bit_length() < _LARGEST_BITS else None
    return 1 << index.width if isinstance(index, BitVec) and index.width < _LARGEST_BITS else None


def _all_of(index: Sort) -> Sequence[Value]:
    if isinstance(index, Array):
        places, values = _all_of(index.index), _all_of(index.element)
        rows = product(values, repeat=len(places))
        return [ArrayValue(index, values[0], zip(places, row, strict=True)) for row in rows]
    return (False, True) if index is BOOL else range(_size(index) or 0)


def _most_frequent(values: Iterable[Value]) -> Value:
    counts: dict[Value, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=lambda value: counts[value])  # the first of the largest


def default_value(sort: Sort) -> Value:
    """False, zero, or the array of those."""
    if sort is BOOL:
        return False
    if isinstance(sort, Array):
        return ArrayValue(sort, default_value(sort.element))
    return Fraction(0) if sort is REAL else 0


# Words. ``m`` is the mask 2ʷ - 1.


def signed(word: int, width: int) -> int:
    """The two's complement reading of an unsigned word."""
    return word - (1 << width) if word >> (width - 1) else word


def _is_negative(m: int, a: int) -> bool:
    return a > m >> 1


def _udiv(m: int, a: int, b: int) -> int:
    return a // b if b else m


def _urem(m: int, a: int, b: int) -> int:
    return a % b if b else a


def _absolute(m: int, a: int) -> int:
    return -a & m if a > m >> 1 else a


def _sdiv(m: int, a: int, b: int) -> int:
    quotient = _udiv(m, _absolute(m, a), _absolute(m, b))
    return quotient if _is_negative(m, a) == _is_negative(m, b) else -quotient & m


def _srem(m: int, a: int, b: int) -> int:
    remainder = _urem(m, _absolute(m, a), _absolute(m, b))
    return -remainder & m if _is_negative(m, a) else remainder


def _smod(m: int, a: int, b: int) -> int:
    """The sign follows the divisor."""
    remainder = _urem(m, _absolute(m, a), _absolute(m, b))
    if remainder == 0 or b == 0:
        return a if b == 0 else 0
    match _is_negative(m, a), _is_negative(m, b):
        case False, False:
            return remainder
        case True, False:
            return (b - remainder) & m
        case False, True:
            return (b + remainder) & m
        case _:
            return -remainder & m


def _shl(m: int, a: int, b: int) -> int:
    return a << b & m if b < m.bit_length() else 0


def _lshr(m: int, a: int, b: int) -> int:
    return a >> b if b < m.bit_length() else 0


def _ashr(m: int, a: int, b: int) -> int:
    if a <= m >> 1:
        return a >> b if b < m.bit_length() else 0
    return (a - m - 1 >> b) & m if b < m.bit_length() else m


def _slt(m: int, a: int, b: int) -> bool:
    sign = (m >> 1) + 1
    return a ^ sign < b ^ sign


def _sle(m: int, a: int, b: int) -> bool:
    sign = (m >> 1) + 1
    return a ^ sign <= b ^ sign


def _extract(detail: tuple[int, int], a: int) -> int:
    low, mask = detail
    return a >> low & mask


def _sign_extend(detail: tuple[int, int], a: int) -> int:
    largest, extension = detail
    return a | extension if a > largest else a


# Numbers.


def _times(_: None, a: int | Fraction, b: int | Fraction) -> int | Fraction:
    product = a * b
    if size_of(product) > _EVALUATED_BITS:
        raise GaveUp("memory")
    return product


def size_of(number: int | Fraction) -> int:
    """Bits of a number."""
    return number.bit_length() if isinstance(number, int) else number.numerator.bit_length() + number.denominator.bit_length()


def _div(_: None, a: int, b: int) -> int:
    return (a - a % abs(b)) // b if b else 0


def _mod(_: None, a: int, b: int) -> int:
    return a % abs(b) if b else 0


def _divide(_: None, a: Fraction, b: Fraction) -> Fraction:
    return a / b if b else Fraction(0)


# The table.

Meaning = Callable[..., Value]
MEANINGS: Mapping[str, Meaning] = {
    "not": lambda _, a: not a,
    "and": lambda _, a, b: a and b,
    "or": lambda _, a, b: a or b,
    "xor": lambda _, a, b: a != b,
    "=>": lambda _, a, b: b or not a,
    "=": lambda _, a, b: a == b,
    "ite": lambda _, c, a, b: a if c else b,
    "bvnot": lambda m, a: a ^ m,
    "bvneg": lambda m, a: -a & m,
    "bvand": lambda _, a, b: a & b,
    "bvor": lambda _, a, b: a | b,
    "bvxor": lambda _, a, b: a ^ b,
    "bvadd": lambda m, a, b: a + b & m,
    "bvsub": lambda m, a, b: a - b & m,
    "bvmul": lambda m, a, b: a * b & m,
    "bvudiv": _udiv,
    "bvurem": _urem,
    "bvsdiv": _sdiv,
    "bvsrem": _srem,
    "bvsmod": _smod,
    "bvshl": _shl,
    "bvlshr": _lshr,
    "bvashr": _ashr,
    "bvult": lambda _, a, b: a < b,
    "bvule": lambda _, a, b: a <= b,
    "bvslt": _slt,
    "bvsle": _sle,
    "concat": lambda width, a, b: a << width | b,
    "extract": _extract,
    "zero_extend": lambda _, a: a,
    "sign_extend": _sign_extend,
    "+": lambda _, a, b: a + b,
    "*": _times,
    "-": lambda _, a, b: a - b,
    "neg": lambda _, a: -a,
    "div": _div,
    "mod": _mod,
    "/": _divide,
    "<": lambda _, a, b: a < b,
    "<=": lambda _, a, b: a <= b,
    "to_real": lambda _, a: Fraction(a),
    "to_int": lambda _, a: a.numerator // a.denominator,
    "select": lambda _, a, i: a.select(i),
    "store": lambda _, a, i, v: a.store(i, v),
    "filled": lambda sort, v: ArrayValue(sort, v),
}
ASSOCIATIVE = frozenset({"and", "or", "+", "*"})  # take any number of arguments; their meaning takes two


def detail(op: str, data: Any, sorts: Sequence[Sort]) -> Any:
    """What the meaning of ``op`` needs to know besides values; ``sorts`` are those of the arguments."""
    first = sorts[0]
    match op:
        case "extract":
            high, low = data
            return low, (1 << high - low + 1) - 1
        case "sign_extend" if isinstance(first, BitVec):
            return (1 << first.width - 1) - 1, ((1 << data) - 1) << first.width
        case "concat" if isinstance(second := sorts[1], BitVec):
            return second.width
        case "filled":
            return data
        case _ if isinstance(first, BitVec):
            return (1 << first.width) - 1
        case _:
            return None


def apply(op: str, values: Sequence[Value], data: Any, sorts: Sequence[Sort]) -> Value:
    """The value of ``(op values)``; ``sorts`` are those of the arguments. Uninterpreted functions have none."""
    meaning, what = MEANINGS[op], detail(op, data, sorts)
    if op in ASSOCIATIVE:
        return reduce(lambda a, b: meaning(what, a, b), values)
    return meaning(what, *values)


def is_open(op: str, values: Sequence[Value]) -> bool:
    """Does SMT-LIB leave this value to the model (a number divided by zero)?"""
    return op in ("div", "mod", "/") and values[1] == 0


_COSTLY = frozenset({"*", "div", "mod", "/", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"})


def is_foldable(op: str, values: Sequence[Value]) -> bool:
    """May ``(op values)`` be computed where nobody asked for a value? Fractions may grow by every operation."""
    if op in _COSTLY or (op in ("+", "-") and any(isinstance(value, Fraction) for value in values)):
        return sum(map(size_of, values)) <= _FOLDED_BITS
    return True
