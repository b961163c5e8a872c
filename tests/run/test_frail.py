"""Yices may abort in the middle of a run; the run goes on with another solver."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lemmata.run import supervise
from lemmata.run.options import make_config
from tests.support.paths import ROOT
from tests.support.solvers import available

if "yices" not in available():
    pytest.skip("yices is not installed", allow_module_level=True)

from lemmata.solvers.yices_backend import Yices
from tests.support.clock import HANGS

EXAMPLE = ROOT / "examples" / "lia" / "double.smt2"


@pytest.fixture
def frail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Yices, "_search", lambda *args: os.abort())


@pytest.mark.usefixtures("frail")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_that_yices_ends_is_replaced_by_one_that_asks_z3(workers: int) -> None:
    outcome = supervise(str(EXAMPLE), make_config(workers=workers, timeout=HANGS), is_fork=True)
    assert outcome.result.verdict == "safe"
    assert outcome.result.properties[0].certified
    assert not outcome.bugs


@pytest.mark.usefixtures("frail")
def test_who_asked_for_yices_is_told_that_it_ended(tmp_path: Path) -> None:
    config = make_config(engine="lifted", technique={"solver": "yices"}, workers=1, timeout=HANGS)
    outcome = supervise(str(EXAMPLE), config, is_fork=True, bundles=tmp_path)
    assert outcome.result.verdict == "unknown"
    assert outcome.is_broken
