"""Blasted operators against their definitions: exhaustively for small words, on random values for large ones."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from lemmata.logic.blast import Blaster
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, bv, make, var
from tests.support.word_reference import (
    BINARY,
    PREDICATES,
    Function,
    cases,
    concatenation,
    connectives,
    operands,
    signed,
    width_of,
)


class Simulator:
    """Gates that are evaluated at once, on many patterns side by side: literal 2v has one bit per pattern."""

    def __init__(self, patterns: Sequence[Sequence[int]], variables: Sequence[Term]) -> None:
        self.everywhere = (1 << len(patterns)) - 1
        self.values = [0]
        self.gates = 0
        self.leaves: dict[Term, list[int]] = {}
        for column, variable in enumerate(variables):
            self.leaves[variable] = [self._input(patterns, column, bit) for bit in range(width_of(variable))]

    def _input(self, patterns: Sequence[Sequence[int]], column: int, bit: int) -> int:
        self.values.append(sum((pattern[column] >> bit & 1) << i for i, pattern in enumerate(patterns)))
        return 2 * len(self.values) - 2

    def value(self, lit: int) -> int:
        return self.values[lit >> 1] ^ (self.everywhere if lit & 1 else 0)

    def conjoin(self, a: int, b: int) -> int:
        self.values.append(self.value(a) & self.value(b))
        self.gates += 1
        return 2 * len(self.values) - 2


def disagreement(term: Term, variables: Sequence[Term], function: Function, patterns: list[tuple[int, ...]]) -> str | None:
    simulator = Simulator(patterns, variables)
    bits = Blaster(simulator, simulator.leaves.__getitem__).bits(term)
    assert len(bits) == width_of(term)
    columns = [simulator.value(bit) for bit in bits]
    for i, pattern in enumerate(patterns):
        got = sum((column >> i & 1) << k for k, column in enumerate(columns))
        if got != function(*pattern):
            return f"{term.op} {term.data} {pattern}: {got}, not {function(*pattern)}"
    return None


def every_pattern(variables: Sequence[Term]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(1 << width_of(v)) for v in variables)))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_every_operator_is_exact_on_all_small_words(width: int) -> None:
    for term, function in cases(width):
        variables = operands(term)
        assert disagreement(term, variables, function, every_pattern(variables)) is None


def test_every_connective_is_exact() -> None:
    for term, function in connectives():
        variables = operands(term)
        assert disagreement(term, variables, function, every_pattern(variables)) is None


@pytest.mark.parametrize(("high", "low"), [(1, 1), (3, 1), (1, 3), (2, 4)])
def test_the_first_argument_of_a_concatenation_is_on_top(high: int, low: int) -> None:
    term, function = concatenation(high, low)
    assert disagreement(term, operands(term), function, every_pattern(operands(term))) is None


def interesting(rng: random.Random, width: int) -> int:
    """A word that is random, small, near a power of two, or near the end."""
    every = (1 << width) - 1
    choice = rng.randrange(4)
    if choice == 0:
        return rng.getrandbits(width)
    if choice == 1:
        return rng.randrange(2 * width) & every
    return ((1 << rng.randrange(width + 1)) + rng.randint(-2, 2)) & every


@pytest.mark.parametrize("width", [5, 7, 8, 13, 16, 31, 32, 33, 64])
def test_every_operator_is_exact_on_random_large_words(width: int) -> None:
    rng = random.Random(width)
    for term, function in cases(width):
        variables = operands(term)
        patterns = [tuple(interesting(rng, width_of(v)) for v in variables) for _ in range(60)]
        assert disagreement(term, variables, function, patterns) is None


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_every_operator_is_exact_with_a_constant_on_either_side(width: int) -> None:
    x = var("operand0", BitVec(width))
    patterns = every_pattern([x])
    for constant, op in itertools.product(range(1 << width), [*BINARY, *PREDICATES]):
        reference = PREDICATES.get(op) or BINARY[op]
        every = 1 if op in PREDICATES else (1 << width) - 1
        right = [reference(value, constant, width) & every for (value,) in patterns]
        left = [reference(constant, value, width) & every for (value,) in patterns]
        assert disagreement(make(op, (x, bv(constant, width))), [x], right.__getitem__, patterns) is None
        assert disagreement(make(op, (bv(constant, width), x)), [x], left.__getitem__, patterns) is None


@pytest.mark.parametrize("op", ["bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"])
@pytest.mark.parametrize("extensions", list(itertools.product(["zero_extend", "sign_extend"], repeat=2)))
def test_arithmetic_is_exact_on_extended_words(op: str, extensions: tuple[str, str]) -> None:
    x, y = var("operand0", BitVec(3)), var("operand1", BitVec(4))
    left, right = make(extensions[0], (x,), 3), make(extensions[1], (y,), 2)
    as_signed = [extension == "sign_extend" for extension in extensions]

    def wide(a: int, b: int) -> tuple[int, int]:
        return (signed(a, 3) if as_signed[0] else a) & 63, (signed(b, 4) if as_signed[1] else b) & 63

    patterns = every_pattern([x, y])
    assert disagreement(make(op, (left, right)), [x, y], lambda a, b: BINARY[op](*wide(a, b), 6) & 63, patterns) is None
    assert disagreement(make(op, (right, left)), [x, y], lambda a, b: BINARY[op](*wide(a, b)[::-1], 6) & 63, patterns) is None
