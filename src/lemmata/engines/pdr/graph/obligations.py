"""Obligations and their queue.

An obligation asks: show that no state of ``cube`` has a derivation of height ``level`` or less. Lower levels come first
(required for termination within a level); among equals the one that is nearer to the error (heuristic: its lemmas matter more).
A *may* obligation is a guess: nothing bad follows if it is reached, it is merely forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from lemmata.engines.pdr.graph.cube import GraphCube
from lemmata.values import dataclass


@dataclass(slots=True, eq=False)
class GraphObligation:
    """Every state of ``cube`` takes part in reaching ``parent``'s cube through ``edge``."""

    cube: GraphCube
    level: int
    parent: GraphObligation | None = None
    edge: int = -1
    depth: int = 0  # edges to the root
    attempts: int = 0  # how often it was blocked before
    returns: int = 0  # how often it came back at a higher level
    is_may: bool = False
    is_over: bool = False  # reached, or not wanted any more


class GraphQueue:
    """Obligations by level; ``met`` is told of each that comes."""

    def __init__(self, met: Callable[[GraphObligation], None] | None = None) -> None:
        self._met = met
        self._heap: list[tuple[int, int, int, GraphObligation]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, obligation: GraphObligation) -> None:
        """Put an obligation in its place."""
        if self._met is not None:
            self._met(obligation)
        self._count += 1
        heappush(self._heap, (obligation.level, obligation.depth, self._count, obligation))

    def first(self) -> GraphObligation:
        """The obligation whose turn it is; it stays."""
        return self._heap[0][3]

    def pop(self) -> GraphObligation:
        """Take the obligation whose turn it is."""
        return heappop(self._heap)[3]

    def clear(self) -> None:
        """Forget all."""
        self._heap.clear()
