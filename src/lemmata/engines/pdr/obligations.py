"""Proof obligations and their queue.

``Obligation(cube, level)`` asks: show that ``cube`` is unreachable within ``level`` steps. Lower levels come first (required
for termination within a level); among equals the deeper one comes first, which follows one counterexample to its end
(heuristic). Eén, Mishchenko, Brayton 2011.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from lemmata.engines.pdr.oracle import Cube
from lemmata.values import dataclass


@dataclass(slots=True, eq=False)
class Obligation:
    """``cube`` steps with ``inputs`` into ``successor``'s cube, or, without successor, is bad with them."""

    cube: Cube
    level: int
    inputs: tuple[Any, ...]
    successor: Obligation | None = None
    depth: int = 0  # steps to the bad state
    attempts: int = 0  # how often it was blocked before
    returns: int = 0  # how often it came back at a higher level

    def path(self) -> list[Obligation]:
        """From this obligation to the bad state."""
        path = [self]
        while path[-1].successor is not None:
            path.append(path[-1].successor)
        return path


class ObligationQueue:
    """Obligations by level."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Obligation]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, obligation: Obligation) -> None:
        """Put an obligation in its place."""
        self._count += 1
        heappush(self._heap, (obligation.level, -obligation.depth, self._count, obligation))

    def pop(self) -> Obligation:
        """Take the obligation of the lowest level."""
        return heappop(self._heap)[3]
