"""Families of processes, read from Linux's ``/proc``: who belongs to a run, and what do they use together?

A run may fork, and limits set on one process say nothing about its children. So a run starts a session of its own, and its
family is everyone in that session and every descendant of such a process. A process that leaves its session *and* outlives
its parent escapes; no known model checker does that.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path

from lemmata.values import dataclass

PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True, slots=True)
class _Process:
    """What one process has used so far; ``cpu_s`` includes the children that it has waited for."""

    pid: int
    parent: int
    session: int
    is_zombie: bool
    cpu_s: float
    memory_mb: float


def read_output(pid: int) -> _Process | None:
    """The process now, or ``None`` if it is gone."""
    try:
        text = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    fields = text[text.rindex(b")") + 2 :].split()  # the command's name, before it, may contain anything
    return _Process(
        pid=pid,
        parent=int(fields[1]),
        session=int(fields[3]),
        is_zombie=fields[0] == b"Z",
        cpu_s=sum(map(int, fields[11:15])) / _TICKS,
        memory_mb=int(fields[21]) * _PAGE_MB,
    )


def family(root: int) -> list[_Process]:
    """``root``, everyone in the session that it leads, and all their descendants. Costs a walk through ``/proc``."""
    pids = (int(entry) for entry in os.listdir(PROC) if entry.isdigit())  # noqa: PTH208 (names only, many times a second)
    everyone = [process for process in map(read_output, pids) if process]
    members = {process.pid for process in everyone if root in (process.pid, process.session)}
    size = 0
    while size != len(members):
        size = len(members)
        members.update(process.pid for process in everyone if process.parent in members)
    return [process for process in everyone if process.pid in members]


def kill(root: int) -> None:
    """Kill the family of ``root``, which must still be our unreaped child: so no number can have passed to a stranger."""
    for _ in range(10):  # a member may fork while we walk
        living = [process.pid for process in family(root) if not process.is_zombie]
        if not living:
            return
        for pid in living:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def shared_memory_mb(processes: Iterable[_Process]) -> float:
    """The family's memory with each shared page counted once, as far as the kernel tells; slower than adding ``memory_mb``."""
    return sum(_proportional_mb(process) for process in processes)


def _proportional_mb(process: _Process) -> float:
    try:
        lines = (PROC / str(process.pid) / "smaps_rollup").read_text().splitlines()
    except PermissionError:
        return process.memory_mb
    except OSError:  # it is gone, or the kernel does not tell
        lines = []
    for line in lines:
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    left = read_output(process.pid)
    return 0.0 if left is None else left.memory_mb  # whose pages are counted with those who still share them
