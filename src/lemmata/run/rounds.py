"""Slices of work for several properties, so that a hard one does not starve the others.

Each round visits every open property in file order and gives it the same slice; the next round's slice is twice as long. An
engine keeps its lemmas between slices, so little work is lost. The last open property gets all the time that is left. With a
deadline no slice is longer than an equal share of what remains, so every property has its turn before the end; but where there
are thousands of properties, an equal share would be too short for any of them, and the first ones get enough to settle them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from lemmata.budgets import FIRST_SLICE_S, LEAST_SLICE_S
from lemmata.work import FOREVER, now, wall_left


def rounds(pending: set[int], answered: Callable[[], Collection[int]] = tuple) -> Iterator[tuple[int, float]]:
    """Pairs (property, until); the caller removes from ``pending`` what needs no more time.

    What is ``answered`` already, by an engine that works on several at once, comes before the next property.
    """
    slice_s = FIRST_SLICE_S
    while pending:
        order = sorted(pending)
        for turn, prop in enumerate(order):
            for known in sorted(answered()):
                yield known, now() + slice_s
            if prop in pending:
                waiting = min(len(order) - turn, len(pending))
                yield prop, FOREVER if len(pending) == 1 else now() + _length(slice_s, waiting, wall_left())
        slice_s *= 2


def _length(slice_s: float, waiting: int, left_s: float | None) -> float:
    return slice_s if left_s is None else min(slice_s, max(left_s / waiting, LEAST_SLICE_S))
