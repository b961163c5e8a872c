"""Limits hold whatever an engine does: time, memory, crashes, lies."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest

from lemmata import run
from lemmata.config import Config
from lemmata.frontends.aiger import parse_aiger
from lemmata.run.processes.limits import resident_mb
from lemmata.verdict import Safe, Unknown, Unsafe
from tests.support.clock import HANGS, LATE
from tests.support.fake_engines import (
    SAFE,
    TWO,
    UNSAFE,
    Greedy,
    GreedyInC,
    HardFirst,
    Helpless,
    Honest,
    Hungry,
    Lying,
    LyingTrace,
    Raising,
    Reserving,
    Segfaulting,
    Sleepy,
    Stubborn,
    install,
)

ONE = {"engine": "pdr", "workers": 1}


@pytest.fixture
def go(monkeypatch, tmp_path):
    """Run fake engines on a circuit, in forked workers."""

    def run_fakes(text: str, *kinds, **config) -> run.Outcome:
        install(monkeypatch, *kinds)
        model = parse_aiger(text.encode(), "tiny.aag")
        return run.supervise(model, Config(**(ONE | config)), bundles=tmp_path)

    return run_fakes


def reasons(outcome: run.Outcome) -> list[str]:
    return [getattr(p.verdict, "reason", p.verdict.word) for p in outcome.result.properties]


@pytest.mark.parametrize("kind", [Sleepy, Stubborn])
def test_a_timeout_holds_also_inside_a_solver_call_and_keeps_the_bound(go, kind):
    started = time.monotonic()
    outcome = go(SAFE, kind, timeout=2)
    assert time.monotonic() - started < LATE
    (result,) = outcome.result.properties
    assert result.verdict == Unknown("timeout")
    assert result.bound == {Sleepy: 7, Stubborn: 3}[kind]
    assert result.engine == "fake"
    assert outcome.ending == "timeout"
    assert not outcome.bugs


def test_a_timeout_before_the_file_is_read_is_unknown_and_not_safe(monkeypatch):
    monkeypatch.setattr("lemmata.run.flow.load", lambda *_, **__: time.sleep(600))
    outcome = run.supervise("anything.aag", Config(timeout=0.2), is_fork=True)
    assert reasons(outcome) == ["timeout"]
    assert outcome.result.verdict == "unknown"


@pytest.mark.parametrize("kind", [Hungry, Greedy, GreedyInC])
def test_an_engine_that_wants_too_much_memory_is_unknown_memory(go, kind):
    outcome = go(SAFE, kind, memory_mb=250, timeout=HANGS)
    assert reasons(outcome) == ["memory"]
    assert not outcome.bugs
    assert outcome.result.memory_mb < 600 + resident_mb(os.getpid())  # a fork shares what we have


def test_memory_that_is_only_reserved_does_not_count(go):
    assert reasons(go(SAFE, Reserving, memory_mb=250 + int(resident_mb(os.getpid())), timeout=HANGS)) == ["safe"]


def test_memory_counts_for_all_workers_together(go):
    outcome = go(SAFE, Hungry, Sleepy, engine="auto", workers=2, memory_mb=200, timeout=3)
    assert reasons(outcome) == ["timeout"]  # the second worker went on
    assert outcome.result.memory_mb < 400 + 2 * resident_mb(os.getpid())


def test_a_limit_too_small_to_start_is_unknown_memory(go):
    assert reasons(go(SAFE, Sleepy, memory_mb=1, timeout=HANGS)) == ["memory"]
    assert reasons(go(SAFE, Sleepy, engine="auto", workers=2, memory_mb=1, timeout=HANGS)) == ["memory"]


@pytest.mark.parametrize("kind", [Raising, Segfaulting])
def test_a_worker_that_breaks_is_an_error_with_a_bundle(go, kind, tmp_path):
    outcome = go(SAFE, kind, seed=42)
    assert reasons(outcome) == ["error"]
    assert outcome.is_broken
    ((bug, folder),) = outcome.bugs
    assert folder.parent == tmp_path
    assert folder.name == "lemmata-bug-tiny-1"
    assert (folder / "model.aag").read_text() == SAFE
    assert json.loads((folder / "run.json").read_text())["options"]["seed"] == 42
    detail = (folder / "bug.txt").read_text()
    assert ("ValueError: the engine is broken" if kind is Raising else "Segmentation fault") in detail
    assert (
        bug.headline
        == {
            Raising: "internal error in pdr: ValueError: the engine is broken",
            Segfaulting: "internal error in pdr: the worker was ended by SIGSEGV",
        }[kind]
    )


def test_the_other_worker_goes_on_when_one_breaks(go):
    outcome = go(SAFE, Raising, Honest, engine="auto", workers=2, timeout=HANGS)
    assert reasons(outcome) == ["safe"]
    assert not outcome.is_broken


def test_a_bug_is_not_hidden_behind_a_limit(go):
    outcome = go(SAFE, Raising, Sleepy, engine="auto", workers=2, timeout=2)
    assert reasons(outcome) == ["error"]
    assert outcome.ending == "timeout"
    assert outcome.is_broken


@pytest.mark.parametrize(("kind", "text", "word"), [(Lying, UNSAFE, "safe"), (LyingTrace, SAFE, "unsafe")])
def test_evidence_that_fails_its_check_is_never_a_verdict(go, kind, text, word):
    outcome = go(text, kind)
    assert reasons(outcome) == ["uncertified"]
    assert not outcome.result.properties[0].certified
    assert outcome.is_broken
    ((bug, folder),) = outcome.bugs
    assert bug.evidence is not None
    assert bug.evidence.word == word
    assert (folder / "evidence.json").exists()


def test_a_failed_check_ends_the_run_while_the_other_worker_still_works(go):
    outcome = go(UNSAFE, Lying, Sleepy, engine="auto", workers=2, timeout=HANGS)
    assert reasons(outcome) == ["uncertified"]


def test_bundles_get_ever_new_numbers(go, tmp_path):
    folders = [go(SAFE, Raising).bugs[0][1].name for _ in range(2)]
    assert folders == ["lemmata-bug-tiny-1", "lemmata-bug-tiny-2"]


def test_a_bundle_finds_a_place_when_the_wanted_one_is_not_writable(go, monkeypatch, tmp_path):
    install(monkeypatch, Raising)
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.chdir(tmp_path)
    model = parse_aiger(SAFE.encode(), "tiny.aag")
    outcome = run.supervise(model, Config(**ONE), bundles=blocked)
    assert outcome.bugs[0][1].parent == tmp_path


def test_a_hard_property_does_not_starve_the_others(go):
    outcome = go(TWO, HardFirst, timeout=HANGS)
    assert reasons(outcome) == ["incomplete", "safe"]
    assert outcome.result.properties[0].bound == 5


def test_the_first_certified_answer_wins_and_the_rest_is_cancelled(go):
    started = time.monotonic()
    outcome = go(TWO, Sleepy, Honest, engine="auto", workers=2)
    assert time.monotonic() - started < LATE
    assert reasons(outcome) == ["unsafe", "safe"]
    assert {p.engine for p in outcome.result.properties} == {"fake"}


def test_two_workers_share_the_properties(go):
    """The first never settles property 0; the second neither, but both know the rest."""
    outcome = go(TWO, HardFirst, HardFirst, engine="auto", workers=2, timeout=4)
    assert reasons(outcome) == ["timeout", "safe"]


def test_an_engine_that_gives_up_says_why(go):
    outcome = go(SAFE, Helpless)
    assert reasons(outcome) == ["incomplete"]
    assert outcome.result.properties[0].bound == 2
    assert not outcome.is_broken


def test_honest_engines_are_believed(go):
    outcome = go(TWO, Honest)
    assert isinstance(outcome.result.properties[0].verdict, Unsafe)
    assert isinstance(outcome.result.properties[1].verdict, Safe)
    assert all(p.certified for p in outcome.result.properties)


def test_no_worker_and_no_open_file_is_left_behind(go):
    open_files = len(list(Path("/proc/self/fd").iterdir()))
    go(SAFE, Sleepy, Stubborn, engine="auto", workers=2, timeout=0.3)
    assert len(list(Path("/proc/self/fd").iterdir())) == open_files
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_fresh_interpreter_gives_the_same_answers(tmp_path):
    model = parse_aiger(TWO.encode(), "tiny.aag")
    outcome = run.supervise(model, Config(engine="auto", workers=2, timeout=HANGS), is_fork=False)
    assert reasons(outcome) == ["unsafe", "safe"]
    assert not outcome.bugs


def test_the_timeout_of_a_fresh_interpreter_holds_while_it_starts():
    model = parse_aiger(TWO.encode(), "tiny.aag")
    assert reasons(run.supervise(model, Config(timeout=0.01), is_fork=False)) == ["timeout"]


def test_a_fresh_interpreter_reads_a_pipe_and_is_held_to_the_limits_while_it_waits(tmp_path):
    pipe = tmp_path / "pipe.aag"
    os.mkfifo(pipe)
    assert reasons(run.supervise(str(pipe), Config(timeout=0.5), is_fork=False)) == ["timeout"]
    writer = threading.Thread(target=pipe.write_text, args=(SAFE,), daemon=True)
    writer.start()
    assert run.supervise(str(pipe), Config(workers=2, timeout=HANGS), is_fork=False).result.verdict == "safe"
    writer.join()
