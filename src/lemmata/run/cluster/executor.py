"""Work in a fork server: an item solved as a run on one machine, claims of others judged by the flow of this one."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from lemmata import run
from lemmata.errors import GaveUp, InputError, LemmataError, Place, WorkBroke
from lemmata.result import Result
from lemmata.run.cluster.jobs import Answer, Found, Judge, Judged, Solve
from lemmata.run.processes.limited import limited
from lemmata.run.processes.messages import Abandoned
from lemmata.run.processes.preload import load_modules
from lemmata.run.task import Task, Wanted
from lemmata.verdict import Unknown

_WANTED = Wanted(evidence=True, modules=True)
_LEAST_S = 60.0  # seconds for judging, at least


def digest_of(content: bytes) -> str:
    """What tells contents apart."""
    return hashlib.sha256(content).hexdigest()


def solved(job: Solve, content: bytes) -> Answer:
    """What a run finds; the driver certifies it and reads the file again."""
    began = monotonic()
    with TemporaryDirectory(prefix="lemmata-site-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / Path(job.file).name
        path.write_bytes(content)
        config = replace(job.config, second_reader=False)
        try:
            outcome = run.supervise(
                str(path), config, wanted=_WANTED, bundles=Path(folder), is_fork=True, seat=(job.seat, job.seats)
            )
        except LemmataError as error:
            return Answer(job.number, monotonic() - began, refusal=str(error).replace(str(path), job.file))
        load_modules(outcome.modules)
        found = tuple(_found(outcome))
        result = _placed(outcome.result, str(path), job.file)
    bugs = tuple(bug.headline for bug, _ in outcome.bugs)
    return Answer(job.number, monotonic() - began, result, found, bugs=bugs)


def _found(outcome: run.Outcome) -> list[Found]:
    settled = [p for p in outcome.result.properties if p.certified]
    found = []
    for one, (prop, files) in zip(settled, outcome.files.items(), strict=True):  # both in the order of the file
        assert files.evidence is not None
        found.append(Found(prop, files.evidence, one.engine, one.bound, one.time_s))
    return found


def _placed(result: Result, path: str, file: str) -> Result:
    """The result as about the user's file, without the verdicts, which travel as claims."""
    properties = [
        replace(
            p,
            verdict=Unknown("") if p.certified else p.verdict,
            place=None if p.place is None else replace(p.place, file=file),
            why=p.why.replace(path, file),
        )
        for p in result.properties
    ]
    notes = tuple(note.replace(path, file) for note in result.notes)
    return replace(result, file=file, properties=tuple(properties), notes=notes)


def judged(job: Judge) -> Judged:
    """What the flow of this machine thinks of claims, under limits, in a process of its own."""
    seconds = max(job.config.timeout or 0.0, _LEAST_S)
    try:
        answer = limited(lambda: _judged(job), seconds, job.config.memory_mb)
    except GaveUp as gave_up:
        return Judged(tuple(Abandoned(one.prop, gave_up.reason, one.engine, one.bound) for one in job.found))
    except (LemmataError, WorkBroke) as error:
        return Judged(refusal=str(error))
    assert isinstance(answer, Judged)
    load_modules(answer.modules)
    return answer


def _judged(job: Judge) -> Judged:
    from lemmata.run.flow import Flow

    if digest_of(Path(job.file).read_bytes()) != job.digest:
        raise InputError(Place(job.file), "the file changed while it was checked", "check it again")
    flow = Flow(Task(job.file, job.config), lambda event: None)
    opinions = [flow.judge(one.prop, one.verdict, one.engine, one.bound, one.time_s) for one in job.found]
    return Judged(tuple(opinions), modules=tuple(name for name in sys.modules if name.startswith("lemmata.")))
