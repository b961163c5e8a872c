"""Simplification rules for comparisons of words.

Comparisons with the ends of the range are decided or become equations, those of extended words lose the extension, signed ones
of words that cannot be negative become unsigned. There is one set of rules, for <; ``a ≤ b`` is ¬ (b < a).
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.logic.rewrite.connectives import negate
from lemmata.logic.rewrite.equality import equal
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, value_of


def _mask(term: Term) -> int:
    return (1 << term.width) - 1


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


COMPARISON_RULES: dict[str, Callable[..., Term]] = {
    "bvult": _less("bvult"),
    "bvule": _at_most("bvule"),
    "bvslt": _less("bvslt"),
    "bvsle": _at_most("bvsle"),
}
