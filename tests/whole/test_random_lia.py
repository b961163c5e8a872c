"""Every engine on graphs, on a few dozen random systems over numbers, as ``tests.soak.lia`` compares them with enumeration."""

from __future__ import annotations

from collections import Counter

import pytest

from lemmata.certify.graph.check import checkers
from lemmata.solvers.smt import preferred
from tests.soak.lia import ROUTES, case_of, outcomes
from tests.support.random_lia import random_case
from tests.support.solvers import available

SUITE = 120  # systems of the suite; each route takes its share


@pytest.mark.parametrize("name", ROUTES)
def test_verdicts_agree_with_enumeration(name: str) -> None:
    position, count = list(ROUTES).index(name), len(ROUTES)
    for seed in range(position, SUITE, count):
        for outcome in outcomes(seed, ROUTES[name]):
            assert not outcome.complaint, outcome.complaint


def test_systems_are_varied_and_fixed_by_their_seed() -> None:
    cases = [case_of(seed) for seed in range(60)]
    assert [random_case(seed) for seed in range(6)] == cases[:6]
    heights = Counter(height for case in cases for height in case.truth)
    assert heights[None] >= 20 and sum(n for height, n in heights.items() if height is not None and height > 1) >= 8
    assert any("Real" in case.text for case in cases) and any("Array" in case.text for case in cases)


@pytest.mark.skipif("yices" not in available(), reason="there is one solver only")
def test_the_preferred_solver_is_not_the_one_that_checks() -> None:
    assert preferred() not in checkers({preferred()}, numbers=True)
