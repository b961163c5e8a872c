"""The same file, seed and options give the same run with ``--workers 1``: every event, the verdict, the evidence.

Ten examples of each world run twice: once one after the other, and once all at the same time, which keeps the machine busy,
and with another order of Python's sets. What a clock says (times, memory, seconds of phases) is left out of the comparison, and
nothing else. Meanwhile one of them runs in this process, and must take the same work of each kind as alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from lemmata import work
from lemmata.config import Config
from lemmata.run.processes import worker
from lemmata.run.processes.limited import limited
from lemmata.run.processes.messages import Message, Settled
from lemmata.run.task import Task
from lemmata.verdict import Safe
from tests.support.clock import HANGS
from tests.support.paths import ROOT

CLOCKS = ("time_s", "cpu_s", "seconds", "memory_mb")

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
    "c": (
        *("c/checksum.c", "c/countdown.c", "c/lock-broken.c", "c/lock.c", "c/midpoint-fixed.c"),
        *("c/midpoint.c", "c/off-by-one.c", "c/signs.c", "c/swap.c", "c/traffic-light.c"),
    ),
    "verilog": (
        *("verilog/arbiter.sv", "verilog/axi_lite_regs.sv", "verilog/byte_memory.sv", "verilog/fifo_broken.sv"),
        *("verilog/gray_counter.sv", "verilog/fifo.sv", "verilog/lock.sv", "verilog/pipeline.sv"),
        *("verilog/uart_tx.sv", "verilog/wishbone_monitor.sv"),
    ),
}


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key not in CLOCKS}
    return [_timeless(part) for part in value] if isinstance(value, list) else value


def _begin(file: Path, hash_seed: int) -> subprocess.Popen[str]:
    call = [sys.executable, "-m", "lemmata", "check", str(file), "--workers", "1", "--format", "jsonl"]
    return subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONHASHSEED": str(hash_seed)})


def _told(process: subprocess.Popen[str]) -> list[Any]:
    """All events of a run, the last of which is the result."""
    out, _ = process.communicate(timeout=HANGS)
    assert process.returncode in (0, 10), out
    return [_timeless(json.loads(line)) for line in out.splitlines()]


def _evidence(verdict: Any) -> object:
    return verdict.word, (verdict.invariant if isinstance(verdict, Safe) else verdict.trace).to_json()


def _worked(file: Path) -> tuple[list[str], list[int]]:
    """What a worker says of the properties, and how much of each kind of work it took: questions, propagations, …"""
    heard: list[Message] = []
    work.start()
    worker.work(Task(str(file), Config(workers=1)), heard.append, set)
    said = [repr((m.prop, _evidence(m.verdict), m.engine, m.bound, m.by, m.read_by)) for m in heard if isinstance(m, Settled)]
    return said, list(work.tally)


@pytest.mark.parametrize("world", WORLDS)
def test_a_run_can_be_repeated_on_a_busy_machine(world):
    files = [ROOT / "examples" / name for name in WORLDS[world]]
    alone = [_told(_begin(file, 1)) for file in files]
    one = limited(lambda: _worked(files[-1]), None, None)
    running = [_begin(file, 2) for file in files]
    try:
        assert limited(lambda: _worked(files[-1]), None, None) == one
        together = [_told(process) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()
    for file, first, second in zip(files, alone, together, strict=True):
        differences = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
        assert not differences and len(first) == len(second), (file.name, differences[:1])
    said, tally = cast(tuple[list[str], list[int]], one)
    assert said and tally[work.SAT] + tally[work.SMT] + tally[work.NATIVE_PROPAGATION] > 0
