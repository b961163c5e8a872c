"""Terms along straight lines: what a term is when its variables move by constant steps.

An ``Affine`` is a number that depends on counters: ``start + steps[0]·k₀ + steps[1]·k₁ + …``, where counter kᵢ runs through 0 …
countᵢ - 1, each on its own. The value of a term along lines is a line, or a plain value if nothing moves, or ``NOT_AFFINE``
where it is neither (or nobody here sees that it is). Sums of lines are lines. ``t mod m`` is one as long as t stays between two
multiples of m, or moves by multiples of m. A comparison has a value if it is the same everywhere, which the extreme values of a
line decide: so a guard that is true here is true in every round of a loop, and was looked at once.

This is to acceleration (Bozga, Iosif, Konečný 2010) what interval arithmetic is to bounds. Left out: polynomials, words, reads
at an index that moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import gcd
from typing import Any, Final

from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import Term, topological, value_of
from lemmata.logic.values import apply, is_open
from lemmata.values import dataclass

_Number = int | Fraction
AffineValue = Any  # a plain value, a Line, or BENT


class _Bent:
    """What is not a line."""

    def __repr__(self) -> str:
        return "NOT_AFFINE"


NOT_AFFINE: Final = _Bent()


@dataclass(frozen=True, slots=True)
class Affine:
    """``start + Σ steps[i] · kᵢ``; the last step is not zero."""

    start: _Number
    steps: tuple[_Number, ...]

    def lowest(self, counts: Sequence[int]) -> _Number:
        """The smallest value."""
        return self.start + sum([min(0, step * (count - 1)) for step, count in zip(self.steps, counts, strict=False)])

    def highest(self, counts: Sequence[int]) -> _Number:
        """The largest value."""
        return self.start + sum([max(0, step * (count - 1)) for step, count in zip(self.steps, counts, strict=False)])


def affine(start: _Number, steps: Sequence[_Number]) -> Affine | _Number:
    """The line, or its start if it does not move."""
    size = len(steps)
    while size and steps[size - 1] == 0:
        size -= 1
    return Affine(start, tuple(steps[:size])) if size else start


def moved(value: AffineValue, step: _Number, counter: int) -> AffineValue:
    """``value + step · k`` for the counter of that number."""
    if step == 0:
        return value
    start, steps = _parts(value)
    padded = [*steps, *[0] * (counter + 1 - len(steps))]
    padded[counter] += step
    return affine(start, padded)


def plus_constant(value: AffineValue, distance: _Number) -> AffineValue:
    """``value + distance``."""
    return value if distance == 0 else _sum([value, distance])


def distance(before: AffineValue, after: AffineValue) -> _Number | None:
    """``after - before`` if that is a number that does not move; 0 for equal values of any kind, else ``None``."""
    if before == after:
        return 0
    if not (_is_number(before) and _is_number(after)):
        return None
    found = _sum([after, _scaled(before, -1)])
    return None if isinstance(found, Affine) else found


class AffineEvaluator:
    """``terms``, ready to be evaluated along many lines."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._terms = tuple(terms)
        self._order = topological(terms)

    def run(self, values: Mapping[Term, AffineValue], counts: Sequence[int]) -> list[AffineValue]:
        """The values of the terms where the variables are as in ``values`` and the counters run so far."""
        known: dict[Term, AffineValue] = {}
        for term in self._order:
            if term.is_const:
                known[term] = value_of(term)
            elif term.is_var:
                known[term] = values[term]
            else:
                known[term] = _value(term, [known[arg] for arg in term.args], counts)
        return [known[term] for term in self._terms]


def _value(term: Term, args: list[AffineValue], counts: Sequence[int]) -> AffineValue:
    op = term.op
    if op == "ite":
        if args[0] is NOT_AFFINE:
            return args[1] if args[1] == args[2] else NOT_AFFINE
        return args[1] if args[0] else args[2]
    if op == "=>":
        op, args = "or", [NOT_AFFINE if args[0] is NOT_AFFINE else not args[0], args[1]]
    if op in ("and", "or"):
        deciding = op == "or"
        if any(arg is deciding for arg in args):
            return deciding
        return NOT_AFFINE if any(arg is NOT_AFFINE for arg in args) else not deciding
    if any(arg is NOT_AFFINE for arg in args):
        return NOT_AFFINE
    if not any(isinstance(arg, Affine) for arg in args):
        if op == "apply" or is_open(op, args):
            return NOT_AFFINE
        return apply(op, args, term.data, [arg.sort for arg in term.args])
    return _moving(term, args, counts)


