"""Trying cubes at one level.

A failed attempt leaves a transition into the larger cube; within one generalization the frame stays as it is, so a candidate
that has the target of such a transition but not its source needs no question. Nor does one with a state that is reached.
"""

from __future__ import annotations

from lemmata.engines.pdr.lifted.cube import Cube
from lemmata.engines.pdr.lifted.experience import Way
from lemmata.engines.pdr.lifted.oracle import SmtOracle


class Trial:
    """Tries cubes at one level, and remembers why they failed."""

    def __init__(self, oracle: SmtOracle, level: int) -> None:
        self.oracle = oracle
        self.level = level
        self.ways: list[Way] = []

    def inductive(self, cube: Cube) -> Cube | None:
        """The core of the cube if it is blocked at the level, else ``None``."""
        if any(way.leads_into(cube) for way in self.ways):
            return None
        if self.oracle.experience.is_reached(cube):
            return None
        answer = self.oracle.transition(cube, self.level)
        if isinstance(answer, Cube):
            return answer
        if answer is not None:
            self.ways.append(answer)
        return None
