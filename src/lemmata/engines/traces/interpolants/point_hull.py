"""``PointHull``: equations and remainders that all points seen so far have in common, as formulas.

Equations are those of the affine hull (``oracles.affine_hull``). Remainders are looked at per variable, and for sums and
differences of two where there are few (Granger 1991): the greatest common divisor of the distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd

from lemmata.logic.linear import normal
from lemmata.logic.linear.sums import from_coefficients
from lemmata.logic.sorts import INT, Sort
from lemmata.logic.terms import Term, Value
from lemmata.oracles.affine_hull import AffineHull

_LARGEST_COEFFICIENT = 10_000  # coefficients beyond this are accidents
_LARGEST_MODULUS = 64  # the largest modulus; solvers dislike large ones, and they are mostly accidents
_MODULAR_VARIABLES = 5  # variables whose sums and differences have remainders


class PointHull:
    """Of points over ``variables``, which are numbers of one sort."""

    def __init__(self, variables: Sequence[Term], sort: Sort) -> None:
        self._variables = tuple(variables)
        self._sort = sort
        self._first: tuple[Value, ...] = ()
        self._affine: AffineHull | None = None
        count = len(self._variables) if sort is INT else 0
        self._forms = [{i: 1} for i in range(count)]
        if count <= _MODULAR_VARIABLES:
            self._forms += [{i: 1, j: sign} for i, j in combinations(range(count), 2) for sign in (-1, 1)]
        self._moduli = [0] * len(self._forms)

    def add(self, point: Sequence[Value]) -> None:
        """One more point."""
        if self._affine is None:
            self._first = tuple(point)
            self._affine = AffineHull(range(len(point)), point)
            return
        for place, form in enumerate(self._forms):
            distance = sum([(point[i] - self._first[i]) * c for i, c in form.items()])
            self._moduli[place] = gcd(self._moduli[place], distance)
        self._affine.join(point)

    def facts(self) -> list[Term]:
        """What all points have in common; nothing as long as there is none."""
        return [] if self._affine is None else [*self._equations(self._affine), *self._congruences()]

    def _equations(self, affine: AffineHull) -> list[Term]:
        found = []
        for equation in affine.equations:
            if all(abs(c) <= _LARGEST_COEFFICIENT for _, c in equation.parts):
                coefficients = {self._variables[i]: Fraction(c) for i, c in equation.parts}
                found.append(normal("eq", from_coefficients(coefficients, Fraction(-equation.constant), self._sort)).to_term())
        return found

    def _congruences(self) -> list[Term]:
        found = []
        for form, modulus in zip(self._forms, self._moduli, strict=True):
            if 1 < modulus <= _LARGEST_MODULUS:
                value = sum([self._first[i] * c for i, c in form.items()])
                term = from_coefficients({self._variables[i]: c for i, c in form.items()}, -value, INT)
                found.append(normal("mod", term, modulus).to_term())
        return found
