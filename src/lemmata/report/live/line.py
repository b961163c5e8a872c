"""The live line: one line on a terminal that says what every engine is doing, and disappears at the end."""

from __future__ import annotations

import os
from typing import TextIO

from lemmata.escapes import printable
from lemmata.events import BoundReached, EventRecord, Progress, WorkerLost

_WIDTH = 100  # where the terminal does not tell


class LiveLine:
    """Draws over itself; ``close`` wipes it away."""

    def __init__(self, stream: TextIO, about: str = "", limit_s: float | None = None, limit_mb: int | None = None) -> None:
        """``about`` says what the line is about, where it is one of several things."""
        self._stream = stream
        self._about = [about] if about else []
        self._limits = limit_s, limit_mb
        self._progress: dict[str, dict[str | None, Progress]] = {}  # by engine and property, the newest property last
        self._lost: dict[str, str] = {}
        self._drawn = 0

    def hear(self, record: EventRecord) -> None:
        """Remember the newest sign of life of each engine; what it counts on a property only grows."""
        match record.event:
            case Progress() as progress:
                self._note(record, progress)
            case BoundReached(engine, bound):
                self._note(record, Progress(engine, bound))
            case WorkerLost(engine, cause):
                self._lost[engine] = cause

    def _note(self, record: EventRecord, new: Progress) -> None:
        known = self._progress.setdefault(record.engine, {})
        old = known.pop(record.name, None)
        known[record.name] = new if old is None else _later(old, new)

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Draw the line anew."""
        states = {engine: self._state(known) for engine, known in self._progress.items()} | self._lost
        engines = [f"{engine}: {states[engine]}" for engine in sorted(states)] or ["reading"]
        seconds, megabytes = self._limits
        time = f"{time_s:.1f} s" if seconds is None else f"{time_s:.1f} of {seconds:g} s"
        memory = f"{memory_mb:.0f} MB" if megabytes is None else f"{memory_mb:.0f} of {megabytes} MB"
        self._draw(_fitting(printable(" | ".join([*self._about, time, memory, *engines])), self._width() - 1))

    def _state(self, known: dict[str | None, Progress]) -> str:
        name, progress = list(known.items())[-1]
        is_one_of_several = len({prop for props in self._progress.values() for prop in props}) > 1
        return f"{name}, {_counts(progress)}" if name is not None and is_one_of_several else _counts(progress)

    def close(self) -> None:
        """Wipe the line away."""
        self._draw("")
        self._stream.write("\r")
        self._stream.flush()

    def _draw(self, line: str) -> None:
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _WIDTH
        except (OSError, ValueError):
            return _WIDTH


def _fitting(line: str, width: int) -> str:
    """The line without the counts and engines at its end that do not fit; a count is whole or not there."""
    if len(line) <= width:
        return line
    ends = [end for end in (line.rfind(sign, 0, width + 1) for sign in (", ", " | ")) if end > 0]
    return line[: max(ends)] if ends else line[:width]


def _later(old: Progress, new: Progress) -> Progress:
    """The newer one, with counts that do not go back."""
    return Progress(
        new.engine,
        max(old.bound, new.bound),
        max(old.frames, new.frames),
        max(old.lemmas, new.lemmas),
        new.obligations,
        max(old.queries, new.queries),
    )


def _counts(progress: Progress) -> str:
    counts = [
        (progress.frames, "frame", "frames"),
        (progress.lemmas, "lemma", "lemmas"),
        (progress.obligations, "obligation", "obligations"),
        (progress.queries, "query", "queries"),
    ]
    shown = [f"{_short(count)} {one if count == 1 else many}" for count, one, many in counts if count]
    return ", ".join([*([f"bound {progress.bound}"] if progress.bound >= 0 else []), *shown]) or "at work"


def _short(count: int) -> str:
    return str(count) if count < 10_000 else f"{count // 1000}k"
