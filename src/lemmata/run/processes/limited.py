"""One piece of work in a process of its own, under limits of time and memory.

``lemmata check`` has workers that it talks to; the other commands have one thing to do, and ``limited`` does it for them: the
child works, the parent waits and looks. Limits hold inside solver calls and while a file is read, and a library that aborts
takes nobody with it. What the work returns, or raises on purpose, comes back through a pipe.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
import traceback
from collections.abc import Callable
from time import monotonic
from typing import NoReturn

from lemmata.errors import GaveUp, LemmataError, WorkBroke
from lemmata.run.processes.limits import die_with_parent, limit_memory, private_mb, resident_mb
from lemmata.run.processes.messages import Crashed, Inbox, Refused, send
from lemmata.values import dataclass
from lemmata.work import start

_TICK = 0.05  # seconds between two looks at the memory
_LAST_WORDS = 1.0  # seconds past the time limit, for work that keeps it by itself and tells what it has


@dataclass(frozen=True, slots=True)
class _Returned:
    value: object


def limited(work: Callable[[], object], seconds: float | None, memory_mb: int | None) -> object:
    """What ``work`` returns (it travels pickled); ``GaveUp`` beyond a limit, and whatever ``LemmataError`` it raises."""
    theirs = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(theirs[0])
        _serve(work, theirs[1], parent, seconds, memory_mb)
    os.close(theirs[1])
    inbox = Inbox(theirs[0])
    try:
        answer = _wait(child, inbox, None if seconds is None else monotonic() + seconds + _LAST_WORDS, memory_mb)
    finally:
        os.close(theirs[0])
        status = _end(child)
    match answer:
        case _Returned(value):
            return value
        case Refused():
            raise answer.error()
        case Crashed(detail):
            raise WorkBroke(detail.strip().splitlines()[-1], detail)
    raise _cause_of_end(status)


def _wait(child: int, inbox: Inbox, deadline: float | None, memory_mb: int | None) -> object:
    """The one message of the child; ``None`` if it ended without a word."""
    with selectors.DefaultSelector() as selector:
        selector.register(inbox.fd, selectors.EVENT_READ)
        while deadline is None or monotonic() < deadline:
            if selector.select(_TICK):
                if messages := inbox.receive():
                    return messages[0]
                if not inbox.is_open:
                    return None
            if memory_mb is not None and resident_mb(child) > memory_mb and private_mb(child) > memory_mb:
                raise GaveUp("memory")
    raise GaveUp("timeout")


def _end(child: int) -> int:
    """End the child, which has said all it had to say, and wait for it."""
    done, status = os.waitpid(child, os.WNOHANG)
    if not done:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return status


def _cause_of_end(status: int) -> Exception:
    if os.WIFSIGNALED(status):
        killer = signal.Signals(os.WTERMSIG(status))
        return GaveUp("memory") if killer == signal.SIGKILL else WorkBroke(f"the process was ended by {killer.name}")
    return WorkBroke(f"the process ended with exit code {os.waitstatus_to_exitcode(status)} and without an answer")


def _serve(work: Callable[[], object], outbox: int, parent: int, seconds: float | None, memory_mb: int | None) -> NoReturn:
    message: object
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.set_int_max_str_digits(0)
        die_with_parent(parent)
        limit_memory(memory_mb)
        start(None if seconds is None else monotonic() + seconds)
        message = _Returned(work())
    except LemmataError as error:
        message = Refused.of(error)
    except MemoryError:
        message = Refused(GaveUp, ("memory",))
    except BaseException:
        message = Crashed(traceback.format_exc())
    try:
        send(outbox, message)
    finally:
        os._exit(0)
