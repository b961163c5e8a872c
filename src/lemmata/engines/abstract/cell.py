"""``Cell``: everything that is known about the states of one cell of one location, as the join of the points seen there.

The product of three domains: affine equations, ranges of directions, and Booleans (constants, and pairs of Booleans with the
combinations that occur). The solver sees them together, so each domain profits from the others without a reduction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.abstract.hull import Hull
from lemmata.engines.abstract.ranges import Direction, Range
from lemmata.engines.abstract.shape import Shape, combination, number
from lemmata.logic.build import build, disj, equal, negate
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import Term, Value

Point = Sequence[Value]  # a value per variable of the location; anything for those that are not tracked


class Cell:
    """Begins with one point and grows."""

    __slots__ = ("_hulls", "_pairs", "_ranges", "_shape", "_truths")

    def __init__(self, shape: Shape, point: Point) -> None:
        self._shape = shape
        self._hulls = [Hull(where, point) for sort in (INT, REAL) if (where := shape.positions(sort))]
        self._ranges = [Range(direction.at(point), shape.delay) for direction in shape.directions]
        self._truths = {i: point[i] for i in shape.positions(BOOL)}
        self._pairs = {(i, j): {(point[i], point[j])} for i, j in shape.pairs}

    def join(self, point: Point) -> bool:
        """Take a point in; does that change what ``facts`` says?"""
        changed = [hull.join(point) for hull in self._hulls]
        changed += [r.join(d.at(point), d) for r, d in zip(self._ranges, self._shape.directions, strict=True)]
        for i, truth in list(self._truths.items()):
            if truth != point[i]:
                del self._truths[i]
                changed.append(True)
        for (i, j), seen in self._pairs.items():
            changed.append((point[i], point[j]) not in seen)
            seen.add((point[i], point[j]))
        return any(changed)

    def facts(self, terms: Sequence[Term]) -> list[Term]:
        """What all points have in common, over ``terms`` in the place of the location's variables."""
        facts = [terms[i] if truth else negate(terms[i]) for i, truth in self._truths.items()]
        facts += [clause for (i, j), seen in self._pairs.items() for clause in self._clauses(i, j, seen, terms)]
        for hull in self._hulls:
            for e in hull.equations:
                facts.append(equal(combination(e.parts, terms), number(e.constant, terms, e.parts[0][0])))
        for direction, found in zip(self._shape.directions, self._ranges, strict=True):
            facts += _range_facts(direction, found, terms)
        return facts

    def _clauses(self, i: int, j: int, seen: set[tuple[bool, bool]], terms: Sequence[Term]) -> list[Term]:
        if i in self._truths or j in self._truths:
            return []
        a, b = terms[i], terms[j]
        return [
            disj([negate(a) if x else a, negate(b) if y else b])
            for x in (False, True)
            for y in (False, True)
            if (x, y) not in seen
        ]


def _range_facts(direction: Direction, found: Range, terms: Sequence[Term]) -> list[Term]:
    if found.low is None and found.high is None and found.remainder is None:
        return []
    value = combination(direction.parts, terms)
    somewhere = direction.parts[0][0]
    facts = []
    if found.low is not None:
        facts.append(build("<=", (number(found.low, terms, somewhere), value)))
    if found.high is not None:
        facts.append(build("<=", (value, number(found.high, terms, somewhere))))
    if found.remainder is not None:
        modulus, rest = found.remainder
        facts.append(equal(build("mod", (value, number(modulus, terms, somewhere))), number(rest, terms, somewhere)))
    return facts
