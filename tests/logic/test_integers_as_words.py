"""Integers as words: formulas say the same about both, whatever the values; what bits say is said of the integers."""

from __future__ import annotations

from random import Random

import pytest

from lemmata.logic.build import build
from lemmata.logic.evaluate import evaluate
from lemmata.logic.integers_as_words import Choices, Domain, IntegerRange, IntegerWords, TooWide, integers_of
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import Term, bv, const, make, var
from lemmata.logic.values import signed

X, Y, Z, S = [var(name, INT) for name in "xyzs"]
B = var("b", BOOL)
DOMAINS: dict[Term, Domain] = {
    X: IntegerRange(-5, 9),
    Y: IntegerRange(0, 12),
    Z: IntegerRange(-1, 0),
    S: Choices((-7, 0, 3, 40, 41)),
}
ROUNDS = 150


def num(value: int) -> Term:
    return const(value, INT)


def number(random: Random, depth: int) -> Term:
    if depth == 0 or random.random() < 0.2:
        return random.choice([*DOMAINS, num(random.randint(-20, 20))])
    op = random.choice(["+", "-", "*", "neg", "ite", "mod", "div"])
    a, b = number(random, depth - 1), number(random, depth - 1)
    match op:
        case "neg":
            return make("neg", (a,))
        case "ite":
            return make("ite", (formula(random, depth - 1), a, b))
        case "mod" | "div":
            return make(op, (a, num(random.choice([-8, -3, -1, 1, 2, 3, 4, 5, 16, 64]))))
        case "+" if random.random() < 0.3:
            return make("+", (a, b, number(random, depth - 1)))
    return make(op, (a, b))


def formula(random: Random, depth: int) -> Term:
    if depth == 0:
        return B
    op = random.choice(["<", "<=", "=", "=", "and", "not"])
    match op:
        case "and":
            return make("and", (formula(random, depth - 1), formula(random, depth - 1)))
        case "not":
            return make("not", (formula(random, depth - 1),))
    return make(op, (number(random, depth - 1), number(random, depth - 1)))


def position(domain: Domain, value: int) -> int:
    return domain.values.index(value) if isinstance(domain, Choices) else value % (1 << domain.bits)


def value_at(domain: Domain, word: int) -> int:
    if isinstance(domain, Choices):
        return domain.at(word)
    return signed(word, domain.bits) if domain.is_signed else word


def test_formulas_say_the_same_of_integers_and_of_words() -> None:
    random = Random(1)
    for _ in range(ROUNDS):
        term = formula(random, 4)
        words = IntegerWords(DOMAINS)
        (found,) = words.of([term])
        for _ in range(20):
            bits = {v: random.randrange(1 << domain.bits) for v, domain in DOMAINS.items()}
            truth = random.random() < 0.5
            integers = {v: value_at(DOMAINS[v], word) for v, word in bits.items()}
            ours = {words.variables[v]: word for v, word in bits.items()}
            assert evaluate([found], ours | {B: truth}) == evaluate([term], integers | {B: truth}), term


@pytest.mark.parametrize(
    "domain",
    [IntegerRange(-5, 9), IntegerRange(0, 12), IntegerRange(-70, 3), IntegerRange(0, 0), Choices((-3, 0, 5, 6)), Choices((0,))],
)
def test_what_is_stored_is_the_value(domain: Domain) -> None:
    random = Random(2)
    held = domain.values if isinstance(domain, Choices) else range(domain.low, domain.high + 1)
    for _ in range(ROUNDS):
        term = number(random, 3)
        words = IntegerWords(DOMAINS)
        stored = words.stored(term, domain)
        assert stored.width == domain.bits
        for _ in range(20):
            bits = {v: random.randrange(1 << domain.bits) for v, domain in DOMAINS.items()}
            (value,) = evaluate([term], {v: value_at(DOMAINS[v], word) for v, word in bits.items()} | {B: True})
            if value in held:
                (word,) = evaluate([stored], {words.variables[v]: word for v, word in bits.items()} | {B: True})
                assert value_at(domain, word) == value


def about_bits(random: Random, word: Term) -> Term:
    """What cubes of bits say of a word."""
    high = random.randrange(word.width)
    low = random.randint(0, high)
    part = word if (high, low) == (word.width - 1, 0) else build("extract", (word,), (high, low))
    if random.random() < 0.2:
        part = build("bvnot", (part,))
    value = bv(random.randrange(1 << part.width), part.width)
    match random.choice(["=", "bvult", "bvule", "bvslt", "swapped"]):
        case "swapped":
            return make("bvult", (value, part))
        case op:
            return make(op, (part, value))


def test_what_bits_say_is_said_of_the_integers() -> None:
    random = Random(3)
    words = IntegerWords(DOMAINS).variables
    stands = {words[v]: (v, DOMAINS[v]) for v in DOMAINS}
    for _ in range(ROUNDS * 4):
        atoms = [about_bits(random, words[random.choice([*DOMAINS])]) for _ in range(2)]
        term = make(random.choice(["and", "or"]), (atoms[0], make("not", (atoms[1],))))
        (told,) = integers_of([term], stands)
        for _ in range(10):
            values = {
                v: random.choice(domain.values) if isinstance(domain, Choices) else random.randint(domain.low, domain.high)
                for v, domain in DOMAINS.items()
            }
            bits = {words[v]: position(DOMAINS[v], value) for v, value in values.items()}
            assert evaluate([told], values) == evaluate([term], bits), term


def test_parts_of_two_words_are_compared() -> None:
    words = IntegerWords(DOMAINS).variables
    stands = {words[v]: (v, DOMAINS[v]) for v in DOMAINS}
    term = make("=", (build("extract", (words[X],), (2, 1)), build("bvnot", (build("extract", (words[Y],), (3, 2)),))))
    (told,) = integers_of([term], stands)
    for x in range(-5, 10):
        for y in range(13):
            assert evaluate([told], {X: x, Y: y}) == evaluate([term], {words[X]: x % 32, words[Y]: y})


def test_values_of_a_position_are_intervals_among_them() -> None:
    words = IntegerWords(DOMAINS).variables
    (told,) = integers_of([make("bvule", (bv(2, 3), words[S]))], {words[S]: (S, DOMAINS[S])})
    assert str(told) == "(and (<= 3 s) (<= s 41))"


@pytest.mark.parametrize(
    "term",
    [make("=", (make("mod", (X, Y)), num(1))), make("<", (var("w", INT), num(1))), make("=", (make("div", (X, num(0))), X))],
)
def test_what_has_no_bounds_is_refused(term: Term) -> None:
    with pytest.raises(TooWide):
        IntegerWords(DOMAINS).of([term])


def test_bits_of_positions_are_compared_with_those_of_others() -> None:
    words = IntegerWords(DOMAINS).variables
    stands = {words[v]: (v, DOMAINS[v]) for v in DOMAINS}
    other = var("t", INT)
    choices = Choices((-1, 4, 6))
    place = IntegerWords({other: choices}).variables[other]
    terms = [
        make("=", (build("extract", (words[S],), (1, 1)), build("extract", (words[X],), (4, 4)))),
        make("bvult", (build("extract", (words[S],), (1, 0)), place)),
    ]
    told = integers_of(terms, stands | {place: (other, choices)})
    for s in (-7, 0, 3, 40, 41):
        for x in range(-5, 10):
            for t in choices.values:
                bits = {words[S]: position(DOMAINS[S], s), words[X]: x % 32, place: position(choices, t)}
                assert evaluate(told, {S: s, X: x, other: t}) == evaluate(terms, bits)
