"""On a real terminal (a pseudo-terminal): the live line, colours, Ctrl-C; and what happens to workers when things end."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.support.clock import HANGS, LATE
from tests.support.fake_engines import SAFE
from tests.support.paths import ROOT, with_tests
from tests.support.processes import children, is_running, wait_for

FAKES = str(ROOT / "tests" / "support" / "fake_engines.py")


class Terminal:
    """A program with a controlling terminal of its own."""

    def __init__(self, *call: str, **environment: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, *call], with_tests() | {"TERM": "xterm"} | environment)
        self.shown = ""
        self.code: int | None = None

    def read_until(self, pattern: str, seconds: float = HANGS) -> None:
        end = time.monotonic() + seconds
        while not re.search(pattern, self.shown):
            assert time.monotonic() < end, f"{pattern!r} did not appear in {self.shown[-300:]!r}"
            if not self._read(0.1):
                break
        assert re.search(pattern, self.shown), self.shown[-300:]

    def press(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def wait(self, seconds: float = HANGS) -> float:
        """Read to the end; how long it took."""
        started = time.monotonic()
        while self._read(0.1):
            assert time.monotonic() - started < seconds
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        return time.monotonic() - started

    def _read(self, wait: float) -> bool:
        if not select.select([self.fd], [], [], wait)[0]:
            return True
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:  # Linux says so when the other side is closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "tiny.aag"
    path.write_text(SAFE)
    return str(path)


@pytest.mark.parametrize("kind", ["Sleepy", "Stubborn"])
def test_the_live_line_is_shown_and_ctrl_c_ends_it_with_the_bound(model, kind):
    terminal = Terminal(FAKES, kind, "check", model, "--workers", "2")
    terminal.read_until(r"\d+\.\d s \| \d+ MB \| bmc: bound \d, \d frames, 12 lemmas, 3 obligations, 45k queries \| pdr")
    workers = children(terminal.pid)
    assert len(workers) == 2
    terminal.press("\x03")
    assert terminal.wait() < LATE  # it would sleep for a minute
    assert terminal.code == 130
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.shown)
    bound = {"Sleepy": 7, "Stubborn": 3}[kind]
    assert re.search(rf"moved +unknown +interrupted +\w+ +{bound} ", shown)
    assert not any(map(is_running, workers))


def test_a_terminal_gets_colours_and_no_color_is_honoured(model):
    terminal = Terminal("-m", "lemmata", "check", model, "--engine", "pdr")
    terminal.wait()
    assert re.search(r"\x1b\[1;[0-9;]*msafe", terminal.shown)
    terminal = Terminal("-m", "lemmata", "check", model, "--engine", "pdr", NO_COLOR="1")
    terminal.wait()
    assert "\x1b" not in terminal.shown


def test_no_progress_means_no_live_line(model):
    terminal = Terminal(FAKES, "Sleepy", "check", model, "--timeout", "0.8", "--no-progress")
    terminal.wait()
    assert terminal.code == 5
    assert "queries" not in terminal.shown


def test_nothing_of_the_live_line_when_standard_error_is_no_terminal(model):
    call = [sys.executable, FAKES, "Sleepy", "check", model, "--timeout", "0.8"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=HANGS, check=False, env=with_tests())
    assert (done.returncode, done.stderr) == (5, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_run_with_a_partial_result(model, number):
    call = [sys.executable, FAKES, "Stubborn", "check", model, "--format", "jsonl"]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=with_tests())
    assert process.stdout is not None
    while "bound_reached" not in (line := process.stdout.readline()):
        assert line, "it ended"
    workers = children(process.pid)
    started = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=HANGS)
    assert time.monotonic() - started < LATE
    assert (process.returncode, err) == (130, "")
    (prop,) = json.loads(out.splitlines()[-1])["properties"]
    assert (prop["reason"], prop["bound"]) == ("interrupted", 3)
    assert not any(map(is_running, workers))


def test_workers_do_not_outlive_a_supervisor_that_is_killed(model):
    call = [sys.executable, FAKES, "Stubborn", "check", model]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=with_tests())
    assert wait_for(lambda: len(children(process.pid)) == 2)
    workers = children(process.pid)
    time.sleep(0.3)
    process.kill()
    process.wait()
    assert wait_for(lambda: not any(map(is_running, workers)), LATE)


@pytest.mark.parametrize(
    ("call", "code"), [(("explain", "thesis-2.3.1.aag"), 0), (("check", "elevator.aag"), 10)], ids=["explain", "check"]
)
@pytest.mark.parametrize("colour", ["", "1"])
def test_a_reader_that_has_gone_away_is_no_bug(call, code, colour):
    reader, writer = os.pipe()
    os.close(reader)
    command, file = call
    program = [sys.executable, "-m", "lemmata", command, str(ROOT / "examples" / file)]
    done = subprocess.run(
        program, stdout=writer, stderr=subprocess.PIPE, env=with_tests() | {"FORCE_COLOR": colour}, timeout=HANGS, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (code, b"")
