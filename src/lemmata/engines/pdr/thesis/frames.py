"""Local frames: every location has its own F_0, F_1, … (figure 3.2, lines 3 to 10).

F_0 is *true* at ℓ_0 and *false* elsewhere, later frames begin as *true*. A formula that is added at a level is added to all
levels below as well, so one number per formula says it all.
"""

from __future__ import annotations

from lemmata.logic.terms import Term
from lemmata.steps.thesis import FrameCell


class ThesisFrames:
    """The frames of all locations; ``level`` is the highest."""

    def __init__(self, start: int) -> None:
        self.level = 0
        self._start = start
        self._lemmas: dict[int, dict[Term, int]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._lemmas.values()))

    def add(self, place: int, lemma: Term, level: int) -> bool:
        """F_j ∧ lemma for every j ≤ level; was it new at that level?"""
        own = self._lemmas.setdefault(place, {})
        if own.get(lemma, -1) >= level:
            return False
        own[lemma] = level
        return True

    def is_false(self, place: int, level: int) -> bool:
        """Did this frame begin as *false*?"""
        return level == 0 and place != self._start

    def at(self, place: int, level: int) -> list[Term]:
        """What was added to F_level."""
        return [lemma for lemma, highest in self._lemmas.get(place, {}).items() if highest >= level]

    def changed(self, place: int, level: int) -> list[Term]:
        """What F_{level-1} has and F_level has not."""
        return [lemma for lemma, highest in self._lemmas.get(place, {}).items() if highest == level - 1]

    def row(self, place: int) -> tuple[FrameCell, ...]:
        """The cells of one location in the table."""
        return tuple([self.cell(place, level) for level in range(self.level + 1)])

    def cell(self, place: int, level: int) -> FrameCell:
        """One frame as a cell."""
        return FrameCell(not self.is_false(place, level), tuple(self.at(place, level)))
