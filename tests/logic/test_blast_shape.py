"""What blasting costs, what it shares, and what it refuses."""

from __future__ import annotations

import random
import time

import pytest

from lemmata.errors import LemmataError
from lemmata.logic.blast import Blaster, CannotBlast
from lemmata.logic.sorts import BOOL, INT, Array, BitVec
from lemmata.logic.terms import Term, bv, const, make, var
from lemmata.transforms.circuit.rebuild import AigBuilder

WORD = BitVec(32)
X, Y = var("x", WORD), var("y", WORD)


class Inputs:
    """Literals for variables, counted up as they are asked for."""

    def __init__(self, most: int = 1000) -> None:
        self.builder = AigBuilder(most + 1)
        self.used = 0
        self.asked: list[Term] = []
        self.blaster = Blaster(self.builder, self)

    def __call__(self, variable: Term) -> list[int]:
        self.asked.append(variable)
        width = 1 if variable.sort is BOOL else variable.width
        self.used += width
        return [2 * (1 + i) for i in range(self.used - width, self.used)]


def gates(*terms: Term) -> int:
    inputs = Inputs()
    for term in terms:
        inputs.blaster.bits(term)
    return len(inputs.builder.lefts)


@pytest.mark.parametrize(
    ("op", "most"),
    [("bvadd", 219), ("bvsub", 219), ("bvmul", 3846), ("bvudiv", 4686), ("bvult", 125), ("=", 127), ("bvshl", 476)],
)
def test_circuits_of_32_bits_stay_small(op: str, most: int) -> None:
    assert gates(make(op, (X, Y))) <= most


@pytest.mark.parametrize(
    ("op", "constant", "most"),
    [
        ("bvadd", 0, 0),
        ("bvadd", 1, 31 * 3),
        ("bvmul", 0, 0),
        ("bvmul", 1, 0),
        ("bvmul", 64, 0),
        ("bvmul", 2**32 - 1, 31 * 3),
        ("bvmul", 0xFFFF, 16 * 7 + 16 * 3),
        ("bvudiv", 16, 0),
        ("bvurem", 16, 0),
        ("bvshl", 5, 0),
        ("bvlshr", 40, 0),
        ("bvashr", 40, 0),
        ("bvult", 0, 0),
        ("bvult", 2**31, 0),
        ("bvult", 1000, 31),
        ("=", 5, 31),
        ("bvand", 0xFF, 0),
    ],
)
def test_constants_cost_little(op: str, constant: int, most: int) -> None:
    assert gates(make(op, (X, bv(constant, 32)))) <= most


def test_quotient_and_remainder_share_one_divider() -> None:
    quotient, remainder = make("bvudiv", (X, Y)), make("bvurem", (X, Y))
    assert gates(quotient, remainder) == gates(quotient)
    quotient, remainder = make("bvsdiv", (X, Y)), make("bvsrem", (X, Y))
    assert gates(quotient, remainder) < gates(quotient) + 300


def test_a_product_of_sign_extensions_costs_as_many_rows_as_the_short_word_has_bits() -> None:
    x, y = var("x8", BitVec(8)), var("y8", BitVec(8))
    product = make("bvmul", (make("sign_extend", (x,), 24), make("sign_extend", (y,), 24)))
    assert gates(product) < 9 * 8 * 32


def test_shared_terms_are_built_once_and_each_variable_is_asked_for_once() -> None:
    inputs = Inputs()
    total = X
    for _ in range(50):
        total = make("bvadd", (total, total))  # a tree would have 2⁵⁰ leaves
    inputs.blaster.bits(total)
    before = len(inputs.builder.lefts)
    inputs.blaster.bits(make("bvadd", (total, X)))
    assert inputs.asked == [X]
    assert inputs.blaster.bits(total) == (0,) * 32
    assert len(inputs.builder.lefts) == before


def test_a_chain_of_100000_nodes_is_no_matter() -> None:
    chain = var("b", BOOL)
    others = [var(f"b{i}", BOOL) for i in range(10)]
    for i in range(100_000):
        chain = make("xor", (chain, others[i % 10]))
    assert len(Inputs().blaster.bits(chain)) == 1


def test_twenty_thousand_words_are_blasted_within_seconds() -> None:
    rng = random.Random(1)
    pool: list[Term] = [var(f"w{i}", BitVec(16)) for i in range(40)]
    ops = ["bvadd", "bvsub", "bvand", "bvor", "bvxor", "ite", "ite", "ite", "bvult", "="]
    for _ in range(10_000):
        op = rng.choice(ops)
        a, b = rng.choices(pool, k=2)
        match op:
            case "ite":
                pool.append(make("ite", (make("=", (a, bv(rng.getrandbits(4), 16))), a, b)))
            case "bvult" | "=":
                pool.append(make("ite", (make(op, (a, b)), b, rng.choice(pool))))
            case _:
                pool.append(make(op, (a, b)))
    inputs = Inputs()
    start = time.process_time()
    for term in pool:
        inputs.blaster.bits(term)
    assert time.process_time() - start < 10  # about 1.5 s on an idle machine


@pytest.mark.parametrize(
    "term",
    [
        var("i", INT),
        make("<", (var("i", INT), const(3, INT))),
        make("select", (var("memory", Array(BitVec(2), WORD)), bv(1, 2))),
        make("=", (var("memory", Array(BitVec(2), WORD)), var("other", Array(BitVec(2), WORD)))),
        make("apply", (X,), ("f", (WORD,), WORD)),
    ],
    ids=lambda term: term.op,
)
def test_what_has_no_bits_is_refused(term: Term) -> None:
    with pytest.raises(CannotBlast, match="cannot be turned into bits") as caught:
        Inputs().blaster.bits(make("=", (term, term)))
    assert isinstance(caught.value, LemmataError)
    assert caught.value.term in (term, *term.args)


def test_leaves_of_the_wrong_width_are_refused() -> None:
    with pytest.raises(ValueError, match="3 literals for a variable of 32 bits"):
        Blaster(AigBuilder(10), lambda _: (2, 4, 6)).bits(X)
