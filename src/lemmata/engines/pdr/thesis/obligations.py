"""Proof obligations ``(t, ℓ, i)`` and their queue; with *caching* (4.3.1) the queue outlives its level.

An obligation knows how far it is from the error (its local level); its level is the global level minus that. The one with the
lowest level is next, so a chain is followed to its end before anything above it is looked at again.

Without caching every level begins with the initial obligations and finds the chain behind them anew. With caching it begins
with all obligations of the level before: they still lead to the error, and the deepest ones, found last, come first.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class ThesisObligation:
    """States of ``formula`` at ``place`` reach the error: by ``edge``, into the states of ``parent`` (``None``: at once)."""

    formula: Term
    place: int
    edge: int
    parent: ThesisObligation | None = None
    depth: int = 0

    def chain(self) -> list[ThesisObligation]:
        """This one and those that it leads to, the initial one last."""
        chain, link = list[ThesisObligation](), self
        while link.parent is not None:
            chain.append(link)
            link = link.parent
        return [*chain, link]


class CachingQueue:
    """Obligations of one level, the deepest first."""

    def __init__(self, keeps: bool) -> None:
        self._keeps = keeps
        self._heap: list[tuple[int, int, ThesisObligation]] = []
        self._known: dict[tuple[int, Term, int], ThesisObligation] = {}

    def __len__(self) -> int:
        return len(self._heap)

    def begin(self, initial: Iterable[ThesisObligation]) -> None:
        """A new level."""
        before = list(self._known.values()) if self._keeps else []
        self._known.clear()
        for obligation in [*before, *initial]:
            self.push(obligation)

    def listed(self) -> list[ThesisObligation]:
        """All that wait, the next one first."""
        return [obligation for _, _, obligation in sorted(self._heap, key=lambda item: item[:2])]

    def push(self, obligation: ThesisObligation) -> bool:
        """Add an obligation, unless the same states are there at the same level already."""
        key = obligation.place, obligation.formula, obligation.depth
        if key in self._known:
            return False
        heapq.heappush(self._heap, (-obligation.depth, len(self._known), obligation))
        self._known[key] = obligation
        return True

    def next(self) -> ThesisObligation:
        """The obligation with the lowest level; it stays."""
        return self._heap[0][2]

    def drop(self) -> None:
        """The next one is blocked."""
        heapq.heappop(self._heap)
