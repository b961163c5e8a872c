"""Limits of a worker process: how much memory it may take, and that it does not outlive its supervisor.

``RLIMIT_DATA`` counts the private memory of a process (heap and anonymous mappings), which is what a solver eats, and not the
libraries that it maps. It makes the allocation fail that would exceed the limit; the supervisor's own look at the resident
size catches what grows slowly in several workers together.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_MB = 1 << 20


def limit_memory(megabytes: int | None) -> None:
    """Let no allocation of this process go beyond ``megabytes``; and no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if megabytes is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = megabytes * _MB if hard == resource.RLIM_INFINITY else min(megabytes * _MB, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def die_with_parent(parent: int) -> None:
    """Ask Linux to end this process when its parent ends, also in the middle of a solver call."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(0)


def resident_mb(pid: int) -> float:
    """How much of a process is in memory now; 0 where the system does not tell or the process is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0.0
    return int(pages) * resource.getpagesize() / _MB
