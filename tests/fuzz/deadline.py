"""Deadlines for single executions, in processor time: a busy machine makes no findings. On the clock 100 times that."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Hang(BaseException):
    """Time is up; a ``BaseException``, so that nobody on the way takes it for an answer."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise ``Hang`` in the body after that much work."""
    timers = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, 100 * seconds))
    before = [(number, signal.signal(number, _ring)) for _, number, _ in timers]
    for timer, _, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for timer, _, _ in timers:
            signal.setitimer(timer, 0)
        for number, handler in before:
            signal.signal(number, handler)


def _ring(number: int, frame: FrameType | None) -> None:
    raise Hang
