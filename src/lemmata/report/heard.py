"""``Heard``: an event with its circumstances, which is what live lines, streams and bug bundles are made of."""

from __future__ import annotations

from lemmata.events import Event
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Heard:
    """An event, its time (seconds since the start), the engine whose process told it, and the property's name."""

    time_s: float
    engine: str
    name: str | None
    event: Event
