"""Reshape: give a box a slanted side (Welp, Kuehlmann 2013, section 3.2.2, algorithm 3).

The bad region of a linear invariant is covered by boxes whose corners lie on a line. So take the cube that was just found
(the pivot) and other cubes of the frame with the same kind of corner (the guides, nearest first), put a hyperplane through
the corners, and substitute it for one of the boundaries that meet in the corner. If the result is still unreachable from the
previous frame, keep it; expansion afterwards removes the other boundaries that became useless.

A corner is a choice of boundaries of different forms: variables as in the paper, or sums that an earlier reshape made, since
slanted sides meet in corners as well. The hyperplane must not cut the pivot, so each coefficient has the sign of its end.
``arity`` limits how many variables a boundary may have, since the number of sets of guides grows with it.
With ``directions`` (the mixed unit) planes through the corner parallel to the comparisons of the model, and diagonals, are
proposed after those of the guides. Where a cube pins several words to one value each, ``unequal`` proposes that a sum of them
modulo 2ʷ differs from what it is in an initial state: the complement of an equation, such as ``x - y ≠ 0``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm

from lemmata.engines.pdr.frames import Frames
from lemmata.engines.pdr.oracle import Cube
from lemmata.engines.pdr.word.frames import CubeLimits
from lemmata.engines.pdr.word.oracle import WordOracle
from lemmata.engines.pdr.word.units import Bound, Form, Vocabulary, WordState
from lemmata.logic.terms import Term

_GUIDES = 4  # nearest guides that are tried per corner
_LARGEST_COEFFICIENT = 1 << 16  # coefficients beyond this are noise
_PINNED_WORDS = 6  # words; where a cube pins more of them, their sums are too many
_PIVOTS = 100  # earlier cubes that are kept as guides
_FAILURES = 8  # failures after which a sum is not proposed any more

Corner = tuple[tuple[Form, bool], ...]  # forms and which end of each
_Point = tuple[int, ...]


class Reshape:
    """Slanted boundaries from the corners of other cubes."""

    def __init__(
        self, oracle: WordOracle, frames: Frames, arity: int, directions: Sequence[Mapping[Term, int]], diagonals: bool
    ) -> None:
        self._oracle = oracle
        self._vocabulary: Vocabulary = oracle.vocabulary
        self._frames = frames
        self._arity = arity
        self._directions = directions
        self._diagonals = diagonals
        self._failures: Counter[Form] = Counter()
        self._misses: Counter[tuple[Form, bool]] = Counter()
        self._pivots: list[tuple[Cube, int]] = []  # cubes as they were before, whose corners may still guide

    def reshape(self, cube: Cube, level: int) -> Cube | None:
        """The cube with slanted boundaries in place of unary ones, or ``None`` if no substitution works."""
        changed = False
        tried: set[int] = set()
        self._pivots.append((cube, level))
        del self._pivots[:-_PIVOTS]
        for corner in self._corners(cube):
            ends = self._ends(cube)
            if any(end not in ends for end in corner):
                continue  # an earlier substitution took this boundary
            for plane in self._planes(corner, tuple([ends[end][1] for end in corner]), level):
                if plane in tried or plane in cube:
                    continue
                tried.add(plane)
                better = self._substitute(cube, plane, [ends[end][0] for end in corner], level)
                if better is not None:
                    cube, changed = better, True
                    break
        return cube if changed else None

    def unequal(self, cube: Cube, level: int) -> Cube | None:
        """A sum of pinned words that differs from its value in an initial state, in place of their boundaries."""
        if not self._diagonals:
            return None
        ends = {(form.parts[0][0], is_upper): end for (form, is_upper), end in self._ends(cube).items() if form.is_unary}
        pinned = [v for v, is_upper in ends if is_upper and (v, False) in ends and ends[v, True][1] == ends[v, False][1]]
        if not 2 <= len(pinned) <= _PINNED_WORDS or (start := self._oracle.start(())) is None:
            return None
        for arity in range(2, min(self._arity, len(pinned)) + 1):
            for chosen in combinations(pinned, arity):
                if len({v.width for v in chosen}) == 1:
                    gone = {ends[v, is_upper][0] for v in chosen for is_upper in (False, True)}
                    rest = [x for x in cube if x not in gone]
                    point = {v: ends[v, True][1] for v in chosen}
                    for signs in product((1, -1), repeat=arity - 1):
                        found = self._differs(dict(zip(chosen, (1, *signs), strict=True)), point, start, rest, level)
                        if found is not None:
                            return found
        return None

    def _differs(
        self, coefficients: dict[Term, int], point: WordState, start: WordState, rest: list[int], level: int
    ) -> Cube | None:
        vocabulary = self._vocabulary
        width = next(iter(coefficients)).width
        offset = -sum([a * vocabulary.read(v, start[v]) for v, a in coefficients.items()])
        form = vocabulary.wrapping(coefficients, offset, width)
        here = sum([a * point[v] for v, a in coefficients.items()])
        if form is None or self._failures[form] >= _FAILURES or (here + offset) % (1 << width) == 0:
            return None
        trial = tuple(sorted([vocabulary.bound(form, False, 1), *rest]))
        if not self._oracle.initial(trial) and (core := self._oracle.inductive(trial, level)) is not None:
            return core
        self._failures[form] += 1
        return None

    def beyond(self, cube: Cube, level: int) -> Iterator[Cube]:
        """Single half-spaces parallel to the known directions that contain the whole cube and are blocked."""
        box = CubeLimits(self._vocabulary, cube)
        for direction in self._directions:
            form = self._vocabulary.form(direction)
            assert form is not None
            low, high = box.span(self._vocabulary, form)
            for is_upper, limit in ((False, low), (True, high)):
                number = self._vocabulary.bound(form, is_upper, limit)
                if not number or self._misses[form, is_upper] >= _FAILURES:
                    continue
                if not self._oracle.initial((number,)) and self._oracle.inductive((number,), level) is not None:
                    self._misses[form, is_upper] = 0
                    yield (number,)
                else:
                    self._misses[form, is_upper] += 1

    def _substitute(self, cube: Cube, plane: int, neighbours: list[int], level: int) -> Cube | None:
        """The plane in place of as many neighbour boundaries as possible, but at least one."""
        for gone in [neighbours, *[[b] for b in neighbours]] if len(neighbours) > 1 else [neighbours]:
            trial = tuple(sorted({plane, *[x for x in cube if x not in gone]}))
            if not self._oracle.initial(trial) and (core := self._oracle.inductive(trial, level)) is not None:
                return core
        return None

    def _ends(self, cube: Cube) -> dict[tuple[Form, bool], tuple[int, int]]:
        """The boundaries of a cube that do not wrap: literal and limit by form and end."""
        ends = {}
        for number in cube:
            match self._vocabulary.literals[number]:
                case Bound(form, is_upper, limit) if not form.wraps:
                    ends[form, is_upper] = number, limit
        return ends

    def _corners(self, cube: Cube) -> Iterator[Corner]:
        ends = sorted(self._ends(cube), key=lambda end: ([(v.number, a) for v, a in end[0].parts], end[1]))
        for arity in range(2, min(self._arity, len(ends)) + 1):
            for corner in combinations(ends, arity):
                variables = {v for form, _ in corner for v, _ in form.parts}
                if len({form for form, _ in corner}) == arity and len(variables) <= self._arity:
                    yield corner

    def _planes(self, corner: Corner, point: _Point, level: int) -> Iterator[int]:
        """Literals whose hyperplane goes through the corner; those of the nearest guides first."""
        guides = self._guides(corner, point, level)
        for chosen in combinations(guides, len(corner) - 1):
            yield from self._oriented(corner, point, _normal([_minus(guide, point) for guide in chosen]))
        if all(form.is_unary for form, _ in corner):
            variables = [form.parts[0][0] for form, _ in corner]
            for direction in self._directions:
                if set(direction) == set(variables):
                    yield from self._oriented(corner, point, [direction[v] for v in variables])
        if self._diagonals and len(corner) == 2:
            yield from self._oriented(corner, point, [-1 if is_upper else 1 for _, is_upper in corner])

    def _guides(self, corner: Corner, point: _Point, level: int) -> list[_Point]:
        """The same corners of other cubes, nearest first."""
        points = set()
        cubes = [lemma.cube for lemma in self._frames.from_level(level)]
        cubes += [cube for cube, known in self._pivots if known >= level]
        for cube in cubes:
            ends = self._ends(cube)
            if all(end in ends for end in corner):
                points.add(tuple([ends[end][1] for end in corner]))
        points.discard(point)
        return sorted(points, key=lambda other: (sum(map(abs, _minus(other, point))), other))[:_GUIDES]

    def _oriented(self, corner: Corner, point: _Point, normal: Sequence[int] | None) -> Iterator[int]:
        """``normal·x ≥ normal·point`` if that half-space contains everything that the corner's boundaries leave."""
        if normal is None or any(a == 0 or abs(a) > _LARGEST_COEFFICIENT for a in normal):
            return
        inward = [-1 if is_upper else 1 for _, is_upper in corner]
        signs = {a * s > 0 for a, s in zip(normal, inward, strict=True)}
        if len(signs) > 1:
            return
        turn = 1 if signs == {True} else -1
        coefficients: Counter[Term] = Counter()
        for (form, _), a in zip(corner, normal, strict=True):
            for v, b in form.parts:
                coefficients[v] -= turn * a * b
        limit = sum([-turn * a * x for a, x in zip(normal, point, strict=True)])
        if number := self._vocabulary.half_space(coefficients, limit):
            yield number


def _minus(one: _Point, two: _Point) -> _Point:
    return tuple([a - b for a, b in zip(one, two, strict=True)])


def _normal(vectors: Sequence[_Point]) -> list[int] | None:
    """An integer vector that is orthogonal to n - 1 vectors of n numbers; ``None`` if they leave more than one direction."""
    size = len(vectors) + 1
    rows = [[Fraction(x) for x in vector] for vector in vectors]
    pivots: list[int] = []
    for column in range(size):
        done = len(pivots)
        found = next((row for row in range(done, len(rows)) if rows[row][column]), None)
        if found is None:
            continue
        rows[done], rows[found] = rows[found], rows[done]
        rows[done] = [x / rows[done][column] for x in rows[done]]
        for row in range(len(rows)):
            if row != done and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[done], strict=True)]
        pivots.append(column)
    if len(pivots) != size - 1:
        return None
    free = next(column for column in range(size) if column not in pivots)
    normal = [Fraction(0)] * size
    normal[free] = Fraction(1)
    for row, column in enumerate(pivots):
        normal[column] = -rows[row][free]
    scale = lcm(*[x.denominator for x in normal])
    return [int(x * scale) for x in normal]
