"""Keys that are pressed while a live table is on the terminal: one property is skipped, or the run is stopped.

Keys come without a line end and are not shown meanwhile; the terminal is as it was afterwards, however the run ends (Ctrl-C and
Ctrl-Z keep their meaning). A run in the background has no keys: to touch the terminal would stop it.
"""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from lemmata.report.live.table import LiveTable
from lemmata.run import StopOrder

_ARROWS = {b"\x1b[A": b"k", b"\x1b[B": b"j", b"\x1bOA": b"k", b"\x1bOB": b"j"}


@contextmanager
def pressed_keys(terminal: int) -> Iterator[None]:
    """Inside, keys come one by one."""
    if not _is_ours(terminal):
        yield
        return
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSANOW)
    try:
        yield
    finally:
        if _is_ours(terminal):
            termios.tcsetattr(terminal, termios.TCSANOW, before)


def key_orders(terminal: int, table: LiveTable) -> Iterator[StopOrder]:
    """What the keys mean that were pressed since the last time; ``q`` is an interruption."""
    if not _is_ours(terminal) or not select.select([terminal], [], [], 0)[0]:
        return
    typed = os.read(terminal, 1024)
    for arrow, letter in _ARROWS.items():
        typed = typed.replace(arrow, letter)
    for key in typed.decode("ascii", "ignore"):
        match key:
            case "k":
                table.select(-1)
            case "j":
                table.select(1)
            case "s" if (name := table.skip()) is not None:
                yield StopOrder(prop=name)
            case "q":
                raise KeyboardInterrupt


def _is_ours(terminal: int) -> bool:
    """Is it a terminal, with this process in its foreground?"""
    try:
        return os.isatty(terminal) and os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
