"""Frames whose cubes are boxes and polytopes: inclusion is geometry, not set inclusion.

A cube lies in another one if it implies each of the other's literals. For integer cubes that is a comparison of interval ends
and exact; for polytopes it is a sufficient test (the same boundary with a tighter limit, or the box around the cube lies on
the right side), because an exact test would need a solver and a missed inclusion costs only time.

The state that stopped a lemma's push is a point; the lemma may move again when a newer lemma contains that point.
"""

from __future__ import annotations

from lemmata.engines.pdr.frames import Frames, Lemma
from lemmata.engines.pdr.oracle import Cube
from lemmata.engines.pdr.word.units import Bound, Form, Slice, Vocabulary, WordState
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term


class CubeLimits:
    """What a cube says about each form and about the bits of each variable."""

    __slots__ = ("fixed", "limits", "literals")

    def __init__(self, vocabulary: Vocabulary, cube: Cube) -> None:
        self.literals = frozenset(cube)
        self.limits: dict[Form, tuple[int, int]] = {}
        self.fixed: dict[Term, tuple[int, int]] = {}  # mask and value of the bits that are known
        for number in cube:
            match vocabulary.literals[number]:
                case Bound(form, is_upper, limit):
                    low, high = self.limits.get(form, (form.low, form.high))
                    self.limits[form] = (low, min(high, limit)) if is_upper else (max(low, limit), high)
                case Slice(variable, high, low, value):
                    mask, known = self.fixed.get(variable, (0, 0))
                    self.fixed[variable] = mask | ((2 << (high - low)) - 1) << low, known | value << low

    def span(self, vocabulary: Vocabulary, form: Form) -> tuple[int, int]:
        """An interval that contains the form in every state of the cube."""
        found = self.limits.get(form)
        if found is not None:
            return found
        if form.wraps:
            return form.low, form.high
        if form.is_unary:
            return self._by_bits(vocabulary, form.parts[0][0])
        low = high = 0
        for variable, a in form.parts:
            least, most = self.span(vocabulary, vocabulary.unary(variable))
            low += a * (least if a > 0 else most)
            high += a * (most if a > 0 else least)
        return low, high

    def _by_bits(self, vocabulary: Vocabulary, variable: Term) -> tuple[int, int]:
        if variable not in self.fixed or variable in vocabulary.signed:
            return vocabulary.range(variable)
        mask, value = self.fixed[variable]
        width = 1 if variable.sort is BOOL else variable.width
        return value, value | (((1 << width) - 1) & ~mask)

    def implies(self, vocabulary: Vocabulary, number: int) -> bool:
        """Is the literal true in every state of the cube? (``False`` may also mean: not seen.)"""
        if number in self.literals:
            return True
        match vocabulary.literals[number]:
            case Bound(form, is_upper, limit):
                low, high = self.span(vocabulary, form)
                return high <= limit if is_upper else low >= limit
            case Slice(variable, high, low, value):
                return self._implies_bits(vocabulary, variable, ((2 << (high - low)) - 1) << low, value << low)

    def _implies_bits(self, vocabulary: Vocabulary, variable: Term, mask: int, value: int) -> bool:
        known, bits = self.fixed.get(variable, (0, 0))
        if known & mask == mask:
            return bits & mask == value
        if variable.sort is BOOL:
            return False
        low, high = self.limits.get(vocabulary.unary(variable), (0, -1))
        return low == high and low & mask == value


class WordFrames(Frames):
    """Frames of word-level cubes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._boxes: dict[Cube, CubeLimits] = {}

    def box(self, cube: Cube) -> CubeLimits:
        """The cube as a box; remembered."""
        found = self._boxes.get(cube)
        if found is None:
            found = self._boxes[cube] = CubeLimits(self._vocabulary, cube)
        return found

    def includes(self, larger: Cube, smaller: Cube) -> bool:
        """Does ``smaller`` lie in ``larger``?"""
        box = self.box(smaller)
        return all(box.implies(self._vocabulary, number) for number in larger)

    def add(self, cube: Cube, level: int) -> Lemma:
        """A new lemma; the ones that it includes go."""
        for lemma in [lemma for lemmas in self.levels[: level + 1] for lemma in lemmas]:
            if self.includes(cube, lemma.cube):
                self.remove(lemma)
        return super().add(cube, level)

    def blocks(self, cube: Cube, level: int) -> bool:
        """Does a lemma of F_level contain the whole cube?"""
        return any(self.includes(lemma.cube, cube) for lemma in self.from_level(level))

    def unstick(self, level: int) -> list[Lemma]:
        """The lemmas at ``level`` that may move: new ones, and those whose stopping state a newer lemma contains."""
        start = self._tried.get(level, 0)
        news = {lemma.cube for lemma in self.history[start:] if lemma.level >= level}
        self._tried[level] = len(self.history)
        return [lemma for lemma in self.levels[level] if lemma.cti is None or self._moved(lemma.cti, news)]

    def _moved(self, state: WordState, news: set[Cube]) -> bool:
        return any(self._vocabulary.contains(cube, state) for cube in news)
