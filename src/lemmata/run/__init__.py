"""One run: a parent that supervises, workers that work.

SAT solvers hold Python's lock and ignore signals, so nothing in their process can keep a time limit, a memory limit or Ctrl-C.
Therefore the work happens in worker processes (``flow``, ``worker``), and this page only listens: it notes what they say in a
``Ledger``, and leaving the ``WorkerGroup`` ends them at once, whatever they are doing.

With the engine *auto* each worker has some of the engines (``engines.registry``): with two processes, one proves and one
refutes, or one works on bits and one on words. The first certified answer to each property counts, and the other worker is told
to skip it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from lemmata.config import Config
from lemmata.engines.registry import AUTO
from lemmata.events import EventRecord
from lemmata.frontends.files import is_stream
from lemmata.result import Result
from lemmata.run.ledger import BUGS, Bug, Ending, Ledger
from lemmata.run.processes.messages import Settled, Uncertified
from lemmata.run.processes.process import can_fork
from lemmata.run.processes.worker_group import Tick, WorkerGroup
from lemmata.run.task import NOTHING_ELSE, Files, Model, Task, Wanted
from lemmata.values import dataclass
from lemmata.verdict import Unknown

if TYPE_CHECKING:
    from lemmata.report.drawing.control_flow import Pictures

_CIRCUITS = (".aag", ".aig")
_OPEN_FILES = ("/dev/", "/proc/")  # paths that mean something else in each process


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, the files that were asked for (by property index), and the bugs that were met, each with its bundle if any."""

    result: Result
    ending: Ending
    files: Mapping[int, Files]
    bugs: tuple[tuple[Bug, Path | None], ...] = ()
    starved: tuple[str, ...] = ()  # engines whose process ended for want of memory, while others went on
    modules: tuple[str, ...] = ()  # that a worker had to load, if that was wanted
    pictures: Pictures | None = None  # what a page shows beside the result, if that was wanted

    @property
    def is_broken(self) -> bool:
        """Is a property unknown because of a bug?"""
        reasons = {p.verdict.reason for p in self.result.properties if isinstance(p.verdict, Unknown)}
        return not reasons.isdisjoint(BUGS)


@dataclass(frozen=True, slots=True)
class StopOrder:
    """Somebody who watches has seen enough: of a property, or of an engine or a worker, by the names that events have."""

    prop: str | None = None
    engine: str | None = None


class Watcher(Protocol):
    """Somebody who wants to see a run while it goes on."""

    def hear(self, record: EventRecord) -> None:
        """An engine tells something."""
        ...

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Several times a second."""
        ...


def supervise(
    source: str | Model,
    config: Config,
    *,
    wanted: Wanted = NOTHING_ELSE,
    watchers: tuple[Watcher, ...] = (),
    bundles: Path | None = None,
    started: float | None = None,
    is_fork: bool | None = None,
    orders: Callable[[], Iterable[StopOrder]] = list,
    seat: tuple[int, int] | None = None,
) -> Outcome:
    """Check the properties of a file or model; errors of the input or the call are raised, all else is in the outcome.

    ``started`` is when the clock of ``config.timeout`` began, ``bundles`` the folder for bug bundles,
    ``orders`` is asked several times a second for what shall be stopped. ``seat``: be only this one of so many workers, the
    others are elsewhere.
    """
    before = os.times()
    started = monotonic() if started is None else started
    seats = config.workers if config.engine == AUTO else 1
    if isinstance(source, str) and is_stream(source):  # a pipe gives what it has only once
        has_our_files = can_fork() if is_fork is None else is_fork
        if has_our_files or not source.startswith(_OPEN_FILES):
            seats = 1  # to the one worker, which is held to the limits
        else:
            from lemmata.frontends import load

            source = load(source, config.entry, config.dialect, design=config.design, c=config.c)
    deadline = None if config.timeout is None else started + config.timeout
    _load_evidence(source)
    ledger = Ledger(source if isinstance(source, str) else source.file, config, started)
    placed = [(number, seats) for number in range(seats)] if seat is None else [seat]
    tasks = [Task(source, config, deadline, wanted, *one) for one in placed]
    ending: Ending = "finished"
    with WorkerGroup(tasks, config.memory_mb, is_fork) as workers:
        try:
            if not _listen(workers, ledger, deadline, watchers, orders):
                ending = "timeout"
        except KeyboardInterrupt:
            ending = "interrupted"
    result = ledger.result(ending, workers.peak_mb, sum(os.times()[:4]) - sum(before[:4]))
    bugs = tuple(_bundle(ledger, source, config, bundles))
    return Outcome(
        result, ending, dict(sorted(ledger.files.items())), bugs, tuple(ledger.starved), ledger.modules, ledger.pictures
    )


def _load_evidence(source: str | Model) -> None:
    """Load what evidence about words and numbers is made of: a worker writes it and this process reads it.

    A forked worker inherits what is loaded before it starts. Of a file that turns out to be a circuit nothing of it is needed.
    """
    if isinstance(source, str) and Path(source).suffix.lower() not in _CIRCUITS:
        import lemmata.models.derivation  # noqa: F401


def _listen(
    workers: WorkerGroup,
    ledger: Ledger,
    deadline: float | None,
    watchers: tuple[Watcher, ...],
    orders: Callable[[], Iterable[StopOrder]],
) -> bool:
    """Note what the workers say; false if the time was up before everything was settled or everybody gone."""
    for mail in workers.mail(deadline):
        match mail:
            case Tick(memory_mb):
                for watcher in watchers:
                    watcher.tick(memory_mb, ledger.age)
                for order in orders():
                    _obey(order, workers, ledger)
            case process, message:
                if (record := ledger.note(process.task.name, message)) is not None:
                    for watcher in watchers:
                        watcher.hear(record)
                if isinstance(message, Settled | Uncertified):
                    workers.skip(message.prop)
        if ledger.is_complete:
            return True
    return workers.is_gone


def _obey(order: StopOrder, workers: WorkerGroup, ledger: Ledger) -> None:
    if order.prop is not None and (prop := ledger.stop(order.prop)) is not None:
        workers.skip(prop)
    if order.engine is not None:
        task, has_others = ledger.dismiss(order.engine)
        if has_others:
            workers.leave_out(task, order.engine)
        else:
            workers.dismiss(task)


def _bundle(ledger: Ledger, source: str | Model, config: Config, wanted: Path | None) -> Iterator[tuple[Bug, Path | None]]:
    """A bug bundle for each bug; the module is loaded only then, since hardly any run needs it."""
    for bug in ledger.bugs:
        from lemmata.run.bundle import write_bundle

        try:
            folder: Path | None = write_bundle(bug, source, config, ledger.events, wanted)
        except OSError:  # nowhere to write: the result counts more
            folder = None
        yield bug, folder
