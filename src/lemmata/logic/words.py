"""Simplification rules for operators on words of two bits and more; those on single bits are in ``logic.connectives``.

A rule takes arguments that are simple already and gives a term of the same meaning: constants move to the right and melt
(``(x + 1) + 2``), neutral and absorbing constants vanish, slices look through concatenations and extensions, comparisons
with the ends of the range are decided or become equations, comparisons of extended words lose the extension. Constant arguments
were folded before a rule is asked. No rule multiplies terms: multiplication, division and shifts stay as they were written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lemmata.logic.connectives import ite, negate, ordered
from lemmata.logic.equality import equal
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, value_of


def _mask(term: Term) -> int:
    return (1 << term.width) - 1


def _with_constant(op: str, term: Term) -> bool:
    """Is ``term`` of the form ``(op x constant)``?"""
    return term.op == op and term.args[1].op == "const"


# Arithmetic.


def add(a: Term, b: Term) -> Term:
    """a + b."""
    a, b = ordered(a, b)
    if b.op != "const":
        return make("bvadd", (a, b))
    number = value_of(b)
    if _with_constant("bvadd", a):
        number += value_of(a.args[1])
        a = a.args[0]
        b = bv(number, a.width)
    return make("bvadd", (a, b)) if number & _mask(a) else a


def subtract(a: Term, b: Term) -> Term:
    """a - b."""
    if a is b:
        return bv(0, a.width)
    if b.op == "const":
        return add(a, bv(-value_of(b), a.width))
    if a.op == "const" and value_of(a) == 0:
        return minus(b)
    if a.op == "bvadd" and b in a.args:
        return a.args[1] if a.args[0] is b else a.args[0]
    return make("bvsub", (a, b))


def minus(a: Term) -> Term:
    """-a."""
    return a.args[0] if a.op == "bvneg" else make("bvneg", (a,))


def multiply(a: Term, b: Term) -> Term:
    """a · b."""
    a, b = ordered(a, b)
    if b.op != "const":
        return make("bvmul", (a, b))
    number = value_of(b)
    if _with_constant("bvmul", a):
        number = number * value_of(a.args[1]) & _mask(a)
        a = a.args[0]
        b = bv(number, a.width)
    if number == 0:
        return b
    return a if number == 1 else make("bvmul", (a, b))


def _divide(op: str) -> Callable[[Term, Term], Term]:
    def rule(a: Term, b: Term) -> Term:
        if b.op == "const":
            number = value_of(b)
            if number == 1:
                return a
            if number == 0 and op == "bvudiv":
                return bv(-1, a.width)
        return make(op, (a, b))

    return rule


def _remainder(op: str) -> Callable[[Term, Term], Term]:
    def rule(a: Term, b: Term) -> Term:
        if a is b or (b.op == "const" and value_of(b) == 1):
            return bv(0, a.width)
        if (b.op == "const" and value_of(b) == 0) or (a.op == "const" and value_of(a) == 0):
            return a
        return make(op, (a, b))

    return rule


def _shift(op: str) -> Callable[[Term, Term], Term]:
    def rule(a: Term, b: Term) -> Term:
        if a.op == "const" and (value_of(a) == 0 or (op == "bvashr" and value_of(a) == _mask(a))):
            return a
        if b.op == "const":
            by = value_of(b)
            if by == 0:
                return a
            if by >= a.width:
                return make(op, (a, bv(a.width - 1, a.width))) if op == "bvashr" else bv(0, a.width)
        return make(op, (a, b))

    return rule


# Bitwise operators.


def invert(a: Term) -> Term:
    """~a."""
    return a.args[0] if a.op == "bvnot" else make("bvnot", (a,))


def _are_opposite(a: Term, b: Term) -> bool:
    return (a.op == "bvnot" and a.args[0] is b) or (b.op == "bvnot" and b.args[0] is a)


def _mask_with(op: str, is_and: bool) -> Callable[[Term, Term], Term]:
    """``bvand`` and ``bvor``, each the mirror of the other."""

    def rule(a: Term, b: Term) -> Term:
        a, b = ordered(a, b)
        if a is b:
            return a
        if b.op != "const":
            return bv(0 if is_and else -1, a.width) if _are_opposite(a, b) else make(op, (a, b))
        number = value_of(b)
        if _with_constant(op, a):
            number = number & value_of(a.args[1]) if is_and else number | value_of(a.args[1])
            a = a.args[0]
            b = bv(number, a.width)
        mask = _mask(a)
        if number == (0 if is_and else mask):
            return b
        return a if number == (mask if is_and else 0) else make(op, (a, b))

    return rule


def exclusive(a: Term, b: Term) -> Term:
    """a ^ b."""
    a, b = ordered(a, b)
    if a is b:
        return bv(0, a.width)
    if b.op != "const":
        return bv(-1, a.width) if _are_opposite(a, b) else make("bvxor", (a, b))
    number = value_of(b)
    if _with_constant("bvxor", a):
        number ^= value_of(a.args[1])
        a = a.args[0]
        b = bv(number, a.width)
    if number == 0:
        return a
    return invert(a) if number == _mask(a) else make("bvxor", (a, b))


# Slices, concatenation, extension.


def extract(a: Term, high: int, low: int) -> Term:
    """a[high:low], looking through slices, concatenations, extensions and choices of constants.

    Where it reaches into zeros above a zero extension, they are taken off first and put back at the end.
    """
    zeros = 0
    while True:
        op, args = a.op, a.args
        if op == "extract":
            a, high, low = args[0], high + a.data[1], low + a.data[1]
        elif op == "concat" and high < args[1].width:
            a = args[1]
        elif op == "concat" and low >= args[1].width:
            a, high, low = args[0], high - args[1].width, low - args[1].width
        elif op in ("zero_extend", "sign_extend") and high < args[0].width:
            a = args[0]
        elif op == "zero_extend" and low >= args[0].width:
            return bv(0, high - low + 1 + zeros)
        elif op == "zero_extend" and a.data:
            zeros += high - args[0].width + 1
            a, high = args[0], args[0].width - 1
        else:
            return zero_extend(_slice(a, high, low), zeros)


def _slice(a: Term, high: int, low: int) -> Term:
    if low == 0 and high == a.width - 1:
        return a
    if a.op == "const":
        return bv(value_of(a) >> low, high - low + 1)
    if a.op == "ite" and a.args[1].op == "const" and a.args[2].op == "const":
        c, x, y = a.args
        return ite(c, _slice(x, high, low), _slice(y, high, low))
    return make("extract", (a,), (high, low))


def concat(a: Term, b: Term) -> Term:
    """a ++ b; slices of the same word that are neighbours become one, and zeros above are an extension."""
    if a.op == "const" and value_of(a) == 0:
        return zero_extend(b, a.width)
    joined = _joined(a, b)
    if joined is not None:
        return joined
    if a.op == "concat" and (joined := _joined(a.args[1], b)) is not None:
        return make("concat", (a.args[0], joined))
    if b.op == "concat" and (joined := _joined(a, b.args[0])) is not None:
        return make("concat", (joined, b.args[1]))
    return make("concat", (a, b))


def _joined(a: Term, b: Term) -> Term | None:
    """a ++ b if that is a constant or one slice."""
    if a.op == "const" and b.op == "const":
        return bv(value_of(a) << b.width | value_of(b), a.width + b.width)
    if a.op == "extract" and b.op == "extract" and a.args[0] is b.args[0] and a.data[1] == b.data[0] + 1:
        return _slice(a.args[0], a.data[0], b.data[1])
    return None


def zero_extend(a: Term, by: int) -> Term:
    """a with ``by`` zeros above."""
    if by == 0:
        return a
    if a.op == "const":
        return bv(value_of(a), a.width + by)
    return make("zero_extend", (a.args[0],), a.data + by) if a.op == "zero_extend" else make("zero_extend", (a,), by)


def sign_extend(a: Term, by: int) -> Term:
    """a with its sign ``by`` times above."""
    if by == 0:
        return a
    if a.op == "sign_extend" or (a.op == "zero_extend" and a.data):
        return make(a.op, (a.args[0],), a.data + by)
    return make("sign_extend", (a,), by)


# Comparisons.


def _less(op: str) -> Callable[[Term, Term], Term]:
    """a < b by the rules of ``_below``."""

    def rule(a: Term, b: Term) -> Term:
        decided, name, a, b = _below(op == "bvslt", a, b)
        return make(name, (a, b)) if decided is None else decided

    return rule


def _at_most(op: str) -> Callable[[Term, Term], Term]:
    """a ≤ b, as ¬ (b < a)."""

    def rule(a: Term, b: Term) -> Term:
        decided, name, b, a = _below(op == "bvsle", b, a)
        return make("bvule" if name == "bvult" else "bvsle", (a, b)) if decided is None else negate(decided)

    return rule


def _below(is_signed: bool, a: Term, b: Term) -> tuple[Term | None, str, Term, Term]:
    """a < b: decided, or else the same comparison with its operator, of shorter words where they were extended."""
    if is_signed and _is_natural(a) and _is_natural(b):
        is_signed = False
    name = "bvslt" if is_signed else "bvult"
    kind = "sign_extend" if is_signed else "zero_extend"
    while a.op == kind and b.op == kind and a.args[0].sort is b.args[0].sort and a.args[0].width > 1:
        a, b = a.args[0], b.args[0]
    if not is_signed:
        a, b = _narrowed(a, b)
    if a is b:
        return FALSE, name, a, b
    lowest = 1 << a.width - 1 if is_signed else 0
    if b.op == "const":
        return _below_number(a, value_of(b), lowest), name, a, b
    if a.op == "const":
        return _above_number(b, value_of(a), lowest), name, a, b
    return None, name, a, b


def _narrowed(a: Term, b: Term) -> tuple[Term, Term]:
    """The sides of an unsigned comparison, without the zero extension of one where the other is a constant that fits."""
    for word, number in ((a, b), (b, a)):
        if word.op == "zero_extend" and number.op == "const" and word.args[0].width > 1:
            short = word.args[0]
            if value_of(number) <= _mask(short):
                narrow = bv(value_of(number), short.width)
                return (short, narrow) if word is a else (narrow, short)
    return a, b


def _is_natural(a: Term) -> bool:
    """Is the sign bit surely 0?"""
    return bool(a.data) if a.op == "zero_extend" else a.op == "const" and not value_of(a) >> a.width - 1


def _below_number(a: Term, number: int, lowest: int) -> Term | None:
    """a < number, where ``lowest`` is the smallest word in the order that is meant."""
    mask = _mask(a)
    if number == lowest:
        return FALSE
    if a.op == "zero_extend" and lowest == 0 and number > _mask(a.args[0]):
        return TRUE
    if number == lowest + 1 & mask:
        return equal(a, bv(lowest, a.width))
    return negate(equal(a, bv(number, a.width))) if number == lowest - 1 & mask else None


def _above_number(b: Term, number: int, lowest: int) -> Term | None:
    """number < b."""
    mask = _mask(b)
    highest = lowest - 1 & mask
    if number == highest or (b.op == "zero_extend" and lowest == 0 and number >= _mask(b.args[0])):
        return FALSE
    if number == highest - 1 & mask:
        return equal(b, bv(highest, b.width))
    return negate(equal(b, bv(number, b.width))) if number == lowest else None


def _sliced(a: Term, data: Any) -> Term:
    return extract(a, *data)


ON_TERMS: dict[str, Callable[..., Term]] = {
    "bvnot": invert,
    "bvneg": minus,
    "bvand": _mask_with("bvand", True),
    "bvor": _mask_with("bvor", False),
    "bvxor": exclusive,
    "bvadd": add,
    "bvsub": subtract,
    "bvmul": multiply,
    "bvudiv": _divide("bvudiv"),
    "bvsdiv": _divide("bvsdiv"),
    "bvurem": _remainder("bvurem"),
    "bvsrem": _remainder("bvsrem"),
    "bvsmod": _remainder("bvsmod"),
    "bvshl": _shift("bvshl"),
    "bvlshr": _shift("bvlshr"),
    "bvashr": _shift("bvashr"),
    "bvult": _less("bvult"),
    "bvule": _at_most("bvule"),
    "bvslt": _less("bvslt"),
    "bvsle": _at_most("bvsle"),
    "concat": concat,
}
WITH_DATA: dict[str, Callable[[Term, Any], Term]] = {
    "extract": _sliced,
    "zero_extend": zero_extend,
    "sign_extend": sign_extend,
}
