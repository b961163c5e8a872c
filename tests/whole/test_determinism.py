"""The same file, seed and options give the same run with ``--workers 1``: every event, the verdict, the evidence.

Ten examples of each world run twice: once with the machine as it is, once beside processes that do nothing but compete for the
processor, and with another order of Python's sets. What a clock says (times, memory, seconds of phases) is left out of the
comparison, and nothing else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from lemmata import work
from lemmata.config import Config
from lemmata.run import worker
from lemmata.run.limited import limited
from lemmata.run.messages import Message, Settled
from lemmata.run.task import Task
from tests.support.paths import ROOT
from tests.support.program import run_program

CLOCKS = ("time_s", "seconds", "memory_mb")
COMPETITORS = 3

WORLDS = {
    "aiger": (
        *("arbiter-round-robin.aag", "combination-lock.aag", "dead-end.aag", "handshake-with-justice.aag", "mutex-broken.aag"),
        *("mutex-peterson.aag", "refresh-in-time.aag", "refresh-too-late.aag", "slides-two-variables.aag", "thesis-2.3.1.aag"),
    ),
    "btor2": (
        *("btor2/arbiter.btor2", "btor2/combination-lock.btor2", "btor2/constraints.btor2", "btor2/counter-deep.btor2"),
        *("btor2/counter.btor2", "btor2/free-start.btor2", "btor2/memory-twins.btor2", "btor2/signed-overflow.btor2"),
        *("welp/simple.btor2", "welp/parity.btor2"),
    ),
    "numbers": (
        *("lia/array.vmt", "lia/counter.vmt", "lia/even.vmt", "lia/tank.vmt", "lia/up-down.vmt"),
        *("lia/double.smt2", "lia/fibonacci.smt2", "lia/fibonacci-broken.smt2", "lia/mccarthy-broken.smt2", "lia/twins.smt2"),
    ),
    "boogie": (
        *("boogie/account-broken.bpl", "boogie/account.bpl", "boogie/contract.bpl", "boogie/countdown.bpl", "boogie/lock.bpl"),
        *("boogie/mccarthy.bpl", "boogie/parity.bpl", "boogie/search-broken.bpl", "boogie/swap.bpl", "boogie/thesis-3.3.2.bpl"),
    ),
}


@contextmanager
def _competition() -> Iterator[None]:
    """Processes that are busy with nothing."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(COMPETITORS)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key not in CLOCKS}
    return [_timeless(part) for part in value] if isinstance(value, list) else value


def _told(file: Path, hash_seed: int) -> list[Any]:
    """All events of a run, the last of which is the result."""
    done = run_program("check", file, "--workers", "1", "--format", "jsonl", hash_seed=hash_seed)
    assert done.code in (0, 10), done
    return [_timeless(json.loads(line)) for line in done.out.splitlines()]


@pytest.mark.parametrize("world", WORLDS)
def test_a_run_can_be_repeated_on_a_busy_machine(world):
    files = [ROOT / "examples" / name for name in WORLDS[world]]
    alone = [_told(file, 1) for file in files]
    with _competition():
        beside = [_told(file, 2) for file in files]
    for file, one, other in zip(files, alone, beside, strict=True):
        differences = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        assert not differences and len(one) == len(other), (file.name, differences[:1])


def _worked(file: Path) -> tuple[list[str], list[int]]:
    """What a worker says of the properties, and how much of each kind of work it took: questions, propagations, …"""
    heard: list[Message] = []
    work.start()
    worker.work(Task(str(file), Config(workers=1)), heard.append, set)
    said = [repr((m.prop, m.verdict, m.engine, m.bound, m.by, m.read_by)) for m in heard if isinstance(m, Settled)]
    return said, list(work.tally)


@pytest.mark.parametrize("world", WORLDS)
def test_a_run_takes_the_same_work_on_a_busy_machine(world):
    file = ROOT / "examples" / WORLDS[world][-1]
    alone = limited(lambda: _worked(file), None, None)
    with _competition():
        assert limited(lambda: _worked(file), None, None) == alone
    said, tally = cast(tuple[list[str], list[int]], alone)
    assert said and tally[work.SAT] + tally[work.SMT] > 0
