"""Time slices for several properties, so that a hard one does not starve the others.

Each round visits every open property in file order and gives it the same slice; the next round's slice is twice as long. An
engine keeps its lemmas between slices, so little work is lost. The last open property gets all the time that is left. With a
deadline no slice is longer than an equal share of what remains, so every property has its turn before the end; but where there
are thousands of properties, an equal share would be too short for any of them, and the first ones get enough to settle them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

FIRST_SLICE = 2.0  # seconds
LEAST_SLICE = 0.05


def rounds(
    pending: set[int], deadline: float | None, clock: Callable[[], float] = monotonic
) -> Iterator[tuple[int, float | None]]:
    """Pairs (property, until); the caller removes from ``pending`` what needs no more time."""
    slice_s = FIRST_SLICE
    while pending:
        order = sorted(pending)
        for turn, prop in enumerate(order):
            if prop in pending:
                waiting = min(len(order) - turn, len(pending))
                yield prop, _until(slice_s, waiting, len(pending), deadline, clock())
        slice_s *= 2


def _until(slice_s: float, waiting: int, pending: int, deadline: float | None, now: float) -> float | None:
    if pending == 1:
        return deadline
    if deadline is None:
        return now + slice_s
    return min(now + min(slice_s, max((deadline - now) / waiting, LEAST_SLICE)), deadline)
