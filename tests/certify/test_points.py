"""Points at which formulas are tried out before a solver is asked."""

from __future__ import annotations

import pytest

from lemmata.certify.graph.points import hold_somewhere
from lemmata.logic.build import build, negate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import TRUE, bv, const, make, var

X, Y, B = var("x", INT), var("y", INT), var("b", BOOL)
ARRAY = var("m", Array(BitVec(4), BitVec(4)))


@pytest.mark.parametrize(
    "formulas",
    [
        [TRUE],
        [build("<=", (X, const(-5000, INT)))],
        [build("<=", (const(5000, INT), X)), B],
        [build("<", (X, Y))],
        [build("bvult", (bv(9, 4), var("w", BitVec(4)))), negate(B)],
        [build("<", (var("r", REAL), const(0, REAL)))],
    ],
)
def test_what_nearly_any_state_satisfies_is_seen_at_once(formulas):
    assert hold_somewhere(formulas)


@pytest.mark.parametrize("formulas", [[build("<", (X, Y)), build("<", (Y, X))], [B, negate(B)], [make("=", (ARRAY, ARRAY))]])
def test_contradictions_hold_nowhere_and_of_arrays_nothing_is_said(formulas):
    assert not hold_somewhere(formulas)
