"""``Collector``: the directions of one location with their thresholds, in the order in which they were found.

A direction has coprime whole coefficients, the first one positive. *Seeds* are those that more are derived from; pairs of
variables are not. There is a limit to both: later finds are the first to be left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd, lcm

from lemmata.logic.linear import Linear
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term, Value

_MOST = 80  # directions
_MOST_SEEDS = 40
_MOST_THRESHOLDS = 24
_LARGEST = 1 << 12  # coefficient

Parts = tuple[tuple[Term, int], ...]


class Collector:
    """Grows while the graph is read."""

    def __init__(self) -> None:
        self.found: dict[Parts, set[Value]] = {}
        self.modular: set[Parts] = set()  # worth a look modulo numbers

    @property
    def seeds(self) -> list[Parts]:
        """What more directions are derived from."""
        return list(self.found)

    def thresholds(self, form: Linear) -> list[Value]:
        """What the direction of ``form`` is compared with, as far as it is the same and not a multiple of another."""
        parts, _ = _normal(form)
        return sorted(self.found.get(parts, ())) if parts == form.terms else []

    def add_all(self, form: Linear, thresholds: Iterable[Value]) -> None:
        """``form`` is compared with each of the thresholds."""
        for threshold in sorted(thresholds):
            self._add(form.shift(-threshold), _MOST_SEEDS, near=())

    def add(self, form: Linear) -> None:
        """``form`` is compared with 0."""
        self._add(form, _MOST_SEEDS)

    def add_pair(self, form: Linear) -> None:
        """The same, for what nothing is derived from; comes last."""
        self._add(form, _MOST)

    def look_modulo(self, form: Linear) -> None:
        """The direction of ``form`` is worth a look modulo numbers."""
        self.modular.add(_normal(form)[0])

    def joins(self, a: Term, b: Term) -> bool:
        """Do two variables occur together in a direction?"""
        return any({a, b} <= {v for v, _ in parts} for parts in self.found)

    def _add(self, form: Linear, most: int, near: tuple[int, ...] = (-1, 1)) -> None:
        parts, offset = _normal(form)
        if not parts or any(abs(c) > _LARGEST for _, c in parts) or (parts not in self.found and len(self.found) >= most):
            return
        if len({v.sort for v, _ in parts}) > 1 or not all(v.is_var for v, _ in parts):
            return  # integers beside reals are no direction
        thresholds = self.found.setdefault(parts, set())
        if len(thresholds) >= _MOST_THRESHOLDS:
            return
        thresholds.add(offset)
        if form.sort is INT:
            thresholds |= {offset + d for d in near}


def _normal(form: Linear) -> tuple[Parts, Value]:
    """The direction, and what it is compared with."""
    if not form.terms:
        return (), 0
    scale = lcm(*[c.denominator for _, c in form.terms])
    whole = [(v, int(c * scale)) for v, c in form.terms]
    factor = gcd(*[c for _, c in whole])
    if whole[0][1] < 0:
        factor = -factor
    offset = -form.constant * scale
    return tuple([(v, c // factor) for v, c in whole]), offset // factor if form.sort is INT else offset / factor
