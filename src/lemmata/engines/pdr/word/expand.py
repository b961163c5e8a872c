"""Expansion: from a cube that is blocked to the largest one that binary search finds.

Welp and Kuehlmann (2013) drop what the unsat core does not need and then move each remaining boundary outwards by binary
search. A failed attempt is not wasted here: the step that breaks it says how far the boundary may move at most.

With the mixed unit there are alternatives. The same cube bit by bit, which is how binary PDR generalizes, repairs parity-like
invariants, on which boundaries fail. Sums that wrap see equations, directions of the model see relations that the unsat core
overlooks. And a cube that is blocked at later levels, too, is also expanded there, since an expansion relative to the first
frames makes bounds that only count steps. The best lemma is the one that holds at most levels among those that exclude about
as many states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lemmata.config import WordOptions
from lemmata.engines.pdr.frames import Frames
from lemmata.engines.pdr.oracle import INFINITY, Cube
from lemmata.engines.pdr.word.oracle import WordOracle
from lemmata.engines.pdr.word.patience import Patience
from lemmata.engines.pdr.word.reshape import Reshape
from lemmata.engines.pdr.word.units import Bound, Form, Slice, Vocabulary
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term

_GUESSES = 40  # per boundary
_WORTH_BITS = 3.0  # bits that a lemma may say more if it holds for longer


class Expand:
    """The generalizer of word-level PDR."""

    def __init__(
        self, oracle: WordOracle, frames: Frames, options: WordOptions, reshape: Reshape | None, tick: Callable[[], None]
    ) -> None:
        self._oracle = oracle
        self._vocabulary: Vocabulary = oracle.vocabulary
        self._frames = frames
        self._options = options
        self._reshape = reshape
        self._tick = tick

    def reward(self, cube: Cube) -> None:
        """Nothing to remember."""

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """The best lemma that contains the cube."""
        found = [self._by_bounds(cube, level)]
        if self._options.unit == "mixed":
            found += self._alternatives(cube, level)
        if len(set(found)) == 1:
            return found[0]
        return self._best(list(dict.fromkeys(found)), level)

    def _alternatives(self, cube: Cube, level: int) -> Iterator[Cube]:
        """Other lemmas: in bits, as a sum that is not what it was, and one that is expanded where the cube is last blocked."""
        bits = self._as_bits(cube)
        if bits is not None and not self._oracle.initial(bits) and (core := self._oracle.inductive(bits, level)) is not None:
            yield self._drop(core, level)
        if self._reshape is not None:
            whole = self._oracle.asked
            if (related := self._reshape.unequal(whole, level)) is not None:
                yield self._drop(related, level)
            for side in self._reshape.beyond(whole, level):
                yield self._relax(side, side[0], level)
        if (last := self._reach(cube, level)) > level:
            yield self._expand(cube, last)

    def _best(self, cubes: list[Cube], level: int) -> Cube:
        """What holds for longer, as long as it does not say much less."""
        sizes = {cube: self._vocabulary.size(cube) for cube in cubes}
        least = min(sizes.values())
        able = [cube for cube in cubes if sizes[cube] <= least + _WORTH_BITS]
        return max(able, key=lambda cube: (self._reach(cube, level), -sizes[cube]))

    def _by_bounds(self, cube: Cube, level: int) -> Cube:
        cube = self._expand(cube, level)
        if self._reshape is not None:
            for _ in range(1, self._options.arity):  # a slanted side may meet another side in a corner again
                slanted = self._reshape.reshape(cube, level)
                if slanted is None:
                    break
                cube = self._expand(slanted, level)
        return cube

    def _expand(self, cube: Cube, level: int) -> Cube:
        cube = self._drop(cube, level)
        for number in self._by_effect(cube):
            if number in cube and isinstance(self._vocabulary.literals[number], Bound):
                cube = self._relax(cube, number, level)
        return cube

    def _reach(self, cube: Cube, level: int) -> int:
        """The highest level at which the lemma holds; one that is inductive alone holds for ever."""
        if self._oracle.inductive(cube, INFINITY) is not None:
            return INFINITY
        while level < self._frames.depth and self._oracle.inductive(cube, level) is not None:
            level += 1
        return level

    def _by_effect(self, cube: Cube) -> list[int]:
        """What says the most first: without it the cube grows the most."""
        return sorted(cube, key=lambda number: (-self._vocabulary.literals[number].bits, number))

    def _drop(self, cube: Cube, level: int) -> Cube:
        for number in self._by_effect(cube):
            if number in cube and len(cube) > 1:
                self._tick()
                smaller = tuple([x for x in cube if x != number])
                if not self._oracle.initial(smaller):
                    cube = self._oracle.inductive(smaller, level, Patience.QUICK) or cube
        return cube

    def _relax(self, cube: Cube, number: int, level: int) -> Cube:
        """Move one boundary outwards: a guess that holds moves it, one that fails says where it ends."""
        literal = self._vocabulary.literals[number]
        assert isinstance(literal, Bound)
        form, is_upper, good = literal.form, literal.is_upper, literal.limit
        out = 1 if is_upper else -1
        wall = (form.high if is_upper else form.low) + out  # a value that is known to be too far
        guess = wall - out
        for turn in range(_GUESSES):
            if guess == good:
                break
            self._tick()
            literal_at = self._vocabulary.bound(form, is_upper, guess)
            rest = tuple([x for x in cube if x != number])
            trial = tuple(sorted({*rest, literal_at})) if literal_at else rest
            broken = self._breaks(trial, form, guess, level) if trial else guess
            if broken is None:
                cube, number, good = trial, literal_at, guess
                if not literal_at:
                    break
            else:
                wall = guess if (guess - broken) * out < 0 or (broken - good) * out <= 0 else broken
            guess = wall - out if turn == 0 else _between(good, wall, out)
        return cube

    def _breaks(self, cube: Cube, form: Form, guess: int, level: int) -> int | None:
        """``None`` if the cube is blocked; else the value of the form in a state of the cube that is reached, or the guess."""
        start = self._oracle.meets(cube)
        if start is not None:
            return self._vocabulary.value(form, start)
        answer = self._oracle.step(cube, level)
        if isinstance(answer, tuple):
            return None
        if answer is None:
            return guess
        return self._vocabulary.value(form, self._oracle.after(answer, [v for v, _ in form.parts]))

    def _as_bits(self, cube: Cube) -> Cube | None:
        """Bits that every state of the cube has, if they are enough to say something."""
        vocabulary = self._vocabulary
        ends: dict[Term, list[int]] = {}
        literals: set[int] = set()
        for number in cube:
            match vocabulary.literals[number]:
                case Slice(variable, high, low, value):
                    literals |= {vocabulary.slice(variable, low + j, low + j, value >> j & 1) for j in range(high - low + 1)}
                case Bound(form, is_upper, limit) if form.is_unary:
                    variable = form.parts[0][0]
                    ends.setdefault(variable, list(vocabulary.range(variable)))[is_upper] = limit
        for variable, (low, high) in ends.items():
            literals |= set(self._common(variable, low, high))
        found = tuple(sorted(literals))
        return found if found and found != cube else None

    def _common(self, variable: Term, low: int, high: int) -> list[int]:
        """The leading bits that all numbers between ``low`` and ``high`` share."""
        width = 1 if variable.sort is BOOL else variable.width
        if low < 0 <= high:
            return []
        low, high = low & ((1 << width) - 1), high & ((1 << width) - 1)
        differ = (low ^ high).bit_length()
        return [self._vocabulary.slice(variable, j, j, low >> j & 1) for j in range(differ, width)]


def _between(good: int, wall: int, out: int) -> int:
    """The value in the middle, rounded towards ``good``, which is the answer when nothing lies between."""
    return good + out * (abs(wall - good) // 2)
