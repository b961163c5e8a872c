"""A fork server: an interpreter with nothing but one thread and what runs need, which forks a process for each piece of work.

Whoever talks to Ray has threads, and a process with threads must not fork (``run.processes.process``). A fresh interpreter for
each of ten thousand small files would cost more than the files. So a site has one interpreter that stays: what the first runs
had to load, the next ones have. It ends with the process that has started it, and so does everything that it has forked.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
from subprocess import DEVNULL, Popen
from time import monotonic
from typing import cast

from lemmata.run.cluster.jobs import Answer, Judge, Judged, Solve
from lemmata.run.processes.limits import die_with_parent
from lemmata.run.processes.messages import Inbox, send

_CODE = "import sys; sys.path[:] = {!r}; from lemmata.run.cluster.fork_server import serve_forks; serve_forks({}, {}, {})"
Reply = Answer | Judged


class ForkServerLost(Exception):
    """The interpreter has ended; the next job starts another."""


class ForkServer:
    """An interpreter that does one job at a time."""

    def __init__(self) -> None:
        self._is_ending = False
        self._start()

    def _start(self) -> None:
        theirs, self._outbox = os.pipe()
        inbox, outbox = os.pipe()
        self._inbox = Inbox(inbox)
        code = _CODE.format(sys.path, theirs, outbox, os.getpid())
        self._process = Popen([sys.executable, "-c", code], stdin=DEVNULL, stdout=DEVNULL, pass_fds=(theirs, outbox))
        for fd in (theirs, outbox):
            os.close(fd)

    def begin(self, job: Solve | Judge, content: bytes = b"") -> None:
        """Do this."""
        try:
            send(self._outbox, (job, content))
        except BrokenPipeError:
            self._restart()
            raise ForkServerLost from None

    def reply(self, seconds: float | None) -> Reply | None:
        """What came of the job; ``None`` if that takes longer."""
        until = None if seconds is None else monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._inbox.fd, selectors.EVENT_READ)
            while selector.select(None if until is None else max(until - monotonic(), 0)):
                if received := self._inbox.receive():
                    assert isinstance(received[0], Answer | Judged)
                    return received[0]
                if not self._inbox.is_open:
                    self._restart()
                    raise ForkServerLost
        return None

    def kill(self) -> None:
        """End it, with everything that it has forked; whoever waits for a reply hears that it is lost."""
        self._is_ending = True
        self._process.kill()

    def close(self) -> None:
        """Wait for its end, which nobody else does any more."""
        self._process.kill()
        self._process.wait()
        for fd in (self._outbox, self._inbox.fd):
            os.close(fd)

    def _restart(self) -> None:
        if not self._is_ending:
            self.close()
            self._start()


def serve_forks(inbox: int, outbox: int, parent: int) -> None:
    """The whole program of the interpreter."""
    from lemmata.run.cluster.executor import judged, solved

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)
    sys.set_int_max_str_digits(0)
    mail = Inbox(inbox)
    while mail.is_open:
        for received in mail.receive():
            job, content = cast("tuple[Solve | Judge, bytes]", received)
            send(outbox, judged(job) if isinstance(job, Judge) else solved(job, content))
