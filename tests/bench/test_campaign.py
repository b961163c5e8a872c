"""Whole campaigns with a fake Lemmata and a fake peer, whose behaviour is written in the benchmark files."""

import csv
import io
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from lemmata.bench import plots, suites
from lemmata.bench.contestants import Contestant, Lemmata
from lemmata.bench.peers import PeerCommand
from lemmata.bench.runners import RunLimits
from lemmata.cli.bench import Session
from tests.support.clock import HANGS, LATE
from tests.support.processes import wait_for

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="bench measures through /proc"),
    pytest.mark.usefixtures("fake_calls"),
]

LIMITS = RunLimits(0.4, 128)

FAKE = """
import json, os, sys, time
is_peer = sys.argv[1] == "peer"
file = sys.argv[2]
open(os.environ["FAKE_CALLS"], "a").write(f"{'peer' if is_peer else 'lemmata'} {os.path.basename(file)}\\n")
act = open(file).read().split()
act = act[-1 if is_peer else 0]
if act == "burn":
    while True: pass
if act == "fork":
    if not os.fork():
        while True: pass
    time.sleep(60)
if act == "hog":
    eaten = []
    while True:
        eaten.append(b"x" * 2**23)
        time.sleep(0.01)
if act == "crash":
    os.abort()
if act == "sleep":
    time.sleep(60)
if is_peer:
    print(act)
    sys.exit(0)
if act == "bundle":
    os.mkdir("lemmata-bug-7")
word = {"uncertified": "safe", "bundle": "unknown"}.get(act, act)
reason = {"bundle": "uncertified", "unknown": "incomplete"}.get(act)
one = {"verdict": word, "reason": reason, "certified": act != "uncertified"}
print(json.dumps({"verdict": word, "properties": [one]}))
sys.exit(1 if act == "bundle" else {"safe": 0, "unsafe": 10, "unknown": 5}[word])
"""

# file, what Lemmata does and what the peer does, expected
FILES = [
    ("easy/safe.aag", "safe safe", "safe"),
    ("easy/unsafe.aag", "unsafe unsafe", "unsafe"),
    ("easy/open.aag", "safe unknown", "unknown"),
    ("hard/burn.aag", "burn safe", "safe"),
    ("hard/fork.aag", "fork safe", "safe"),
    ("hard/hog.aag", "hog safe", "safe"),
    ("hard/crash.aag", "crash safe", "safe"),
]
ALARMING = [
    ("bad/wrong.aag", "unsafe safe", "safe"),
    ("bad/uncertified.aag", "uncertified safe", "safe"),
    ("bad/bundle.aag", "bundle safe", "safe"),
    ("bad/disagree.aag", "safe unsafe", "unknown"),
]


class Arena:
    """A suite on disk, the two contestants, and what they printed."""

    def __init__(self, folder: Path, files: list[tuple[str, str, str]]) -> None:
        self.out, self.calls = folder / "out", folder / "calls"
        fake = folder / "fake.py"
        fake.write_text(FAKE)
        suite = folder / "suite"
        rows = ["file,expected"]
        for name, acts, expected in files:
            (suite / name).parent.mkdir(parents=True, exist_ok=True)
            (suite / name).write_text(acts)
            rows.append(f"{name},{expected}")
        (suite / "index.csv").write_text("\n".join(rows))
        self.suite = suite
        self.lemmata = Lemmata(launcher=(sys.executable, "-S", str(fake)))
        self.peer = PeerCommand("peer", f"{sys.executable} -S {fake} peer {{file}}")

    def conduct(
        self,
        limits: RunLimits = LIMITS,
        fresh: bool = False,
        jobs: int = 1,
        contestants: list[Contestant] | None = None,
        draw: bool = False,
    ) -> tuple[int, str]:
        screen = io.StringIO()
        session = Session(Console(file=screen, width=200), limits, self.out, jobs, draw)
        code = session.conduct(contestants or [self.lemmata, self.peer], suites.load_suite([self.suite]), fresh)
        return code, screen.getvalue()

    def rows(self) -> dict[tuple[str, str], dict[str, str]]:
        with (self.out / "results.csv").open() as file:
            return {(row["contestant"], row["file"]): row for row in csv.DictReader(file)}

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def fake_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_CALLS", str(tmp_path / "calls"))


def test_every_fate_of_a_run_is_recorded_and_counted(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES)
    code, screen = arena.conduct()
    assert code == 0
    assert [row["outcome"] for (who, _), row in arena.rows().items() if who == "lemmata"] == [
        *("solved", "solved", "solved"),
        *("timeout", "timeout", "memory", "error"),
    ]
    assert arena.rows()["lemmata", "hard/crash.aag"]["reason"] == "signal 6"
    assert (arena.out / "logs" / "lemmata__hard_crash.aag.txt").exists()
    page = (arena.out / "report.md").read_text()
    assert "| hard | lemmata | 4 | 0 | 0 | 0 | 0 | 0 | 3 | 1 | 3.2 | 0.80 |" in page
    assert "| total | lemmata | 7 | 3 | 2 | 1 | 0 | 0 | 3 | 1 |" in page
    assert "hard" in screen
    assert "PAR2 ratio" in screen


