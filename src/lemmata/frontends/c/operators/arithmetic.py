"""Integer arithmetic of C, in three ways with the same interface.

``IntegerArithmetic`` has mathematical integers and takes remainders where a result may not fit (``wraps``): unsigned
arithmetic is modulo 2ⁿ (C11 6.2.5p9), and so is signed arithmetic here, as with gcc's ``-fwrapv``. Every value carries an
interval; a result that fits by its interval needs no remainder. ``UnboundedArithmetic`` is the same without remainders: ℤ. Both
say bit operations with a constant operand as quotients and remainders; for others the first asks for words (``NeedsWords``).
``WordArithmetic`` has words of the width of the type and the operators of SMT-LIB.

Operands have been converted to the type of the operation already (6.3.1.8), except for shifts. Division truncates (6.5.5p6);
who calls has seen to it that the divisor is not zero and the shift is within the width, where that matters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Protocol

from lemmata.frontends.c.translate.tree_builder import (
    FALSITY,
    TRUTH,
    TreeBuilder,
    both,
    conditional,
    either,
    inverse,
    literal_value,
    numeric,
)
from lemmata.frontends.c.types import C_BOOL, C_INT, Integer
from lemmata.frontends.c.types.values import Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, INT_TYPE, BitVecType, Expression, PlainType, Type, Unary

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_MASK_RUNS = 6  # runs of ones in a mask that becomes quotients and remainders
_SHIFT_CASES = 64  # cases of a shift by a variable amount

_Compare = Callable[[int, int], bool]


class NeedsWords(Exception):
    """An operation has no exact form over integers."""


class NoForm(Exception):
    """An operation has no form at all: its result may be anything."""


class CArithmetic(Protocol):
    """What expressions need."""

    name: str
    has_wrapped: bool  # was there a signed operation whose result may be out of range?

    def sort(self, kind: Integer) -> PlainType | BitVecType:
        """The type of the tree that has the values."""

    def literal(self, value: int, kind: Integer) -> Scalar:
        """A constant."""

    def within(self, term: Expression, kind: Integer) -> Expression:
        """Is the term a value of the type?"""

    def read(self, term: Expression, kind: Integer) -> Scalar:
        """The value of a variable."""

    def truth(self, value: Scalar) -> Expression:
        """Is it not zero?"""

    def compare(self, op: str, a: Scalar, b: Scalar) -> Expression:
        """``< <= > >= == !=``, of values of one type."""

    def convert(self, value: Scalar, kind: Integer) -> Scalar:
        """The value in another type (6.3.1.3)."""

    def add(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """``+ - *``."""

    def divide(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """``/ %``."""

    def bits(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """``& | ^``."""

    def shift(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """``<< >>``: of the type of ``a``, by a value of any type."""

    def complement(self, value: Scalar) -> Scalar:
        """``~``."""

    def overflows(self, op: str, a: Scalar, b: Scalar) -> Expression:
        """Is the mathematical result of ``+ - * / <<`` out of range?"""

    def moved(self, offset: Expression, count: Scalar, size: int, kind: Integer) -> Expression:
        """``offset + count * size`` of type ``kind``, where nobody asks whether it fits (6.5.6p8)."""


def from_formula(formula: Expression, arithmetic: CArithmetic) -> Scalar:
    """The ``int`` of a comparison (6.5.8p6)."""
    sort = arithmetic.sort(C_INT)
    if formula is TRUTH or formula is FALSITY:
        return arithmetic.literal(int(formula is TRUTH), C_INT)
    return Scalar(C_INT, conditional(formula, numeric(1, sort), numeric(0, sort)), 0, 1, formula)


_COMPARE: dict[str, _Compare] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _by_intervals(op: str, a: Scalar, b: Scalar) -> Expression | None:
    """The truth of a comparison that intervals decide."""
    if op in ("==", "!="):
        if a.high < b.low or b.high < a.low:
            return TRUTH if op == "!=" else FALSITY
        if a.constant is not None and a.constant == b.constant:
            return TRUTH if op == "==" else FALSITY
        return None
    holds = _COMPARE[op]
    corners = {holds(x, y) for x in (a.low, a.high) for y in (b.low, b.high)}
    return None if len(corners) > 1 else TRUTH if corners == {True} else FALSITY


def computed(op: str, a: int, b: int) -> int:
    """The mathematical result; division truncates."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "<<":
            return a << b
        case "/":
            quotient = abs(a) // abs(b)
            return quotient if (a < 0) == (b < 0) else -quotient
    remainder = abs(a) % abs(b)
    return -remainder if a < 0 else remainder


