"""Records: what one run showed, judged, and kept in ``results.csv``.

Rows are appended and flushed as they come, so a campaign that is interrupted, or a machine that dies, loses at most the runs
in flight. A row is found again by its key: contestant, options, file (with a digest of its content, and of how a design is
read) and limits. The build that answered is recorded but is not part of the key: whoever changes the code decides with
``--fresh`` what to measure again. What is expected of a file is not part of it either: rows are judged again when they are
found.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Literal

from lemmata.bench.contestants import Contestant, PeerAnswer
from lemmata.bench.runners import Finished, RunLimits
from lemmata.bench.suites import Case
from lemmata.errors import InputError, Place
from lemmata.escapes import printable
from lemmata.values import dataclass

RunOutcome = Literal["solved", "wrong", "uncertified", "timeout", "memory", "unknown", "error"]
RecordKey = tuple[str, ...]

_OUT_OF_MEMORY = ("MemoryError", "bad_alloc", "out of memory", "Out of memory")
_REASONS: dict[str, RunOutcome] = {"timeout": "timeout", "memory": "memory", "uncertified": "uncertified"}


@dataclass(frozen=True, slots=True)
class Record:
    """One run: who, on what, under which limits, with which outcome at which cost."""

    contestant: str
    options: str
    version: str
    suite: str
    file: str
    subset: str
    digest: str
    expected: str
    verdict: str
    outcome: RunOutcome
    reason: str
    certified: bool | None
    cpu_s: float
    wall_s: float
    memory_mb: float
    exit_code: int
    timeout_s: float
    memory_limit_mb: int

    @property
    def key(self) -> RecordKey:
        """What makes a rerun unnecessary."""
        limits = f"{self.timeout_s:g}", str(self.memory_limit_mb)
        return self.contestant, self.options, self.suite, self.file, self.digest, *limits

    @property
    def is_solved(self) -> bool:
        """A verdict within the limits that nothing contradicts."""
        return self.outcome == "solved"


PAGE_COLUMNS = (  # of a record, in the order of a page's table
    *("contestant", "suite", "file", "subset", "expected", "verdict", "outcome", "reason"),
    *("cpu_s", "wall_s", "memory_mb"),
)


def record_key(contestant: Contestant, case: Case, limits: RunLimits) -> RecordKey:
    """The key that the record of this run will have."""
    words = contestant.label, contestant.options, case.suite, case.file, case.digest()
    return *words, f"{limits.cpu_s:g}", str(limits.memory_mb)


def judge(answer: PeerAnswer, finished: Finished, expected: str) -> RunOutcome:
    """A contradiction is wrong however late it came; otherwise limits rule; then certificates; then the answer itself."""
    is_settled = answer.verdict != "unknown"
    if is_settled and expected not in ("unknown", answer.verdict):
        return "wrong"
    if finished.stopped:
        return "memory" if finished.stopped == "memory" else "timeout"
    if answer.is_error:
        return "memory" if any(sign in finished.stderr for sign in _OUT_OF_MEMORY) else "error"
    if answer.certified is False:
        return "uncertified"
    return "solved" if is_settled else _REASONS.get(answer.reason, "unknown")


def record(
    contestant: Contestant, version: str, case: Case, limits: RunLimits, finished: Finished, answer: PeerAnswer
) -> Record:
    """Everything worth keeping about a finished run."""
    return Record(
        contestant=contestant.label,
        options=contestant.options,
        version=printable(version),
        suite=case.suite,
        file=case.file,
        subset=case.subset,
        digest=case.digest(),
        expected=case.expected,
        verdict=answer.verdict,
        outcome=judge(answer, finished, case.expected),
        reason=printable(finished.stopped or answer.reason),
        certified=answer.certified,
        cpu_s=round(finished.cpu_s, 3),
        wall_s=round(finished.wall_s, 3),
        memory_mb=round(finished.memory_mb, 1),
        exit_code=finished.exit_code,
        timeout_s=limits.cpu_s,
        memory_limit_mb=limits.memory_mb,
    )


def judged_again(one: Record, case: Case) -> Record:
    """The same run by what is expected of the case now, which may have changed since."""
    if (one.expected, one.subset) == (case.expected, case.subset):
        return one
    outcome = one.outcome
    if one.verdict != "unknown" and case.expected not in ("unknown", one.verdict):
        outcome = "wrong"
    elif outcome == "wrong":
        limit: dict[str, RunOutcome] = {"cpu": "timeout", "wall": "timeout", "memory": "memory"}
        outcome = limit.get(one.reason, "uncertified" if one.certified is False else "solved")
    return replace(one, expected=case.expected, subset=case.subset, outcome=outcome)


class RecordStore:
    """``results.csv``: rows in, rows out."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def clear(self) -> None:
        """Start over."""
        self.path.unlink(missing_ok=True)

    def load(self) -> dict[RecordKey, Record]:
        """All complete rows by key; the last one of a key counts."""
        if not self.path.exists():
            return {}
        with self.path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if reader.fieldnames and tuple(reader.fieldnames) != _COLUMNS:
                raise InputError(
                    Place(self.path, 1), "these are not the columns of this version", "use --fresh or another --out"
                )
            found = [_from_row(row) for row in reader]
        return {one.key: one for one in found if one}

    def append(self, one: Record) -> None:
        """Add a row; it is on its way to the disk when this returns."""
        end = _last_byte(self.path)
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            if not end:
                writer.writerow(_COLUMNS)
            elif end != b"\n":  # a row was cut off when an earlier campaign died
                file.write("\n")
            writer.writerow(_to_row(one))


_COLUMNS = tuple(column.name for column in fields(Record))


def _last_byte(path: Path) -> bytes:
    if not path.exists() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read()


def _to_row(one: Record) -> Iterable[object]:
    return ("" if value is None else value for value in asdict(one).values())


def _from_row(row: dict[str, str]) -> Record | None:
    try:
        values = {
            **{name: row[name] for name in _COLUMNS},
            **{name: float(row[name]) for name in ("cpu_s", "wall_s", "memory_mb", "timeout_s")},
            **{name: int(row[name]) for name in ("exit_code", "memory_limit_mb")},
            "certified": {"True": True, "False": False}.get(row["certified"]),
        }
    except (KeyError, TypeError, ValueError):
        return None
    return Record(**values)  # type: ignore[arg-type]  # the names and types were settled above
