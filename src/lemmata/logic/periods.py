"""Choices between remainders of numbers that lie in two periods, as conversions to signed numbers have them.

``if t mod m < m/2 then t mod m else t mod m - m`` is t where -m/2 ≤ t < m/2: in one period the remainder is t, in the other
one t + m, and each of them decides the condition. Such a choice becomes one sum, or a choice between two sums without
remainders.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.build import ite
from lemmata.logic.forms import Linear, linearize, total
from lemmata.logic.linear import canonical, comparison, normal
from lemmata.logic.sorts import INT
from lemmata.logic.spanned import Spans, decided
from lemmata.logic.spans import Span, meet, span
from lemmata.logic.spans import total as shifted
from lemmata.logic.terms import FALSE, TRUE, Term, value_of

_DEEP = 4  # connectives that are looked through


def by_period(spans: Spans, condition: Term, a: Term, b: Term) -> Term | None:
    """``ite(condition, a, b)`` without the remainder in a or b, where each of its two periods decides the condition."""
    forms = linearize(a), linearize(b)
    for unknown in dict.fromkeys((*forms[0].unknowns, *forms[1].unknowns)):
        if unknown.op == "mod" and unknown.args[1].is_const and value_of(unknown.args[1]) > 0:
            found = _without(spans, condition, forms, unknown)
            if found is not None:
                return found
    return None


def _without(spans: Spans, condition: Term, forms: Sequence[Linear], unknown: Term) -> Term | None:
    inner, modulus = linearize(unknown.args[0]), int(value_of(unknown.args[1]))
    values = spans.of_sum(inner)
    if values.low is None or values.high is None or values.high // modulus - values.low // modulus != 1:
        return None
    results: list[Term] = []
    for period in (values.low // modulus, values.high // modulus):
        part = meet(values, span(period * modulus, period * modulus + modulus - 1) or values)
        is_first = None if part is None else _truth(condition, inner, part)
        if is_first is None:
            return None
        form = forms[0 if is_first else 1]
        here = inner.shift(-period * modulus)
        results.append(total([(form.without(unknown), 1), (here, form.coefficient(unknown))], INT).to_term())
    border = inner.shift(1 - values.high // modulus * modulus)
    return ite(canonical(normal("le", border).to_term()), results[0], results[1])


def _truth(formula: Term, form: Linear, values: Span, depth: int = 0) -> bool | None:
    """Is the formula decided where the sum has these values?"""
    if depth > _DEEP:
        return None
    if formula in (TRUE, FALSE):
        return formula is TRUE
    if formula.op == "not":
        inner = _truth(formula.args[0], form, values, depth + 1)
        return None if inner is None else not inner
    if formula.op in ("and", "or"):
        found = [_truth(arg, form, values, depth + 1) for arg in formula.args]
        absorbing = formula.op == "or"
        return absorbing if absorbing in found else None if None in found else not absorbing
    atom = comparison(formula)
    if atom is None:
        return None
    for sign in (1, -1):
        if atom.form.terms == tuple([(v, sign * c) for v, c in form.terms]):
            difference = int(atom.form.constant - sign * form.constant)
            return decided(atom, shifted([(values, sign)], difference))
    return None
