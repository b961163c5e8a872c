"""Frames per location, stored as differences: a lemma sits at the highest level where it is known to hold.

F_i(ℓ) is the conjunction of the lemmas of ℓ at levels ≥ i; it contains every state at ℓ with a derivation of height ≤ i.
F_0 is empty. ``log`` tells the oracle's solvers what is new at a location, so that each takes it up when it is next asked.
"""

from __future__ import annotations

from collections import defaultdict

from lemmata.engines.pdr.graph.cube import GraphCube, Limits, limits_imply, shape
from lemmata.engines.pdr.oracle import INFINITY

_GONE = -1  # the level of a lemma that a stronger one replaced


class GraphLemma:
    """¬cube holds up to ``level``; ``tried`` is how long the log was when its push last failed."""

    __slots__ = ("cube", "level", "shape", "tried")

    def __init__(self, cube: GraphCube, level: int) -> None:
        self.cube = cube
        self.level = level
        self.shape: Limits = shape(cube.literals)
        self.tried = -1


class GraphFrames:
    """Lemmas by location; dictionaries are used as ordered sets."""

    def __init__(self) -> None:
        self.lemmas: defaultdict[int, dict[GraphLemma, None]] = defaultdict(dict)
        self.log: defaultdict[int, list[tuple[GraphCube, int]]] = defaultdict(list)
        self.changes = 0
        self.eternal = 0  # lemmas that hold for ever, counted when they come

    def __len__(self) -> int:
        return sum(map(len, self.lemmas.values()))

    def all(self) -> list[GraphLemma]:
        """Every lemma, by location and age."""
        return [lemma for location in sorted(self.lemmas) for lemma in self.lemmas[location]]

    def at(self, location: int, level: int) -> list[GraphLemma]:
        """The lemmas of F_level(location)."""
        return [lemma for lemma in self.lemmas[location] if lemma.level >= level]

    def add(self, cube: GraphCube, level: int) -> GraphLemma:
        """A new lemma; those that it makes superfluous go."""
        here = self.lemmas[cube.location]
        for old in [old for old in here if old.level <= level and limits_imply(old.shape, cube.literals)]:
            del here[old]
            old.level = _GONE
        lemma = GraphLemma(cube, level)
        here[lemma] = None
        self._note(lemma)
        return lemma

    def raise_to(self, lemma: GraphLemma, level: int) -> None:
        """The same lemma holds at a higher level."""
        lemma.level = level
        here = self.lemmas[lemma.cube.location]
        weaker = [x for x in here if x is not lemma and x.level <= level and limits_imply(x.shape, lemma.cube.literals)]
        for old in weaker:
            del here[old]
            old.level = _GONE
        self._note(lemma)

    def _note(self, lemma: GraphLemma) -> None:
        self.changes += 1
        self.eternal += lemma.level == INFINITY
        self.log[lemma.cube.location].append((lemma.cube, lemma.level))

    def blocks(self, cube: GraphCube, level: int) -> bool:
        """Does a lemma of F_level exclude the whole cube?"""
        small = shape(cube.literals)
        return any(lemma.level >= level and limits_imply(small, lemma.cube.literals) for lemma in self.lemmas[cube.location])
