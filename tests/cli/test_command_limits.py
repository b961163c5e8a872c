"""Every command keeps its limits, whatever it is given."""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lemmata.bench.campaign import Campaign, plan_runs
from lemmata.bench.contestants import Lemmata
from lemmata.bench.runners import RunLimits
from lemmata.bench.suites import Case
from lemmata.errors import GaveUp, InputError, Place, WorkBroke
from lemmata.run.processes.limited import limited
from tests.support.clock import HANGS, LATE
from tests.support.paths import ROOT

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits inside one call need fork and /proc")
EXAMPLES = ROOT / "examples"


def lemmata(*arguments: str | Path) -> tuple[int, str, float]:
    """Exit code, standard error, seconds."""
    started = time.monotonic()
    command = [sys.executable, "-m", "lemmata", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=HANGS)
    return done.returncode, done.stderr.decode(), time.monotonic() - started


def calls(model: Path, folder: Path) -> dict[str, list[str | Path]]:
    """Each command on ``model``; other files are harmless."""
    return {
        "info": ["info", model],
        "convert": ["convert", model, folder / "out.aag"],
        "certify": ["certify", model, EXAMPLES / "fifo.aag"],
        "replay": ["replay", model, EXAMPLES / "fifo.aag"],
        "explain": ["explain", model],
        "check": ["check", model],
    }


COMMANDS = ["info", "convert", "certify", "replay", "explain", "check"]


@LINUX
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_never_comes_is_a_time_out(command: str, tmp_path: Path) -> None:
    pipe = tmp_path / "model.aag"
    os.mkfifo(pipe)
    code, error, seconds = lemmata(*calls(pipe, tmp_path)[command], "--timeout", "0.5")
    assert code == 5 and seconds < LATE
    assert error == "" if command == "check" else error == "lemmata: unknown: timeout\n"
    assert [path.name for path in tmp_path.iterdir()] == ["model.aag"]


@LINUX
@pytest.mark.parametrize("command", ["certify", "replay"])
def test_evidence_that_never_comes_is_a_time_out(command: str, tmp_path: Path) -> None:
    pipe = tmp_path / "evidence.txt"
    os.mkfifo(pipe)
    assert lemmata(command, EXAMPLES / "mutex-broken.aag", pipe, "--timeout", "0.5")[:2] == (5, "lemmata: unknown: timeout\n")


@LINUX
@pytest.mark.parametrize("command", COMMANDS)
def test_a_large_file_meets_the_memory_limit(command: str, tmp_path: Path) -> None:
    model = tmp_path / "large.aag"
    count = 400_000
    model.write_text(f"aag {count} {count} 0 0 0 1\n" + "".join(f"{2 * n}\n" for n in range(1, count + 1)) + "2\n")
    code, error, _ = lemmata(*calls(model, tmp_path)[command], "--memory", "20")
    assert code == 5 and (error == "lemmata: unknown: memory\n" or command == "check"), error


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("limit", [["--timeout", "0"], ["--timeout", "nan"], ["--memory", "0"], ["--memory", "-1"]])
def test_limits_that_make_no_sense_are_refused(command: str, limit: list[str], tmp_path: Path) -> None:
    code, error, _ = lemmata(*calls(EXAMPLES / "mutex-broken.aag", tmp_path)[command], *limit)
    assert code == 2 and error


@LINUX
def test_what_the_work_says_comes_back() -> None:
    assert limited(lambda: ("a", 1), 10, None) == ("a", 1)

    def refuse() -> None:
        raise InputError(Place("f", 3), "cause", "remedy")

    with pytest.raises(InputError, match=r"f:3:1: cause \(remedy\)"):
        limited(refuse, 10, None)

    def starve() -> None:
        raise MemoryError

    with pytest.raises(GaveUp, match="memory"):
        limited(starve, 10, None)


@LINUX
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_work_that_is_ended_is_a_bug_and_not_an_answer(number: signal.Signals) -> None:
    def end() -> None:
        faulthandler.disable()  # which pytest has turned on
        os.kill(os.getpid(), number)

    with pytest.raises(WorkBroke, match=number.name):
        limited(end, 10, None)
    with pytest.raises(GaveUp, match="memory"):
        limited(lambda: os.kill(os.getpid(), signal.SIGKILL), 10, None)
    with pytest.raises(WorkBroke, match="without an answer"):
        limited(lambda: os._exit(0), 10, None)
    with pytest.raises(WorkBroke, match="ZeroDivisionError"):
        limited(lambda: 1 // 0, 10, None)


@LINUX
def test_bench_prepares_files_under_the_limits(tmp_path: Path) -> None:
    class Slow(Lemmata):
        def prepare(self, file: Path, scratch: Path) -> Path:
            time.sleep(60)
            return file

    class Greedy(Lemmata):
        def prepare(self, file: Path, scratch: Path) -> Path:
            hoard = [bytes(1 << 20) + os.urandom(1) for _ in range(200)]
            time.sleep(10)
            return file if hoard else scratch

    limits = RunLimits(0.1, 100)
    model = tmp_path / "a.aag"
    model.write_bytes(b"aag 0 0 0 0 0 1\n0\n")
    case = Case("s", "a.aag", model, "unknown")
    started = time.monotonic()
    records = list(Campaign(limits, tmp_path / "out").perform(plan_runs([Slow("slow"), Greedy("greedy")], [case])))
    assert [one.outcome for one in records] == ["timeout", "memory"] and time.monotonic() - started < 2 * LATE
