"""``Range``: what the values of one linear direction have in common: a smallest, a largest, and a remainder.

Bounds are those of the template domain (Sankaranarayanan, Sipma, Manna 2005; octagons are Miné's, 2006), remainders those of
Granger (1989): all values are equal modulo ``step``. A bound that is broken takes the new value the first few times; after
that it jumps to the next threshold, a constant that the program compares this direction with, and in the end to infinity: the
widening that makes every chain finite.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import gcd

from lemmata.logic.terms import Value
from lemmata.values import dataclass

_FARTHEST_BOUND = 1 << 100  # bounds beyond are none
_LARGEST_STEP = 64  # larger ones are accidents of few points


@dataclass(frozen=True, slots=True)
class Direction:
    """``Σ coefficient · x[position]``, and where widening may stop, in order."""

    parts: tuple[tuple[int, int], ...]
    is_whole: bool  # over the integers
    is_modular: bool  # over the integers, and worth a look modulo numbers
    moduli: frozenset[int] = frozenset()  # large ones that are worth it, too
    thresholds: tuple[Value, ...] = ()

    def at(self, point: Sequence[Value]) -> Value:
        """The value of the direction at ``point``."""
        return sum([c * point[i] for i, c in self.parts])


class Range:
    """``low ≤ value ≤ high``, ``None`` for no bound, and all values are equal modulo ``step`` (0: there is only one)."""

    __slots__ = ("_base", "_direction", "_moves_down", "_moves_up", "high", "low", "step")

    def __init__(self, direction: Direction, value: Value, delay: int, bounds: bool = True, remainders: bool = True) -> None:
        self._direction = direction
        self.low: Value | None = value if bounds else None
        self.high: Value | None = value if bounds else None
        self.step = 0 if remainders and direction.is_modular else 1
        self._base = value
        self._moves_down = self._moves_up = delay  # how often an end may still take a value as it is

    @property
    def is_constant(self) -> bool:
        """Is only one value allowed?"""
        return self.low is not None and self.low == self.high

    @property
    def remainder(self) -> tuple[int, int] | None:
        """``(m, r)`` if all values are r modulo m and that says something."""
        is_telling = 1 < self.step <= _LARGEST_STEP or self.step in self._direction.moduli
        return (self.step, self._base % self.step) if self.step > 1 and is_telling else None

    def join(self, point: Sequence[Value]) -> bool:
        """Take a point in; does that change anything?"""
        value = self._direction.at(point)
        moved = False
        if self.low is not None and value < self.low:
            self._moves_down -= 1
            self.low = (
                value if self._moves_down >= 0 and abs(value) < _FARTHEST_BOUND else _below(value, self._direction.thresholds)
            )
            moved = True
        if self.high is not None and value > self.high:
            self._moves_up -= 1
            self.high = (
                value if self._moves_up >= 0 and abs(value) < _FARTHEST_BOUND else _above(value, self._direction.thresholds)
            )
            moved = True
        if self.step != 1 and (step := gcd(self.step, int(value - self._base))) != self.step:
            moved |= self.remainder is not None
            self.step = step
        return moved


def _below(value: Value, thresholds: Sequence[Value]) -> Value | None:
    place = bisect_right(thresholds, value)
    return thresholds[place - 1] if place else None


def _above(value: Value, thresholds: Sequence[Value]) -> Value | None:
    place = bisect_left(thresholds, value)
    return thresholds[place] if place < len(thresholds) else None
