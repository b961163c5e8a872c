"""The live table: a row for each property on which work has begun, drawn over itself on a terminal, gone at the end.

One row is selected; ``cli.keys`` moves the selection. Whatever is too long for the terminal is cut, and of too many rows those
around the selected one are shown.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

from lemmata.escapes import printable
from lemmata.events import BoundReached, Certified, Event, EventRecord, Progress, PropertyStarted
from lemmata.values import dataclass

_HEAD = ("property", "state", "engine", "depth", "seconds")
_KEYS = "↑ ↓ select, s skip the property, q stop"
_AT_WORK, _SKIPPED = "at work", "skipped"
_SIZE = os.terminal_size((100, 24))  # where the terminal does not tell
_OTHER_LINES = 4  # limits, head, keys, and the line of the cursor


@dataclass(slots=True)
class _Row:
    """What is known of one property; ``ended_s`` once it is settled or skipped."""

    started_s: float
    engine: str
    state: str = _AT_WORK
    depth: int = -1
    ended_s: float | None = None


class LiveTable:
    """Draws over itself; ``close`` wipes it away."""

    def __init__(self, stream: TextIO, limit_s: float | None = None, limit_mb: int | None = None) -> None:
        self._stream = stream
        self._limits = limit_s, limit_mb
        self._rows: dict[str, _Row] = {}
        self._selected = 0
        self._drawn = 0
        self._now_s = 0.0

    def hear(self, record: EventRecord) -> None:
        """Note what an event says of its property; the deepest of several engines counts."""
        name = _property(record)
        if name is None:
            return
        row = self._rows.setdefault(name, _Row(record.time_s, record.engine))
        match record.event:
            case Certified(verdict=verdict):
                row.state, row.engine, row.ended_s = verdict, record.engine, record.time_s
            case Progress(bound=bound) | BoundReached(bound=bound) if row.ended_s is None and bound > row.depth:
                row.depth, row.engine = bound, record.engine

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Draw the table anew."""
        self._now_s = time_s
        columns, height = self._size()
        seconds, megabytes = self._limits
        time = f"{time_s:.1f} s" if seconds is None else f"{time_s:.1f} of {seconds:g} s"
        memory = f"{memory_mb:.0f} MB" if megabytes is None else f"{memory_mb:.0f} of {megabytes} MB"
        rows = [_cells(name, row, time_s) for name, row in self._rows.items()]
        most = max(1, height - _OTHER_LINES)
        first = max(0, min(self._selected - most // 2, len(rows) - most))
        lines = _aligned([_HEAD, *rows[first : first + most]])
        marked = [f"{'>' if k == self._selected - first + 1 else ' '} {line}" for k, line in enumerate(lines)]
        self._draw([f"{time} | {memory}", *(marked if rows else ["reading"]), _KEYS], columns)

    def close(self) -> None:
        """Wipe the table away."""
        self._draw([], _SIZE.columns)

    # What keys ask for.

    def select(self, by: int) -> None:
        """Move the selection; it stays on the table."""
        self._selected = max(0, min(self._selected + by, len(self._rows) - 1))

    def skip(self) -> str | None:
        """Mark the selected property as skipped; its name, unless it is over already."""
        for number, (name, row) in enumerate(self._rows.items()):
            if number == self._selected and row.ended_s is None:
                row.state, row.ended_s = _SKIPPED, self._now_s
                return name
        return None

    def _draw(self, lines: Sequence[str], columns: int) -> None:
        up = f"\x1b[{self._drawn}A" if self._drawn else ""
        text = "".join(f"{printable(line)[: columns - 1]}\x1b[K\n" for line in lines)
        self._stream.write(f"\r{up}{text}\x1b[J")
        self._stream.flush()
        self._drawn = len(lines)

    def _size(self) -> os.terminal_size:
        try:
            found = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            return _SIZE
        return found if found.columns and found.lines else _SIZE


def _property(record: EventRecord) -> str | None:
    event: Event = record.event
    return event.name if isinstance(event, PropertyStarted | Certified) else record.name


def _cells(name: str, row: _Row, now_s: float) -> tuple[str, ...]:
    seconds = (now_s if row.ended_s is None else row.ended_s) - row.started_s
    return name, row.state, row.engine, str(row.depth) if row.depth >= 0 else "-", f"{max(0.0, seconds):.1f}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
