"""Signs of life: ``Progress`` events, at most five per second, however often an engine offers one."""

from __future__ import annotations

from lemmata import work
from lemmata.budgets import PULSE_S
from lemmata.events import Listener, Progress


class Pulse:
    """Passes progress on to a listener, now and then."""

    __slots__ = ("_listener", "_next")

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._next = 0.0

    def beat(self, engine: str, bound: int, frames: int, queries: int) -> None:
        """Tell where the engine is, if the last time is long enough ago."""
        now = work.now()
        if now >= self._next:
            self._next = now + PULSE_S
            self._listener(Progress(engine, bound, frames=frames, queries=queries))
