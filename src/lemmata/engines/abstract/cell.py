"""``Cell``: everything that is known about the states of one cell of one location, as the join of the points seen there.

The product of three domains: affine equations, ranges of directions, and Booleans (constants, and pairs of Booleans with the
combinations that occur). The solver sees them together, so each domain profits from the others without a reduction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.abstract.hull import Hull
from lemmata.engines.abstract.ranges import Range
from lemmata.engines.abstract.shape import Shape, View, at_least, at_most, combination
from lemmata.logic.build import build, disj, equal, negate
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import Term, Value, const

Point = Sequence[Value]  # a value per variable of the location; anything for those that are not tracked


class Cell:
    """Begins with one point and grows."""

    __slots__ = ("_hulls", "_known", "_pairs", "_ranges", "_truths")

    def __init__(self, shape: Shape, point: Point) -> None:
        self._hulls = [Hull(where, point) for sort in (INT, REAL) if (where := shape.positions(sort))]
        self._ranges = [
            Range(direction, direction.at(point), shape.delay, shape.bounds, shape.remainders) for direction in shape.directions
        ]
        self._truths = {i: point[i] for i in shape.positions(BOOL)}
        self._pairs = {(i, j): {(point[i], point[j])} for i, j in shape.pairs}
        self._known: dict[View, list[Term]] = {}  # plain facts, until a point changes them

    def join(self, point: Point) -> bool:
        """Take a point in; does that change what ``facts`` says?"""
        changed = [hull.join(point) for hull in self._hulls]
        changed += [found.join(point) for found in self._ranges]
        for i, truth in list(self._truths.items()):
            if truth != point[i]:
                del self._truths[i]
                changed.append(True)
        for (i, j), seen in self._pairs.items():
            changed.append((point[i], point[j]) not in seen)
            seen.add((point[i], point[j]))
        self._known.clear()
        return any(changed)

    def facts(self, view: View) -> list[Term]:
        """What all points have in common."""
        return self.plain_facts(view) + self.remainders(view)

    @property
    def has_remainders(self) -> bool:
        """Is anything known modulo numbers?"""
        return any(found.remainder for found in self._ranges)

    def forget_remainders(self) -> None:
        """Nothing is known modulo numbers any more."""
        for found in self._ranges:
            found.step = 1

    def remainders(self, view: View) -> list[Term]:
        """The facts modulo numbers, which are harder for solvers than all others."""
        return [
            _congruence(term, found.remainder)
            for term, found in zip(view.directions, self._ranges, strict=True)
            if found.remainder
        ]

    def plain_facts(self, view: View) -> list[Term]:
        """All other facts."""
        known = self._known.get(view)
        if known is None:
            known = self._known[view] = [*self._truth_facts(view.terms), *self._equations(view.terms), *self._bounds(view)]
        return known

    def _truth_facts(self, terms: Sequence[Term]) -> list[Term]:
        facts = [terms[i] if truth else negate(terms[i]) for i, truth in self._truths.items()]
        for (i, j), seen in self._pairs.items():
            if len(seen) < 4 and i not in self._truths and j not in self._truths:
                facts += [_other(terms[i], x, terms[j], y) for x in (False, True) for y in (False, True) if (x, y) not in seen]
        return facts

    def _equations(self, terms: Sequence[Term]) -> list[Term]:
        facts = []
        for hull in self._hulls:
            for equation in hull.equations:
                left = combination(equation.parts, terms)
                facts.append(equal(left, const(equation.constant, left.sort)))
        return facts

    def _bounds(self, view: View) -> list[Term]:
        facts = []
        for term, found in zip(view.directions, self._ranges, strict=True):
            if found.is_constant:  # then it is among the equations
                continue
            if found.low is not None:
                facts.append(at_least(term, found.low))
            if found.high is not None:
                facts.append(at_most(term, found.high))
        return facts


def _other(a: Term, x: bool, b: Term, y: bool) -> Term:
    """Not both: a is x, and b is y."""
    return disj([negate(a) if x else a, negate(b) if y else b])


def _congruence(term: Term, remainder: tuple[int, int]) -> Term:
    modulus, rest = remainder
    return equal(build("mod", (term, const(modulus, INT))), const(rest, INT))
