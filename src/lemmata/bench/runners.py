"""One run: a command in a process family of its own, under limits, measured.

The limits are the family's: CPU seconds and memory are added up over all its processes by looking at ``/proc`` some times per
second, and wall time (ten times the CPU limit and a little) only ends runs that sleep, not those that a busy machine keeps
waiting. ``RLIMIT_CPU`` and ``RLIMIT_AS`` lie underneath as a net, in case this process is too busy to look. The CPU time
reported is the kernel's own account of the child and the children that it waited for (``wait4``), or what was last seen in
``/proc`` if that is more, as with children that were killed together with their parent.

The result is a value; nothing is decided here about verdicts.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from lemmata.bench import processes
from lemmata.values import dataclass

Stop = Literal["", "cpu", "wall", "memory"]

_LOOK_EVERY_S = 0.05
_SEARCH_EVERY_S = 0.25  # a walk through /proc finds new members; between walks only the known ones are read
_OUTPUT_BYTES = 64 * 2**20  # of a contestant that are read


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What each run may use, with all its processes."""

    cpu_s: float
    memory_mb: int

    @property
    def wall_s(self) -> float:
        """Wall seconds after which a run is ended even if it slept all the time."""
        return 10 * self.cpu_s + 5


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run left behind. ``stopped`` says which limit ended it; a negative ``exit_code`` is a signal."""

    exit_code: int
    stopped: Stop
    cpu_s: float
    wall_s: float
    memory_mb: float
    stdout: str
    stderr: str


class MeasuredRun:
    """A command that runs in ``scratch``. ``poll`` it until it returns a ``Finished``, or ``close`` it."""

    def __init__(self, command: Sequence[str], scratch: Path, limits: RunLimits) -> None:
        self._limits = limits
        self._outputs = scratch / "stdout", scratch / "stderr"
        self._members: list[int] = []
        self._cpu_s = self._memory_mb = 0.0
        self._searched = self._started = time.monotonic()
        with self._outputs[0].open("wb") as stdout, self._outputs[1].open("wb") as stderr:
            self._child = subprocess.Popen(
                command,
                cwd=scratch,
                env=os.environ | {"TMPDIR": str(scratch)},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        self._members = [self._child.pid]
        _spread_net(self._child.pid, limits)

    def poll(self) -> Finished | None:
        """Look after the run: ``None`` while it goes on."""
        over = self._measure()
        if os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return self._finish("")
        return self._finish(over) if over else None

    def close(self) -> None:
        """End the run and forget it."""
        if self._child.returncode is None:
            self._finish("")

    def _measure(self) -> Stop:
        now = time.monotonic()
        if now - self._searched >= _SEARCH_EVERY_S:
            family, self._searched = processes.family(self._child.pid), now
            self._members = [process.pid for process in family]
        else:
            family = [process for process in map(processes.read_output, self._members) if process]
        memory_mb = sum(process.memory_mb for process in family)
        if memory_mb > self._limits.memory_mb and len(family) > 1:
            memory_mb = processes.shared_memory_mb(family)
        self._cpu_s = max(self._cpu_s, sum(process.cpu_s for process in family))
        self._memory_mb = max(self._memory_mb, memory_mb)
        if self._cpu_s > self._limits.cpu_s:
            return "cpu"
        if memory_mb > self._limits.memory_mb:
            return "memory"
        return "wall" if now - self._started > self._limits.wall_s else ""

    def _finish(self, stopped: Stop) -> Finished:
        wall_s = time.monotonic() - self._started
        processes.kill(self._child.pid)
        _, status, usage = os.wait4(self._child.pid, 0)
        self._child.returncode = os.waitstatus_to_exitcode(status)
        cpu_s = max(self._cpu_s, usage.ru_utime + usage.ru_stime)
        if not stopped and cpu_s > self._limits.cpu_s:  # the net caught it, or it ended between two looks
            stopped = "cpu"
        stdout, stderr = map(_text, self._outputs)
        return Finished(self._child.returncode, stopped, cpu_s, wall_s, self._memory_mb, stdout, stderr)


def pause(elapsed_s: float) -> None:
    """Wait before the next look: shortly at first, so that quick runs are not slowed down."""
    time.sleep(min(_LOOK_EVERY_S, max(0.002, elapsed_s / 10)))


def _spread_net(pid: int, limits: RunLimits) -> None:
    cpu_s = math.ceil(1.5 * limits.cpu_s) + 5  # on a busy virtual machine the net's clock runs faster than the accounts
    address_space = 4 * limits.memory_mb * 2**20  # virtual memory is often reserved and never touched
    for kind, amount in ((resource.RLIMIT_CPU, cpu_s), (resource.RLIMIT_AS, address_space), (resource.RLIMIT_CORE, 0)):
        try:
            resource.prlimit(pid, kind, (amount, amount))
        except ProcessLookupError:
            return


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_OUTPUT_BYTES).decode(errors="replace")
