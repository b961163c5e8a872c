"""The live line: one line on a terminal that says what every engine is doing, and disappears at the end."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TextIO

from lemmata.escapes import printable
from lemmata.events import BoundReached, Progress, WorkerLost
from lemmata.report.heard import Heard

_WIDTH = 100  # where the terminal does not tell


class LiveLine:
    """Draws over itself; ``close`` wipes it away."""

    def __init__(self, stream: TextIO, about: str = "") -> None:
        """``about`` says what the line is about, where it is one of several things."""
        self._stream = stream
        self._about = [about] if about else []
        self._progress: dict[str, Progress] = {}
        self._lost: dict[str, str] = {}
        self._drawn = 0

    def hear(self, heard: Heard) -> None:
        """Remember the newest sign of life of each engine."""
        match heard.event:
            case Progress() as progress:
                self._progress[heard.engine] = progress
            case BoundReached(engine, bound):
                self._progress[heard.engine] = replace(self._progress.get(heard.engine, Progress(engine, bound)), bound=bound)
            case WorkerLost(engine, cause):
                self._lost[engine] = cause

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Draw the line anew."""
        states = {engine: _counts(progress) for engine, progress in self._progress.items()} | self._lost
        engines = [f"{engine}: {states[engine]}" for engine in sorted(states)] or ["reading"]
        self._draw(" | ".join([*self._about, f"{time_s:.1f} s", f"{memory_mb:.0f} MB", *engines]))

    def close(self) -> None:
        """Wipe the line away."""
        self._draw("")
        self._stream.write("\r")
        self._stream.flush()

    def _draw(self, line: str) -> None:
        line = printable(line)[: self._width() - 1]
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _WIDTH
        except (OSError, ValueError):
            return _WIDTH


def _counts(progress: Progress) -> str:
    counts = {
        "frames": progress.frames,
        "lemmas": progress.lemmas,
        "obligations": progress.obligations,
        "queries": progress.queries,
    }
    shown = [f"{_short(count)} {name}" for name, count in counts.items() if count]
    return ", ".join([*([f"bound {progress.bound}"] if progress.bound >= 0 else []), *shown]) or "at work"


def _short(count: int) -> str:
    return str(count) if count < 10_000 else f"{count // 1000}k"
