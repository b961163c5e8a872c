"""The solver behind the checks: its answers are values, and running out of time is none of them."""

from __future__ import annotations

import time
from itertools import combinations

import pytest

from lemmata.errors import GaveUp
from lemmata.solvers.checker import Backend, CertificateSolver, CheckedSat, CheckedUnsat
from lemmata.work import now
from tests.support.clock import LATE

pytestmark = pytest.mark.parametrize("backend", ["cadical153", "glucose4"])


def test_a_model_gives_every_literal_a_value(backend: Backend) -> None:
    checker = CertificateSolver(backend)
    checker.add_all([[1, 2], [-1, 3]])
    answer = checker.solve([-2])
    assert isinstance(answer, CheckedSat)
    assert answer.true(1)
    assert answer.true(-2)
    assert answer.true(3)
    assert answer.true(99) != answer.true(-99)


@pytest.mark.parametrize("until", [None, 60.0])
def test_a_core_holds_the_assumptions_that_were_needed(backend: Backend, until: float | None) -> None:
    checker = CertificateSolver(backend, until and now() + until)
    checker.add_all([[-1, -2], [3, 4]])
    answer = checker.solve([3, 1, 4, 2])
    assert isinstance(answer, CheckedUnsat)
    assert set(answer.core) == {1, 2}
    assert isinstance(checker.solve([1, -2]), CheckedSat)
    checker.add_all([[5], [-5]])
    assert checker.solve([3]) == CheckedUnsat(())
    assert checker.solve() == CheckedUnsat(())


def test_time_runs_out_inside_a_query(backend: Backend) -> None:
    checker = CertificateSolver(backend, until=now() + 0.1)
    pigeons, holes = 12, 11
    checker.add_all([[1 + p * holes + h for h in range(holes)] for p in range(pigeons)])
    checker.add_all([-1 - p * holes - h, -1 - q * holes - h] for h in range(holes) for p, q in combinations(range(pigeons), 2))
    started = time.monotonic()
    with pytest.raises(GaveUp, match="timeout"):
        checker.solve()
    assert time.monotonic() - started < LATE
