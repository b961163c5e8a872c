"""Scores: arithmetic on records.

PAR2 (penalised average run time) is the measure of the SAT competitions: CPU seconds for what was solved, twice the limit for
everything else, wrong and uncertified verdicts included. Ratios to a reference are taken over the files that both have run:
the quotient of the PAR2 sums, and the geometric mean of the time quotients over files that both solved. Times below ``FLOOR_S``
count as ``FLOOR_S`` in quotients of times, since there one would only compare the start-up of two programs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lemmata.bench.records import Record, RunOutcome
from lemmata.values import dataclass

FLOOR_S = 0.1
TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Score:
    """One contestant on one subset; ``unknown`` counts time-outs and memory-outs too."""

    subset: str
    contestant: str
    files: int
    solved: int
    safe: int
    unsafe: int
    wrong: int
    uncertified: int
    unknown: int
    timeout: int
    memory: int
    error: int
    solved_s: float  # CPU seconds of what was solved
    par2_s: float
    par2_mean_s: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A contestant against a reference on one subset; below 1 the contestant is better. ``None`` where nothing compares."""

    subset: str
    contestant: str
    reference: str
    files: int
    par2: float | None
    both_solved: int
    time: float | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Contestants contradict each other on a file whose verdict nobody knows."""

    suite: str
    file: str
    safe: tuple[str, ...]
    unsafe: tuple[str, ...]


def par2(record: Record) -> float:
    """CPU seconds if solved, else twice the limit."""
    return record.cpu_s if record.is_solved else 2 * record.timeout_s


def score(subset: str, contestant: str, records: Sequence[Record]) -> Score:
    """Count one contestant's records."""
    solved = [record for record in records if record.is_solved]
    total = math.fsum(map(par2, records))
    return Score(
        subset=subset,
        contestant=contestant,
        files=len(records),
        solved=len(solved),
        safe=sum(record.verdict == "safe" for record in solved),
        unsafe=sum(record.verdict == "unsafe" for record in solved),
        wrong=_count(records, "wrong"),
        uncertified=_count(records, "uncertified"),
        unknown=_count(records, "unknown", "timeout", "memory"),
        timeout=_count(records, "timeout"),
        memory=_count(records, "memory"),
        error=_count(records, "error"),
        solved_s=round(math.fsum(record.cpu_s for record in solved), 3),
        par2_s=round(total, 3),
        par2_mean_s=round(total / len(records), 3) if records else 0.0,
    )


def ratio(subset: str, contestant: str, reference: str, records: Sequence[Record]) -> Ratio:
    """Compare two contestants on the files that both have run."""
    mine, theirs = (_by_file(records, name) for name in (contestant, reference))
    common = [(mine[file], theirs[file]) for file in mine if file in theirs]
    ours, others = (math.fsum(par2(pair[side]) for pair in common) for side in (0, 1))
    both = [(max(a.cpu_s, FLOOR_S), max(b.cpu_s, FLOOR_S)) for a, b in common if a.is_solved and b.is_solved]
    mean = math.exp(math.fsum(math.log(a / b) for a, b in both) / len(both)) if both else None
    return Ratio(subset, contestant, reference, len(common), ours / others if others else None, len(both), mean)


def subsets(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records of each subset in order of appearance, and of all of them under ``TOTAL``."""
    found: dict[str, list[Record]] = {}
    everything = list(records)
    has_several = len({record.suite for record in everything}) > 1
    for record in everything:
        is_qualified = has_several and record.subset != record.suite
        found.setdefault(f"{record.suite}/{record.subset}" if is_qualified else record.subset, []).append(record)
    return {**found, TOTAL: everything}


def disagreements(records: Iterable[Record]) -> list[Disagreement]:
    """Files of unknown verdict that some call safe and others unsafe."""
    said: dict[tuple[str, str], dict[str, list[str]]] = {}
    for record in records:
        if record.expected == "unknown":
            said.setdefault((record.suite, record.file), {}).setdefault(record.verdict, []).append(record.contestant)
    return [
        Disagreement(suite, file, tuple(words["safe"]), tuple(words["unsafe"]))
        for (suite, file), words in said.items()
        if "safe" in words and "unsafe" in words
    ]


def _count(records: Iterable[Record], *outcomes: RunOutcome) -> int:
    return sum(record.outcome in outcomes for record in records)


def _by_file(records: Iterable[Record], contestant: str) -> dict[tuple[str, str], Record]:
    return {(record.suite, record.file): record for record in records if record.contestant == contestant}
