"""A campaign: every contestant on every case, side by side.

The order is case by case, and contestants take turns on each: whatever disturbs the machine disturbs all of them, and a
campaign that is stopped early has measured the same files for everyone. What a run printed is kept (``logs/``) when its outcome
asks for a closer look, and so are the bug bundles that Lemmata writes (``bugs/``).
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from lemmata.bench.contestants import Contestant, PeerAnswer
from lemmata.bench.designs import arguments_of, netlist_of
from lemmata.bench.records import Record, record
from lemmata.bench.runners import Finished, MeasuredRun, RunLimits, pause
from lemmata.bench.suites import Case
from lemmata.errors import GaveUp, LemmataError, Unsupported, UsageError, WorkBroke
from lemmata.escapes import printable, printable_lines
from lemmata.run.processes.limited import limited
from lemmata.run.processes.process import can_fork
from lemmata.values import dataclass
from lemmata.writes import unwritable, write_whole

_LOG_CHARS = 20_000  # of the end of a log that are kept


@dataclass(frozen=True, slots=True)
class BenchTask:
    """One contestant on one case."""

    contestant: Contestant
    case: Case


@dataclass(slots=True)
class _Active:
    """A task that is running."""

    task: BenchTask
    scratch: TemporaryDirectory[str]
    run: MeasuredRun
    since: float = field(default_factory=time.monotonic)

    def close(self) -> None:
        self.run.close()
        self.scratch.cleanup()


def plan_runs(contestants: Sequence[Contestant], cases: Sequence[Case]) -> list[BenchTask]:
    """All tasks, contestants taking turns on each case."""
    return [BenchTask(contestant, case) for case in cases for contestant in contestants]


@dataclass(frozen=True, slots=True)
class Campaign:
    """How tasks are performed: under which limits, how many at a time, and where logs go."""

    limits: RunLimits
    out: Path
    jobs: int = 1

    def perform(self, tasks: Sequence[BenchTask], is_stopped: Callable[[], bool] = lambda: False) -> Iterator[Record]:
        """Run the tasks in order and yield what each showed; once ``is_stopped``, end what still runs."""
        versions = {contestant.label: contestant.version() for contestant in {task.contestant for task in tasks}}
        waiting = list(reversed(tasks))
        active: list[_Active] = []
        try:
            while (waiting or active) and not is_stopped():
                while waiting and len(active) < self.jobs:
                    task = waiting.pop()
                    started = self._start(task)
                    if isinstance(started, _Active):
                        active.append(started)
                    else:
                        yield self._conclude(task, versions[task.contestant.label], *started)
                for one, finished in [(one, finished) for one in active if (finished := one.run.poll())]:
                    active.remove(one)
                    contestant = one.task.contestant
                    shown = self._conclude(one.task, versions[contestant.label], finished, contestant.read(finished))
                    self._keep_bundles(Path(one.scratch.name))
                    one.close()
                    yield shown
                if active:
                    pause(min(time.monotonic() - one.since for one in active))
        finally:
            for one in active:
                one.close()

    def _start(self, task: BenchTask) -> _Active | tuple[Finished, PeerAnswer]:
        try:
            scratch = TemporaryDirectory(prefix="lemmata-bench-", ignore_cleanup_errors=True)
        except OSError as error:
            raise UsageError(f"no temporary folder can be made: {error.strerror or error} (TMPDIR names another one)") from None
        folder = Path(scratch.name)
        try:
            model = self._prepared(task, folder)
            run = MeasuredRun(self._command(task, model), folder, self.limits)
        except Unsupported as error:
            scratch.cleanup()
            return Finished(0, "", 0.0, 0.0, 0.0, "", ""), PeerAnswer("unknown", f"not supported: {error.cause}")
        except GaveUp as gave_up:
            scratch.cleanup()
            return Finished(0, "memory" if gave_up.reason == "memory" else "wall", 0.0, 0.0, 0.0, "", ""), PeerAnswer("unknown")
        except (LemmataError, WorkBroke, OSError) as error:
            scratch.cleanup()
            finished = Finished(1, "", 0.0, 0.0, 0.0, "", f"cannot start: {error}")
            return finished, task.contestant.read(finished)
        return _Active(task, scratch, run)

    def _prepared(self, task: BenchTask, folder: Path) -> Path:
        """The file in the contestant's notation; reading and rewriting it is held to the limits, too."""
        if not can_fork():
            return self._prepare(task, folder)
        return cast("Path", limited(lambda: self._prepare(task, folder), self.limits.wall_s, self.limits.memory_mb))

    def _prepare(self, task: BenchTask, folder: Path) -> Path:
        case, contestant = task.case, task.contestant
        if case.design is None or not contestant.is_peer:
            return contestant.prepare(case.path, folder)
        return contestant.prepare(netlist_of(case, case.design, self.out.resolve() / "designs"), folder)

    def _command(self, task: BenchTask, model: Path) -> list[str]:
        command = task.contestant.command(model, self.limits)
        if task.contestant.is_peer:
            return command
        design = [] if task.case.design is None else arguments_of(task.case.design)
        return [*command, *design, *(["--arithmetic", "unbounded"] if task.case.is_unbounded else [])]

    def _conclude(self, task: BenchTask, version: str, finished: Finished, answer: PeerAnswer) -> Record:
        shown = record(task.contestant, version, task.case, self.limits, finished, answer)
        if shown.outcome in ("wrong", "uncertified", "error"):
            command = shlex.join(self._command(task, task.case.path))
            self._keep_log(shown, f"{printable(command)}\non {printable(str(task.case.path))}", finished)
        return shown

    def _keep_log(self, shown: Record, command: str, finished: Finished) -> None:
        name = "".join(letter if letter.isalnum() or letter in "-._" else "_" for letter in f"{shown.contestant}__{shown.file}")
        path = self.out / "logs" / f"{name}.txt"
        head = f"{command}\nexpected {shown.expected}, said {shown.verdict}: {shown.outcome} ({shown.reason})\n"
        outputs = (("stdout", finished.stdout), ("stderr", finished.stderr))
        text = printable_lines(head + "".join(f"\n--- {title}\n{text[-_LOG_CHARS:]}\n" for title, text in outputs))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(path, error) from None
        write_whole(path, text.encode())

    def _keep_bundles(self, scratch: Path) -> None:
        for bundle in scratch.glob("lemmata-bug-*"):
            (self.out / "bugs").mkdir(parents=True, exist_ok=True)
            shutil.move(bundle, self.out / "bugs" / f"{bundle.name}-{scratch.name}")
