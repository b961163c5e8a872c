"""Boxes: a span for each integer variable, and what is left of a box where formulas hold.

Bounds are propagated through each comparison, from the sum of all other unknowns to one variable (as in constraint solvers;
Benhamou, Older 1997), congruences and equations alike. A disjunction leaves what one of its parts leaves. Two rounds are made,
not a fixed point: what is left is always correct, and loops that close in slowly are not worth the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from lemmata.logic.domains.congruence_intervals import (
    TOP,
    CongruenceInterval,
    CongruenceIntervals,
    congruence_interval,
    join,
    meet,
    weighted_sum,
)
from lemmata.logic.linear import comparison
from lemmata.logic.linear.atoms import Atom
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, Term

IntervalBox = Mapping[Term, CongruenceInterval]  # variables that are not there can be anything
_ROUNDS = 2  # through all parts


def propagate_bounds(parts: Sequence[Term], box: IntervalBox) -> IntervalBox | None:
    """The box where all parts hold; ``None`` if they cannot."""
    for _ in range(_ROUNDS):
        before = box
        for part in parts:
            left = _left(part, box)
            if left is None:
                return None
            box = left
        if box == before:
            break
    return box


def _left(part: Term, box: IntervalBox) -> IntervalBox | None:
    if part.op == "and":
        return propagate_bounds(part.args, box)
    if part.op == "or":
        return _joined([_left(arg, box) for arg in part.args])
    if part is FALSE:
        return None
    atom = comparison(part)
    return box if atom is None or atom.form.sort is not INT else _bounded(atom, box)


def _joined(boxes: Sequence[IntervalBox | None]) -> IntervalBox | None:
    some = [box for box in boxes if box is not None]
    if not some:
        return None
    result = dict(some[0])
    for other in some[1:]:
        result = {v: join(found, other[v]) for v, found in result.items() if v in other}
    return result


def _bounded(atom: Atom, box: IntervalBox) -> IntervalBox | None:
    """The box where the atom holds."""
    spans = CongruenceIntervals(box)
    result = dict(box)
    for v, factor in atom.form.terms:
        if v.is_var:
            rest = spans.of_sum(atom.form.without(v))
            allowed = _allowed(atom, int(factor), rest)
            found = meet(result.get(v, TOP), allowed) if allowed is not None else None
            found = found if found is None or atom.kind != "ne" else _trimmed(found, int(factor), rest)
            if found is None:
                return None
            if not found.is_top:
                result[v] = found
    return result


def _allowed(atom: Atom, factor: int, rest: CongruenceInterval) -> CongruenceInterval | None:
    """What v can be where ``factor · v + rest ⋈ 0``."""
    low = high = None
    size = abs(factor)
    match atom.kind:
        case "eq" if size == 1:
            return weighted_sum([(rest, -factor)], 0)
        case "mod" if size == 1:
            return congruence_interval(None, None, gcd(atom.modulus, rest.step), -factor * rest.rest)
        case "eq" | "le":
            least, most = rest.low, rest.high if atom.kind == "eq" else None
            if factor > 0:
                low, high = most if most is None else -(most // size), least if least is None else -least // size
            else:
                low, high = least if least is None else -(-least // size), most if most is None else most // size
    return congruence_interval(low, high)


def _trimmed(found: CongruenceInterval, factor: int, rest: CongruenceInterval) -> CongruenceInterval | None:
    """Without the end that v must not be."""
    if rest.step or rest.rest % factor:
        return found
    number = -rest.rest // factor
    low = number + 1 if found.low == number else found.low
    high = number - 1 if found.high == number else found.high
    return congruence_interval(low, high, found.step, found.rest)
