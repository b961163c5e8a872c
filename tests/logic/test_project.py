"""Model-based projection: literals without some variables, true at the point, that imply that the variables exist."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import z3

from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.linear import comparison
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.sorts import BOOL, INT, REAL, BitVec
from lemmata.logic.terms import Term, Value, bv, const, make, var
from lemmata.logic.text import infix
from lemmata.logic.walk import variables
from lemmata.solvers.smt import Sat, open_solver
from tests.support.random_arithmetic import KINDS, conjunction, for_z3, refuted, variable_for_z3

X, Y, Z, W = (var(f"{name}_pro", INT) for name in "xyzw")
R, S, T = (var(f"{name}_pro", REAL) for name in "rst")
A = var("a_pro", BOOL)


def n(value: int) -> Term:
    return const(value, INT)


def le(a: Term, b: Term) -> Term:
    return build("<=", (a, b))


def lt(a: Term, b: Term) -> Term:
    return build("<", (a, b))


def plus(*args: Term) -> Term:
    return build("+", args)


def times(factor: int, a: Term) -> Term:
    return build("*", (a, const(factor, a.sort)))


def projected(literals: list[Term], values: dict[Term, Value], *gone: Term) -> set[str]:
    assert all(evaluate(literals, values))
    result = project(literals, values, gone)
    assert all(evaluate(result, values))
    assert not set(gone) & set(variables(result))
    assert not refuted(for_z3(conj(result)), z3.Not(z3.Exists([variable_for_z3(v) for v in gone], for_z3(conj(literals)))))
    return {infix(literal).replace("_pro", "") for literal in result}


def test_an_equation_is_substituted() -> None:
    step = [equal(Y, plus(X, n(1))), le(Y, n(5)), le(n(0), X)]
    assert projected(step, {X: 2, Y: 3}, Y) == {"x ≤ 4", "x ≥ 0"}


def test_an_equation_without_unit_leaves_a_divisibility() -> None:
    assert projected([equal(times(2, Y), X), le(Y, n(5))], {X: 6, Y: 3}, Y) == {"x ≤ 10", "x mod 2 = 0"}


def test_a_variable_without_bounds_on_one_side_takes_its_bounds_with_it() -> None:
    assert projected([le(X, Y), lt(Z, Y), negate(equal(Y, W)), le(X, Z)], {X: 0, Z: 1, Y: 9, W: 3}, Y) == {"x ≤ z"}


def test_between_bounds_the_greatest_lower_one_is_used() -> None:
    literals = [le(X, Y), le(Z, Y), le(Y, W), le(Y, n(9))]
    assert projected(literals, {X: 1, Z: 3, Y: 5, W: 7}, Y) == {"x ≤ z", "z ≤ w", "z ≤ 9"}


def test_the_side_with_fewer_bounds_is_used() -> None:
    assert projected([le(X, Y), le(Z, Y), le(Y, W)], {X: 1, Z: 3, Y: 5, W: 7}, Y) == {"x ≤ w", "z ≤ w"}


def test_wide_gaps_need_no_divisibility() -> None:
    literals = [le(X, times(2, Y)), le(times(3, Y), Z)]  # 2·z - 3·x ≥ 2 leaves an integer between x/2 and z/3
    assert projected(literals, {X: 0, Y: 1, Z: 9}, Y) == {"3 · x + 2 ≤ 2 · z"}


def test_narrow_gaps_have_the_remainder_of_the_point() -> None:
    result = projected([le(X, times(2, Y)), le(times(3, Y), Z)], {X: 4, Y: 2, Z: 6}, Y)
    assert any("mod" in text for text in result) and len(result) == 2


def test_congruences_move_the_point_by_whole_periods() -> None:
    even = equal(make("mod", (Y, n(2))), n(0))
    result = projected([even, le(X, Y), le(Y, Z)], {X: 1, Y: 8, Z: 9}, Y)
    assert result == {"x < z", "x mod 2 = 1"}


def test_one_congruence_without_bounds_is_exact() -> None:
    literal = equal(make("mod", (plus(times(4, Y), X), n(6))), n(0))
    assert projected([literal, le(n(0), Y)], {X: 2, Y: 1}, Y) == {"x mod 2 = 0"}


def test_strict_bounds_of_reals_stay_strict() -> None:
    assert projected([lt(R, S), le(S, T)], {R: Fraction(0), S: Fraction(1, 2), T: Fraction(1)}, S) == {"r < t"}
    assert projected([le(R, S), le(S, T)], {R: Fraction(0), S: Fraction(0), T: Fraction(0)}, S) == {"r ≤ t"}


def test_booleans_are_dropped() -> None:
    assert projected([A, le(X, Y)], {A: True, X: 0, Y: 0}, A) == {"x ≤ y"}


def test_quotients_become_bounds() -> None:
    half = make("div", (Y, n(2)))
    assert projected([le(n(5), half), le(Y, X)], {X: 20, Y: 15}, Y) == {"x ≥ 10"}
    assert projected([equal(half, X), le(Z, Y)], {X: 7, Y: 15, Z: 3}, Y) == {"z ≤ 2 · x + 1"}


def test_weaker_bounds_and_bounds_that_an_equation_implies_go() -> None:
    literals = [le(X, n(5)), le(X, n(7)), le(Y, n(3)), le(n(3), Y), le(Y, n(4))]
    assert projected(literals, {X: 1, Y: 3, Z: 0}, Z) == {"x ≤ 5", "y = 3"}


def test_what_is_not_linear_is_substituted_or_takes_its_value() -> None:
    product = make("*", (Y, Z))
    assert projected([equal(Y, plus(X, n(1))), le(product, n(6))], {X: 1, Y: 2, Z: 3}, Y) <= {
        "(x + 1) · z ≤ 6",
        "z · (x + 1) ≤ 6",
    }
    assert projected([le(product, n(6)), le(X, Y)], {X: 1, Y: 2, Z: 3}, Y) == {"z ≤ 3", "x ≤ 2"}


def test_words_are_substituted_or_take_their_value() -> None:
    v, w = var("v_pro", BitVec(8)), var("w_pro", BitVec(8))
    literals = [make("=", (w, make("bvadd", (v, bv(1, 8))))), make("bvult", (w, bv(9, 8)))]
    assert {infix(x).replace("_pro", "") for x in project(literals, {v: 3, w: 4}, [w])} == {"v + 1 < 9"}
    assert {infix(x).replace("_pro", "") for x in project([make("bvult", (v, w))], {v: 3, w: 4}, [w])} == {"v < 4"}


def test_an_integer_among_reals_takes_its_value() -> None:
    literals = [lt(build("to_real", (X,)), R), lt(R, S)]
    assert projected(literals, {X: 2, R: Fraction(5, 2), S: Fraction(3)}, R) == {"to_real(x) < s"}
    assert projected(literals, {X: 2, R: Fraction(5, 2), S: Fraction(3)}, X, R) == {"s > 2"}


@pytest.mark.parametrize("kind", KINDS)
def test_random_projections_are_true_and_imply_that_the_variables_exist(kind: str) -> None:
    found = 0
    for seed in range(40):
        rng = Random(f"project {kind} {seed}")
        formula = conjunction(rng, kind)
        solver = open_solver("z3")
        solver.add(formula)
        known = variables([formula])
        answer = solver.check(wanted=known)
        if not isinstance(answer, Sat) or not known:
            continue
        found += 1
        gone = rng.sample(known, rng.randint(1, len(known)))
        literals = implicant(formula, answer.values)
        result = project(literals, answer.values, gone)
        assert all(evaluate(result, answer.values)), (kind, seed)
        assert not set(gone) & set(variables(result)), (kind, seed)
        assert all((atom := comparison(literal)) is None or atom.to_term() is literal for literal in result)
        exists = z3.Exists([variable_for_z3(v) for v in gone], for_z3(conj(literals)))
        assert not refuted(for_z3(conj(result)), z3.Not(exists)), (kind, seed)
    assert found > 20
