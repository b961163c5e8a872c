"""Rules on atoms: an equation as two bounds, positive combinations, and implication as far as constants tell."""

from __future__ import annotations

from lemmata.logic.atoms import Atom, normal
from lemmata.logic.forms import Linear, Number, total


def split(atom: Atom) -> tuple[Atom, Atom]:
    """t = 0 as t ≤ 0 and -t ≤ 0."""
    return normal("le", atom.form), normal("le", -atom.form)


def combine(a: Atom, b: Atom, factor_a: Number, factor_b: Number) -> Atom:
    """factor_a · a + factor_b · b ≤ 0, which both imply together; ``le`` and ``lt`` need factors ≥ 0, ``eq`` any."""
    kind = "lt" if ("lt", True) in ((a.kind, factor_a > 0), (b.kind, factor_b > 0)) else "le"
    return normal(kind, total(((a.form, factor_a), (b.form, factor_b)), a.form.sort))


def implies(a: Atom, b: Atom) -> bool:
    """Does ``a`` imply ``b`` already by comparing their constants? (If not, it may still.)"""
    if a == b or a.is_false or b.is_true:
        return True
    sign = _direction(a.form, b.form)
    if sign == 0:
        return False
    here, there = a.form.constant, b.form.constant * sign  # a: t + here ⋈ 0; b: t + there ⋈ 0, read backwards if sign < 0
    match a.kind, b.kind:
        case ("eq", _):
            return Atom(b.kind, Linear((), b.form.constant - here * sign, b.form.sort), b.modulus).holds({})
        case ("le" | "lt", "le" | "lt") if sign > 0:
            return here > there or (here == there and (a.kind == "lt" or b.kind == "le"))
        case ("le" | "lt", "ne"):
            return here > there or (here == there and a.kind == "lt")
        case _:
            return False


def _direction(a: Linear, b: Linear) -> int:
    """1 if both have the same unknowns and coefficients, -1 if opposite ones, else 0."""
    if len(a.terms) != len(b.terms) or a.sort is not b.sort:
        return 0
    sign = 0
    for (v, c), (w, d) in zip(a.terms, b.terms, strict=True):
        if v is not w or abs(c) != abs(d) or sign * c == -d:
            return 0
        sign = sign or (1 if c == d else -1)
    return sign
