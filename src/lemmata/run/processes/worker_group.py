"""The group of all worker processes of one run, their mail, and the limits of the whole call.

``WorkerGroup.mail`` waits on all pipes at once, with the deadline, and yields what the workers say; when a worker is gone it
yields ``WorkerEnded`` with the cause, and several times a second a ``Tick`` with the memory in use. Leaving the ``with`` block
ends every worker, whatever happened.

The first worker begins alone: most files are settled by it at once, and a second process would load its libraries for nothing.
The others start when it has worked for ``_ALONE_S`` or has ended without settling everything.

Yices now and then aborts when a search is stopped. A worker that ends so is replaced, once, by one that asks Z3.
"""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Literal, cast

from lemmata.config import LiftedOptions
from lemmata.run.processes.limits import OUT_OF_MEMORY, cpu_s, private_mb, resident_mb
from lemmata.run.processes.messages import Message
from lemmata.run.processes.process import Process
from lemmata.run.task import Task
from lemmata.values import dataclass

_TICK = 0.1  # seconds
_ALONE_S = 0.3  # seconds that the first worker works before it gets company; a third of them is its own start
_SLOWEST_S = 2.0  # seconds that may pass until then, whatever it does: it may be waiting for its file
_LOOK_S = 0.01  # seconds between two looks at its work
_LAST_WORDS = ("OutOfMemory", "bad_alloc", "out of memory")  # of C++ libraries that abort
_FRAIL = "yices_backend.py"  # in the output of a worker that Yices has ended


