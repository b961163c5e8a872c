"""How long tests wait: what must succeed has a limit against hanging only, so that a busy machine does not decide a test.

A limit that must be hit is as short as one likes, and ``LATE`` says how late it may be noticed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TypeVar
from unittest import mock

from lemmata.errors import GaveUp

Answer = TypeVar("Answer")
HANGS = 300.0  # seconds after which a test hangs, however busy the machine is
LATE = 30.0  # seconds that a limit may be late where ten processes share a processor


def in_time() -> float:
    """A deadline that only something that hangs does not meet."""
    return time.monotonic() + HANGS


@contextmanager
def cpu_limit(seconds: float) -> Iterator[float]:
    """A deadline that engines reach after so many seconds of this process's own work, whatever else the machine does."""
    wall, work = time.monotonic(), time.process_time()
    with mock.patch.object(time, "monotonic", lambda: wall + time.process_time() - work):
        yield wall + seconds


def ticking() -> Iterator[float]:
    """A clock that advances by a second at each look, from now on: a deadline on it is a number of looks."""
    return count(time.monotonic())


def in_turns(ask: Callable[[float], Answer], first: float = 0.002, growth: float = 1.1) -> tuple[Answer, int]:
    """The answer of something that is interrupted and asked again, and how often it was interrupted.

    Turns grow, so that also a machine that is busy for whole turns gets on.
    """
    seconds, turns = first, 0
    while True:
        try:
            return ask(time.monotonic() + seconds), turns
        except GaveUp as gave_up:
            assert gave_up.reason == "timeout" and seconds < HANGS, gave_up
            seconds, turns = seconds * growth, turns + 1
