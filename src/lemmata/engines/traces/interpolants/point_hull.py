"""``Hull``: equations and remainders that all points seen so far have in common.

Equations come from linear algebra: what is orthogonal to all differences of points (Karr 1976). Remainders are looked at per
variable, and for sums and differences of two where there are few (Granger 1991): the greatest common divisor of the distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm

from lemmata.logic.linear import normal
from lemmata.logic.linear.sums import from_coefficients
from lemmata.logic.sorts import INT, Sort
from lemmata.logic.terms import Term, Value

_LARGE = 10_000  # coefficients beyond this are accidents
_SMALL = 64  # the largest modulus; solvers dislike large ones, and they are mostly accidents
_FEW = 5  # variables whose sums and differences have remainders

_Row = list[Fraction]


class Hull:
    """Of points over ``variables``, which are numbers of one sort."""

    def __init__(self, variables: Sequence[Term], sort: Sort) -> None:
        self._variables = tuple(variables)
        self._sort = sort
        self._first: tuple[Value, ...] | None = None
        self._rows: dict[int, _Row] = {}  # differences of points, reduced; by pivot
        count = len(self._variables) if sort is INT else 0
        self._forms = [{i: 1} for i in range(count)]
        if count <= _FEW:
            self._forms += [{i: 1, j: sign} for i, j in combinations(range(count), 2) for sign in (-1, 1)]
        self._moduli = [0] * len(self._forms)

    @property
    def is_empty(self) -> bool:
        """Was no point seen yet?"""
        return self._first is None

    def add(self, point: Sequence[Value]) -> None:
        """One more point."""
        if self._first is None:
            self._first = tuple(point)
            return
        difference = [Fraction(a) - b for a, b in zip(point, self._first, strict=True)]
        for place, form in enumerate(self._forms):
            distance = sum([difference[i] * c for i, c in form.items()], Fraction(0))
            self._moduli[place] = gcd(self._moduli[place], int(distance))
        self._span(difference)

    def _span(self, row: _Row) -> None:
        """Keep the rows reduced: each pivot is 1, and 0 in all other rows."""
        for place, known in self._rows.items():
            if row[place]:
                row = _minus(row, known, row[place])
        pivot = next((i for i, entry in enumerate(row) if entry), None)
        if pivot is None:
            return
        row = [entry / row[pivot] for entry in row]
        for other, known in self._rows.items():
            if known[pivot]:
                self._rows[other] = _minus(known, row, known[pivot])
        self._rows[pivot] = row

    def facts(self) -> list[Term]:
        """What all points have in common, as formulas."""
        if self._first is None:
            return []
        return [*self._equations(self._first), *self._congruences(self._first)]

    def _equations(self, first: tuple[Value, ...]) -> list[Term]:
        """x_free = Σ … of the pivots, for each variable that is no pivot."""
        found = []
        for free, variable in enumerate(self._variables):
            if free in self._rows:
                continue
            coefficients = {self._variables[pivot]: -row[free] for pivot, row in self._rows.items()}
            coefficients[variable] = Fraction(1)
            scale = lcm(*[c.denominator for c in coefficients.values()])
            values = dict(zip(self._variables, first, strict=True))
            constant = -sum([c * scale * Fraction(values[v]) for v, c in coefficients.items()], Fraction(0))
            form = from_coefficients({v: c * scale for v, c in coefficients.items()}, constant, self._sort)
            if all(abs(Fraction(c)) <= _LARGE for _, c in form.terms):
                found.append(normal("eq", form).to_term())
        return found

    def _congruences(self, first: tuple[Value, ...]) -> list[Term]:
        found = []
        for form, modulus in zip(self._forms, self._moduli, strict=True):
            if 1 < modulus <= _SMALL:
                value = sum([first[i] * c for i, c in form.items()])
                term = from_coefficients({self._variables[i]: c for i, c in form.items()}, -value, INT)
                found.append(normal("mod", term, modulus).to_term())
        return found


def _minus(row: _Row, other: _Row, factor: Fraction) -> _Row:
    return [a - factor * b for a, b in zip(row, other, strict=True)]
