"""Every command but ``check`` and ``bench``, which have their own supervisors, works in a process of its own.

The child writes to the same terminal; the parent only waits, and ends it at a limit or at Ctrl-C (``run.processes.limited``).
Where forking is not safe (threads, other systems) or the output is not the process' own, the work is done here, and limits
hold between queries.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import cast

from click.exceptions import Exit

from lemmata.run.processes.limited import limited
from lemmata.run.processes.process import can_fork
from lemmata.work import within


def watched(work: Callable[[], int], seconds: float | None, memory_mb: int | None = None) -> int:
    """The exit code of ``work``; ``GaveUp`` past a limit."""
    if sys.stdout is not sys.__stdout__ or not can_fork():
        with within(seconds):
            return work()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return cast("int", limited(lambda: _code(work), seconds, memory_mb))


def _code(work: Callable[[], int]) -> int:
    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
    except Exit as leave:
        return leave.exit_code
    return code
