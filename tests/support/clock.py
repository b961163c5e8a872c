"""How long tests wait: what must succeed has a limit against hanging only, so that a busy machine does not decide a test.

Deadlines of engines, transforms and solvers are on the work clock (``lemmata.work``), which a busy machine does not change: a
limit that must be hit is as short as one likes. Where a test waits for a process, ``LATE`` says how late it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from operator import mul
from typing import TypeVar
from unittest import mock

from lemmata import work
from lemmata.errors import GaveUp

Answer = TypeVar("Answer")
HANGS = 300.0  # seconds after which a test hangs, however busy the machine is
LATE = 30.0  # seconds that a limit may be late where ten processes share a processor


def in_time() -> float:
    """A deadline, on the work clock, that only something that hangs does not meet."""
    return work.now() + HANGS


def ticking() -> Iterator[float]:
    """A work clock that advances by a second at each look, from now on: a deadline on it is a number of looks."""
    return count(work.now())


@contextmanager
def within_work(seconds: float) -> Iterator[None]:
    """While inside, the user's limit is so many seconds of work away, instead of seconds."""

    def done() -> float:
        return sum(map(mul, work.tally, work.PRICES_NS)) * 1e-9

    with mock.patch.object(work, "monotonic", done):
        work.start(seconds)
        yield
    work.start()


def in_turns(ask: Callable[[float], Answer], first: float = 0.002, growth: float = 1.1) -> tuple[Answer, int]:
    """The answer of something that is interrupted and asked again, and how often it was interrupted; turns grow."""
    seconds, turns = first, 0
    while True:
        try:
            return ask(work.now() + seconds), turns
        except GaveUp as gave_up:
            assert gave_up.reason == "timeout" and seconds < HANGS, gave_up
            seconds, turns = seconds * growth, turns + 1
