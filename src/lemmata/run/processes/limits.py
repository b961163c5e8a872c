"""Limits of a worker process: how much memory it may take, and that it does not outlive its supervisor.

A memory limit is about the resident memory that a worker has for itself, and it is the supervisor that looks at it
(``private_mb``), ten times a second: pages that a fork shares with a large notebook are not the worker's doing. The process'
own ``RLIMIT_DATA`` is only a backstop against one gigantic allocation, and a loose one: it counts what is reserved, on top of
what a fork begins with, and a solver reserves megabytes before it has seen a clause, so that a hundred frames reserve more than
they ever touch.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_MB = 1 << 20
OUT_OF_MEMORY = 3  # exit code of a worker
_RESERVED = 4  # times the limit may be reserved,
_AT_LEAST = 4096  # but at least so many megabytes


def limit_memory(megabytes: int | None) -> None:
    """Refuse allocations that are out of all proportion to a limit of ``megabytes``; and no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if megabytes is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = max(_RESERVED * megabytes, _AT_LEAST) * _MB + _data()
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _data() -> int:
    """How many bytes of data this process has reserved so far; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
    except (OSError, IndexError):
        return 0
    return int(pages) * resource.getpagesize()


def die_with_parent(parent: int) -> None:
    """Ask Linux to end this process when its parent ends, also in the middle of a solver call."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(0)


def resident_mb(pid: int) -> float:
    """How much of a process is in memory now, shared pages included; 0 where the system does not tell or it is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0.0
    return int(pages) * resource.getpagesize() / _MB


def cpu_s(pid: int) -> float:
    """How many seconds a process has worked, all threads together; infinitely many where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return math.inf


def private_mb(pid: int) -> float:
    """How much of a process is in memory now and shared with nobody; takes the system much longer to tell."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
