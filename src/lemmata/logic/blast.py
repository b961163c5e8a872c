"""Blasting: words become bits, operators become and-gates.

``Circuits`` has one small circuit per word operator over any builder of and-gates; a literal is as in AIGER: 0 is false, 1 is
true, ``lit ^ 1`` is the negation, and a word is a tuple of literals with the least significant bit first. ``Blaster`` walks a
term once, arguments first, and remembers the bits of every node, so shared terms and deep chains cost nothing special.

The circuits are the textbook ones, chosen to be small in and-gates:

- a full adder has seven: the carry reuses a ∧ b and the gate (a ⊕ b) ∧ c of the sum; with a constant bit it has three;
- a product adds shifted rows; a run of equal top bits (a sign extension) is one subtraction instead of many additions, and a
  constant is recoded into signed digits (Booth 1951, Avizienis 1961) where that has cheaper rows;
- division is restoring. Row k sees only the k top bits of the dividend, and no more bits than the divisor has; nine gates per
  cell, because the kept remainder is r ⊕ (q ∧ (b ⊕ borrow)). Quotient and remainder share one circuit, and division by zero
  comes out as SMT-LIB wants it: all ones, and the dividend;
- shifters are logarithmic; amounts past the width shift everything out.

Left out: carry look-ahead, Wallace trees and the like. They are shallow, not small, and solvers gain nothing from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from lemmata.errors import LemmataError
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import Term, value_of

Bits = tuple[int, ...]


class CannotBlast(LemmataError):
    """A term that is not made of Booleans and bit-vectors."""

    def __init__(self, term: Term) -> None:
        self.term = term
        super().__init__(f"'{term.op}' of sort {term.sort} cannot be turned into bits")


class Gates(Protocol):
    """What a circuit is built with; constants and equal gates are folded there."""

    def conjoin(self, a: int, b: int, /) -> int:
        """A literal for a ∧ b."""


class Circuits:
    """Operators on words as and-gates. All words of a call have the same width unless it says otherwise."""

    def __init__(self, gates: Gates) -> None:
        self.conjoin = gates.conjoin
        self._divided: dict[tuple[Bits, Bits], tuple[Bits, Bits]] = {}

    # Single bits.

    def disjoin(self, a: int, b: int) -> int:
        """The bit a ∨ b."""
        return self.conjoin(a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        """The bit a ⊕ b."""
        if a <= 1 or b <= 1:
            return a ^ b
        sign = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        return self.conjoin(self.conjoin(a, b) ^ 1, self.conjoin(a ^ 1, b ^ 1) ^ 1) ^ sign

    def choose_bit(self, condition: int, yes: int, no: int) -> int:
        """The bit ``yes`` if ``condition``, else ``no``."""
        if condition <= 1:
            return yes if condition else no
        if yes >> 1 == condition >> 1:
            yes ^= condition ^ 1
        if no >> 1 == condition >> 1:
            no ^= condition
        if yes == no:
            return yes
        if yes == no ^ 1:
            return self.differ(condition, no)
        if no <= 1:
            return self.disjoin(condition ^ 1, yes) if no else self.conjoin(condition, yes)
        if yes <= 1:
            return self.disjoin(condition, no) if yes else self.conjoin(condition ^ 1, no)
        return self.disjoin(self.conjoin(condition, yes), self.conjoin(condition ^ 1, no))

    def conjoin_all(self, bits: Iterable[int]) -> int:
        """The conjunction of ``bits`` as a balanced tree."""
        layer = list(dict.fromkeys(bits))
        if 0 in layer:
            return 0
        while len(layer) > 1:
            pairs = [self.conjoin(a, b) for a, b in zip(layer[::2], layer[1::2], strict=False)]
            layer = pairs + layer[len(layer) & ~1 :]
        return layer[0] if layer else 1

    def disjoin_all(self, bits: Iterable[int]) -> int:
        """The disjunction of ``bits`` as a balanced tree."""
        return self.conjoin_all(bit ^ 1 for bit in bits) ^ 1

    def _full_adder(self, a: int, b: int, c: int) -> tuple[int, int]:
        """The sum and the carry of three bits."""
        if a <= 1:
            a, c = c, a
        elif b <= 1:
            b, c = c, b
        both, neither, one = self._compare(a, b)
        if c <= 1:
            return one ^ c, neither ^ 1 if c else both
        two, _, total = self._compare(one, c)
        return total, self.disjoin(both, two)

    def _compare(self, a: int, b: int) -> tuple[int, int, int]:
        """The bits a ∧ b, ¬a ∧ ¬b and a ⊕ b, in three gates."""
        both, neither = self.conjoin(a, b), self.conjoin(a ^ 1, b ^ 1)
        return both, neither, self.conjoin(both ^ 1, neither ^ 1)

    def _majority(self, a: int, b: int, c: int) -> int:
        """Are two of the three bits true?"""
        if a <= 1:
            a, c = c, a
        elif b <= 1:
            b, c = c, b
        if c <= 1:
            return self.disjoin(a, b) if c else self.conjoin(a, b)
        return self.disjoin(self.conjoin(a, b), self.conjoin(self.disjoin(a, b), c))

    # Comparisons.

    def equal(self, a: Sequence[int], b: Sequence[int]) -> int:
        """The bit a = b."""
        if any(x == y ^ 1 for x, y in zip(a, b, strict=True)):
            return 0
        return self.conjoin_all([self.differ(x, y) ^ 1 for x, y in zip(a, b, strict=True) if x != y])

    def less(self, a: Sequence[int], b: Sequence[int]) -> int:
        """The bit a < b, unsigned: the last borrow of a - b."""
        borrow = 0
        for x, y in zip(a, b, strict=True):
            if x != y:
                borrow = self._majority(x ^ 1, y, borrow)
        return borrow

    def less_signed(self, a: Bits, b: Bits) -> int:
        """The bit a < b, signed: unsigned with the sign bits exchanged."""
        return self.less((*a[:-1], b[-1]), (*b[:-1], a[-1]))

    # Bitwise operators.

    def both(self, a: Sequence[int], b: Sequence[int]) -> Bits:
        """The word a & b."""
        return tuple(map(self.conjoin, a, b))

    def either(self, a: Sequence[int], b: Sequence[int]) -> Bits:
        """The word a | b."""
        return tuple(map(self.disjoin, a, b))

    def one(self, a: Sequence[int], b: Sequence[int]) -> Bits:
        """The word a ^ b."""
        return tuple(map(self.differ, a, b))

    def choose(self, condition: int, yes: Sequence[int], no: Sequence[int]) -> Bits:
        """The word ``yes`` if the bit ``condition``, else ``no``."""
        return tuple([self.choose_bit(condition, x, y) for x, y in zip(yes, no, strict=True)])

    # Arithmetic.

    def add(self, a: Sequence[int], b: Sequence[int], *, carry: int = 0) -> Bits:
        """The word a + b + carry; the last carry is not built."""
        bits = []
        last = len(a) - 1
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            if i == last:
                bits.append(self.differ(self.differ(x, y), carry))
            else:
                bit, carry = self._full_adder(x, y, carry)
                bits.append(bit)
        return tuple(bits)

    def subtract(self, a: Sequence[int], b: Sequence[int]) -> Bits:
        """The word a - b."""
        return self.add(a, complement(b), carry=1)

    def negate(self, a: Sequence[int]) -> Bits:
        """The word -a."""
        return self.add((0,) * len(a), complement(a), carry=1)

    def multiply(self, a: Bits, b: Bits) -> Bits:
        """The word a · b: the rows of the operand whose rows are cheaper."""
        rows, other = _rows(a), _rows(b)
        if _cost(rows, len(a)) < _cost(other, len(a)):
            return self._sum_of_rows(b, rows)
        return self._sum_of_rows(a, other)

    def _sum_of_rows(self, word: Bits, rows: Iterable[tuple[int, int, bool]]) -> Bits:
        """Σ ± bit · word · 2^shift; rows that are added come first, so that the first one costs no adder."""
        width = len(word)
        total = (0,) * width
        for shift, bit, minus in sorted(rows, key=_is_minus):
            row = tuple([self.conjoin(bit, x) for x in word[: width - shift]]) if bit != 1 else word[: width - shift]
            high = total[shift:]
            total = total[:shift] + (self.subtract(high, row) if minus else self.add(high, row))
        return total

    def divide(self, a: Bits, b: Bits) -> tuple[Bits, Bits]:
        """Quotient and remainder, unsigned; by zero: all ones and ``a``."""
        found = self._divided.get((a, b))
        if found is None:
            found = self._divided[a, b] = self._divide(a, b)
        return found

    def _divide(self, a: Bits, b: Bits) -> tuple[Bits, Bits]:
        width = len(a)
        constant = _constant(b)
        length = significant(b) if not constant else (constant - 1).bit_length()  # of a remainder; a zero divisor aside
        no_more = [1] * (width + 1)  # [k]: b has no bit set from k on
        for k in reversed(range(width)):
            no_more[k] = self.conjoin(no_more[k + 1], b[k] ^ 1)
        quotient: list[int] = []
        rest: list[int] = []
        for bit in reversed(a):
            rest.insert(0, bit)
            del rest[significant(rest) :]
            digit, rest = self._division_row(rest, b, no_more[len(rest)])
            quotient.append(digit)
            del rest[length:]
        remainder = (*rest, *(0,) * (width - len(rest)))
        if not constant and length < width:
            remainder = self.choose(no_more[0], a, remainder)
        return tuple(reversed(quotient)), remainder

    def _division_row(self, rest: Sequence[int], b: Bits, fits: int) -> tuple[int, list[int]]:
        """Does b go into ``rest``, and what remains? ``fits``: b has no bits above those of ``rest``."""
        if fits == 0:
            return 0, list(rest)
        borrow = 0
        minus = []
        for x, y in zip(rest, b, strict=False):
            both, neither, one = self._compare(y, borrow)
            minus.append(one)
            borrow = self.disjoin(both, self.conjoin(neither ^ 1, x ^ 1))
        digit = self.conjoin(fits, borrow ^ 1)
        return digit, [self.differ(x, self.conjoin(digit, y)) for x, y in zip(rest, minus, strict=True)]

    def _magnitude(self, a: Bits) -> Bits:
        return self._negate_if(a[-1], a)

    def _negate_if(self, condition: int, a: Bits) -> Bits:
        if condition <= 1:
            return self.negate(a) if condition else a
        return self.add([self.differ(condition, x) for x in a], (0,) * len(a), carry=condition)

    def divide_signed(self, a: Bits, b: Bits) -> Bits:
        """The quotient, rounded to zero; by zero: 1 for a < 0, else -1."""
        quotient, _ = self.divide(self._magnitude(a), self._magnitude(b))
        return self._negate_if(self.differ(a[-1], b[-1]), quotient)

    def remainder_signed(self, a: Bits, b: Bits) -> Bits:
        """The remainder with the sign of ``a``; by zero: ``a``."""
        _, remainder = self.divide(self._magnitude(a), self._magnitude(b))
        return self._negate_if(a[-1], remainder)

    def modulo_signed(self, a: Bits, b: Bits) -> Bits:
        """The remainder with the sign of ``b``; by zero: ``a``."""
        remainder = self.remainder_signed(a, b)
        moves = self.conjoin(self.differ(a[-1], b[-1]), self.disjoin_all(remainder))
        return self.add(remainder, [self.conjoin(moves, x) for x in b])

    # Shifts.

    def shift_right(self, a: Bits, amount: Bits, *, fill: int = 0) -> Bits:
        """The word ``a`` shifted right, ``fill`` coming in."""
        width = len(a)
        stages = (width - 1).bit_length()
        for k, bit in enumerate(amount[:stages]):
            a = self.choose(bit, a[1 << k :] + (fill,) * (1 << k), a)
        return self.choose(self.disjoin_all(amount[stages:]), (fill,) * width, a)

    def shift_left(self, a: Bits, amount: Bits) -> Bits:
        """The word ``a`` shifted left."""
        return self.shift_right(a[::-1], amount)[::-1]


def complement(bits: Sequence[int]) -> Bits:
    """Every bit negated."""
    return tuple([bit ^ 1 for bit in bits])


def significant(bits: Sequence[int]) -> int:
    """How many bits are left when the constant zeros at the top are dropped."""
    length = len(bits)
    while length and bits[length - 1] == 0:
        length -= 1
    return length


def _constant(bits: Sequence[int]) -> int | None:
    """The value of a word whose bits are all constant."""
    if max(bits) > 1:
        return None
    return sum(bit << i for i, bit in enumerate(bits))


_Rows = list[tuple[int, int, bool]]  # shift, bit, is it subtracted


def _is_minus(row: tuple[int, int, bool]) -> bool:
    return row[2]


def _rows(bits: Bits) -> _Rows:
    """The word as Σ ± bit · 2^shift modulo 2ʷ; equal bits at the top, s·2ᵏ + … + s·2ʷ⁻¹, are -s·2ᵏ."""
    width = len(bits)
    constant = _constant(bits)
    plain = [(i, bit, False) for i, bit in enumerate(bits) if bit]
    if constant is not None:
        return min(plain, _signed_digits(constant, width), key=lambda rows: _cost(rows, width))
    run = width - 1
    while run and bits[run - 1] == bits[-1]:
        run -= 1
    if bits[-1] == 0 or run == width - 1:
        return plain
    return [row for row in plain if row[0] < run] + [(run, bits[-1], True)]


def _signed_digits(value: int, width: int) -> _Rows:
    """The word in canonical signed digits: no two neighbours are non-zero."""
    rows = []
    rest = value - (value >> (width - 1) << width)
    for shift in range(width):
        if rest & 1:
            digit = 2 - (rest & 3)
            rows.append((shift, 1, digit < 0))
            rest -= digit
        rest >>= 1
    return rows


def _cost(rows: _Rows, width: int) -> int:
    """About how many adder cells the rows need; the first row that is added is free, products of bits cost a little."""
    first = next((shift for shift, _, minus in rows if not minus), width)
    products = sum(width - shift for shift, bit, _ in rows if bit > 1)
    return 7 * (sum(width - shift for shift, _, _ in rows) - (width - first)) + products


class Blaster:
    """The bits of terms, each built once.

    ``leaves`` gives the literals of a variable, least significant bit first; it is asked once for each variable.
    """

    def __init__(self, gates: Gates, leaves: Callable[[Term], Sequence[int]]) -> None:
        self.circuits = Circuits(gates)
        self._leaves = leaves
        self._bits: dict[Term, Bits] = {}

    def bits(self, term: Term) -> Bits:
        """The literals of ``term``, least significant bit first; a Bool is one bit."""
        found = self._bits.get(term)
        if found is not None:
            return found
        bits = self._bits
        for node in self._unknown(term):
            bits[node] = self._build(node, [bits[arg] for arg in node.args])
        return bits[term]

    def _unknown(self, root: Term) -> list[Term]:
        """What is below ``root`` and not yet built, arguments first."""
        seen = {root}
        stack = [root]
        while stack:
            for arg in stack.pop().args:
                if arg not in seen and arg not in self._bits:
                    seen.add(arg)
                    stack.append(arg)
        return sorted(seen, key=lambda term: term.number)

    def _build(self, term: Term, args: list[Bits]) -> Bits:
        sort = term.sort
        if not (sort is BOOL or isinstance(sort, BitVec)):
            raise CannotBlast(term)
        if term.op == "var":
            return self._leaf(term)
        if term.op == "const":
            value = int(value_of(term))
            return tuple([value >> i & 1 for i in range(1 if sort is BOOL else term.width)])
        rule = _RULES.get(term.op)
        if rule is None:
            raise CannotBlast(term)
        return rule(self.circuits, term, args)

    def _leaf(self, variable: Term) -> Bits:
        bits = tuple(self._leaves(variable))
        wanted = 1 if variable.sort is BOOL else variable.width
        if len(bits) != wanted:
            raise ValueError(f"{len(bits)} literals for a variable of {wanted} bits")
        return bits


_Rule = Callable[[Circuits, Term, list[Bits]], Bits]


def _sign_extend(circuits: Circuits, term: Term, args: list[Bits]) -> Bits:
    return args[0] + args[0][-1:] * int(term.data)


def _extract(circuits: Circuits, term: Term, args: list[Bits]) -> Bits:
    high, low = term.data
    return args[0][low : high + 1]


_RULES: dict[str, _Rule] = {
    "not": lambda c, t, a: complement(a[0]),
    "and": lambda c, t, a: (c.conjoin_all([bit for (bit,) in a]),),
    "or": lambda c, t, a: (c.disjoin_all([bit for (bit,) in a]),),
    "xor": lambda c, t, a: c.one(*a),
    "=>": lambda c, t, a: (c.disjoin(a[0][0] ^ 1, a[1][0]),),
    "=": lambda c, t, a: (c.equal(*a),),
    "ite": lambda c, t, a: c.choose(a[0][0], a[1], a[2]),
    "bvnot": lambda c, t, a: complement(a[0]),
    "bvneg": lambda c, t, a: c.negate(a[0]),
    "bvand": lambda c, t, a: c.both(*a),
    "bvor": lambda c, t, a: c.either(*a),
    "bvxor": lambda c, t, a: c.one(*a),
    "bvadd": lambda c, t, a: c.add(*a),
    "bvsub": lambda c, t, a: c.subtract(*a),
    "bvmul": lambda c, t, a: c.multiply(*a),
    "bvudiv": lambda c, t, a: c.divide(*a)[0],
    "bvurem": lambda c, t, a: c.divide(*a)[1],
    "bvsdiv": lambda c, t, a: c.divide_signed(*a),
    "bvsrem": lambda c, t, a: c.remainder_signed(*a),
    "bvsmod": lambda c, t, a: c.modulo_signed(*a),
    "bvshl": lambda c, t, a: c.shift_left(*a),
    "bvlshr": lambda c, t, a: c.shift_right(*a),
    "bvashr": lambda c, t, a: c.shift_right(*a, fill=a[0][-1]),
    "bvult": lambda c, t, a: (c.less(*a),),
    "bvule": lambda c, t, a: (c.less(a[1], a[0]) ^ 1,),
    "bvslt": lambda c, t, a: (c.less_signed(*a),),
    "bvsle": lambda c, t, a: (c.less_signed(a[1], a[0]) ^ 1,),
    "concat": lambda c, t, a: a[1] + a[0],
    "extract": _extract,
    "zero_extend": lambda c, t, a: a[0] + (0,) * t.data,
    "sign_extend": _sign_extend,
}
