"""Remainders, quotients, choices and spans: the rules, and random terms against evaluation."""

from itertools import product
from random import Random

import pytest

from lemmata.logic.build import conj, disj, equal, ite, negate
from lemmata.logic.domains.congruence_intervals import (
    TOP,
    CongruenceInterval,
    congruence_interval,
    join,
    meet,
    point,
    quotient,
    remainder,
    weighted_sum,
)
from lemmata.logic.domains.congruence_intervals import product as times
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.rewrite.arithmetic import Arithmetic
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import FALSE, TRUE, Term, make, var
from lemmata.logic.text import infix
from tests.support.c_like import at_most, flag, modulo, number, random_formula, random_number, signed

X, Y, Z = (var(name, INT) for name in "xyz")
B = var("b", BOOL)
WORD = 1 << 32


def rewritten(term: Term, **known: CongruenceInterval) -> str:
    spans = {v: known[name] for v, name in ((X, "x"), (Y, "y"), (Z, "z")) if name in known}
    return infix(Arithmetic(spans).rewritten([term])[0])


def interval(low: int | None, high: int | None, step: int = 1, rest: int = 0) -> CongruenceInterval:
    found = congruence_interval(low, high, step, rest)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (equal(flag(at_most(X, Y)), number(0)), "y < x"),
        (make("<", (number(0), flag(at_most(X, Y)))), "x ≤ y"),
        (equal(flag(B), number(2)), "false"),
        (modulo(modulo(X, WORD), 2), "x mod 2"),
        (modulo(modulo(X, 2), WORD), "x mod 2"),
        (modulo(make("+", (X, modulo(Y, 12))), 4), "(x + y) mod 4"),
        (modulo(make("+", (X, make("*", (Y, number(9))))), 8), "(x + y) mod 8"),
        (modulo(X, -8), "x mod 8"),
        (modulo(signed(X, 256), 256), "x mod 256"),
        (at_most(modulo(X, 8), number(7)), "true"),
        (equal(signed(X, 256), number(0)), "x mod 256 = 0 ∧ x mod 256 ≤ 127"),
        (at_most(signed(X, 256), number(127)), "true"),
        (equal(modulo(make("-", (modulo(X, 2), modulo(Y, 2))), WORD), number(0)), "(x + y) mod 2 = 0"),
        (at_most(number(3), make("div", (X, number(4)))), "x ≥ 12"),
        (equal(make("div", (make("+", (make("*", (X, number(4))), Y)), number(4))), X), "y ≤ 3 ∧ y ≥ 0"),
        (modulo(X, 0), "x mod 0"),
    ],
)
def test_a_term_becomes_simpler(term: Term, expected: str):
    assert sorted(rewritten(term).split(" ∧ ")) == sorted(expected.split(" ∧ "))


@pytest.mark.parametrize(
    ("term", "known", "expected"),
    [
        (modulo(X, WORD), {"x": interval(0, 99)}, "x"),
        (modulo(make("-", (X, number(100))), WORD), {"x": interval(0, 99)}, "x + 4294967196"),
        (at_most(modulo(X, 8), number(2)), {"x": interval(0, 9)}, "x ≤ 2 ∨ x ≥ 8"),
        (equal(modulo(make("+", (X, Y)), 8), number(1)), {"x": interval(0, 3), "y": interval(0, 4)}, "x + y = 1"),
        (
            equal(modulo(make("+", (X, Y)), 64), number(1)),
            {"x": interval(None, None, 4), "y": interval(None, None, 6)},
            "false",
        ),
        (make("div", (X, number(10))), {"x": interval(20, 29)}, "2"),
        (signed(X, 256), {"x": interval(-128, -1)}, "x"),
        (at_most(Y, X), {"x": interval(5, None), "y": interval(None, 5)}, "true"),
    ],
)
def test_known_spans_make_it_simpler_still(term: Term, known: dict[str, CongruenceInterval], expected: str):
    assert sorted(rewritten(term, **known).split(" ∨ ")) == sorted(expected.split(" ∨ "))


