"""Simplification rules for slices, concatenation and extension.

Slices look through slices, concatenations, extensions and choices of constants; neighbouring slices of one word grow together;
zeros above a word are an extension.
"""

from __future__ import annotations

from lemmata.logic.rewrite.connectives import ite
from lemmata.logic.terms import Term, bv, make, value_of


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
