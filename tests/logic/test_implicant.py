"""Implicants: literals that are true at a point and imply the formula."""

from __future__ import annotations

from random import Random

import pytest
import z3

from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, disj, equal, ite, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.linear.atoms import is_literal
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, const, make, topological, var
from lemmata.logic.text import infix
from lemmata.logic.walk import variables
from lemmata.solvers.smt import Sat, open_solver
from tests.support.random_arithmetic import KINDS, conjunction, for_z3, refuted

X, Y, Z = (var(f"{name}_imp", INT) for name in "xyz")
A, B, C = (var(f"{name}_imp", BOOL) for name in "abc")


def n(value: int) -> Term:
    return const(value, INT)


def le(a: Term, b: Term) -> Term:
    return build("<=", (a, b))


def texts(literals: list[Term]) -> set[str]:
    return {infix(literal).replace("_imp", "") for literal in literals}


def test_one_disjunct_is_enough_and_one_that_is_chosen_already_is_free() -> None:
    formula = conj([disj([A, B]), disj([negate(C), B])])  # the second has one way only
    assert texts(implicant(formula, {A: True, B: True, C: True})) == {"b"}


def test_the_cheapest_disjunct_is_taken() -> None:
    formula = disj([conj([A, B, le(X, Y)]), le(X, n(3))])
    assert texts(implicant(formula, {A: True, B: True, X: 0, Y: 0})) == {"x ≤ 3"}


def test_literals_with_variables_to_avoid_are_taken_only_if_need_be() -> None:
    formula = disj([le(X, n(3)), conj([A, B])])
    point = {A: True, B: True, X: 0}
    assert texts(implicant(formula, point)) == {"x ≤ 3"}
    assert texts(implicant(formula, point, avoid=[X])) == {"a", "b"}
    assert texts(implicant(formula, {**point, A: False}, avoid=[X])) == {"x ≤ 3"}


def test_choices_are_resolved_and_their_conditions_implied() -> None:
    inner = ite(A, X, Y)
    formula = equal(ite(le(inner, n(2)), build("+", (inner, n(1))), Z), n(3))
    assert texts(implicant(formula, {A: True, X: 2, Y: 7, Z: 0})) == {"x = 2", "x ≤ 2", "a"}
    assert texts(implicant(formula, {A: False, X: 2, Y: 7, Z: 3})) == {"z = 3", "y ≥ 3", "¬a"}


def test_a_choice_whose_branches_agree_needs_no_condition() -> None:
    formula = make("ite", (conj([le(X, Y), le(Y, Z), A]), B, C))
    assert texts(implicant(formula, {X: 0, Y: 0, Z: 0, A: True, B: True, C: True})) == {"b", "c"}


def test_unequal_numbers_are_the_side_that_holds() -> None:
    assert texts(implicant(negate(equal(X, Y)), {X: 1, Y: 4})) == {"x < y"}
    assert texts(implicant(negate(equal(X, Y)), {X: 5, Y: 4})) == {"y < x"}


@pytest.mark.parametrize("point", [(False, False), (False, True), (True, False), (True, True)])
def test_equal_and_unequal_booleans_need_both_sides(point: tuple[bool, bool]) -> None:
    values = dict(zip((A, B), point, strict=True))
    for formula in (make("=", (A, B)), make("xor", (A, B))):
        true = formula if evaluate([formula], values)[0] else negate(formula)
        assert texts(implicant(true, values)) == {infix(v if values[v] else negate(v)).replace("_imp", "") for v in (A, B)}


def test_constants_need_nothing() -> None:
    assert implicant(TRUE, {}) == []
    assert implicant(make("and", (TRUE, make("or", (FALSE, A)))), {A: True}) == [A]


def test_a_formula_that_is_false_at_the_point_is_given_up() -> None:
    r = var("r_imp", REAL)
    divided = equal(build("/", (r, const(0, REAL))), const(7, REAL))  # true in some model of a solver, 0 here
    for formula, values in ((FALSE, {}), (A, {A: False}), (divided, {r: 1})):
        with pytest.raises(GaveUp):
            implicant(formula, values)


def test_deep_formulas_and_deep_choices_need_no_recursion() -> None:
    formula, term = A, X
    for _ in range(10_000):
        formula = make("not", (make("and", (formula, B)),))
        term = make("ite", (A, make("+", (term, n(1))), Y))
    assert texts(implicant(formula, {A: True, B: True})) == {"a", "b"}
    assert texts(implicant(make("<=", (n(10_000), term)), {A: True, X: 0, Y: 0})) == {"a", "x ≥ 0"}


@pytest.mark.parametrize("kind", KINDS)
def test_random_implicants_are_true_and_imply_the_formula(kind: str) -> None:
    found = 0
    for seed in range(40):
        formula = conjunction(Random(f"{kind} {seed}"), kind)
        solver = open_solver("z3")
        solver.add(formula)
        answer = solver.check(wanted=variables([formula]))
        if not isinstance(answer, Sat):
            continue
        found += 1
        literals = implicant(formula, answer.values)
        assert all(evaluate(literals, answer.values)), (kind, seed)
        assert all(is_literal(literal) for literal in literals)
        assert not any(term.op == "ite" for term in topological(literals))
        assert not refuted(for_z3(conj(literals)), z3.Not(for_z3(formula))), (kind, seed)
    assert found > 20
