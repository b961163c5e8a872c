"""One run under limits: what is measured, what is stopped, and that nobody stays behind."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lemmata.bench import processes
from lemmata.bench.runners import Finished, MeasuredRun, RunLimits, pause
from tests.support.clock import HANGS, LATE
from tests.support.processes import wait_for

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="bench measures through /proc")

BURN = "while True: pass"


def run(script: str, tmp_path: Path, cpu_s: float = 0.4, memory_mb: int = 512) -> Finished:
    running = MeasuredRun([sys.executable, "-S", "-c", script], tmp_path, RunLimits(cpu_s, memory_mb))
    started = time.monotonic()
    while not (finished := running.poll()):
        pause(time.monotonic() - started)
    return finished


def is_alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_a_quick_run_is_measured_and_its_output_kept(tmp_path: Path) -> None:
    finished = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)", tmp_path)
    assert (finished.stdout, finished.stderr, finished.exit_code, finished.stopped) == ("out\n", "err\n", 7, "")
    assert 0 < finished.cpu_s < 0.4


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a little CPU time takes long."""
    monkeypatch.setattr(RunLimits, "wall_s", HANGS)


@pytest.mark.usefixtures("patient")
def test_a_run_that_burns_cpu_is_stopped_at_its_limit(tmp_path: Path) -> None:
    finished = run(BURN, tmp_path)
    assert finished.stopped == "cpu"
    assert 0.4 < finished.cpu_s < 1.0


@pytest.mark.usefixtures("patient")
def test_cpu_of_children_counts_and_no_child_stays_behind(tmp_path: Path) -> None:
    script = f"""
import os, time
pids = []
for _ in range(2):
    pid = os.fork()
    if not pid:
        {BURN}
    pids.append(pid)
open("pids", "w").write(" ".join(map(str, pids)))
time.sleep(60)
"""
    finished = run(script, tmp_path)
    assert finished.stopped == "cpu"
    assert finished.cpu_s > 0.4
    assert wait_for(lambda: not any(is_alive(int(pid)) for pid in (tmp_path / "pids").read_text().split()), LATE)


def test_cpu_of_children_that_ended_counts_too(tmp_path: Path) -> None:
    script = """
import os, time
if not os.fork():
    while time.process_time() < 0.2: pass
    os._exit(0)
os.wait()
"""
    finished = run(script, tmp_path, cpu_s=5)
    assert finished.stopped == ""
    assert finished.cpu_s >= 0.2


def test_a_child_that_outlives_its_parent_is_ended(tmp_path: Path) -> None:
    script = """
import os, time
pid = os.fork()
if not pid:
    time.sleep(60)
open("pid", "w").write(str(pid))
"""
    assert run(script, tmp_path).exit_code == 0
    assert wait_for(lambda: not is_alive(int((tmp_path / "pid").read_text())))  # who was killed may take a moment to go


def test_a_run_that_eats_memory_is_stopped(tmp_path: Path) -> None:
    script = """
import time
eaten = []
while True:
    eaten.append(b"x" * 2**22)
    time.sleep(0.01)
"""
    finished = run(script, tmp_path, cpu_s=10, memory_mb=64)
    assert finished.stopped == "memory"
    assert finished.memory_mb > 64


def test_shared_pages_are_counted_once(tmp_path: Path) -> None:
    script = """
import os, time
eaten = b"x" * (40 * 2**20)
children = [pid for _ in range(3) if (pid := os.fork()) or time.sleep(0.6) or os._exit(0)]
[os.wait() for _ in children]
"""
    assert run(script, tmp_path, cpu_s=10, memory_mb=100).stopped == ""


def test_a_process_that_has_just_ended_shares_nothing_any_more() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    wait_for(lambda: processes.family(child.pid)[0].memory_mb > 1)
    (seen,) = processes.family(child.pid)
    child.communicate(b"\n")
    assert processes.shared_memory_mb([seen]) == 0


def test_a_run_that_sleeps_is_stopped_by_wall_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunLimits, "wall_s", 0.3)
    finished = run("import time; time.sleep(60)", tmp_path)
    assert finished.stopped == "wall"
    assert finished.wall_s < 2


def test_a_crash_shows_its_signal(tmp_path: Path) -> None:
    finished = run("import os; os.abort()", tmp_path)
    assert (finished.exit_code, finished.stopped) == (-6, "")


def test_closing_a_run_ends_it(tmp_path: Path) -> None:
    running = MeasuredRun(
        [sys.executable, "-S", "-c", "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"],
        tmp_path,
        RunLimits(5, 512),
    )
    assert wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    running.close()
    running.close()
    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_temporary_files_of_a_run_go_to_its_own_folder(tmp_path: Path) -> None:
    assert run("import os; print(os.environ['TMPDIR'], os.getcwd())", tmp_path).stdout.split() == [str(tmp_path)] * 2
    assert os.environ.get("TMPDIR") != str(tmp_path)
