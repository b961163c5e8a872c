"""What every operator does to arcs: the rules of interval simulation.

``rule_of`` gives a function from the values of the arguments to a value that contains every result. Words are the tuples of
``word_intervals``; a Bool is NEVER, MAYBE or ALWAYS, in this order, so that *and* is the minimum and *or* the maximum (Kleene).
The rules of Welp and Kuehlmann (2013, section 3.1.1) are among them: [const] and [var] are the leaves, [and] is the minimum,
[plus-r] is ``_add`` where nothing overflows, [lt-1], [lt-0] and [lt-x] are ``_less``, [ite-t], [ite-e] and [ite-x] are
``_choose``. Their [plus-o] gives up when a sum overflows; here both ends may overflow together, and what wraps in one reading
is exact in the other.

A rule for words is made once per width. It works on integers: the unsigned ends give one interval in which the exact result
lies, the signed ends another, and ``wrapper`` brings both back modulo 2ʷ. Known bits follow the sums of *tristate numbers*
(Vishwanathan et al. 2022). Left out: the exact ends of *and*, *or* and *xor* of two proper intervals (Warren 2013, chapter 4),
which need a loop over the bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from lemmata.logic.domains.word_intervals import WordBounds, everything, pointer, settler, wrapper
from lemmata.logic.sorts import BOOL, BitVec, Sort

NEVER, MAYBE, ALWAYS = 0, 1, 2
_Unary = Callable[[WordBounds], WordBounds]
_Binary = Callable[[WordBounds, WordBounds], WordBounds]
Rule = Callable[..., Any]


# Sums.


def _add(width: int) -> _Binary:
    wrap, mask = wrapper(width), (1 << width) - 1

    def add(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, a1, a2, a3, abits, afree = a
        b0, b1, b2, b3, bbits, bfree = b
        least = abits + bbits
        free = (least + afree + bfree ^ least | afree | bfree) & mask
        return wrap(a0 + b0, a1 + b1, a2 + b2, a3 + b3, least & mask & ~free, free)

    return add


def _subtract(width: int) -> _Binary:
    wrap, mask = wrapper(width), (1 << width) - 1

    def subtract(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, a1, a2, a3, abits, afree = a
        b0, b1, b2, b3, bbits, bfree = b
        some = abits - bbits
        free = (some + afree ^ some - bfree | afree | bfree) & mask
        return wrap(a0 - b1, a1 - b0, a2 - b3, a3 - b2, some & mask & ~free, free)

    return subtract


def _negate(width: int) -> _Unary:
    subtract, zero = _subtract(width), pointer(width)(0)
    return lambda a: subtract(zero, a)


def _multiply(width: int) -> _Binary:
    wrap, mask = wrapper(width), (1 << width) - 1

    def multiply(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, a1, a2, a3, abits, afree = a
        b0, b1, b2, b3, bbits, bfree = b
        free = mask
        if not afree & bfree & 1:
            known = _known_of_product(abits, afree, bbits, bfree)
            free = mask & -known
        if a2 >= 0 and b2 >= 0:
            lo, hi = a2 * b2, a3 * b3
        else:
            ends = (a2 * b2, a2 * b3, a3 * b2, a3 * b3)
            lo, hi = min(ends), max(ends)
        return wrap(a0 * b0, a1 * b1, lo, hi, abits * bbits & mask & ~free, free)

    return multiply


def _known_of_product(abits: int, afree: int, bbits: int, bfree: int) -> int:
    """A power of two modulo which a·b is the product of the known bits; 0 if it is that product.

    Let a = A + x and b = B + y with known bits A, B and free bits x, y: a·b is A·B plus multiples of x, times the lowest bit of
    b, and of y, times the lowest bit of a.
    """
    alow, blow = afree & -afree, bfree & -bfree
    ahas, bhas = (abits | afree) & -(abits | afree), (bbits | bfree) & -(bbits | bfree)
    candidates = [product for product in (alow * bhas, blow * ahas) if product]
    return min(candidates, default=0)


# Quotients.


def _divide(width: int) -> _Binary:
    settle, shift, (_, mask, slo, shi, _, _) = settler(width), _shift_right(width), everything(width)
    point = pointer(width)

    def divide(a: WordBounds, b: WordBounds) -> WordBounds:
        b0, b1 = b[0], b[1]
        if b1 == 0:
            return point(mask)
        if b0 == b1 and b0 & b0 - 1 == 0:
            return shift(a, point(b0.bit_length() - 1))
        if b0:
            return settle(a[0] // b1, a[1] // b0, slo, shi, 0, mask)
        return settle(a[0] // b1, mask, *((-1, a[1]) if a[1] <= shi else (slo, shi)), 0, mask)  # -1: by zero

    return divide


def _remainder(width: int) -> _Binary:
    settle, (_, mask, slo, shi, _, _) = settler(width), everything(width)

    def remainder(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, a1, b0, b1 = a[0], a[1], b[0], b[1]
        if a1 < b0 or b1 == 0:
            return a
        lo, hi = 0, min(a1, b1 - 1) if b0 else a1
        if b0 == b1 and a0 // b0 == a1 // b0:
            lo, hi = a0 % b0, a1 % b0
        may = b[4] | b[5]
        kept = (may & -may) - 1  # below the lowest bit of the divisor nothing is taken away
        return settle(lo, hi, slo, shi, a[4] & kept, a[5] & kept | mask & ~kept)

    return remainder


def _divide_signed(width: int) -> _Binary:
    wrap, (_, mask, _, _, _, _), size = wrapper(width), everything(width), 1 << width

    def divide(a: WordBounds, b: WordBounds) -> WordBounds:
        _, _, a2, a3, _, _ = a
        b0, b1, b2, b3, _, _ = b
        ends: list[int] = []
        for lo, hi in ((max(b0, 1), b3), (b2, min(b1 - size, -1))):  # divisors above and below zero
            if lo <= hi:
                ends += (_quotient(a2, lo), _quotient(a2, hi), _quotient(a3, lo), _quotient(a3, hi))
        if b0 == 0:
            ends += [-1] * (a3 >= 0) + [1] * (a2 < 0)
        lo, hi = min(ends), max(ends)
        return wrap(lo, hi, lo, hi, 0, mask)

    return divide


def _quotient(a: int, b: int) -> int:
    """Rounded to zero."""
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def _remainder_signed(width: int) -> _Binary:
    settle, unsigned, (umin, mask, _, _, _, _), size = settler(width), _remainder(width), everything(width), 1 << width

    def remainder(a: WordBounds, b: WordBounds) -> WordBounds:
        a2, a3, b2, b3 = a[2], a[3], b[2], b[3]
        if a2 >= 0 and b2 >= 0:
            return unsigned(a, b)
        if max(-a2, a3) < min(b[0], size - b[1]):  # no divisor goes into a
            return a
        lo, hi = min(a2, 0), max(a3, 0)
        if b[0]:
            reach = max(-b2, b3) - 1
            lo, hi = max(lo, -reach), min(hi, reach)
        return settle(umin, mask, lo, hi, 0, mask)

    return remainder


def _modulo_signed(width: int) -> _Binary:
    settle, unsigned, (umin, mask, _, _, _, _) = settler(width), _remainder(width), everything(width)

    def modulo(a: WordBounds, b: WordBounds) -> WordBounds:
        a2, a3, b2, b3 = a[2], a[3], b[2], b[3]
        if a2 >= 0 and b2 >= 0:
            return unsigned(a, b)
        lo, hi = min(b2 + 1, 0), max(b3 - 1, 0)
        if b[0] == 0:
            lo, hi = min(lo, a2), max(hi, a3)
        return settle(umin, mask, lo, hi, 0, mask)

    return modulo


# Shifts.


def _shift_left(width: int) -> _Binary:
    wrap, zero, (_, mask, smin, smax, _, _) = wrapper(width), pointer(width)(0), everything(width)

    def shift(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, a1, a2, a3, abits, afree = a
        lo, hi = b[0], b[1]
        if lo >= width or a1 == 0:
            return zero
        if lo == hi:
            return wrap(a0 << lo, a1 << lo, a2 << lo, a3 << lo, abits << lo & mask, afree << lo & mask)
        may = abits | afree
        free = mask & -((may & -may) << lo)
        if hi >= width:
            return wrap(0, mask, smin, smax, 0, free)
        return wrap(a0 << lo, a1 << hi, min(a2 << lo, a2 << hi), max(a3 << lo, a3 << hi), 0, free)

    return shift


def _shift_right(width: int) -> _Binary:
    settle, (_, mask, smin, smax, _, _) = settler(width), everything(width)

    def shift(a: WordBounds, b: WordBounds) -> WordBounds:
        lo, hi = min(b[0], width), min(b[1], width)
        bits, free = (a[4] >> lo, a[5] >> lo) if lo == hi else (0, mask)
        return settle(a[0] >> hi, a[1] >> lo, smin, smax, bits, free)

    return shift


def _shift_right_signed(width: int) -> _Binary:
    settle, (umin, mask, _, _, _, _), size, half = settler(width), everything(width), 1 << width, 1 << width - 1

    def shift(a: WordBounds, b: WordBounds) -> WordBounds:
        _, _, a2, a3, bits, free = a
        lo, hi = min(b[0], width - 1), min(b[1], width - 1)
        if lo == hi:
            bits = (bits - size if bits >= half else bits) >> lo & mask
            free = (free - size if free >= half else free) >> lo & mask
        else:
            bits, free = 0, mask
        return settle(umin, mask, min(a2 >> lo, a2 >> hi), max(a3 >> lo, a3 >> hi), bits, free)

    return shift


# Bits.


def _not(width: int) -> _Unary:
    mask = (1 << width) - 1
    return lambda a: (mask - a[1], mask - a[0], ~a[3], ~a[2], mask & ~(a[4] | a[5]), a[5])


def _and(width: int) -> _Binary:
    settle = settler(width)

    def both(a: WordBounds, b: WordBounds) -> WordBounds:
        _, a1, a2, a3, abits, afree = a
        _, b1, b2, b3, bbits, bfree = b
        bits = abits & bbits
        lo, hi = 0, a3 if a3 > b3 else b3
        if a2 < 0 and b2 < 0:
            lo = -1 << (~(a2 if a2 < b2 else b2)).bit_length()
        if (a2 >= 0 or b3 < 0) and a3 < hi:
            hi = a3
        if (b2 >= 0 or a3 < 0) and b3 < hi:
            hi = b3
        return settle(0, a1 if a1 < b1 else b1, lo, hi, bits, (abits | afree) & (bbits | bfree) & ~bits)

    return both


def _or(width: int) -> _Binary:
    settle, mask = settler(width), (1 << width) - 1

    def either(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, _, a2, a3, abits, afree = a
        b0, _, b2, b3, bbits, bfree = b
        bits = abits | bbits
        lo, hi = a2 if a2 < b2 else b2, -1
        if a3 >= 0 and b3 >= 0:
            hi = (1 << (a3 if a3 > b3 else b3).bit_length()) - 1
        if (a3 < 0 or b2 >= 0) and a2 > lo:
            lo = a2
        if (b3 < 0 or a2 >= 0) and b2 > lo:
            lo = b2
        return settle(a0 if a0 > b0 else b0, mask, lo, hi, bits, (afree | bfree) & ~bits)

    return either


def _xor(width: int) -> _Binary:
    settle, mask = settler(width), (1 << width) - 1

    def differ(a: WordBounds, b: WordBounds) -> WordBounds:
        _, _, a2, a3, abits, afree = a
        _, _, b2, b3, bbits, bfree = b
        free = afree | bfree
        reach = 1 << max(~a2, a3, ~b2, b3).bit_length()
        return settle(0, mask, -reach, reach - 1, (abits ^ bbits) & ~free, free)

    return differ


def _concat(low: int) -> _Binary:
    def concat(a: WordBounds, b: WordBounds) -> WordBounds:
        a0, a1, a2, a3, abits, afree = a
        b0, b1, _, _, bbits, bfree = b
        lo, hi = (a2 << low) + b0, (a3 << low) + b1
        return (a0 << low) + b0, (a1 << low) + b1, lo, hi, abits << low | bbits, afree << low | bfree

    return concat


def _extract(high: int, low: int) -> _Unary:
    wrap, mask = wrapper(high - low + 1), (2 << high - low) - 1

    def extract(a: WordBounds) -> WordBounds:
        a0, a1, a2, a3, bits, free = a
        return wrap(a0 >> low, a1 >> low, a2 >> low, a3 >> low, bits >> low & mask, free >> low & mask)

    return extract


def _zero_extend(more: int) -> _Unary:
    return lambda a: (a[0], a[1], a[0], a[1], a[4], a[5]) if more else a


def _sign_extend(width: int, more: int) -> _Unary:
    half, above = 1 << width - 1, ((1 << more) - 1) << width

    def extend(a: WordBounds) -> WordBounds:
        a0, a1, a2, a3, bits, free = a
        return (
            a0 + above if a0 >= half else a0,
            a1 + above if a1 >= half else a1,
            a2,
            a3,
            bits | above if bits >= half else bits,
            free | above if free >= half else free,
        )

    return extend


# Predicates and choices.


def _less(a: WordBounds, b: WordBounds) -> int:
    if a[1] < b[0]:
        return ALWAYS
    return NEVER if a[0] >= b[1] else MAYBE


def _less_equal(a: WordBounds, b: WordBounds) -> int:
    if a[1] <= b[0]:
        return ALWAYS
    return NEVER if a[0] > b[1] else MAYBE


def _less_signed(a: WordBounds, b: WordBounds) -> int:
    if a[3] < b[2]:
        return ALWAYS
    return NEVER if a[2] >= b[3] else MAYBE


def _less_equal_signed(a: WordBounds, b: WordBounds) -> int:
    if a[3] <= b[2]:
        return ALWAYS
    return NEVER if a[2] > b[3] else MAYBE


def _equal(a: WordBounds, b: WordBounds) -> int:
    a0, a1, a2, a3, abits, afree = a
    b0, b1, b2, b3, bbits, bfree = b
    if a1 < b0 or b1 < a0 or a3 < b2 or b3 < a2 or (abits ^ bbits) & ~(afree | bfree):
        return NEVER
    return ALWAYS if a0 == a1 == b0 == b1 else MAYBE


def _choose(condition: int, a: WordBounds, b: WordBounds) -> WordBounds:
    if condition != MAYBE:
        return a if condition else b
    a0, a1, a2, a3, abits, afree = a
    b0, b1, b2, b3, bbits, bfree = b
    return (
        a0 if a0 < b0 else b0,
        a1 if a1 > b1 else b1,
        a2 if a2 < b2 else b2,
        a3 if a3 > b3 else b3,
        abits & bbits,
        afree | bfree | abits ^ bbits,
    )


def _choose_truth(condition: int, a: int, b: int) -> int:
    if condition != MAYBE:
        return a if condition else b
    return a if a == b else MAYBE


def _equal_truth(a: int, b: int) -> int:
    if a == MAYBE or b == MAYBE:
        return MAYBE
    return ALWAYS if a == b else NEVER


_CONNECTIVES: dict[str, Rule] = {
    "not": lambda a: ALWAYS - a,
    "and": min,
    "or": max,
    "xor": lambda a, b: ALWAYS - _equal_truth(a, b),
    "=>": lambda a, b: max(ALWAYS - a, b),
    "=": _equal_truth,
    "ite": _choose_truth,
}
_PREDICATES: dict[str, Rule] = {
    "=": _equal,
    "bvult": _less,
    "bvule": _less_equal,
    "bvslt": _less_signed,
    "bvsle": _less_equal_signed,
}
_WORDS: dict[str, Callable[[int], Rule]] = {
    "bvadd": _add,
    "bvsub": _subtract,
    "bvneg": _negate,
    "bvmul": _multiply,
    "bvudiv": _divide,
    "bvurem": _remainder,
    "bvsdiv": _divide_signed,
    "bvsrem": _remainder_signed,
    "bvsmod": _modulo_signed,
    "bvshl": _shift_left,
    "bvlshr": _shift_right,
    "bvashr": _shift_right_signed,
    "bvnot": _not,
    "bvand": _and,
    "bvor": _or,
    "bvxor": _xor,
}


@cache
def rule_of(op: str, sorts: tuple[Sort, ...], data: Any) -> Rule | None:
    """What ``op`` does to the values of arguments of these sorts; ``None`` if nothing is known about the result."""
    if all(sort is BOOL for sort in sorts):
        return _same if op in ("and", "or") and len(sorts) == 1 else _CONNECTIVES.get(op)
    last = sorts[-1]
    if not isinstance(last, BitVec):
        return None
    match op:
        case "ite":
            return _choose
        case "concat":
            return _concat(last.width)
        case "extract":
            return _extract(*data)
        case "zero_extend":
            return _zero_extend(data)
        case "sign_extend":
            return _sign_extend(last.width, data)
        case _ if op in _WORDS:
            return _WORDS[op](last.width)
        case _:
            return _PREDICATES.get(op)


def _same(a: int) -> int:
    return a
