"""The script that breaks things notices when something is wrong, and a few of its rounds."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import faults

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
PETERSON = faults.EXAMPLES / "mutex-peterson.aag"


def a_round(folder: Path, fault: str = "full disk") -> faults.Round:
    return faults.Round(0, fault, PETERSON, "safe", folder, random.Random(0))


def test_wrong_answers_are_noticed(tmp_path: Path) -> None:
    one = a_round(tmp_path)
    for code, said in ((10, "unsafe"), (0, "unknown"), (5, "safe"), (10, ""), (3, ""), (-11, "")):
        assert list(faults._wrong_answers(one, code, said)), (code, said)
    for code, said in ((0, "safe"), (0, ""), (5, "unknown"), (1, "unknown"), (2, "safe"), (130, "")):
        assert not list(faults._wrong_answers(one, code, said)), (code, said)
    assert not list(faults._wrong_answers(a_round(tmp_path, "supervisor KILL"), -9, ""))


@pytest.mark.parametrize("name", ["proof.aag", "bug.wit", ".x.part", "lemmata-bug-x-1"])
def test_half_files_are_noticed(name: str, tmp_path: Path) -> None:
    one = a_round(tmp_path)
    assert list(faults._wrong_files(one, 0)) == []
    if name.startswith("lemmata"):
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(b"")
    assert len(list(faults._wrong_files(one, 0))) == 1


@LINUX
def test_processes_that_are_left_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "PATIENCE_S", 0.2)
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    leader = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    leader.wait()
    assert faults._left_over(leader.pid) == ["1 processes are left after 0.2 s"]
    assert faults._left_over(leader.pid) == []


@LINUX
@pytest.mark.parametrize("fault", ["worker SEGV", "worker KILL", "supervisor TERM", "full disk", "no temporary folder"])
def test_a_round_goes_well(fault: str) -> None:
    row = faults.perform(list(faults.FAULTS).index(fault))
    assert row["fault"] == fault and row["wrong"] == [] and row["hit"]
