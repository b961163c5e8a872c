"""Operators that SMT-LIB lacks: predicates of overflow, rotations, the parity of a word.

An overflow predicate asks whether the exact result differs from the one that fits, so it computes with more bits: one more
for sums, twice as many for products. Signed division overflows only as -2ʷ⁻¹ / -1. A rotation turns by its amount modulo the
width; with an amount that is not constant it is two shifts, of which one moves everything out when the amount is 0.
"""

from __future__ import annotations

from lemmata.logic.build import bit, build, conj, equal, negate
from lemmata.logic.terms import Term, bv, value_of


def uaddo(left: Term, right: Term) -> Term:
    """Is left + right ≥ 2ʷ? The sum that wrapped is less than each of its parts."""
    return bit(build("bvult", (build("bvadd", (left, right)), left)))


def usubo(left: Term, right: Term) -> Term:
    """Is left - right < 0?"""
    return bit(build("bvult", (left, right)))


def umulo(left: Term, right: Term) -> Term:
    """Is left · right ≥ 2ʷ?"""
    width = left.width
    product = build("bvmul", (build("zero_extend", (left,), width), build("zero_extend", (right,), width)))
    high = build("extract", (product,), (2 * width - 1, width))
    return bit(negate(equal(high, bv(0, width))))


def saddo(left: Term, right: Term) -> Term:
    """Does the signed sum leave the range?"""
    return _leaves_range("bvadd", left, right, 1)


def ssubo(left: Term, right: Term) -> Term:
    """Does the signed difference leave the range?"""
    return _leaves_range("bvsub", left, right, 1)


def smulo(left: Term, right: Term) -> Term:
    """Does the signed product leave the range?"""
    return _leaves_range("bvmul", left, right, left.width)


def sdivo(left: Term, right: Term) -> Term:
    """Does the signed quotient leave the range?"""
    width = left.width
    return bit(conj([equal(left, bv(1 << (width - 1), width)), equal(right, bv(-1, width))]))


def _leaves_range(op: str, left: Term, right: Term, more: int) -> Term:
    exact = build(op, (build("sign_extend", (left,), more), build("sign_extend", (right,), more)))
    fits = build("sign_extend", (build("extract", (exact,), (left.width - 1, 0)),), more)
    return bit(negate(equal(exact, fits)))


def rol(word: Term, amount: Term) -> Term:
    """Rotate to the left."""
    return _rotate(word, amount, "bvshl", "bvlshr")


def ror(word: Term, amount: Term) -> Term:
    """Rotate to the right."""
    return _rotate(word, amount, "bvlshr", "bvshl")


def _rotate(word: Term, amount: Term, there: str, back: str) -> Term:
    width = word.width
    if width == 1:
        return word
    if amount.is_const:
        left = value_of(amount) % width if there == "bvshl" else -value_of(amount) % width
        return _turned(word, left) if left else word
    turn = _remainder(amount, width)
    rest = build("bvsub", (bv(width, width), turn))
    return build("bvor", (build(there, (word, turn)), build(back, (word, rest))))


def _turned(word: Term, left: int) -> Term:
    width = word.width
    low = build("extract", (word,), (width - 1 - left, 0))
    return build("concat", (low, build("extract", (word,), (width - 1, width - left))))


def _remainder(amount: Term, width: int) -> Term:
    if width & (width - 1) == 0:
        return build("bvand", (amount, bv(width - 1, width)))
    return build("bvurem", (amount, bv(width, width)))


def parity(word: Term) -> Term:
    """The exclusive or of all bits: the halves of the word are folded onto each other until one bit is left."""
    while (width := word.width) > 1:
        half = width // 2
        low = build("extract", (word,), (half - 1, 0))
        high = build("extract", (word,), (width - 1, half))
        word = build("bvxor", (high, build("zero_extend", (low,), width - 2 * half) if width % 2 else low))
    return word
