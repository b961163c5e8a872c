"""Operators on concrete values mean what SMT-LIB says, compared with z3 and with definitions written out by hand."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import OPERATORS, bv, const, make, var
from lemmata.logic.values import MEANINGS, ArrayValue, apply, default_value, is_open, signed
from tests.support.random_terms import random_value

SMALL = Array(BitVec(2), BitVec(3))
LARGE = Array(BitVec(32), BitVec(8))


def z3_words() -> dict[str, Callable[[Any, Any], Any]]:
    z3 = pytest.importorskip("z3")
    return {
        "bvand": lambda a, b: a & b,
        "bvor": lambda a, b: a | b,
        "bvxor": lambda a, b: a ^ b,
        "bvadd": lambda a, b: a + b,
        "bvsub": lambda a, b: a - b,
        "bvmul": lambda a, b: a * b,
        "bvudiv": z3.UDiv,
        "bvurem": z3.URem,
        "bvsdiv": lambda a, b: a / b,
        "bvsrem": z3.SRem,
        "bvsmod": lambda a, b: a % b,
        "bvshl": lambda a, b: a << b,
        "bvlshr": z3.LShR,
        "bvashr": lambda a, b: a >> b,
        "bvult": z3.ULT,
        "bvule": z3.ULE,
        "bvslt": lambda a, b: a < b,
        "bvsle": lambda a, b: a <= b,
        "concat": z3.Concat,
    }


@pytest.mark.parametrize("width", [1, 2, 3, 32, 65])
def test_word_operators_agree_with_z3(width: int) -> None:
    z3 = pytest.importorskip("z3")
    random, sort = Random(width), BitVec(width)
    everything = product(range(1 << width), repeat=2) if width < 4 else []
    drawn = [] if everything else [(random_value(random, sort), random_value(random, sort)) for _ in range(60)]
    for a, b in [*everything, *drawn]:
        for op, function in z3_words().items():
            theirs = z3.simplify(function(z3.BitVecVal(a, width), z3.BitVecVal(b, width)))
            expected = z3.is_true(theirs) if z3.is_bool(theirs) else theirs.as_long()
            ours = apply(op, (a, b), None, (sort, sort))
            assert ours == expected and isinstance(ours, bool) == z3.is_bool(theirs), (op, width, a, b)


def test_integer_division_is_euclidean() -> None:
    for a, b in product(range(-9, 10), range(-4, 5)):
        quotient, rest = (apply(op, (a, b), None, (INT, INT)) for op in ("div", "mod"))
        if b:
            assert a == b * quotient + rest and 0 <= rest < abs(b)
        else:
            assert (quotient, rest) == (0, 0)
        assert is_open("div", (a, b)) == (b == 0)
    assert apply("/", (Fraction(1), Fraction(0)), None, (REAL, REAL)) == 0
    assert apply("to_int", (Fraction(-1, 2),), None, (REAL,)) == -1


def test_every_operator_but_functions_has_a_meaning() -> None:
    assert OPERATORS - {"apply"} == MEANINGS.keys()


def test_unary_and_indexed_word_operators() -> None:
    word = (BitVec(4),)
    assert apply("bvneg", (8,), None, word) == 8
    assert apply("bvnot", (5,), None, word) == 10
    assert apply("extract", (0b1101,), (2, 1), word) == 0b10
    assert apply("sign_extend", (0b1101,), 2, word) == 0b111101
    assert apply("sign_extend", (0b0101,), 2, word) == 0b000101
    assert apply("zero_extend", (0b1101,), 2, word) == 0b001101
    assert [signed(word, 2) for word in range(4)] == [0, 1, -2, -1]


def test_arrays_are_equal_when_every_cell_is() -> None:
    left = ArrayValue(SMALL, 0, {0: 1, 1: 1, 2: 1, 3: 0})
    right = ArrayValue(SMALL, 1, {3: 0})
    assert left == right and hash(left) == hash(right)
    assert left.default == 1 and left.items == ((3, 0),)
    assert left != ArrayValue(SMALL, 1)
    assert ArrayValue(LARGE, 0, {5: 0}) == ArrayValue(LARGE, 0) != ArrayValue(LARGE, 1)


def test_random_arrays_are_canonical() -> None:
    random = Random(3)
    for _ in range(2000):
        default, cells = random.randrange(3), {random.randrange(4): random.randrange(3) for _ in range(random.randrange(6))}
        array = ArrayValue(SMALL, default, cells)
        everywhere = [cells.get(index, default) for index in range(4)]
        assert [array.select(index) for index in range(4)] == everywhere
        again = ArrayValue(SMALL, random.randrange(3), enumerate(everywhere))
        assert again == array and hash(again) == hash(array) and again.items == array.items
        assert const(again, SMALL) is const(array, SMALL)


def test_arrays_are_immutable_and_travel() -> None:
    array = ArrayValue(LARGE, 0)
    written = array.store(7, 3)
    assert (array.select(7), written.select(7), written.select(8)) == (0, 3, 0)
    assert written.store(7, 0) == array
    assert pickle.loads(pickle.dumps(written)) == written
    assert default_value(LARGE) == array and default_value(BOOL) is False and default_value(REAL) == 0


def test_a_program_runs_many_times() -> None:
    x, y = var("x", BitVec(8)), var("y", BitVec(8))
    program = Program([make("bvadd", (x, y)), x, bv(3, 8), make("bvult", (x, y))])
    assert program.run({x: 255, y: 2}) == [1, 255, 3, False]
    assert program.run({x: 1, y: 2}) == [3, 1, 3, True]


def test_a_variable_without_a_value_is_a_key_error() -> None:
    x = var("x", BitVec(8))
    with pytest.raises(KeyError):
        evaluate([make("bvnot", (x,))], {})


def test_functions_are_leaves_of_evaluation() -> None:
    x = var("x", BitVec(8))
    application = make("apply", (x,), ("f", (BitVec(8),), BitVec(8)))
    assert evaluate([make("bvadd", (application, x))], {x: 1, application: 4}) == [5]
