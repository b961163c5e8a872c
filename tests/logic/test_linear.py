"""Linear forms and atoms: normal forms, reading and writing, and what they mean at points."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.linear import (
    FALSE_ATOM,
    TRUE_ATOM,
    Atom,
    Linear,
    atom,
    atom_implies,
    combine,
    comparison,
    from_coefficients,
    linear,
    linearize,
    normal,
    split_equation,
)
from lemmata.logic.sorts import BOOL, INT, REAL, Array
from lemmata.logic.terms import FALSE, TRUE, Term, const, make, var
from lemmata.logic.text import infix

X, Y, Z = (var(f"{name}_lin", INT) for name in "xyz")
R, S = (var(f"{name}_lin", REAL) for name in "rs")
INTS = (X, Y, Z)


def n(value: int) -> Term:
    return const(value, INT)


def q(value: int | Fraction) -> Term:
    return const(value, REAL)


def le(a: Term, b: Term) -> Term:
    return build("<=", (a, b))


def lt(a: Term, b: Term) -> Term:
    return build("<", (a, b))


def plus(*args: Term) -> Term:
    return build("+", args)


def times(factor: int, a: Term) -> Term:
    return build("*", (const(factor, a.sort), a))


def mod(a: Term, m: int) -> Term:
    return make("mod", (a, n(m)))


def written(literal: Term) -> str:
    found = atom(literal)
    assert found is not None
    return infix(found.to_term()).replace("_lin", "")


def test_sums_gather_coefficients_and_constants() -> None:
    form = linear(plus(times(2, build("-", (X, Y))), build("neg", (X,)), n(3)))
    assert form == from_coefficients({X: 1, Y: -2}, 3, INT)


def test_what_cancels_is_gone() -> None:
    assert linear(build("-", (plus(X, Y), plus(Y, X, n(1))))) == Linear((), -1, INT)


def test_products_of_variables_reads_and_choices_are_not_linear() -> None:
    array = var("a_lin", Array(INT, INT))
    for term in (make("*", (X, Y)), make("select", (array, X)), mod(X, 2), build("ite", (le(X, Y), X, Z))):
        assert linear(term) is None
        assert linearize(plus(term, n(1))) == Linear(((term, 1),), 1, INT)


def test_division_of_reals_by_a_number_is_linear_but_not_by_zero() -> None:
    assert linear(build("/", (R, q(4)))) == Linear(((R, Fraction(1, 4)),), 0, REAL)
    assert linear(build("/", (R, q(0)))) is None


def test_integers_among_reals_are_unknowns_of_their_own() -> None:
    form = linear(plus(build("to_real", (plus(times(2, X), n(1)),)), R))
    assert form is not None
    assert form.evaluate({X: 3, R: Fraction(1, 2)}) == Fraction(15, 2)
    assert {c for _, c in form.terms} == {2, 1}


def test_deep_sums_need_no_recursion() -> None:
    term = X
    for _ in range(50_000):
        term = make("+", (term, n(1)))
    assert linear(term) == Linear(((X, 1),), 50_000, INT)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (le(plus(times(2, X), times(-4, Y)), n(5)), "x ≤ 2 · y + 2"),
        (lt(X, Y), "x < y"),
        (le(plus(X, n(1)), Y), "x < y"),
        (negate(le(X, n(4))), "x ≥ 5"),
        (le(X, plus(Y, n(3))), "x ≤ y + 3"),
        (equal(times(3, X), n(9)), "x = 3"),
        (equal(times(2, X), n(9)), "false"),
        (negate(equal(times(2, X), n(9))), "true"),
        (equal(mod(plus(X, n(7)), 4), n(1)), "x mod 4 = 2"),
        (negate(equal(mod(X, 2), n(0))), "x mod 2 = 1"),
        (le(n(1), mod(X, 2)), "x mod 2 = 1"),
        (le(mod(X, 3), n(1)), "x mod 3 ≠ 2"),
        (le(mod(X, 3), n(2)), "true"),
        (equal(mod(X, 3), n(3)), "false"),
        (lt(times(2, R), q(1)), "r < 1/2"),
        (le(build("to_real", (X,)), q(Fraction(3, 2))), "x ≤ 1"),
        (lt(build("to_real", (X,)), q(2)), "x ≤ 1"),
    ],
)
def test_literals_have_a_normal_form_that_reads_well(literal: Term, text: str) -> None:
    assert written(literal) == text


def test_equal_remainders_are_one_congruence() -> None:
    found = atom(equal(mod(X, 3), mod(plus(Y, n(1)), 3)))
    assert found is not None and (found.kind, found.modulus) == ("mod", 3)
    assert found.holds({X: 4, Y: 0}) and not found.holds({X: 4, Y: 1})


def test_booleans_are_no_atoms_but_constants_are() -> None:
    assert atom(var("b_lin", BOOL)) is None
    assert atom(equal(var("b_lin", BOOL), var("c_lin", BOOL))) is None
    assert (atom(TRUE), atom(FALSE)) == (TRUE_ATOM, FALSE_ATOM)


def test_an_atom_travels_between_processes() -> None:
    found = atom(le(X, Y))
    assert pickle.loads(pickle.dumps(found)) == found
    assert hash(pickle.loads(pickle.dumps(found))) == hash(found)


def test_implication_compares_constants() -> None:
    below_3, below_5, is_2 = (atom(t) for t in (le(X, n(3)), le(X, n(5)), equal(X, n(2))))
    above_4, not_9, is_even = (atom(t) for t in (le(n(4), X), negate(equal(X, n(9))), equal(mod(X, 2), n(0))))
    assert below_3 and below_5 and is_2 and above_4 and not_9 and is_even
    assert atom_implies(below_3, below_5) and not atom_implies(below_5, below_3)
    assert atom_implies(is_2, below_3) and not atom_implies(is_2, above_4) and atom_implies(is_2, is_even)
    assert atom_implies(below_5, not_9) and not atom_implies(above_4, not_9)
    assert not atom_implies(below_3, above_4)


# Random atoms.


@st.composite
def literals(draw: st.DrawFn) -> Term:
    parts = [times(draw(st.integers(-6, 6)), v) for v in INTS]
    total = plus(*parts, n(draw(st.integers(-9, 9))))
    kind = draw(st.sampled_from(["<", "<=", "=", "mod", "range"]))
    if kind == "mod":
        literal = equal(mod(total, draw(st.sampled_from([-3, 2, 4, 6]))), n(draw(st.integers(-1, 3))))
    elif kind == "range":
        literal = le(mod(total, draw(st.integers(2, 4))), n(draw(st.integers(-1, 3))))
    else:
        literal = build(kind, (total, n(0)))
    return negate(literal) if draw(st.booleans()) else literal


POINTS = st.tuples(*[st.integers(-20, 20)] * 3)


@settings(max_examples=150, deadline=None)
@given(literals(), st.lists(POINTS, min_size=1, max_size=8))
def test_normal_forms_mean_the_same(literal: Term, points: list[tuple[int, int, int]]) -> None:
    found = comparison(literal)
    assert found is not None
    term = found.to_term()
    assert comparison(term) == found
    assert found.negated().negated() == found
    assert comparison(negate(literal)) == found.negated()
    for point in points:
        values = dict(zip(INTS, point, strict=True))
        expected = evaluate([literal], values)[0]
        assert found.holds(values) == expected == evaluate([term], values)[0]
        assert found.negated().holds(values) != expected


@settings(max_examples=100, deadline=None)
@given(literals(), literals(), POINTS)
def test_implied_and_combined_atoms_hold_where_the_atoms_do(first: Term, second: Term, point: tuple[int, int, int]) -> None:
    a, b = comparison(first), comparison(second)
    assert a is not None and b is not None
    values = dict(zip(INTS, point, strict=True))
    if atom_implies(a, b) and a.holds(values):
        assert b.holds(values)
    if a.kind == b.kind == "le":
        both = evaluate([conj([first, second])], values)[0]
        assert not both or combine(a, b, 2, Fraction(1, 3)).holds(values)
    if a.kind == "eq":
        assert a.holds(values) == all(side.holds(values) for side in split_equation(a))


@given(st.tuples(*[st.integers(-5, 5)] * 2), st.fractions(max_denominator=7), st.sampled_from(["le", "lt", "eq", "ne"]))
@settings(max_examples=100, deadline=None)
def test_real_atoms_read_back(coefficients: tuple[int, int], constant: Fraction, kind: str) -> None:
    form = from_coefficients(dict(zip((R, S), coefficients, strict=True)), constant, REAL)
    found = normal(kind, form)
    assert atom(found.to_term()) == found
    for point in ((Fraction(1, 3), Fraction(-2)), (Fraction(0), Fraction(5, 7)), (Fraction(0), Fraction(0))):
        values = dict(zip((R, S), point, strict=True))
        assert found.holds(values) == Atom(kind, form).holds(values)
        assert found.negated().holds(values) != found.holds(values)
