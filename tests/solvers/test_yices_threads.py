"""Yices is not made for threads, and Python may collect garbage in any of them."""

from __future__ import annotations

import gc
import threading

import pytest

from lemmata.solvers.smt import open_solver
from tests.support.solvers import available

if "yices" not in available():
    pytest.skip("yices is not installed", allow_module_level=True)

from lemmata.solvers import yices_backend


class _Cycle:
    """Only the collector ends it."""

    def __init__(self) -> None:
        self.me = self
        self.solver = open_solver("yices")


def test_a_solver_that_another_thread_collects_is_freed_by_the_one_that_opens_the_next() -> None:
    open_solver("yices")
    _Cycle()
    collector = threading.Thread(target=gc.collect)
    collector.start()
    collector.join()
    assert yices_backend._unused
    solver = open_solver("yices")
    assert not yices_backend._unused
    solver.check()
