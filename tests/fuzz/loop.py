"""The loop: generate or mutate, judge, keep what reaches new lines, shrink what is found.

Its time is processor time, its own and that of the peers it starts, so that an hour is an hour on a busy machine too; the
clock ends it where even that does not come.

Execution n takes all its chance from ``seed`` and n. A generated file is often mutated, and files that reached new lines of
the readers are mutated most. A finding is shrunk as soon as it is met, within what is left of the time, and written to
``out``.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from tests.fuzz.corpus import corpus_of, examples_of
from tests.fuzz.coverage import Coverage
from tests.fuzz.deadline import Hang, deadline
from tests.fuzz.mutate import mutate
from tests.fuzz.shrink import shrink
from tests.fuzz.world import Case, Outcome, World, plain

DEADLINE_S = 10.0  # of processor time for one file
SHRINK_S = 20.0  # for one finding
PATIENCE = 20  # seconds on the clock for each second of processor time
TRACED = 3  # one of so many generated files is traced; mutated ones are always
_SEEDS = 2000  # files kept for mutation


@dataclass(slots=True)
class Finding:
    """Something that is wrong: the kind, how often it was met, and the smallest file."""

    kind: str
    detail: str
    file: str
    execution: int
    count: int = 1


@dataclass(slots=True)
class Summary:
    """One run, as it is written down."""

    world: str
    seed: int
    first: int
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    executions: int = 0
    per_second: float = 0.0
    coverage_percent: float = 0.0
    seeds: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    coverage: dict[str, tuple[int, int]] = field(default_factory=dict)


def judge(world: World, case: Case) -> Outcome:
    """The world's judgement within the deadline; a legal file that is refused, and one that never ends, are findings."""
    try:
        with deadline(DEADLINE_S):
            outcome = world.judge(case.data)
    except Hang:
        return Outcome("hang", "hang", f"more than {DEADLINE_S:.0f} s")
    if case.is_legal and not outcome.kind and outcome.word.startswith("refused"):
        who = "legal" if world.accepts(case.data) else "by the generator legal"
        return Outcome(outcome.word, f"{who}, but {plain(outcome.word)}", outcome.word)
    return outcome


def processor_time() -> float:
    """Seconds that this process and its children that ended have had."""
    return sum(os.times()[:4])


class Fuzzer:
    """One run in one world."""

    def __init__(self, world: World, seed: int, out: Path, first: int = 0) -> None:
        self._world = world
        self._out = out
        self._coverage = Coverage(world.covers)
        self._pool: list[bytes] = [*(data for _, data in corpus_of(world)), *examples_of(world)]
        self._found: dict[str, Finding] = {}
        self._outcomes: Counter[str] = Counter()
        self._next = first
        self._cpu = processor_time()
        self.summary = Summary(world.name, seed, first)

    def run(self, seconds: float) -> Summary:
        """Fuzz for that much processor time; at most one execution longer."""
        began = monotonic()
        end, tick = self._cpu + seconds, began + 10
        for data in list(self._pool):
            self._coverage.new_lines(lambda data=data: self._read(data))  # type: ignore[misc]
        while processor_time() < end and monotonic() < began + PATIENCE * seconds:
            self._execute(end)
            if monotonic() > tick:
                self._tell(began)
                tick += 10
        self._tell(began)
        return self._write()

    def _execute(self, end: float) -> None:
        number, self._next = self._next, self._next + 1
        rng = Random(f"{self.summary.seed}:{number}")
        case = self._case(rng)
        if (not case.is_legal or number % TRACED == 0) and self._coverage.new_lines(lambda: self._read(case.data)):
            self._pool.append(case.data)
            del self._pool[:-_SEEDS]
        outcome = judge(self._world, case)
        self.summary.executions += 1
        self._outcomes[outcome.kind or plain(outcome.word)[:60]] += 1
        if outcome.kind:
            self._find(number, case, outcome, end)

    def _case(self, rng: Random) -> Case:
        roll = rng.random()
        if roll < 0.45 or not self._pool:
            return self._world.generate(rng)
        base = rng.choice(self._pool[-200:] if rng.random() < 0.5 else self._pool)
        if roll < 0.65:
            base = self._world.generate(rng).data
        return Case(mutate(rng, base, rng.choice(self._pool), self._world.words))

    def _read(self, data: bytes) -> object:
        try:
            with deadline(DEADLINE_S):
                return self._world.read(data)
        except (Hang, RecursionError):
            return None

    def _find(self, number: int, case: Case, outcome: Outcome, end: float) -> None:
        known = self._found.get(outcome.kind)
        if known is not None:
            known.count += 1
            return
        finding = self._found[outcome.kind] = Finding(outcome.kind, outcome.detail, "", number)
        self.summary.findings.append(finding)
        seconds = min(SHRINK_S, end - processor_time())
        if not outcome.kind.startswith("by the generator"):
            small = shrink(case.data, lambda data: judge(self._world, Case(data, case.is_legal)).kind == outcome.kind, seconds)
        else:
            small = case.data
        self._out.mkdir(parents=True, exist_ok=True)
        name = f"{self._world.name}-{len(self._found):03}{self._world.suffix}"
        (self._out / name).write_bytes(small)
        finding.file = name
        finding.detail = judge(self._world, Case(small, case.is_legal)).detail or outcome.detail
        print(f"finding: {outcome.kind} ({name}, {len(small)} bytes, execution {number})", flush=True)

    def _tell(self, began: float) -> None:
        summary = self.summary
        summary.seconds = round(monotonic() - began, 1)
        summary.cpu_seconds = round(processor_time() - self._cpu, 1)
        summary.per_second = round(summary.executions / max(0.001, summary.cpu_seconds), 1)
        summary.coverage_percent = round(self._coverage.share(), 1)
        summary.seeds = len(self._pool)
        print(
            f"{summary.world}: {summary.cpu_seconds:.0f} s of processor time ({summary.seconds:.0f} s on the clock), "
            f"{summary.executions} executions, {summary.per_second}/s, coverage {summary.coverage_percent} %, "
            f"{summary.seeds} seeds, {len(summary.findings)} findings",
            flush=True,
        )

    def _write(self) -> Summary:
        self.summary.outcomes = dict(self._outcomes.most_common(200))
        self.summary.coverage = self._coverage.report()
        self._out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(self.summary), indent=2, ensure_ascii=False)
        (self._out / f"{self._world.name}-{self.summary.seed}-{self.summary.first}.json").write_text(text + "\n")
        return self.summary
