"""The front end and the interpreter of plain integers read the same text and must compute the same values."""

from __future__ import annotations

import random

import pytest

from lemmata.logic.evaluate import Program
from tests.support.btor2_agreement import compare
from tests.support.btor2_interpreter import Interpreter, Value, reachable
from tests.support.btor2_random import ARITHMETIC, BITWISE, OVERFLOWS, REDUCTIONS, RELATIONS, SHIFTS, UNARY, Shape, random_model
from tests.support.btor2_terms import read

MODELS = 1500


@pytest.mark.parametrize("part", range(3))
def test_random_models_mean_the_same_to_both(part: int) -> None:
    for seed in range(part, MODELS, 3):
        rng = random.Random(seed)
        text = random_model(rng)
        try:
            compare(text, rng)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}:\n{text}") from error


def test_wide_random_models_mean_the_same_to_both() -> None:
    shape = Shape(state_bits=80, input_bits=40, widest=20, nodes=40, arrays=False)
    for seed in range(80):
        rng = random.Random(seed)
        compare(random_model(rng, shape), rng)


def one_operator(tag: str, width: int, result: int) -> str:
    args = "10" if tag in (*UNARY, *REDUCTIONS) else "10 11"
    sorts = [f"1 sort bitvec {width}", f"2 sort bitvec {result}", "3 sort bitvec 1"]
    leaves = ["10 input 1", "11 input 1", "12 state 2"]
    return "\n".join([*sorts, *leaves, f"13 {tag} 2 {args}", "14 next 2 12 13", "15 eq 3 12 12", "16 bad 15"])


EVERY = [*((tag, False) for tag in (*UNARY, *BITWISE, *SHIFTS, *ARITHMETIC)), *((t, True) for t in (*REDUCTIONS, *RELATIONS))]


@pytest.mark.parametrize(("tag", "is_bit"), [*EVERY, *((tag, True) for tag in OVERFLOWS)])
def test_every_operator_agrees_on_all_words_of_up_to_three_bits(tag: str, is_bit: bool) -> None:
    for width in (1, 2, 3):
        text = one_operator(tag, width, 1 if is_bit else width)
        model = Interpreter(text)
        graph, system = read(text)
        (state,) = graph.origin.states
        program = Program([system.nexts[state]])
        for left in range(1 << width):
            for right in range(1 << width):
                after, _, _ = model.step((0,), (left, right))
                values = dict(zip(graph.origin.inputs, (left, right), strict=True))
                assert program.run(values) == [after[0]], (tag, width, left, right)


def test_the_interpreter_itself_is_right_on_known_values() -> None:
    def value(tag: str, width: int, left: int, right: int = 0) -> Value:
        after, _, _ = Interpreter(one_operator(tag, width, width)).step((0,), (left, right))
        return after[0]

    assert value("sdiv", 4, 0b1001, 2) == 0b1101  # -7 / 2 = -3
    assert value("srem", 4, 0b1001, 2) == 0b1111  # -7 rem 2 = -1
    assert value("smod", 4, 0b1001, 2) == 1  # the sign of the divisor
    assert value("udiv", 4, 9, 0) == 15
    assert value("sdiv", 4, 9, 0) == 1
    assert value("sra", 4, 0b1000, 9) == 15
    assert value("sll", 4, 1, 9) == 0
    assert value("rol", 5, 0b10010, 6) == 0b00101
    assert value("ror", 5, 0b10010, 1) == 0b01001
    assert value("neg", 4, 8) == 8


def test_enumeration_finds_the_nearest_bad_state_and_none_where_there_is_none() -> None:
    text = "1 sort bitvec 3\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 inc 1 3\n6 next 1 3 5\n7 sort bitvec 1\n8 constd 1 5\n"
    text += "9 eq 7 3 8\n10 bad 9\n11 zero 7\n12 bad 11\n"
    assert reachable(text) == [5, None]
    assert reachable(text + "13 constd 1 4\n14 ult 7 3 13\n15 constraint 14\n") == [None, None]


def test_random_models_have_near_and_far_bad_states_and_safe_ones() -> None:
    depths: list[int | None] = []
    for seed in range(60):
        depths += reachable(random_model(random.Random(seed), Shape(state_bits=5, input_bits=2)))
    assert None in depths and 0 in depths and any(depth is not None and depth > 1 for depth in depths)
