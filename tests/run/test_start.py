"""Starting workers: whatever goes wrong there, nobody waits for it, nothing of it stays, and all read the same file."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace

import pytest

from lemmata import run
from lemmata.config import Config
from lemmata.errors import InputError
from lemmata.frontends.aiger import parse_aiger
from lemmata.run.ledger import Ledger
from lemmata.run.processes.messages import Listed
from lemmata.run.processes.process import Process
from lemmata.run.processes.worker import work
from lemmata.run.task import Task
from lemmata.verdict import Unknown
from tests.support.clock import HANGS
from tests.support.fake_engines import SAFE, UNSAFE, Sleepy, install
from tests.support.processes import children, is_running, wait_for

LARGE = replace(parse_aiger(SAFE.encode()), comments=("x" * (1 << 20),))  # more than a pipe holds
CONFIG = Config(engine="pdr", workers=1)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def has_children() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG) is not None
    except ChildProcessError:
        return False


def test_an_interpreter_that_ends_at_once_is_a_bug_and_not_a_wait_for_ever(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    outcome = run.supervise(LARGE, CONFIG, is_fork=False, bundles=tmp_path)
    assert [p.verdict for p in outcome.result.properties] == [Unknown("error")]


def test_an_interpreter_that_is_not_there_leaves_no_open_file(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    before = open_files()
    with pytest.raises(FileNotFoundError):
        Process(Task(LARGE, CONFIG), is_fork=False)
    assert open_files() == before


def test_an_interruption_while_a_worker_gets_its_task_leaves_neither_process_nor_open_file(monkeypatch):
    def interrupted(fd: int, message: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lemmata.run.processes.process.send", interrupted)
    before = open_files()
    with pytest.raises(KeyboardInterrupt):
        run.supervise(LARGE, CONFIG, is_fork=False)
    assert open_files() == before
    assert not has_children()


def test_a_forked_worker_whose_supervisor_forgot_it_ends_at_its_first_word(monkeypatch):
    install(monkeypatch, Sleepy)
    process = Process(Task(LARGE, CONFIG), is_fork=True)
    os.close(process.inbox.fd)
    give_up = time.monotonic() + HANGS
    while process.status is None and time.monotonic() < give_up:
        process.reap()
    assert process.status == 0
    process.inbox.fd = os.open(os.devnull, os.O_RDONLY)
    process.end()


def test_a_worker_that_takes_long_to_disappear_is_no_zombie_for_ever(monkeypatch):
    install(monkeypatch, Sleepy)
    monkeypatch.setattr("lemmata.run.processes.process._ENDING", 0.0)
    late = Process(Task(LARGE, CONFIG), is_fork=True)
    late.end()
    assert late.status is None
    monkeypatch.setattr("lemmata.run.processes.process._ENDING", HANGS)
    assert wait_for(lambda: not is_running(late.pid))
    assert late.pid in children(os.getpid())
    Process(Task(LARGE, CONFIG), is_fork=True).end()
    assert late.pid not in children(os.getpid())


def test_a_file_that_changes_between_two_workers_is_an_error_and_no_mixture_of_verdicts():
    told = []
    for text in (SAFE, UNSAFE, SAFE):
        work(Task(parse_aiger(text.encode(), "m.aag"), CONFIG), told.append, set)
    first, changed, again = (message for message in told if isinstance(message, Listed))
    ledger = Ledger("m.aag", CONFIG, time.monotonic())
    ledger.note("pdr", first)
    ledger.note("bmc", again)
    with pytest.raises(InputError, match="the file changed while it was read"):
        ledger.note("bmc", changed)
