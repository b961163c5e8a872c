"""Work that prints as it goes, in a process of its own: limits and Ctrl-C hold inside solver calls too.

The child writes to the same terminal; the parent only waits, and ends it at the deadline or at Ctrl-C. Where forking is not
safe (threads, other systems) or the output is not the process' own, the work is done here, and limits hold between queries.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

from click.exceptions import Exit

from lemmata.cli.guard import guarded
from lemmata.errors import GaveUp
from lemmata.run.limits import die_with_parent
from lemmata.run.process import can_fork

_GRACE = 1.0  # seconds past the limit, for work that ends by itself and tells what it has


def watched(work: Callable[[], int], seconds: float) -> int:
    """The exit code of ``work``; ``GaveUp("timeout")`` past the limit."""
    out = sys.__stdout__
    if out is None or sys.stdout is not out or not can_fork():
        return work()
    out.flush()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _child(work, parent)
    try:
        return _wait(child, time.monotonic() + seconds + _GRACE)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


def _wait(child: int, deadline: float) -> int:
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    raise GaveUp("timeout")


def _child(work: Callable[[], int], parent: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)

    def command() -> None:
        raise Exit(work())

    try:
        guarded(command)()
    except Exit as leave:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(leave.exit_code)
    os._exit(1)
