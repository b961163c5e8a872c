"""Tests send signals. Who starts something in the background may have them ignored, here and in all processes that follow.

How long an example takes is the machine's business: on a loaded one hypothesis must not complain. Tests that run in
parallel are in processes with threads: no reason to start workers as fresh interpreters, which takes a second each.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lemmata.logic.terms import Sweep
from lemmata.run.processes import process
from tests.support.program import load_everything

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("loaded", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loaded")


_sweep = Sweep()
_threads_before = 0


@pytest.fixture(scope="session", autouse=True)
def _forks() -> None:
    """Workers are forked unless the test itself has threads."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        load_everything()  # once here, and not in every fork
        gc.collect()
        gc.freeze()  # thousands of tests were collected: nobody need look at them again
    real = process.can_fork
    if sys.platform == "linux":
        for module in [module for name, module in sys.modules.items() if name.startswith("lemmata")]:
            if getattr(module, "can_fork", None) is real:
                module.can_fork = lambda: _threads() <= _threads_before  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """Threads that were there before are none of the test's; its terms go with it."""
    global _threads_before
    if sys.platform == "linux":
        _threads_before = _threads()
    yield
    _sweep.when_grown()


def _threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))
