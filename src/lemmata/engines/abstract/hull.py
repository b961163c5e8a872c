"""``Hull``: the smallest affine space that holds all points seen so far, kept as equations (Karr 1976).

One point is n equations ``x = value``. A new point breaks some of them: one broken equation pays for the others (each of them
becomes a combination with it that the new point satisfies) and is dropped. So every join that changes anything leaves one
equation less, and after n+1 joins there is nothing left to lose, however large the numbers in the program are. Reps, Sagiv and
Yorsh (2004) take the points from a solver; the result is the best affine invariant that is inductive.

Equations have whole coefficients without common factor. Of the broken ones the shortest pays, which keeps the others short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from lemmata.logic.terms import Value


@dataclass(frozen=True, slots=True)
class Equation:
    """``Σ coefficient · x[position] = constant``."""

    parts: tuple[tuple[int, int], ...]  # position, coefficient; sorted, none is zero
    constant: int

    def residue(self, point: Sequence[Value]) -> Value:
        """By how much ``point`` misses it."""
        return sum([c * point[i] for i, c in self.parts]) - self.constant


class Hull:
    """Equations over the numbers at ``positions`` of a point."""

    __slots__ = ("equations",)

    def __init__(self, positions: Sequence[int], point: Sequence[Value]) -> None:
        self.equations = [_equation({i: Fraction(1)}, Fraction(point[i])) for i in positions]

    def join(self, point: Sequence[Value]) -> bool:
        """Take ``point`` in; does that change anything?"""
        broken = [(equation, residue) for equation in self.equations if (residue := equation.residue(point))]
        if not broken:
            return False
        payer, debt = min(broken, key=lambda pair: (len(pair[0].parts), abs(pair[1]), pair[0].parts))
        kept = {equation: residue for equation, residue in broken if equation is not payer}
        self.equations = [
            _combined(equation, payer, Fraction(kept[equation]) / Fraction(debt)) if equation in kept else equation
            for equation in self.equations
            if equation is not payer
        ]
        return True


def _combined(equation: Equation, payer: Equation, factor: Fraction) -> Equation:
    """``equation - factor · payer``."""
    parts = {i: Fraction(c) for i, c in equation.parts}
    for i, c in payer.parts:
        parts[i] = parts.get(i, Fraction(0)) - factor * c
    return _equation(parts, equation.constant - factor * payer.constant)


def _equation(parts: dict[int, Fraction], constant: Fraction) -> Equation:
    """Whole, without common factor, the first coefficient positive."""
    rows = sorted((i, c) for i, c in parts.items() if c)
    scale = lcm(constant.denominator, *[c.denominator for _, c in rows])
    whole = [(i, int(c * scale)) for i, c in rows]
    factor = gcd(int(constant * scale), *[c for _, c in whole]) or 1
    if whole and whole[0][1] < 0:
        factor = -factor
    return Equation(tuple([(i, c // factor) for i, c in whole]), int(constant * scale) // factor)