@dataclass(frozen=True, slots=True)
class WorkerEnded:
    """A worker has ended: why, how (a signal, an exit code), and what it wrote to its output."""

    cause: Literal["finished", "memory", "crash"]
    how: str = ""
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Some time has passed; the workers use this much memory."""

    memory_mb: float


Mail = tuple[Process, Message | WorkerEnded] | Tick


class WorkerGroup:
    """The workers of one run; ``memory_mb`` holds for all of them together."""

    def __init__(self, tasks: Sequence[Task], memory_mb: int | None, is_fork: bool | None = None) -> None:
        self._memory_mb = memory_mb
        self._is_fork = is_fork
        self._working: list[Process] = []
        self._processes: list[Process] = []
        self._stopping: set[Process] = set()
        self._dismissed: set[Process] = set()
        self._settled: list[int] = []
        self._waiting = list(tasks)
        self._company_at = 0.0  # when to look whether the others shall start
        self._most_mb = 0.0

    def __enter__(self) -> WorkerGroup:
        self._entered = monotonic()
        self._company_at = self._entered + _ALONE_S
        try:
            self._start(self._waiting.pop(0))
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self, task: Task) -> Process:
        process = Process(task, self._is_fork)
        self._processes.append(process)
        self._working.append(process)
        for prop in self._settled:
            process.skip(prop)
        return process

    def __exit__(self, *error: object) -> None:
        for process in self._processes:
            process.kill()  # all of them before waiting for one: nobody is left if the waiting is interrupted
        for process in self._processes:
            process.end()

    @property
    def peak_mb(self) -> float:
        """The most memory that was in use at one time, as far as we looked; at least the largest worker's own peak."""
        return max([self._most_mb, *(process.peak_mb for process in self._processes)])

    @property
    def is_gone(self) -> bool:
        """Has every worker ended?"""
        return not self._working and not self._waiting

    def skip(self, prop: int) -> None:
        """Nobody needs to work on ``prop`` any more."""
        self._settled.append(prop)
        for process in self._working:
            process.skip(prop)

    def dismiss(self, task: str) -> None:
        """The worker of this task (by its name) is no longer wanted, whatever it is doing."""
        self._waiting = [one for one in self._waiting if one.name != task]
        for process in self._working:
            if process.task.name == task:
                self._dismissed.add(process)
                process.kill()

    def leave_out(self, task: str, engine: str) -> None:
        """The worker of this task is to go on without one of its engines, which ends at its next sign of life."""
        for process in self._working:
            if process.task.name == task:
                process.leave_out(engine)

    def mail(self, deadline: float | None) -> Iterator[Mail]:
        """Everything that the workers say, until all are gone or the deadline has passed."""
        with selectors.DefaultSelector() as selector:
            for process in self._working:
                selector.register(process, selectors.EVENT_READ, process)
            self._poll()
            next_tick = monotonic() + _TICK
            while not self.is_gone and (deadline is None or monotonic() < deadline):
                if self._waiting and self._needs_company():
                    for task in self._waiting:
                        process = self._start(task)
                        selector.register(process, selectors.EVENT_READ, process)
                    self._waiting.clear()
                wakes = [next_tick, self._company_at if self._waiting else next_tick]
                wake = min(wakes if deadline is None else [*wakes, deadline])
                for key, _ in selector.select(max(wake - monotonic(), 0)):
                    yield from self._hear(key.data, selector)
                if monotonic() >= next_tick:
                    next_tick = monotonic() + _TICK
                    yield Tick(self._poll())

    def _needs_company(self) -> bool:
        """Has the first worker had enough time to settle everything alone? If not, look again when it can have had it."""
        now = monotonic()
        if not self._working or now >= self._entered + _SLOWEST_S:
            return True
        if now < self._company_at:
            return False
        worked = cpu_s(self._working[0].pid)
        self._company_at = now + max(_ALONE_S - worked, _LOOK_S)
        return worked >= _ALONE_S

    def _hear(self, process: Process, selector: selectors.BaseSelector) -> Iterator[Mail]:
        for message in process.inbox.receive():
            yield process, cast("Message", process.decoded(message))
        if not process.inbox.is_open:
            selector.unregister(process)
            self._working.remove(process)
            process.reap()
            successor = self._successor(process)
            if successor is None:
                yield process, self._cause_of_end(process)
            else:
                selector.register(successor, selectors.EVENT_READ, successor)

    def _successor(self, process: Process) -> Process | None:
        """Another worker with the same task, if Yices has ended this one and nobody had asked for Yices."""
        status, task = process.status or 0, process.task
        lifted = task.config.lifted or LiftedOptions()
        is_aborted = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT
        if not is_aborted or lifted.solver != "auto" or _FRAIL not in process.output():
            return None
        config = replace(task.config, lifted=replace(lifted, solver="z3"))
        return self._start(replace(task, config=config))

    def _poll(self) -> float:
        """The memory in use; while it is too much, the largest worker has to go."""
        alive = [process for process in self._working if process not in self._stopping]
        sizes = {process: resident_mb(process.pid) for process in alive}
        if self._memory_mb is not None and sum(sizes.values()) > self._memory_mb:
            sizes = {process: private_mb(process.pid) for process in alive}
        total = sum(sizes.values())
        self._most_mb = max(self._most_mb, total)
        left = total
        for process in sorted(sizes, key=lambda process: -sizes[process]):
            if self._memory_mb is not None and left > self._memory_mb:
                self._stopping.add(process)
                os.kill(process.pid, signal.SIGKILL)
                left -= sizes[process]
        return total

    def _cause_of_end(self, process: Process) -> WorkerEnded:
        status, printed = process.status or 0, process.output()
        if process in self._dismissed:
            return WorkerEnded("finished", "the worker was dismissed", printed)
        if os.WIFSIGNALED(status):
            killer = signal.Signals(os.WTERMSIG(status))
            is_memory = killer == signal.SIGKILL or any(word in printed for word in _LAST_WORDS)
            return WorkerEnded("memory" if is_memory else "crash", f"the worker was ended by {killer.name}", printed)
        code = os.WEXITSTATUS(status)
        causes: dict[int, Literal["finished", "memory"]] = {0: "finished", OUT_OF_MEMORY: "memory"}
        return WorkerEnded(causes.get(code, "crash"), f"the worker ended with exit code {code}", printed)