def test_contestants_take_turns_on_each_file(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES[:2])
    arena.conduct()
    assert arena.called() == ["lemmata safe.aag", "peer safe.aag", "lemmata unsafe.aag", "peer unsafe.aag"]


def test_wrong_uncertified_and_contradicting_verdicts_are_shouted(tmp_path: Path) -> None:
    arena = Arena(tmp_path, ALARMING)
    code, screen = arena.conduct()
    assert code == 1
    assert "WRONG: lemmata says unsafe on suite/bad/wrong.aag, expected safe" in screen
    assert "UNCERTIFIED: lemmata says safe on suite/bad/uncertified.aag" in screen
    assert "UNCERTIFIED: lemmata says unknown on suite/bad/bundle.aag" in screen
    assert "DISAGREE: suite/bad/disagree.aag is safe for lemmata and unsafe for peer" in screen
    assert [path.name.startswith("lemmata-bug-7") for path in (arena.out / "bugs").iterdir()] == [True]


def test_a_second_call_repeats_nothing_and_says_the_same(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES[:3])
    arena.conduct()
    page = (arena.out / "report.md").read_text()
    _, screen = arena.conduct()
    assert len(arena.called()) == 6
    assert "6 of 6 runs are taken from" in screen
    assert (arena.out / "report.md").read_text() == page


def test_other_limits_other_options_a_changed_file_and_fresh_run_again(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES[:1])
    arena.conduct()
    arena.conduct(limits=replace(LIMITS, cpu_s=0.5))
    assert len(arena.called()) == 4
    arena.conduct(contestants=[replace(arena.lemmata, options="--seed 3"), arena.peer])
    assert arena.called()[4:] == ["lemmata safe.aag"]
    (arena.suite / "easy/safe.aag").write_text("safe  safe")
    arena.conduct()
    assert len(arena.called()) == 7
    arena.conduct(fresh=True)
    assert len(arena.called()) == 9
    assert len(arena.rows()) == 2


def test_rows_of_another_build_are_pointed_out(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES[:1])
    arena.conduct()
    results = arena.out / "results.csv"
    results.write_text(results.read_text().replace(arena.lemmata.version(), "0.0.1"))
    assert "rows of lemmata come from another build" in arena.conduct()[1]


def test_several_jobs_give_the_same_table(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES[:4])
    arena.conduct(jobs=3)
    assert "| total | lemmata | 4 | 3 | 2 | 1 | 0 | 0 | 1 | 0 |" in (arena.out / "report.md").read_text()
    assert len(arena.rows()) == 8


def test_a_command_that_does_not_exist_is_an_error_not_a_crash(tmp_path: Path) -> None:
    arena = Arena(tmp_path, FILES[:1])
    arena.conduct(contestants=[PeerCommand("ghost", "/nowhere/ghost {file}")])
    assert arena.rows()["ghost", "easy/safe.aag"]["outcome"] == "error"


def test_plots_are_written_as_png_and_svg(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arena = Arena(tmp_path, FILES[:3])
    arena.conduct(draw=True)
    for name in ("cactus", "scatter-lemmata-peer", "memory-lemmata-peer"):
        assert (arena.out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (arena.out / f"{name}.svg").read_text()


def test_without_matplotlib_tables_are_still_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots.importlib.util, "find_spec", lambda name: None)
    arena = Arena(tmp_path, FILES[:1])
    code, screen = arena.conduct(draw=True)
    assert code == 0
    assert "matplotlib is not installed (pip install 'lemmata[plots]')" in screen
    assert (arena.out / "report.json").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_keeps_what_is_there_and_leaves_nobody_behind(tmp_path: Path, number: signal.Signals) -> None:
    arena = Arena(tmp_path, [("easy/safe.aag", "safe safe", "safe"), ("easy/slow.aag", "sleep sleep", "safe")])
    code = f"""
import sys
from pathlib import Path
from rich.console import Console
from lemmata.bench import suites
from lemmata.bench.peers import PeerCommand
from lemmata.bench.runners import RunLimits
from lemmata.cli.bench import Session
peer = PeerCommand("peer", {arena.peer.options!r})
session = Session(Console(), RunLimits(300, 512), Path({str(arena.out)!r}), draw=False)
sys.exit(session.conduct([peer], suites.load_suite([Path({str(arena.suite)!r})])))
"""
    bench = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert wait_for(lambda: "peer slow.aag" in arena.called() or bench.poll() is not None)
    started = time.monotonic()
    bench.send_signal(number)
    screen, _ = bench.communicate(timeout=HANGS)
    assert time.monotonic() - started < LATE
    assert bench.returncode == 130
    assert "Interrupted after 1 of 2 runs" in screen
    assert list(arena.rows()) == [("peer", "easy/safe.aag")]
    assert not [path for path in Path("/proc").glob("[0-9]*") if str(tmp_path) in _command(path)]


def _command(process: Path) -> str:
    try:
        return (process / "cmdline").read_text(errors="replace")
    except OSError:
        return ""
