"""Reasoning units over words: boundaries mean exactly what they say, and inclusion of cubes is sound."""

from __future__ import annotations

import random

import pytest

from lemmata.engines.pdr.word.frames import WordFrames
from lemmata.engines.pdr.word.reshape import _normal
from lemmata.engines.pdr.word.units import Bound, Slice, Vocabulary
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import Term, bv, make, var

WIDTHS = (1, 2, 3, 8, 32)


def words(rng: random.Random, count: int) -> list[Term]:
    return [var(f"u{i}", BitVec(rng.choice(WIDTHS))) for i in range(count)]


def states(rng: random.Random, variables: list[Term], count: int) -> list[dict[Term, int]]:
    edges = [0, 1, -1, 1 << 30, 1 << 31, (1 << 31) - 1]
    return [
        {v: (rng.choice(edges) if rng.random() < 0.4 else rng.getrandbits(v.width)) & ((1 << v.width) - 1) for v in variables}
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_a_half_space_is_the_sum_over_the_integers_whatever_the_words_do(seed: int) -> None:
    rng = random.Random(seed)
    variables = words(rng, rng.randint(1, 4))
    signed = frozenset(v for v in variables if v.width > 1 and rng.random() < 0.5)
    nexts = {v: make("bvadd", (v, bv(3, v.width))) for v in variables}
    vocabulary = Vocabulary(nexts, signed)
    coefficients = {v: rng.randint(-9, 9) for v in variables}
    for state in states(rng, variables, 30):
        value = sum(a * vocabulary.read(v, state[v]) for v, a in coefficients.items())
        limit = value + rng.randint(-3, 3)
        number = vocabulary.half_space(coefficients, limit)
        if number:
            after = dict(zip(variables, evaluate([nexts[v] for v in variables], state), strict=True))
            assert vocabulary.holds(number, state) == (value <= limit)
            assert evaluate([vocabulary.term(number), vocabulary.primed(number)], state) == [
                value <= limit,
                vocabulary.holds(number, after),
            ]


def test_a_boundary_at_the_end_of_the_range_says_nothing() -> None:
    x = var("x", BitVec(4))
    vocabulary = Vocabulary({x: x}, frozenset({x}))
    form = vocabulary.unary(x)
    assert (form.low, form.high) == (-8, 7)
    assert vocabulary.bound(form, True, 7) == 0
    assert vocabulary.bound(form, False, -8) == 0
    assert vocabulary.bound(form, True, 6) != 0


def test_forms_are_divided_by_their_common_factor_and_limits_are_rounded_inwards() -> None:
    x, y = var("x", BitVec(8)), var("y", BitVec(8))
    vocabulary = Vocabulary({x: x, y: y}, frozenset())
    number = vocabulary.half_space({x: -4, y: 6}, 9)  # -4x + 6y ≤ 9 ⟺ 2x - 3y ≥ -4
    literal = vocabulary.literals[number]
    assert isinstance(literal, Bound)
    assert [a for _, a in literal.form.parts] == [2, -3]
    assert (literal.is_upper, literal.limit) == (False, -4)


def test_a_slice_of_a_boolean_is_the_boolean_or_its_negation() -> None:
    b = var("b", BOOL)
    vocabulary = Vocabulary({b: b}, frozenset())
    for value in (0, 1):
        number = vocabulary.slice(b, 0, 0, value)
        for truth in (False, True):
            assert vocabulary.holds(number, {b: truth}) == (truth == bool(value))
            assert evaluate([vocabulary.term(number)], {b: truth}) == [truth == bool(value)]


@pytest.mark.parametrize("seed", range(30))
def test_a_cube_that_includes_another_contains_its_states(seed: int) -> None:
    rng = random.Random(seed)
    variables = [var(f"w{i}", BitVec(3)) for i in range(2)]
    vocabulary = Vocabulary({v: v for v in variables}, frozenset(v for v in variables if rng.random() < 0.5))
    frames = WordFrames(vocabulary)
    every = [{variables[0]: a, variables[1]: b} for a in range(8) for b in range(8)]

    def literal(state: dict[Term, int]) -> int:
        if rng.random() < 0.4:
            v, low = rng.choice(variables), rng.randrange(3)
            high = rng.randrange(low, 3)
            return vocabulary.slice(v, high, low, (state[v] >> low) & ((2 << (high - low)) - 1))
        coefficients = {v: rng.randint(-2, 2) for v in variables}
        value = sum(a * vocabulary.read(v, state[v]) for v, a in coefficients.items())
        return vocabulary.half_space(coefficients, value + rng.randint(0, 2))

    found = 0
    for _ in range(60):
        state = rng.choice(every)
        one, two = (tuple(sorted({number for _ in range(rng.randint(1, 3)) if (number := literal(state))})) for _ in range(2))
        if frames.includes(one, two):
            found += 1
            assert all(vocabulary.contains(one, s) for s in every if vocabulary.contains(two, s))
    assert found


def test_what_a_literal_says_is_measured_in_bits() -> None:
    x = var("x", BitVec(8))
    vocabulary = Vocabulary({x: x}, frozenset())
    assert vocabulary.literals[vocabulary.bound(vocabulary.unary(x), True, 15)].bits == 4
    assert Slice(x, 3, 0, 5).bits == 4


@pytest.mark.parametrize("seed", range(20))
def test_a_normal_is_orthogonal_to_its_plane(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 4)
    vectors = [tuple(rng.randint(-5, 5) for _ in range(size)) for _ in range(size - 1)]
    normal = _normal(vectors)
    if normal is not None:
        assert any(normal)
        assert all(sum(a * b for a, b in zip(normal, vector, strict=True)) == 0 for vector in vectors)


def test_parallel_vectors_have_no_single_normal() -> None:
    assert _normal([(1, 2, 3), (2, 4, 6)]) is None
