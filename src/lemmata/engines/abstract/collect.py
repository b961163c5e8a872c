"""``Collector``: the directions of one location with their thresholds, in the order in which they were found.

A direction has coprime whole coefficients, the first one positive. *Seeds* are those that more are derived from; pairs of
variables are not. There is a limit to both: later finds are the first to be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, gcd, lcm

from lemmata.logic.linear import Linear
from lemmata.logic.sorts import INT, Sort
from lemmata.logic.terms import Term, Value

_DIRECTIONS = 80  # in all
_SEEDS = 40  # directions, after which pairs have the rest
_THRESHOLDS = 24  # numbers with which one direction is compared
_LARGEST_COEFFICIENT = 1 << 12  # coefficient

Coefficients = tuple[tuple[Term, int], ...]


class Collector:
    """Grows while the graph is read."""

    def __init__(self) -> None:
        self.found: dict[Coefficients, set[Value]] = {}
        self.modular: set[Coefficients] = set()  # worth a look modulo numbers

    @property
    def seeds(self) -> list[Coefficients]:
        """What more directions are derived from."""
        return list(self.found)

    def thresholds(self, form: Linear) -> list[Value]:
        """What the direction of ``form`` is compared with, as far as it is the same and not a multiple of another."""
        parts, _ = _normal(form)
        return sorted(self.found.get(parts, ())) if parts == form.terms else []

    def add_all(self, form: Linear, thresholds: Iterable[Value]) -> None:
        """``form`` is compared with each of the thresholds."""
        self._add(form, sorted(thresholds), _SEEDS)

    def add(self, form: Linear) -> None:
        """``form`` is compared with 0."""
        self._add(form, _near(form.sort), _SEEDS)

    def add_pair(self, form: Linear) -> None:
        """The same, for what nothing is derived from; comes last."""
        self._add(form, _near(form.sort), _DIRECTIONS)

    def look_modulo(self, form: Linear) -> None:
        """The direction of ``form`` is worth a look modulo numbers."""
        self.modular.add(_normal(form)[0])

    def joins(self, a: Term, b: Term) -> bool:
        """Do two variables occur together in a direction?"""
        return any({a, b} <= {v for v, _ in parts} for parts in self.found)

    def _add(self, form: Linear, thresholds: Sequence[Value], most: int) -> None:
        parts, scale = _normal(form)
        if (
            not parts
            or any(abs(c) > _LARGEST_COEFFICIENT for _, c in parts)
            or (parts not in self.found and len(self.found) >= most)
        ):
            return
        found = self.found.setdefault(parts, set())
        for threshold in thresholds:
            if len(found) >= _THRESHOLDS:
                break
            offset = (threshold - form.constant) * scale
            found.add(floor(offset) if form.sort is INT else offset)


def _near(sort: Sort) -> tuple[int, ...]:
    return (-1, 0, 1) if sort is INT else (0,)


def _normal(form: Linear) -> tuple[Coefficients, Fraction]:
    """The direction, and by which factor it differs from the sum."""
    if not form.terms:
        return (), Fraction(1)
    scale = lcm(*[c.denominator for _, c in form.terms])
    whole = [(v, int(c * scale)) for v, c in form.terms]
    factor = gcd(*[c for _, c in whole])
    if whole[0][1] < 0:
        factor = -factor
    return tuple([(v, c // factor) for v, c in whole]), Fraction(scale, factor)
