"""Frames F_1 … F_k and F_∞, stored as differences: a lemma sits only at the highest level where it is known to hold.

F_i is the conjunction of all lemmas at levels ≥ i. ``Frames`` is bookkeeping without a solver: subsumption in both
directions, and what each level holds. (Bradley 2011; the difference encoding is from Eén, Mishchenko, Brayton 2011.)
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from lemmata.engines.pdr.oracle import INFINITY, Cube
from lemmata.values import dataclass

_GONE = -1  # the level of a lemma that a stronger one replaced


@dataclass(frozen=True, slots=True)
class Fixpoint:
    """What each PDR page ends with when it proves: F_level is inductive and meets no bad state."""

    level: int


class Lemma:
    """¬cube holds up to ``level``; ``cti`` is the state that stopped its last push."""

    __slots__ = ("cti", "cube", "level", "literals", "mortal")

    def __init__(self, cube: Cube, level: int) -> None:
        self.cube = cube
        self.literals = frozenset(cube)
        self.level = level
        self.cti: Any = None  # a state in the oracle's own notation
        self.mortal = -1  # how many lemmas had come to F_∞ when this one was not inductive relative to it


class Frames:
    """Lemmas by level."""

    def __init__(self) -> None:
        self.levels: list[dict[Lemma, None]] = [{}]
        self.forever: dict[Lemma, None] = {}
        self.history: list[Lemma] = []
        self._tried: dict[int, int] = {}  # how much of the history the last pushes from a level knew
        self._having: defaultdict[int, set[Lemma]] = defaultdict(set)  # lemmas by each of their literals
        self._home: defaultdict[int, set[Lemma]] = defaultdict(set)  # lemmas by one of their literals

    @property
    def depth(self) -> int:
        """The highest open level."""
        return len(self.levels) - 1

    def __len__(self) -> int:
        return sum(map(len, self.levels)) + len(self.forever)

    def open(self) -> None:
        """One more level."""
        self.levels.append({})

    def at(self, level: int) -> dict[Lemma, None]:
        """The lemmas that sit exactly at ``level``."""
        return self.forever if level == INFINITY else self.levels[level]

    def from_level(self, level: int) -> list[Lemma]:
        """The lemmas of F_level."""
        above = [lemma for lemmas in self.levels[level:] for lemma in lemmas] if level != INFINITY else []
        return above + list(self.forever)

    def add(self, cube: Cube, level: int) -> Lemma:
        """A new lemma; the ones that it subsumes go."""
        supersets = set.intersection(*[self._having[lit] for lit in cube]) if cube else set()
        for weaker in [lemma for lemma in supersets if lemma.level <= level]:
            self.remove(weaker)
        lemma = Lemma(cube, level)
        self.at(level)[lemma] = None
        for lit in cube:
            self._having[lit].add(lemma)
        self._home[self._home_of(cube)].add(lemma)
        self._note(lemma)
        return lemma

    def remove(self, lemma: Lemma) -> None:
        """Forget a lemma."""
        del self.at(lemma.level)[lemma]
        lemma.level = _GONE
        for lit in lemma.cube:
            self._having[lit].discard(lemma)
            self._home[lit].discard(lemma)

    def move(self, lemma: Lemma, level: int) -> None:
        """The same lemma, at a higher level."""
        del self.at(lemma.level)[lemma]
        lemma.level = level
        lemma.cti = None
        self.at(level)[lemma] = None
        self._note(lemma)

    def blocks(self, cube: Cube, level: int) -> bool:
        """Does a lemma of F_level exclude the whole cube?"""
        literals = frozenset(cube)
        home = self._home
        for lit in cube:
            for lemma in home.get(lit, ()):
                if lemma.level >= level and lemma.literals <= literals:
                    return True
        return False

    def unstick(self, level: int) -> list[Lemma]:
        """The lemmas at ``level`` that may move: new ones, and those whose stopping state a newer lemma excludes."""
        news = {lemma for lemma in self.history[self._tried.get(level, 0) :] if lemma.level >= level}
        fresh = [frozenset([-lit for lit in lemma.cube]) for lemma in news]
        self._tried[level] = len(self.history)
        movable = []
        for lemma in self.levels[level]:
            state = lemma.cti
            if state is None or any(map(state.isdisjoint, fresh)):  # latches that the state does not tell may be either
                movable.append(lemma)
        return movable

    def _note(self, lemma: Lemma) -> None:
        self.history.append(lemma)

    def _home_of(self, cube: Cube) -> int:
        return min(cube, key=lambda lit: len(self._home[lit])) if cube else 0
