"""The driver of a cluster: items go to sites, claims come back, judges certify them here, the journal has what counts.

Items of one *question* (a file and a property, or all of them) are the seats of its portfolio. The first certified verdict on
each property counts; when all have one, the other seats are cancelled, whatever they are doing. A file whose properties are
not all settled when the time of their common run is over gets a question for each that is open.

A site that is lost costs what it had not reported. That is put back, in front, at most ``_LOST_SITES`` times: an item that ends
every site that takes it must not end the cluster. An answer that comes from the journal goes the same way as one from a site,
so a driver that resumes asks the same questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import field, replace
from functools import reduce
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Literal, Protocol

from lemmata.config import Config
from lemmata.engines.registry import AUTO
from lemmata.run.cluster.documents import (
    Document,
    concluded,
    is_settled,
    merged_documents,
    open_properties,
    refused_document,
    unreached,
)
from lemmata.run.cluster.executor import digest_of
from lemmata.run.cluster.fork_server import ForkServer, ForkServerLost
from lemmata.run.cluster.jobs import Answer, Judge, Judged, SiteReport, Solve, WorkItem
from lemmata.run.cluster.journal import RunJournal
from lemmata.run.cluster.queue import Queue
from lemmata.values import dataclass

_LOST_SITES = 4  # sites that an item may cost; with the first of them it may have been in bad company
_BATCH_S = 0.4  # seconds of work in a batch, by what items took so far
_BATCH_ITEMS = 64
_RECENT = 0.9  # weight of the past in the mean time of an item
_WAIT_S = 0.05  # seconds until judges are looked after, whatever sites do
Question = tuple[str, str]  # a file and a property


class Sites(Protocol):
    """What a driver needs of a cluster."""

    size: int

    @property
    def idle(self) -> Sequence[int]: ...  # noqa: D102
    def ship(self, digest: str, content: bytes) -> None: ...  # noqa: D102
    def forget(self, digest: str) -> None: ...  # noqa: D102
    def give(self, site: int, jobs: Sequence[Solve], digests: Sequence[str]) -> None: ...  # noqa: D102
    def go_on(self, site: int) -> None: ...  # noqa: D102
    def cancel(self, site: int) -> None: ...  # noqa: D102
    def wait(self, seconds: float) -> Iterable[tuple[int, SiteReport | None]]: ...  # noqa: D102


class Judges:
    """Fork servers of the driver; each has a thread that waits for it."""

    def __init__(self, number: int) -> None:
        self._fork_servers = [ForkServer() for _ in range(number)]
        self._free: SimpleQueue[ForkServer] = SimpleQueue()
        for fork_server in self._fork_servers:
            self._free.put(fork_server)
        self._threads = ThreadPoolExecutor(number)

    def ask(self, job: Judge) -> Future[Judged]:
        """What is to be thought of these claims?"""
        return self._threads.submit(self._judged, job)

    def _judged(self, job: Judge) -> Judged:
        fork_server = self._free.get()
        try:
            fork_server.begin(job)
            reply = fork_server.reply(None)
            assert isinstance(reply, Judged)
            return reply
        except ForkServerLost:
            return Judged(refusal="the process that judged the evidence was lost")
        finally:
            self._free.put(fork_server)

    def close(self) -> None:
        """End them."""
        for fork_server in self._fork_servers:
            fork_server.kill()
        self._threads.shutdown(cancel_futures=True)
        for fork_server in self._fork_servers:
            fork_server.close()


@dataclass(slots=True)
class _Asked:
    """A question: which of its seats are still expected, and what is known."""

    digest: str
    group: int
    rank: int
    numbers: set[int] = field(default_factory=set)
    document: Document | None = None


class Driver:
    """``run`` tells ``done`` of each file what became of it."""

    def __init__(
        self, sites: Sites, judges: Judges, journal: RunJournal, config: Config, done: Callable[[str, Document], None]
    ) -> None:
        self._sites, self._judges, self._journal, self._config, self._done = sites, judges, journal, config, done
        self._seats = config.workers if config.engine == AUTO else 1
        self._queue = Queue()
        self._items: dict[int, WorkItem] = {}
        self._asked: dict[Question, _Asked] = {}
        self._parts: defaultdict[str, set[str]] = defaultdict(set)  # by file: questions about its properties, not yet answered
        self._documents: dict[str, Document] = {}  # of files whose properties are asked one by one
        self._at: dict[int, list[int]] = {}  # numbers by site
        self._tries: defaultdict[int, int] = defaultdict(int)
        self._judging: dict[Future[Judged], Answer] = {}
        self._mean_s = _BATCH_S

    def ask(self, file: str, *, prop: str | None = None, group: int = 0, rank: int = 0) -> None:
        """One more question."""
        try:
            digest = digest_of(Path(file).read_bytes())
        except OSError as error:
            self._done(file, refused_document(file, f"cannot be read: {error.strerror}"))
            return
        prop = self._config.property if prop is None else prop
        asked = self._asked[file, prop] = _Asked(digest, group, rank)
        items = [WorkItem(file, digest, prop, seat, group, rank) for seat in range(self._seats)]
        for item in items:
            number = len(self._items)
            self._items[number] = item
            asked.numbers.add(number)
            self._queue.put(number, item)
        for number in sorted(asked.numbers):
            if number in asked.numbers and (known := self._journal.recall(self._items[number])) is not None:
                self._queue.drop([number])
                self._answered(number, known)

    def run(self, deadline: float | None) -> Literal["finished", "timeout"]:
        """Until every question has its answer, or the time is up."""
        while self._asked:
            if deadline is not None and monotonic() >= deadline:
                return "timeout"
            self._hand_out()
            for site, report in self._sites.wait(_WAIT_S):
                self._hear(site, report)
            if self._judging:
                ready, _ = wait_for(self._judging, timeout=0, return_when=FIRST_COMPLETED)
                for future in ready:
                    self._judged(self._judging.pop(future), future.result())
        return "finished"

    @property
    def unfinished(self) -> list[str]:
        """Files that have questions without an answer."""
        return sorted({file for file, _ in self._asked})

    def reached(self, file: str) -> Document:
        """What is known of an unfinished file."""
        found = [self._documents[file]] if file in self._documents else []
        found += [asked.document for (other, _), asked in self._asked.items() if other == file and asked.document is not None]
        return reduce(merged_documents, found) if found else unreached(file, "timeout")

    def _hand_out(self) -> None:
        for site in self._sites.idle:
            if not len(self._queue):
                return
            share = -(-len(self._queue) // (2 * self._sites.size))  # near the end, everybody gets some of it
            numbers = self._queue.take(max(1, min(int(_BATCH_S / self._mean_s), _BATCH_ITEMS, share)))
            if any(number in self._tries for number in numbers):
                for number in reversed(numbers[1:]):
                    self._put_back(number)
                del numbers[1:]
            numbers = [number for number in numbers if self._shipped(self._items[number])]
            if not numbers:
                continue
            self._at[site] = numbers
            digests = [self._items[number].digest for number in numbers]
            self._sites.give(site, [self._job(number) for number in numbers], digests)

    def _shipped(self, item: WorkItem) -> bool:
        try:
            content = Path(item.file).read_bytes()
        except OSError as error:
            self._close((item.file, item.prop), refused_document(item.file, f"cannot be read: {error.strerror}"))
            return False
        if digest_of(content) != item.digest:
            self._close(
                (item.file, item.prop), refused_document(item.file, "the file changed while it was checked (check it again)")
            )
            return False
        self._sites.ship(item.digest, content)
        return True

    def _job(self, number: int) -> Solve:
        item = self._items[number]
        return Solve(number, item.file, replace(self._config, property=item.prop), item.seat, self._seats)

    def _hear(self, site: int, report: SiteReport | None) -> None:
        if report is None:
            self._lose(self._at.pop(site, []))
            return
        held = self._at.pop(site, [])
        for number in report.given_back:
            if number in held:
                self._put_back(number)
        for answer in report.answers:
            if answer.number in held:
                self._take(answer)
        if report.running is not None:
            if report.running in self._expected(report.running):
                self._at[site] = [report.running]
                self._sites.go_on(site)
            else:  # meanwhile another seat was faster
                self._sites.cancel(site)

    def _expected(self, number: int) -> set[int]:
        item = self._items[number]
        asked = self._asked.get((item.file, item.prop))
        return set() if asked is None else asked.numbers

    def _put_back(self, number: int) -> None:
        if number in self._expected(number):
            self._queue.put(number, self._items[number], is_first=True)

    def _lose(self, numbers: Sequence[int]) -> None:
        """A site is gone: what it had not reported is begun again, each alone: one of these may be the reason."""
        for number in reversed(numbers):
            item = self._items[number]
            self._tries[number] += 1
            if self._tries[number] < _LOST_SITES:
                self._put_back(number)
            elif number in self._expected(number):
                self._answered(number, refused_document(item.file, f"{_LOST_SITES} sites were lost while they worked on it"))

    def _take(self, answer: Answer) -> None:
        item = self._items[answer.number]
        self._queue.charge(item.group, answer.seconds)
        self._mean_s = _RECENT * self._mean_s + (1 - _RECENT) * max(answer.seconds, 0.001)
        if answer.found and answer.number in self._expected(answer.number):
            config = replace(self._config, property=item.prop)
            self._judging[self._judges.ask(Judge(item.file, item.digest, config, answer.found))] = answer
        else:
            self._judged(answer, Judged())

    def _judged(self, answer: Answer, judged: Judged) -> None:
        item = self._items[answer.number]
        if answer.number not in self._expected(answer.number):
            return
        document = concluded(item, answer, judged)
        self._journal.note(item, document)
        self._answered(answer.number, document)

    def _answered(self, number: int, document: Document) -> None:
        """A seat is done; perhaps so is the question, and then the other seats are no longer wanted."""
        item = self._items[number]
        asked = self._asked[item.file, item.prop]
        asked.numbers.discard(number)
        asked.document = document if asked.document is None else merged_documents(asked.document, document)
        if is_settled(asked.document) or not asked.numbers:
            self._close((item.file, item.prop), asked.document)

    def _close(self, question: Question, document: Document) -> None:
        file, prop = question
        asked = self._asked.pop(question)
        self._queue.drop(asked.numbers)
        for site, numbers in list(self._at.items()):
            if not asked.numbers.isdisjoint(numbers):
                self._cancel(site, asked.numbers)
        if prop in self._parts[file]:
            self._parts[file].discard(prop)
            self._documents[file] = merged_documents(self._documents[file], document)
        elif prop == "all" and len(names := open_properties(document)) and len(document["properties"]) > 1:
            self._documents[file] = document
            self._parts[file].update(str(index) for index in names)
            for index in names:
                self.ask(file, prop=str(index), group=asked.group, rank=asked.rank + 1)
            return
        if not self._parts[file]:
            self._sites.forget(asked.digest)
            self._done(file, self._documents.pop(file, document))

    def _cancel(self, site: int, unwanted: set[int]) -> None:
        numbers = self._at.pop(site)
        self._sites.cancel(site)
        for number in reversed(numbers):
            if number not in unwanted:
                self._put_back(number)
