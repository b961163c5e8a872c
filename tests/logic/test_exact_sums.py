"""Sums that cannot wrap are written over the integers, and only those."""

from __future__ import annotations

import random

from lemmata.engines.pdr.word.units import Vocabulary
from lemmata.logic.evaluate import evaluate
from lemmata.logic.rewrite.exact_sums import exact_sum
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, bv, make, var
from lemmata.logic.text import infix
from lemmata.logic.values import signed


def wide(op: str, word: Term, width: int) -> Term:
    return make(op, (word,), width - word.width)


X, Y = var("x", BitVec(32)), var("y", BitVec(32))


def test_a_half_space_is_written_over_the_integers() -> None:
    vocabulary = Vocabulary({X: X, Y: Y}, frozenset({X}))
    assert infix(vocabulary.term(vocabulary.half_space({X: -100, Y: 1}, 0))) == "100·xₛ - y ≥ 0 in ℤ"
    assert infix(vocabulary.clause((vocabulary.half_space({X: 1, Y: 2}, 5),))) == "xₛ + 2·y ≥ 6 in ℤ"


def test_a_sum_that_may_wrap_is_written_as_it_is() -> None:
    narrow = make("bvadd", (wide("sign_extend", X, 32), wide("sign_extend", Y, 32)))
    assert exact_sum(narrow) is None
    assert infix(make("bvsle", (make("bvadd", (X, Y)), bv(3, 32)))) == "x + y ≤ₛ 3"
    tight = make("bvadd", (wide("zero_extend", X, 33), wide("zero_extend", Y, 33)))
    assert exact_sum(tight) is None  # as a signed number of 33 bits


def test_an_exact_sum_is_the_value_of_the_word() -> None:
    rng = random.Random(3)
    found = 0
    for _ in range(400):
        words = [var(f"e{i}", BitVec(rng.choice((1, 2, 3, 5)))) for i in range(rng.randint(2, 3))]
        width = rng.randint(6, 11)
        total = wide(rng.choice(("sign_extend", "zero_extend")), words[0], width)
        for word in words[1:]:
            factor = bv(rng.randint(-5, 5), width)
            part = make("bvmul", (wide(rng.choice(("sign_extend", "zero_extend")), word, width), factor))
            total = make(rng.choice(("bvadd", "bvsub")), (total, part))
        parts = exact_sum(total)
        if parts is None:
            continue
        found += 1
        for _ in range(20):
            state = {word: rng.getrandbits(word.width) for word in words}
            value = signed(evaluate([total], state)[0], width)
            assert value == sum(f * (signed(state[w], w.width) if s else state[w]) for w, s, f in parts)
    assert found > 100
