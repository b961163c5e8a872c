"""A site: one place in the cluster where items are done, one after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic

from lemmata.run.cluster.fork_server import ForkServer, ForkServerLost
from lemmata.run.cluster.jobs import Answer, SiteReport, Solve

PATIENCE_S = 0.5  # seconds after which a batch is reported; an item that takes longer goes on alone


class Site:
    """Does batches. An item that runs when a report is made goes on; an empty batch waits for it."""

    def __init__(self) -> None:
        self._fork_server = ForkServer()
        self._running: Solve | None = None

    def work(
        self, jobs: Sequence[Solve], contents: Sequence[object], fetch: Callable[[Sequence[object]], list[bytes]]
    ) -> SiteReport:
        """Do these, or wait for what is running; ``fetch`` has the contents of all files at once."""
        if self._running is not None:
            return SiteReport((self._finish(None, self._running),))  # type: ignore[arg-type]  # it waits until there is one
        waiting = deque(zip(jobs, fetch(contents), strict=True))
        answers: list[Answer] = []
        until = monotonic() + PATIENCE_S
        while waiting and (not answers or monotonic() < until):
            job, content = waiting.popleft()
            answer = self._begin(job, content, max(until - monotonic(), 0.0))
            if answer is None:
                return SiteReport(tuple(answers), tuple(job.number for job, _ in waiting), job.number)
            answers.append(answer)
        return SiteReport(tuple(answers), tuple(job.number for job, _ in waiting))

    def close(self) -> None:
        """End what it is doing."""
        self._fork_server.kill()
        self._fork_server.close()

    def _begin(self, job: Solve, content: bytes, seconds: float) -> Answer | None:
        try:
            self._fork_server.begin(job, content)
        except ForkServerLost:
            return _lost(job)
        self._running = job
        return self._finish(seconds, job)

    def _finish(self, seconds: float | None, job: Solve) -> Answer | None:
        try:
            reply = self._fork_server.reply(seconds)
        except ForkServerLost:
            reply = _lost(job)
        assert reply is None or isinstance(reply, Answer)
        if reply is not None:
            self._running = None
        return reply


def _lost(job: Solve) -> Answer:
    return Answer(job.number, 0.0, refusal="the process that supervised its run was lost")