def _moving(term: Term, args: list[AffineValue], counts: Sequence[int]) -> AffineValue:
    """The value of an operator on numbers, some of which move."""
    match term.op:
        case "+":
            return _sum(args)
        case "-":
            return _sum([args[0], _scaled(args[1], -1)])
        case "neg":
            return _scaled(args[0], -1)
        case "*":
            return _product(args)
        case "/" if not isinstance(args[1], Affine) and args[1] != 0:
            return _scaled(args[0], 1 / Fraction(args[1]))
        case "to_real":
            return affine(Fraction(args[0].start), [Fraction(step) for step in args[0].steps])
        case "<" | "<=" | "=" if term.args[0].sort in (INT, REAL):
            return _compared(term.op, _sum([args[1], _scaled(args[0], -1)]), counts)
        case "mod" | "div" if not isinstance(args[1], Affine) and args[1] != 0:
            return _divided(term.op, args[0], args[1], counts)
        case _:
            return NOT_AFFINE


def _compared(op: str, difference: AffineValue, counts: Sequence[int]) -> AffineValue:
    """Is ``0 op difference`` everywhere, or nowhere?"""
    start, steps = _parts(difference)
    low, high = (difference.lowest(counts), difference.highest(counts)) if steps else (start, start)
    match op:
        case "<":
            is_true, is_false = low > 0, high <= 0
        case "<=":
            is_true, is_false = low >= 0, high < 0
        case _:
            is_true, is_false = low == high == 0, low > 0 or high < 0 or _misses_zero(start, steps)
    return True if is_true else False if is_false else NOT_AFFINE


def _misses_zero(start: _Number, steps: tuple[_Number, ...]) -> bool:
    """Is no sum of the start and multiples of the steps zero?"""
    if not all(isinstance(number, int) for number in (start, *steps)):
        return False
    return bool(steps) and int(start) % gcd(*[int(step) for step in steps]) != 0


def _divided(op: str, dividend: Affine, divisor: int, counts: Sequence[int]) -> AffineValue:
    """Euclidean division: ``dividend = divisor · quotient + remainder`` with ``0 ≤ remainder < |divisor|``."""
    size, sign = abs(divisor), 1 if divisor > 0 else -1
    if all(step % size == 0 for step in dividend.steps):
        if op == "mod":
            return dividend.start % size
        return affine(sign * (int(dividend.start) // size), [sign * (int(step) // size) for step in dividend.steps])
    quotient = dividend.lowest(counts) // size
    if quotient != dividend.highest(counts) // size:
        return NOT_AFFINE
    return _sum([dividend, -quotient * size]) if op == "mod" else sign * quotient


def _is_number(value: AffineValue) -> bool:
    return isinstance(value, Affine | int | Fraction) and not isinstance(value, bool)


def _parts(value: AffineValue) -> tuple[_Number, tuple[_Number, ...]]:
    return (value.start, value.steps) if isinstance(value, Affine) else (value, ())


def _sum(args: Sequence[AffineValue]) -> AffineValue:
    parts = [_parts(arg) for arg in args]
    columns = zip_longest(*[steps for _, steps in parts], fillvalue=0)
    return affine(sum([start for start, _ in parts[1:]], parts[0][0]), [sum(column) for column in columns])


def _scaled(value: AffineValue, factor: _Number) -> AffineValue:
    start, steps = _parts(value)
    return affine(start * factor, [step * factor for step in steps])


def _product(args: Sequence[AffineValue]) -> AffineValue:
    moving = [arg for arg in args if isinstance(arg, Affine)]
    if len(moving) > 1:
        return NOT_AFFINE
    factor: _Number = 1
    for arg in args:
        if not isinstance(arg, Affine):
            factor *= arg
    return _scaled(moving[0], factor)