def test_conditions_bound_the_branches_of_a_choice():
    spans = Arithmetic().spans
    assert spans.of(signed(X, 256)) == interval(-128, 127)
    assert spans.of(flag(B)) == interval(0, 1)
    assert spans.of(make("+", (modulo(X, 4), make("*", (number(-2), modulo(Y, 4)))))) == interval(-6, 3)
    assert spans.of(make("-", (make("*", (X, Y)), make("*", (X, Y))))) == point(0)


@pytest.mark.parametrize("seed", range(20))
def test_random_terms_stay_what_they_are(seed: int):
    random = Random(f"arithmetic {seed}")
    points = [dict(zip((X, Y, Z), values, strict=True)) for values in product(range(-7, 8, 2), range(-5, 9, 3), (-6, 0, 1, 5))]
    for _ in range(40):
        known = {v: random_span(random) for v in (X, Y, Z) if random.random() < 0.5}
        arithmetic = Arithmetic(known)
        terms = [random_number(random, (X, Y, Z), 3), random_formula(random, (X, Y, Z), 3)]
        before, after = Program(terms), Program(arithmetic.rewritten(terms))
        found = arithmetic.spans.of(terms[0])
        for values in points:
            if all(known[v].has(values[v]) for v in known):
                assert before.run(values) == after.run(values), terms
                assert found.has(before.run(values)[0])


def test_rewriting_again_changes_nothing():
    random = Random("again")
    arithmetic = Arithmetic()
    for _ in range(200):
        (once,) = arithmetic.rewritten([random_formula(random, (X, Y, Z), 3)])
        (twice,) = arithmetic.rewritten([once])
        values = {X: 3, Y: -4, Z: 11}
        assert evaluate([once], values) == evaluate([twice], values)
        assert len(infix(twice)) <= len(infix(once))


def random_span(random: Random) -> CongruenceInterval:
    low = random.choice([None, random.randint(-8, 4)])
    high = random.choice([None, random.randint(low or -4, 12)])
    step = random.choice([0, 1, 1, 2, 3, 4])
    found = congruence_interval(low, high, step, random.randint(-5, 9))
    return TOP if found is None else found


def members(found: CongruenceInterval | None) -> set[int]:
    return set() if found is None else {n for n in range(-400, 401) if found.has(n)}


def test_operations_on_spans_forget_no_result():
    random = Random("spans")
    for _ in range(400):
        a, b, factor, divisor = random_span(random), random_span(random), random.randint(-3, 3), random.randint(1, 9)
        some, others = sorted(members(a))[:40], sorted(members(b))[-40:]
        assert members(join(a, b)) >= members(a) | members(b)
        assert members(meet(a, b)) == members(a) & members(b)
        for n in some:
            assert remainder(a, divisor).has(n % divisor)
            assert quotient(a, divisor).has(n // divisor)
            for m in others[:10]:
                assert times(a, b).has(n * m)
                if factor:
                    assert weighted_sum([(a, 1), (b, factor)], 7).has(n + factor * m + 7)


def test_an_empty_span_is_none():
    assert congruence_interval(3, 2) is None
    assert congruence_interval(1, 3, 4, 0) is None
    assert congruence_interval(0, 9, 0, 10) is None
    assert meet(interval(0, None, 2, 1), interval(None, 9, 4, 0)) is None
    assert meet(interval(0, 3), point(4)) is None


def test_opposites_stay_opposites():
    arithmetic = Arithmetic({X: interval(0, 5)})
    condition = at_most(modulo(X, 4), number(1))
    assert arithmetic.rewritten([conj((condition, negate(condition)))]) == [FALSE]
    assert arithmetic.rewritten([disj((condition, negate(condition)))]) == [TRUE]
    assert arithmetic.rewritten([ite(B, X, X)]) == [X]
