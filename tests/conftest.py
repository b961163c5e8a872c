"""Tests send signals. Who starts something in the background may have them ignored, here and in all processes that follow.

How long an example takes is the machine's business: on a loaded one hypothesis must not complain. Tests that run in
parallel are in processes with threads: no reason to start workers as fresh interpreters, which takes a second each.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lemmata.run import process

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("loaded", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loaded")


@pytest.fixture(autouse=True)
def _forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are forked unless the test itself has threads."""
    if sys.platform == "linux":
        threads, real = _threads(), process.can_fork
        for module in [module for name, module in sys.modules.items() if name.startswith("lemmata")]:
            if getattr(module, "can_fork", None) is real:
                monkeypatch.setattr(module, "can_fork", lambda: _threads() <= threads)


def _threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))
