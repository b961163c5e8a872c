"""Evaluation and every solver agree on what each operator means, on two thousand applications per solver."""

from __future__ import annotations

import pytest

from lemmata.logic.terms import OPERATORS
from lemmata.solvers.smt import open_solver
from tests.support.smt_applications import ARRAYS, BATCH, NUMBERS, OPERATORS_OF, WORDS, Applications, complaints
from tests.support.solvers import available

SUITE = 2000


@pytest.mark.parametrize("name", available())
def test_solver_and_evaluation_agree_on_random_applications(name: str) -> None:
    applications = Applications(OPERATORS_OF[name], seed=1)
    for _ in range(SUITE // BATCH):
        assert complaints(open_solver(name), applications.batch()) == []


def test_every_operator_that_can_be_evaluated_is_applied() -> None:
    assert {*WORDS, *ARRAYS, *NUMBERS} == OPERATORS - {"apply"}
