"""Simplification rules for operators on words of two bits and more; those on single bits are in ``connectives``.

A rule takes arguments that are simple already and gives a term of the same meaning: constants move to the right and melt
(``(x + 1) + 2``), neutral and absorbing constants vanish. Constant arguments were folded before a rule is asked. No rule
multiplies terms: multiplication, division and shifts stay as they were written. Slices and comparisons have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lemmata.logic.rewrite import comparisons
from lemmata.logic.rewrite.connectives import ordered
from lemmata.logic.rewrite.slices import concat, extract, sign_extend, zero_extend
from lemmata.logic.terms import Term, bv, make, value_of
from lemmata.logic.values import is_foldable


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


def _subtract(a: Term, b: Term) -> Term:
    """a - b."""
    if a is b:
        return bv(0, a.width)
    if b.op == "const":
        return add(a, bv(-value_of(b), a.width))
    if a.op == "const" and value_of(a) == 0:
        return _minus(b)
    if a.op == "bvadd" and b in a.args:
        return a.args[1] if a.args[0] is b else a.args[0]
    return make("bvsub", (a, b))


def _minus(a: Term) -> Term:
    """-a."""
    return a.args[0] if a.op == "bvneg" else make("bvneg", (a,))


def multiply(a: Term, b: Term) -> Term:
    """a · b."""
    a, b = ordered(a, b)
    if b.op != "const":
        return make("bvmul", (a, b))
    number = value_of(b)
    if _with_constant("bvmul", a) and is_foldable("bvmul", (number, value_of(a.args[1]))):
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


def _invert(a: Term) -> Term:
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


def _exclusive(a: Term, b: Term) -> Term:
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
    return _invert(a) if number == _mask(a) else make("bvxor", (a, b))


def _sliced(a: Term, data: Any) -> Term:
    return extract(a, *data)


WORD_RULES: dict[str, Callable[..., Term]] = {
    "bvnot": _invert,
    "bvneg": _minus,
    "bvand": _mask_with("bvand", True),
    "bvor": _mask_with("bvor", False),
    "bvxor": _exclusive,
    "bvadd": add,
    "bvsub": _subtract,
    "bvmul": multiply,
    "bvudiv": _divide("bvudiv"),
    "bvsdiv": _divide("bvsdiv"),
    "bvurem": _remainder("bvurem"),
    "bvsrem": _remainder("bvsrem"),
    "bvsmod": _remainder("bvsmod"),
    "bvshl": _shift("bvshl"),
    "bvlshr": _shift("bvlshr"),
    "bvashr": _shift("bvashr"),
    "concat": concat,
    **comparisons.COMPARISON_RULES,
}
WITH_DATA: dict[str, Callable[[Term, Any], Term]] = {
    "extract": _sliced,
    "zero_extend": zero_extend,
    "sign_extend": sign_extend,
}