def may_overflow(low: int, high: int, kind: Integer) -> bool:
    """Is the type signed, and too small for a result between ``low`` and ``high``?"""
    return kind.is_signed and not (kind.least <= low and high <= kind.most)


def wrapped(value: int, kind: Integer) -> int:
    """The value modulo 2ⁿ, in the range of the type."""
    if kind.width == 1:
        return int(value != 0)
    value &= (1 << kind.width) - 1
    return value - (1 << kind.width) if kind.is_signed and value >> (kind.width - 1) else value


class IntegerArithmetic:
    """Integers, and remainders where the type is too small."""

    name = "integers"
    wraps = True

    def __init__(self, nodes: TreeBuilder) -> None:
        self._nodes = nodes
        self.has_wrapped = False

    def sort(self, kind: Integer) -> PlainType | BitVecType:
        """All types are integers."""
        return INT_TYPE

    def literal(self, value: int, kind: Integer) -> Scalar:
        """A constant."""
        return Scalar(kind, numeric(value), value, value)

    def within(self, term: Expression, kind: Integer) -> Expression:
        """Is the term in the range of the type?"""
        if not self.wraps:
            return self._binary(">=", term, numeric(0)) if kind is C_BOOL or not kind.is_signed else TRUTH
        return both(self._binary("<=", numeric(kind.least), term), self._binary("<=", term, numeric(kind.most)))

    def read(self, term: Expression, kind: Integer) -> Scalar:
        """The value of a variable."""
        return Scalar(kind, term, kind.least, kind.most)

    def truth(self, value: Scalar) -> Expression:
        """Is it not zero?"""
        if value.formula is not None:
            return value.formula
        decided = _by_intervals("!=", value, self.literal(0, value.type)) if self.wraps or value.constant is not None else None
        return decided or self._binary("!=", value.term, numeric(0))

    def compare(self, op: str, a: Scalar, b: Scalar) -> Expression:
        """As numbers."""
        decided = _by_intervals(op, a, b) if self.wraps or (a.constant is not None and b.constant is not None) else None
        if decided is not None:
            return decided
        for one, other in ((a, b), (b, a)):
            if one.formula is not None and other.constant in (0, 1) and op in ("==", "!="):
                return one.formula if (op == "==") == (other.constant == 1) else inverse(one.formula)
        return self._binary(op, a.term, b.term)

    def convert(self, value: Scalar, kind: Integer) -> Scalar:
        """Values that fit stay (6.3.1.3p1), others are reduced (p2; p3 as gcc does it). ``_Bool`` is 0 or 1 (6.3.1.2)."""
        if value.type == kind:
            return value
        if value.constant is not None and (self.wraps or kind is C_BOOL):
            return self.literal(wrapped(value.constant, kind), kind)
        if kind is C_BOOL:
            return Scalar(C_BOOL, from_formula(self.truth(value), self).term, 0, 1, self.truth(value))
        return self._fitted(value.term, value.low, value.high, kind, value.formula)

    def add(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """Reduced to the type."""
        if a.constant is not None and b.constant is not None:
            return self._constant(computed(op, a.constant, b.constant), a.type)
        low, high = _bounds(op, a, b)
        self.has_wrapped |= self.wraps and may_overflow(low, high, a.type)
        return self._fitted(self._binary(op, a.term, b.term), low, high, a.type)

    def divide(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """``div`` and ``mod`` of the tree leave no negative rest, so a negative dividend is negated before and after."""
        if a.constant is not None and b.constant:
            return self._constant(computed(op, a.constant, b.constant), a.type)
        name = "div" if op == "/" else "mod"
        plain = self._binary(name, a.term, b.term)
        low, high = self._quotient_bounds(op, a, b)
        if a.low >= 0 and (self.wraps or a.constant is not None):
            return self._fitted(plain, low, high, a.type)
        negative = Unary(0, "-", self._binary(name, Unary(0, "-", a.term), b.term))
        term = conditional(self._binary("<=", numeric(0), a.term), plain, negative)
        return self._fitted(term, low, high, a.type)

    def _quotient_bounds(self, op: str, a: Scalar, b: Scalar) -> tuple[int, int]:
        largest = max(abs(a.low), abs(a.high))
        if op == "/":
            least = b.low if b.low > 0 else -b.high if b.high < 0 else 1
            largest //= least
            return (0 if a.low >= 0 and b.low >= 0 else -largest), largest
        largest = min(largest, max(abs(b.low), abs(b.high)) - 1)
        return (0 if a.low >= 0 else -largest), (0 if a.high <= 0 else largest)

    def bits(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """With a constant: ``a | m = a + m - (a & m)`` and ``a ^ m = a + m - 2 (a & m)``."""
        if a.constant is not None and b.constant is not None:
            x, y = a.constant, b.constant
            return self._constant(x & y if op == "&" else x | y if op == "|" else x ^ y, a.type)
        if a.constant is not None:
            a, b = b, a
        if b.constant is None:
            return self._of_truths(op, a, b)
        mask = b.constant
        common = self._masked(a.term, mask, a.type)
        if op == "&":
            bounds = (0, mask) if mask >= 0 else (0, a.high) if a.low >= 0 else (a.type.least, a.type.most)
            return self._fitted(common, *bounds, a.type)
        factor = common if op == "|" else self._binary("*", numeric(2), common)
        term = self._binary("-", self._binary("+", a.term, b.term), factor)
        if a.low >= 0 and mask >= 0:
            top = (1 << max(a.high.bit_length(), mask.bit_length())) - 1
            return self._fitted(term, mask if op == "|" else 0, top, a.type)
        return self._fitted(term, a.type.least, a.type.most, a.type)

    def _of_truths(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        if not (self.wraps and a.low >= 0 and a.high <= 1 and b.low >= 0 and b.high <= 1):
            raise NeedsWords if self.wraps else NoForm
        p, q = self.truth(a), self.truth(b)
        formula = both(p, q) if op == "&" else either(p, q) if op == "|" else self._binary("!=", p, q)
        return Scalar(a.type, conditional(formula, numeric(1), numeric(0)), 0, 1, formula)

    def _masked(self, term: Expression, mask: int, kind: Integer) -> Expression:
        """``term & mask`` in two's complement of any width: each run of ones is a quotient's remainder."""
        if mask < 0:
            return self._binary("-", term, self._masked(term, ~mask, kind))
        parts: list[Expression] = []
        low = 0
        while mask >> low:
            if not mask >> low & 1:
                low += 1
                continue
            length = 1
            while mask >> (low + length) & 1:
                length += 1
            moved = self._binary("div", term, numeric(1 << low)) if low else term
            rest = self._binary("mod", moved, numeric(1 << length))
            parts.append(self._binary("*", numeric(1 << low), rest) if low else rest)
            low += length
        if len(parts) > _MASK_RUNS:
            raise NeedsWords if self.wraps else NoForm
        return reduce(partial(self._binary, "+"), parts) if parts else numeric(0)

    def shift(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """By a constant: a product, or a quotient rounded down. By a variable only where ``a`` or few amounts are known."""
        if b.constant is not None:
            amount = b.constant
            if not 0 <= amount < a.type.width:
                raise NoForm
            if a.constant is not None:
                return self._constant(a.constant << amount if op == "<<" else a.constant >> amount, a.type)
            power = numeric(1 << amount)
            if op == "<<":
                self.has_wrapped |= self.wraps and may_overflow(a.low << amount, a.high << amount, a.type)
                return self._fitted(self._binary("*", a.term, power), a.low << amount, a.high << amount, a.type)
            return self._fitted(self._binary("div", a.term, power), a.low >> amount, a.high >> amount, a.type)
        if not self.wraps or a.constant is None:
            raise NeedsWords if self.wraps else NoForm
        low, high = max(0, b.low), min(a.type.width - 1, b.high)
        values = [wrapped(a.constant << n if op == "<<" else a.constant >> n, a.type) for n in range(low, high + 1)]
        if not values or len(values) > _SHIFT_CASES:
            raise NoForm
        term: Expression = numeric(values[-1])
        for n in range(high - 1, low - 1, -1):
            term = conditional(self._binary("==", b.term, numeric(n)), numeric(values[n - low]), term)
        return Scalar(a.type, term, min(values), max(values))

    def complement(self, value: Scalar) -> Scalar:
        """``-1 - x``, modulo 2ⁿ."""
        if value.constant is not None:
            return self._constant(~value.constant, value.type)
        term = self._binary("-", numeric(-1), value.term)
        return self._fitted(term, -1 - value.high, -1 - value.low, value.type)

    def overflows(self, op: str, a: Scalar, b: Scalar) -> Expression:
        """Out of the range of the type of ``a``?"""
        kind = a.type
        if op == "/":
            minus = self.compare("==", b, self.literal(-1, b.type))
            return both(self.compare("==", a, self.literal(kind.least, kind)), minus)
        if op == "<<":
            if b.constant is None:
                raise NeedsWords
            low, high = (a.low << b.constant, a.high << b.constant) if b.constant >= 0 else (0, 0)
            term: Expression = self._binary("*", a.term, numeric(1 << max(0, b.constant)))
        else:
            low, high = _bounds(op, a, b)
            term = self._binary(op, a.term, b.term)
        if kind.least <= low and high <= kind.most:
            return FALSITY
        return inverse(self.within(term, kind))

    def moved(self, offset: Expression, count: Scalar, size: int, kind: Integer) -> Expression:
        """In bytes."""
        known = literal_value(offset)
        if count.constant is not None:
            by = count.constant * size
            return numeric(known + by) if known is not None else offset if by == 0 else self._binary("+", offset, numeric(by))
        product = count.term if size == 1 else self._binary("*", numeric(size), count.term)
        return product if known == 0 else self._binary("+", offset, product)

    def _constant(self, value: int, kind: Integer) -> Scalar:
        return self.literal(wrapped(value, kind) if self.wraps else value, kind)

    def _fitted(self, term: Expression, low: int, high: int, kind: Integer, formula: Expression | None = None) -> Scalar:
        """A value of the type; what may be out of its range is reduced."""
        if not self.wraps or (kind.least <= low and high <= kind.most):
            return Scalar(kind, term, low, high, formula)
        turn = 1 << kind.width
        if kind.least - turn <= low and high <= kind.most + turn:
            return Scalar(kind, self._turned(term, low, high, kind), kind.least, kind.most)
        period, half = numeric(turn), numeric(-kind.least)
        if not kind.is_signed:
            return Scalar(kind, self._binary("mod", term, period), kind.least, kind.most)
        moved = self._binary("mod", self._binary("+", term, half), period)
        return Scalar(kind, self._binary("-", moved, half), kind.least, kind.most)

    def _turned(self, term: Expression, low: int, high: int, kind: Integer) -> Expression:
        """What is at most one turn out of range, by cases: engines take them better than remainders."""
        turn, reduced = numeric(1 << kind.width), term
        if low < kind.least:
            reduced = conditional(self._binary("<", term, numeric(kind.least)), self._binary("+", term, turn), reduced)
        if high > kind.most:
            reduced = conditional(self._binary("<", numeric(kind.most), term), self._binary("-", term, turn), reduced)
        return reduced

    def _binary(self, op: str, a: Expression, b: Expression) -> Expression:
        return self._nodes.binary(op, a, b, BOOL_TYPE if op in _COMPARE else INT_TYPE)


class UnboundedArithmetic(IntegerArithmetic):
    """ℤ: nothing wraps, and conversions change nothing (but those to ``_Bool``)."""

    name = "unbounded"
    wraps = False


def _bounds(op: str, a: Scalar, b: Scalar) -> tuple[int, int]:
    corners = [computed(op, x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


class WordArithmetic:
    """Words, and the operators of SMT-LIB's theory of them."""

    name = "words"

    def __init__(self, nodes: TreeBuilder) -> None:
        self._nodes = nodes
        self.has_wrapped = False

    def sort(self, kind: Integer) -> PlainType | BitVecType:
        """A word of the type's width; ``_Bool`` has a byte."""
        return BitVecType(max(8, kind.width))

    def literal(self, value: int, kind: Integer) -> Scalar:
        """A constant."""
        return Scalar(kind, numeric(value, self.sort(kind)), value, value)

    def within(self, term: Expression, kind: Integer) -> Expression:
        """Every word is a value, but of ``_Bool``."""
        return self._relation("bvule", term, numeric(1, self.sort(kind)), self.sort(kind)) if kind is C_BOOL else TRUTH

    def read(self, term: Expression, kind: Integer) -> Scalar:
        """The value of a variable."""
        return Scalar(kind, term, kind.least, kind.most)

    def truth(self, value: Scalar) -> Expression:
        """Is it not zero?"""
        if value.formula is not None:
            return value.formula
        decided = _by_intervals("!=", value, self.literal(0, value.type))
        return decided or self._nodes.binary("!=", value.term, numeric(0, self.sort(value.type)), BOOL_TYPE)

    def compare(self, op: str, a: Scalar, b: Scalar) -> Expression:
        """Signed or not, as the type is."""
        decided = _by_intervals(op, a, b)
        if decided is not None:
            return decided
        if op in ("==", "!="):
            return self._nodes.binary(op, a.term, b.term, BOOL_TYPE)
        if op in (">", ">="):
            a, b, op = b, a, "<" if op == ">" else "<="
        sign = "s" if a.type.is_signed else "u"
        return self._relation(f"bv{sign}{'lt' if op == '<' else 'le'}", a.term, b.term, self.sort(a.type))

    def convert(self, value: Scalar, kind: Integer) -> Scalar:
        """Extended by the sign of the old type, or cut off."""
        if value.type == kind:
            return value
        if value.constant is not None:
            return self.literal(wrapped(value.constant, kind), kind)
        if kind is C_BOOL:
            formula = self.truth(value)
            sort = self.sort(C_BOOL)
            return Scalar(C_BOOL, conditional(formula, numeric(1, sort), numeric(0, sort)), 0, 1, formula)
        term = self._resized(value.term, self.sort(value.type), self.sort(kind), value.type.is_signed)
        if kind.least <= value.low and value.high <= kind.most:
            return Scalar(kind, term, value.low, value.high, value.formula)
        return Scalar(kind, term, kind.least, kind.most)

    def _resized(self, term: Expression, old: Type, new: Type, is_signed: bool) -> Expression:
        assert isinstance(old, BitVecType) and isinstance(new, BitVecType)
        if new.width == old.width:
            return term
        if new.width < old.width:
            return self._nodes.apply(f"extract {new.width - 1} 0", (term,), (old,), new)
        return self._nodes.apply(f"{'sign' if is_signed else 'zero'}_extend {new.width - old.width}", (term,), (old,), new)

    def add(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """Modulo 2ⁿ."""
        if a.constant is not None and b.constant is not None:
            return self.literal(wrapped(computed(op, a.constant, b.constant), a.type), a.type)
        low, high = _bounds(op, a, b)
        self.has_wrapped |= may_overflow(low, high, a.type)
        return self._operated({"+": "bvadd", "-": "bvsub", "*": "bvmul"}[op], a, b, low, high)

    def divide(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """Truncating, signed or not."""
        if a.constant is not None and b.constant:
            return self.literal(wrapped(computed(op, a.constant, b.constant), a.type), a.type)
        return self._operated(f"bv{'s' if a.type.is_signed else 'u'}{'div' if op == '/' else 'rem'}", a, b)

    def bits(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """Bit by bit."""
        if a.constant is not None and b.constant is not None:
            x, y = a.constant, b.constant
            return self.literal(wrapped(x & y if op == "&" else x | y if op == "|" else x ^ y, a.type), a.type)
        low, high = a.type.least, a.type.most
        if a.low >= 0 and b.low >= 0:
            low, high = 0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
        if op == "&":
            for one in (a, b):
                if one.low >= 0:
                    low, high = 0, min(high, one.high)
        return self._operated({"&": "bvand", "|": "bvor", "^": "bvxor"}[op], a, b, low, high)

    def shift(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """The amount gets the width of ``a``."""
        if b.constant is not None and not 0 <= b.constant < a.type.width:
            raise NoForm
        if b.constant is not None and a.constant is not None:
            value = a.constant << b.constant if op == "<<" else a.constant >> b.constant
            return self.literal(wrapped(value, a.type), a.type)
        amount = self._resized(b.term, self.sort(b.type), self.sort(a.type), False)
        self.has_wrapped |= op == "<<" and a.type.is_signed
        operator = "bvshl" if op == "<<" else "bvashr" if a.type.is_signed else "bvlshr"
        return self._operated(operator, a, Scalar(a.type, amount, 0, a.type.width))

    def complement(self, value: Scalar) -> Scalar:
        """Every bit."""
        if value.constant is not None:
            return self.literal(wrapped(~value.constant, value.type), value.type)
        sort = self.sort(value.type)
        return self.read(self._nodes.apply("bvnot", (value.term,), (sort,), sort), value.type)

    def overflows(self, op: str, a: Scalar, b: Scalar) -> Expression:
        """Computed with twice the width and cut off, is it something else?"""
        kind, sort = a.type, self.sort(a.type)
        if op == "/":
            minus = self.compare("==", b, self.literal(-1, b.type))
            return both(self.compare("==", a, self.literal(kind.least, kind)), minus)
        if op != "<<":
            low, high = _bounds(op, a, b)
            if kind.least <= low and high <= kind.most:
                return FALSITY
        assert isinstance(sort, BitVecType)
        wide = BitVecType(2 * sort.width)
        x, y = (self._resized(v.term, self.sort(v.type), wide, v.type.is_signed) for v in (a, b))
        operator = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "<<": "bvshl"}[op]
        result = self._nodes.apply(operator, (x, y), (wide, wide), wide)
        back = self._resized(self._resized(result, wide, sort, True), sort, wide, kind.is_signed)
        return self._nodes.binary("!=", result, back, BOOL_TYPE)

    def moved(self, offset: Expression, count: Scalar, size: int, kind: Integer) -> Expression:
        """In bytes."""
        sort = self.sort(kind)
        if count.constant is not None:
            by = count.constant * size
            return offset if by == 0 else self._nodes.apply("bvadd", (offset, numeric(by, sort)), (sort, sort), sort)
        wide = self.convert(count, kind).term
        product = self._nodes.apply("bvmul", (numeric(size, sort), wide), (sort, sort), sort) if size != 1 else wide
        return self._nodes.apply("bvadd", (offset, product), (sort, sort), sort)

    def _operated(self, operator: str, a: Scalar, b: Scalar, low: int | None = None, high: int | None = None) -> Scalar:
        sort = self.sort(a.type)
        term = self._nodes.apply(operator, (a.term, b.term), (sort, sort), sort)
        if low is None or high is None or low < a.type.least or high > a.type.most:
            low, high = a.type.least, a.type.most
        return Scalar(a.type, term, low, high)

    def _relation(self, operator: str, a: Expression, b: Expression, sort: Type) -> Expression:
        return self._nodes.apply(operator, (a, b), (sort, sort), BOOL_TYPE)
