"""``AffineHull``: the smallest affine space that holds all points seen so far, kept as equations (Karr 1976).

One point is n equations ``x = value``. A new point breaks some of them: one broken equation pays for the others (each of them
becomes a combination with it that the new point satisfies) and is dropped. So every join that changes anything leaves one
equation less, and after n+1 joins there is nothing left to lose, however large the numbers in the program are. Reps, Sagiv and
Yorsh (2004) take the points from a solver; the result is the best affine invariant that is inductive.

Equations have whole coefficients without common factor. The equation that is broken least pays, which keeps the others short;
where coefficients grow nevertheless, equations are shortened by each other (as in the reduction of Gauss), and what is still
large is dropped: solvers answer large coefficients with larger values, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from lemmata.logic.terms import Value
from lemmata.values import dataclass

_REDUCED_COEFFICIENT = 100  # coefficients from here on are reduced
_LARGEST_COEFFICIENT = 1 << 40  # beyond which an equation is forgotten
_LARGEST_CONSTANT = 1 << 200  # and likewise
_PASSES = 3  # over all equations, to shorten them


@dataclass(frozen=True, slots=True)
class Equation:
    """``Σ coefficient · x[position] = constant``."""

    parts: tuple[tuple[int, int], ...]  # position, coefficient; sorted, none is zero
    constant: int

    def residue(self, point: Sequence[Value]) -> Value:
        """By how much ``point`` misses it."""
        return sum([c * point[i] for i, c in self.parts]) - self.constant

    @property
    def norm(self) -> int:
        """The square of the length."""
        return sum([c * c for _, c in self.parts])

    @property
    def is_large(self) -> bool:
        """Has it a coefficient that should be smaller?"""
        return any(abs(c) > _REDUCED_COEFFICIENT for _, c in self.parts)

    @property
    def is_too_large(self) -> bool:
        """Is it better to know less than to know this?"""
        return any(abs(c) > _LARGEST_COEFFICIENT for _, c in self.parts) or abs(self.constant) > _LARGEST_CONSTANT


class AffineHull:
    """Equations over the numbers at ``positions`` of a point."""

    __slots__ = ("equations",)

    def __init__(self, positions: Sequence[int], point: Sequence[Value]) -> None:
        self.equations = [_equation({i: Fraction(1)}, Fraction(point[i])) for i in positions]

    def join(self, point: Sequence[Value]) -> bool:
        """Take ``point`` in; does that change anything?"""
        broken = {equation: residue for equation in self.equations if (residue := equation.residue(point))}
        if not broken:
            return False
        payer = min(broken, key=lambda equation: (abs(broken[equation]), equation.norm, equation.parts))
        debt = Fraction(broken.pop(payer))
        self.equations = [
            _combined(equation, payer, Fraction(broken[equation]) / debt) if equation in broken else equation
            for equation in self.equations
            if equation is not payer
        ]
        if any(equation.is_large for equation in self.equations):
            self._reduce()
        return True

    def _reduce(self) -> None:
        """Shorten equations by multiples of others."""
        for _ in range(_PASSES):
            self.equations.sort(key=lambda equation: (equation.norm, equation.parts))
            reduced = [_reduced(equation, self.equations[:number]) for number, equation in enumerate(self.equations)]
            is_done = reduced == self.equations
            self.equations = reduced
            if is_done:
                break
        self.equations = [equation for equation in self.equations if not equation.is_too_large]


def _reduced(equation: Equation, shorter: Sequence[Equation]) -> Equation:
    """``equation`` minus whole multiples of others."""
    for other in shorter:
        coefficients = dict(other.parts)
        product = sum([c * coefficients.get(i, 0) for i, c in equation.parts])
        factor = round(Fraction(product, other.norm))
        if factor:
            equation = _combined(equation, other, Fraction(factor))
    return equation


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
