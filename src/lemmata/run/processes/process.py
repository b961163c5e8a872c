"""Start a worker process, hear it, end it.

On Linux, when this process has one thread, a worker is a fork: it starts in a millisecond and inherits the model. Elsewhere
(notebooks, servers, other systems) it is a fresh interpreter that gets its task through the pipe: forking a process with
threads is asking for deadlocks. Neither re-imports the caller's ``__main__``, so scripts need no guard.

A worker ignores Ctrl-C: the supervisor hears it and ends the worker with SIGKILL, which works in the middle of a solver call
too. What a worker prints (a C++ library that aborts does) goes to a file in memory and is shown only in bug bundles.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
from pathlib import Path
from time import monotonic, sleep

from lemmata.run.processes.delta_encoding import DeltaDecoder
from lemmata.run.processes.limits import die_with_parent, limit_memory
from lemmata.run.processes.messages import Inbox, send
from lemmata.run.task import Task
from lemmata.values import dataclass

_ENDING = 0.5  # seconds that an ending process may take to disappear before we stop waiting for it
_OUTPUT_BYTES = 1 << 16  # bytes of output that we keep
_LINGERING: set[int] = set()  # children that took longer: nobody waits, but they are taken when the next one starts
_FRESH = "import sys; sys.path[:] = {!r}; from lemmata.run.processes.process import serve_fresh; serve_fresh({}, {}, {})"


@dataclass(frozen=True, slots=True)
class _Ends:
    """The worker's ends of the pipes, and where its output goes."""

    inbox: int
    outbox: int
    output: int


class Process:
    """One worker process as its supervisor sees it."""

    def __init__(self, task: Task, is_fork: bool | None = None) -> None:
        self.task = task
        _take_lingering()
        self.status: int | None = None  # as os.wait4 tells it, once the process is gone
        self.peak_mb = 0.0
        self._output = os.memfd_create("worker") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDWR)
        their_inbox, self._outbox = os.pipe()
        inbox, their_outbox = os.pipe()
        self.inbox = Inbox(inbox)
        self.decoded = DeltaDecoder()
        is_fork = can_fork() if is_fork is None else is_fork
        ends = _Ends(their_inbox, their_outbox, self._output)
        try:
            try:
                self.pid = _fork(task, ends, (inbox, self._outbox)) if is_fork else _start_fresh(ends)
            finally:
                os.close(their_inbox)
                os.close(their_outbox)
            if not is_fork:
                with contextlib.suppress(BrokenPipeError):  # it ended at once
                    send(self._outbox, task)
            os.set_blocking(self._outbox, False)
        except BaseException:
            self._abort()
            raise

    def fileno(self) -> int:
        """For selectors."""
        return self.inbox.fd

    def skip(self, prop: int) -> None:
        """Tell the worker that property ``prop`` is settled; a hint that may be lost."""
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            send(self._outbox, prop)

    def leave_out(self, engine: str) -> None:
        """Tell the worker to go on without this engine; likewise a hint."""
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            send(self._outbox, engine)

    def kill(self) -> None:
        """Let the process end if it is there."""
        if self.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process if it is there, wait until it is gone, and close what belongs to it."""
        self.kill()
        self.reap()
        self._close()

    def _abort(self) -> None:
        """It could not be started completely; one whose number we do not know ends when its pipes are closed."""
        if hasattr(self, "pid"):
            self.kill()
            self.reap()
        self._close()

    def _close(self) -> None:
        for fd in (self.inbox.fd, self._outbox, self._output):
            os.close(fd)

    def reap(self) -> None:
        """Wait for a process that is ending."""
        give_up = monotonic() + _ENDING
        while self.status is None and monotonic() < give_up:
            try:
                pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else in this program waits for every child
                self.status = 0
                return
            if pid:
                self.status, self.peak_mb = status, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
            else:
                sleep(0.001)
        (_LINGERING.discard if self.status is not None else _LINGERING.add)(self.pid)

    def output(self) -> str:
        """What the process printed."""
        return os.pread(self._output, _OUTPUT_BYTES, 0).decode(errors="replace")


def _take_lingering() -> None:
    """Children of busy machines take their time to disappear; they shall not stay as zombies of a long program."""
    for pid in tuple(_LINGERING):
        try:
            gone = os.waitpid(pid, os.WNOHANG)[0] == pid
        except ChildProcessError:
            gone = True
        if gone:
            _LINGERING.discard(pid)


def can_fork() -> bool:
    """Is it safe to fork: Linux, and one thread?"""
    return sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1


def _fork(task: Task, ends: _Ends, others: tuple[int, ...]) -> int:
    """Go on as two processes; ``others`` are the supervisor's ends of the pipes."""
    parent = os.getpid()
    if pid := os.fork():
        return pid
    code = 1
    try:
        for fd in others:
            os.close(fd)
        for target in (1, 2):
            os.dup2(ends.output, target)
        _prepare(task, parent)
        from lemmata.run.processes.worker import serve  # what it needs is loaded by those who work

        elsewhere = _Elsewhere(Inbox(ends.inbox))
        code = serve(task, ends.outbox, elsewhere, elsewhere.left_out)
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def _start_fresh(ends: _Ends) -> int:
    from subprocess import DEVNULL, Popen

    code = _FRESH.format(sys.path, ends.inbox, ends.outbox, os.getpid())
    process = Popen(
        [sys.executable, "-c", code],
        stdin=DEVNULL,
        stdout=ends.output,
        stderr=ends.output,
        pass_fds=(ends.inbox, ends.outbox),
    )
    process.returncode = 0  # we wait for it ourselves
    return process.pid


def serve_fresh(inbox: int, outbox: int, parent: int) -> None:
    """The whole program of a fresh interpreter."""
    mail = Inbox(inbox)
    received: list[object] = []
    while not received and mail.is_open:
        received = mail.receive()
    if received and isinstance(task := received[0], Task):
        _prepare(task, parent)
        from lemmata.run.processes.worker import serve

        elsewhere = _Elsewhere(mail)
        os._exit(serve(task, outbox, elsewhere, elsewhere.left_out))


def _prepare(task: Task, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.set_int_max_str_digits(0)  # solvers take numbers as text, however long they are
    faulthandler.enable(2)
    die_with_parent(parent)
    limit_memory(task.config.memory_mb)


class _Elsewhere:
    """The properties that the supervisor calls settled; ``left_out`` are engines that it wants no more of."""

    def __init__(self, inbox: Inbox) -> None:
        os.set_blocking(inbox.fd, False)
        self._inbox = inbox
        self._settled: set[int] = set()
        self._left_out: set[str] = set()

    def __call__(self) -> set[int]:
        self._receive()
        return self._settled

    def left_out(self) -> set[str]:
        self._receive()
        return self._left_out

    def _receive(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._inbox.is_open:
                for message in self._inbox.receive():
                    if isinstance(message, int):
                        self._settled.add(message)
                    elif isinstance(message, str):
                        self._left_out.add(message)
