"""``equal``: equations of any sort, simplified.

An equation of a word and a constant is solved for what is below operators that have an inverse: ``x + 3 = 5`` is ``x = 2``,
``zext(x, 16) = 256`` is false for a byte x. A choice between constants becomes its condition.
"""

from __future__ import annotations

from lemmata.logic.rewrite.connectives import BIT, equivalent, negate, ordered, same_bit, truth
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, sort_of, value_of

_UNDONE_OPERATORS = 8  # operators that are undone, at most; a chain of equations over a chain of operators stays linear


def equal(a: Term, b: Term) -> Term:
    """a = b."""
    sort = a.sort
    if sort is not b.sort:
        sort_of("=", (a, b))
    if a is b:
        return TRUE
    if sort is BOOL:
        return equivalent(a, b)
    if sort is BIT:
        return same_bit(a, b)
    a, b = ordered(a, b)
    if b.op != "const":
        return make("=", (a, b))
    if isinstance(sort, BitVec):
        return _equals_number(a, value_of(b))
    return FALSE if a.op == "const" else make("=", (a, b))


def _equals_number(word: Term, number: int) -> Term:
    """word = number, after undoing a few operators that have an inverse on both sides."""
    for _ in range(_UNDONE_OPERATORS):
        undone = _undo(word, number)
        if undone is None:
            break
        word, number = undone
        if number < 0:
            return FALSE
    if word.op == "const":
        return TRUE if value_of(word) == number else FALSE
    if word.sort is BIT:
        return truth(word) if number else negate(truth(word))
    if word.op == "ite" and word.args[1].op == "const" and word.args[2].op == "const":
        c, a, b = word.args
        return _chosen(c, value_of(a) == number, value_of(b) == number)
    return make("=", (word, bv(number, word.width)))


def _chosen(c: Term, first: bool, second: bool) -> Term:
    if first == second:
        return TRUE if first else FALSE
    return c if first else negate(c)


def _undo(word: Term, number: int) -> tuple[Term, int] | None:
    """``(x, n)`` with word = number ⟺ x = n, where n < 0 if nothing is; ``None`` if no rule fits."""
    args, mask = word.args, (1 << word.width) - 1
    match word.op:
        case "bvnot":
            return args[0], number ^ mask
        case "bvneg":
            return args[0], -number & mask
        case "bvadd" if args[1].op == "const":
            return args[0], number - value_of(args[1]) & mask
        case "bvxor" if args[1].op == "const":
            return args[0], number ^ value_of(args[1])
        case "zero_extend":
            return args[0], -1 if number >> args[0].width else number
        case "sign_extend":
            width = args[0].width
            low, top = number & (1 << width) - 1, number >> width - 1
            return args[0], low if top in (0, mask >> width - 1) else -1
        case "concat":
            return _undo_concat(args[0], args[1], number)
        case _:
            return None


def _undo_concat(high: Term, low: Term, number: int) -> tuple[Term, int] | None:
    top, rest = number >> low.width, number & (1 << low.width) - 1
    if high.op == "const":
        return low, rest if value_of(high) == top else -1
    if low.op == "const":
        return high, top if value_of(low) == rest else -1
    return None
