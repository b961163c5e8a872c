"""The live table: rows, the selection, what is skipped; on a real terminal with real keys, and the terminal afterwards."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from lemmata.events import BoundReached, Certified, EventRecord, Progress, PropertyStarted
from lemmata.report.live.table import LiveTable


def record(event, name: str, engine: str = "pdr", time_s: float = 1.0) -> EventRecord:
    return EventRecord(time_s, engine, name, event)


def lines(table: LiveTable, stream: io.StringIO, time_s: float = 3.25) -> list[str]:
    stream.seek(0)
    stream.truncate()
    table.tick(12.0, time_s)
    return [line.removesuffix("\x1b[K") for line in stream.getvalue().split("\n")][:-1]


def test_rows_have_state_engine_depth_and_time() -> None:
    stream = io.StringIO()
    table = LiveTable(stream, limit_s=60.0)
    assert lines(table, stream)[1] == "reading"
    table.hear(record(PropertyStarted("one", "pdr"), "one"))
    table.hear(record(Progress("pdr", 3), "one"))
    table.hear(record(BoundReached("bmc", 7), "one", "bmc"))
    table.hear(record(Progress("pdr", 4), "one"))
    table.hear(record(Certified("two", "unsafe", "replay"), "two", "bmc", 2.0))
    shown = lines(table, stream)
    assert shown[0].endswith("3.2 of 60 s | 12 MB")
    assert [line.split() for line in shown[1:4]] == [
        ["property", "state", "engine", "depth", "seconds"],
        [">", "one", "at", "work", "bmc", "7", "2.2"],
        ["two", "unsafe", "bmc", "-", "0.0"],
    ]


def test_the_selected_property_is_skipped_once_and_never_when_it_is_settled() -> None:
    stream = io.StringIO()
    table = LiveTable(stream)
    assert table.skip() is None
    for name in ("one", "two"):
        table.hear(record(PropertyStarted(name, "pdr"), name))
    table.hear(record(Certified("one", "safe", "cadical"), "one"))
    table.select(-1)
    assert table.skip() is None
    table.select(5)
    assert table.skip() == "two" and table.skip() is None
    assert [line.split()[:3] for line in lines(table, stream)[2:4]] == [["one", "safe", "pdr"], [">", "two", "skipped"]]


def test_of_many_rows_those_around_the_selected_one_are_shown() -> None:
    stream = io.StringIO()
    table = LiveTable(stream)
    for number in range(100):
        table.hear(record(PropertyStarted(f"p{number}", "pdr"), f"p{number}"))
    table.select(50)
    shown = lines(table, stream)
    assert len(shown) <= 24 and any(line.startswith("> p50 ") for line in shown)


# Two numbers to factor: the first is the product of two primes of 60 bits, which no engine finds while a test runs.
HARD = f"""1 sort bitvec 1
2 sort bitvec 64
3 sort bitvec 128
4 input 2 x
5 input 2 y
6 uext 3 4 64
7 uext 3 5 64
8 mul 3 6 7
9 one 2
10 ugt 1 4 9
11 ugt 1 5 9
12 and 1 10 11
13 constd 3 {(2**61 - 1) * (2**60 - 93)}
14 eq 1 8 13
15 and 1 12 14
16 bad 15 first
17 constd 3 {(2**61 - 1) * (2**60 - 107)}
18 eq 1 8 17
19 and 1 12 18
20 bad 19 second
"""


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *command: str) -> None:
        self.pid, self._fd = pty.fork()
        if not self.pid:
            os.execv(command[0], command)
        self.before = self.modes()
        self._text = ""

    def modes(self) -> int:
        return int(termios.tcgetattr(self._fd)[3]) & (termios.ICANON | termios.ECHO)

    def until(self, words: str) -> None:
        while words not in self._text:
            part = os.read(self._fd, 4096)
            assert part
            self._text += part.decode("utf-8", "replace")

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def end(self) -> int:
        """The exit code; the terminal is read out meanwhile."""
        with contextlib.suppress(OSError):
            while os.read(self._fd, 4096):
                pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    (tmp_path / "hard.btor2").write_text(HARD)
    call = ("-m", "lemmata", "check", str(tmp_path / "hard.btor2"), "--table", "--workers", "1", "--timeout", "300")
    program = Terminal(sys.executable, *call)
    yield program
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(program.pid, signal.SIGKILL)
        os.waitpid(program.pid, 0)


def test_keys_skip_a_property_and_stop_and_the_terminal_is_as_before(terminal: Terminal) -> None:
    terminal.until("at work")
    assert terminal.modes() == 0
    terminal.press("s")
    terminal.until("skipped")
    terminal.press("q")
    terminal.until("unknown")
    assert terminal.modes() == terminal.before
    assert terminal.end() == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_the_terminal_as_it_was(terminal: Terminal, number: int) -> None:
    terminal.until("at work")
    os.kill(terminal.pid, number)
    terminal.until("unknown")
    assert terminal.modes() == terminal.before
    assert terminal.end() == 130
