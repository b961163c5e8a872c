"""One worker: it goes through the flow, shares its time among the properties, and tells what it finds.

``work`` is free of processes, so tests call it directly; ``serve`` puts it into one, with limits, and turns what goes wrong
into a message or an exit code.
"""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Callable

from lemmata import work as clock
from lemmata.errors import GaveUp, InputError, UsageError
from lemmata.events import BoundReached, Event, LemmaLearned, Progress, PropertyStarted
from lemmata.run.flow import Flow
from lemmata.run.processes.delta_encoding import DeltaEncoder
from lemmata.run.processes.limits import OUT_OF_MEMORY
from lemmata.run.processes.messages import Abandoned, Crashed, EventTold, Loaded, Message, Refused, send
from lemmata.run.rounds import rounds
from lemmata.run.task import Task

_Tell = Callable[[Message], None]
Elsewhere = Callable[[], set[int]]  # indices of the properties that another worker has settled
LeftOut = Callable[[], set[str]]  # engines that nobody wants any more
_YOUNG_OBJECTS = 100_000  # that the collector of cyclic garbage waits for: there is little, and looking costs 2.5 % with 10,000


def work(task: Task, tell: _Tell, elsewhere: Elsewhere, left_out: LeftOut = set) -> None:
    """Settle, or give up, every property that the task asks for and that nobody else settles first."""
    reporter = _Reporter(tell, task.wanted.lemmas, task.config.depth, left_out)
    flow = Flow(task, reporter)
    tell(flow.listed)
    flow.prepare()
    gc.freeze()  # what was read stays: the collector need not look at it again
    pending = flow.pending
    known = 0
    for position, until in rounds(pending, flow.answered):
        if len(done := elsewhere()) > known:
            known = len(done)
            pending -= {p for p in pending if flow.chosen[p].index in done}
        if position in pending:
            reporter.visit(flow.chosen[position].index, PropertyStarted(flow.chosen[position].name, flow.label))
            if (message := _slice(flow, position, until)) is not None:
                pending.discard(position)
                if task.wanted.modules:
                    tell(Loaded(tuple(name for name in sys.modules if name.startswith("lemmata."))))
                tell(message)


class DeepEnough(Exception):
    """No bad state within the steps that were asked for: no engine need look further."""


def _slice(flow: Flow, position: int, until: float) -> Message | None:
    """The outcome of one slice of time; ``None`` asks for another slice."""
    try:
        return flow.settle(position, until)
    except DeepEnough:
        return Abandoned(flow.chosen[position].index, "depth", flow.engine.name, flow.engine.bound)
    except GaveUp as gave_up:
        if gave_up.reason == "timeout" and until != clock.FOREVER and not clock.is_late():
            return None
        why = flow.why_incomplete if gave_up.reason == "incomplete" else ""
        return Abandoned(flow.chosen[position].index, gave_up.reason, flow.engine.name, flow.engine.bound, why)


class _Reporter:
    """A listener that adds which property each event is about."""

    def __init__(self, tell: _Tell, wants_lemmas: bool, depth: int | None = None, left_out: LeftOut = set) -> None:
        self._tell = tell
        self._left_out = left_out
        self._depth = depth
        self._wants_lemmas = wants_lemmas
        self._property: int | None = None
        self._visited: set[int] = set()

    def visit(self, prop: int, started: PropertyStarted) -> None:
        """From here on the events are about ``prop``; ``started`` is told at the first visit."""
        self._property = prop
        if prop not in self._visited:
            self._visited.add(prop)
            self(started)

    def __call__(self, event: Event) -> None:
        if self._wants_lemmas or not isinstance(event, LemmaLearned):
            self._tell(EventTold(self._property, event))
        if self._depth is not None and isinstance(event, BoundReached) and event.bound >= self._depth - 1:
            raise DeepEnough
        if isinstance(event, BoundReached | Progress) and event.engine in self._left_out():
            raise GaveUp("interrupted")


def serve(task: Task, outbox: int, elsewhere: Elsewhere, left_out: LeftOut = set) -> int:
    """Work on ``task``, writing to the pipe ``outbox``; the answer is the exit code of the process."""
    try:
        return _serve(task, outbox, elsewhere, left_out)
    except MemoryError:
        return OUT_OF_MEMORY
    except BrokenPipeError:  # the supervisor is gone: nobody wants to know
        return 0


def _serve(task: Task, outbox: int, elsewhere: Elsewhere, left_out: LeftOut) -> int:
    clock.start(task.deadline)
    gc.set_threshold(_YOUNG_OBJECTS)
    try:
        encoded = DeltaEncoder()
        work(task, lambda message: send(outbox, encoded(message)), elsewhere, left_out)
    except (InputError, UsageError) as error:
        send(outbox, Refused.of(error))
    except (MemoryError, BrokenPipeError):
        raise
    except Exception as error:
        if _is_memory(error, task):
            return OUT_OF_MEMORY
        import traceback

        send(outbox, Crashed(traceback.format_exc()))
        return 1
    return 0


def _is_memory(error: Exception, task: Task) -> bool:
    """Some calls say it in their own way: a library that cannot be mapped, a system call that finds no room."""
    if task.config.memory_mb is None:
        return False
    return isinstance(error, ImportError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
