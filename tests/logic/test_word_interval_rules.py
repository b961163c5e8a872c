"""The rules of interval simulation contain every result, and are tight where that is cheap."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from lemmata.logic.domains.word_interval_rules import ALWAYS, MAYBE, NEVER, rule_of
from lemmata.logic.domains.word_intervals import WordInterval
from lemmata.logic.sorts import BOOL, INT, Array, BitVec
from lemmata.logic.terms import Term
from tests.support.small_arcs import every_arc, is_well_formed, members
from tests.support.word_reference import Function, cases, concatenation, connectives, operands, signed, width_of

# Operators whose ends are the best possible at width 3 for every pair of arcs.
EXACT = ["bvnot", "bvneg", "ite", "zero_extend", "sign_extend", "extract", "bvult", "bvule", "bvslt", "bvsle"]


def apply(term: Term, arcs: Sequence[WordInterval]) -> WordInterval:
    """The rule of ``term`` on the arcs of its operands."""
    inside: dict[Term, Any] = {}
    for variable, arc in zip(operands(term), arcs, strict=True):
        inside[variable] = arc.umin + arc.umax if variable.sort is BOOL else tuple(arc)[:6]
    rule = rule_of(term.op, tuple(arg.sort for arg in term.args), term.data)
    assert rule is not None, term.op
    result = rule(*[inside[arg] for arg in term.args])
    if term.sort is BOOL:
        return {NEVER: WordInterval.point(0, 1), MAYBE: WordInterval.top(1), ALWAYS: WordInterval.point(1, 1)}[result]
    return WordInterval(*result, term.width)


def ends(values: set[int], width: int) -> tuple[int, int, int, int]:
    both = [signed(value, width) for value in values]
    return min(values), max(values), min(both), max(both)


def violation(term: Term, function: Function, arcs: Sequence[WordInterval], values: set[int]) -> str | None:
    result = apply(term, arcs)
    if not is_well_formed(result):
        return f"{term.op} {arcs} gives {result}"
    if not all(map(result.contains, values)):
        return f"{term.op} {arcs} gives {result} without {values}"
    if term.op in EXACT and result[:4] != ends(values, width_of(term)):
        return f"{term.op} {arcs} gives {result}, but the ends are {ends(values, width_of(term))}"
    return None


def check_all(term: Term, function: Function) -> None:
    for arcs in itertools.product(*(every_arc(width_of(variable)) for variable in operands(term))):
        values = {function(*point) for point in itertools.product(*map(members, arcs))}
        assert violation(term, function, arcs, values) is None


@pytest.mark.parametrize("width", [1, 2, 3])
def test_every_rule_contains_every_result_for_all_arcs_of_small_words(width: int) -> None:
    for term, function in cases(width):
        check_all(term, function)


def test_every_rule_for_booleans_contains_every_result() -> None:
    for term, function in connectives():
        check_all(term, function)


@pytest.mark.parametrize(("high", "low"), [(1, 1), (1, 2), (2, 1), (2, 3)])
def test_concatenation_contains_every_result(high: int, low: int) -> None:
    check_all(*concatenation(high, low))


def some_arc(rng: random.Random, width: int) -> WordInterval:
    size, half = 1 << width, 1 << width - 1
    length = rng.choice([0, 1, 5, 100, size // 3, size])
    kind = rng.randrange(3)
    start = rng.choice([0, 1, half - 1, half, size - 1, rng.randrange(size), rng.randrange(size)]) % size
    if kind == 0:
        return WordInterval.unsigned(start, min(start + rng.randint(0, length), size - 1), width)
    if kind == 1:
        start -= half
        return WordInterval.signed(start, min(start + rng.randint(0, length), half - 1), width)
    other = WordInterval.pattern(rng.getrandbits(width) | rng.getrandbits(width), rng.getrandbits(width), width)
    return other.meet(WordInterval.signed(-half // 2, half // 2, width)) or other


def some_members(rng: random.Random, arc: WordInterval) -> list[int]:
    """A few values inside, ends first if they are."""
    near = [arc.umin, arc.umax, arc.smin, arc.smax, arc.bits, arc.bits | arc.free, 0, -1, 1]
    near += [rng.randint(arc.umin, arc.umax) & (arc.bits | arc.free) | arc.bits for _ in range(4)]
    near += [rng.randint(arc.smin, arc.smax) for _ in range(4)]
    return sorted({value % (1 << arc.width) for value in near if arc.contains(value)})


@pytest.mark.parametrize("width", [4, 5, 8, 13, 32, 64])
def test_every_rule_contains_every_result_for_random_arcs_of_large_words(width: int) -> None:
    rng = random.Random(width)
    for term, function in cases(width):
        for _ in range(60 if width < 8 else 25):
            arcs = [some_arc(rng, width_of(variable)) for variable in operands(term)]
            contains = apply(term, arcs).contains
            for point in itertools.product(*[some_members(rng, arc) for arc in arcs]):
                assert contains(function(*point)), (term.op, arcs, point)


def result(op: str, width: int, *arcs: WordInterval) -> WordInterval:
    return next(apply(term, arcs) for term, _ in cases(width) if term.op == op)


def test_a_sum_without_overflow_is_exact() -> None:
    total = result("bvadd", 8, WordInterval.unsigned(3, 9, 8), WordInterval.unsigned(100, 140, 8))
    assert (total.umin, total.umax) == (103, 149)
    total = result("bvadd", 8, WordInterval.signed(-3, 9, 8), WordInterval.signed(-50, 40, 8))
    assert (total.smin, total.smax) == (-53, 49)


def test_a_sum_whose_ends_overflow_together_is_exact() -> None:
    total = result("bvadd", 8, WordInterval.unsigned(200, 210, 8), WordInterval.unsigned(100, 110, 8))
    assert (total.umin, total.umax) == (44, 64)


def test_a_sum_that_wraps_in_one_reading_is_exact_in_the_other() -> None:
    total = result("bvadd", 8, WordInterval.unsigned(250, 255, 8), WordInterval.unsigned(3, 4, 8))
    assert (total.smin, total.smax) == (-3, 3)
    total = result("bvadd", 8, WordInterval.unsigned(120, 130, 8), WordInterval.point(128, 8))
    assert (total.smin, total.smax) == (-8, 2)
    total = result("bvsub", 8, WordInterval.signed(-128, -120, 8), WordInterval.unsigned(1, 10, 8))
    assert (total.umin, total.umax) == (118, 135)


def test_parity_is_kept_by_sums_and_products() -> None:
    even = WordInterval.pattern(1, 0, 8)
    assert result("bvadd", 8, even, WordInterval.point(2, 8)).known & 1
    assert result("bvadd", 8, even, even).bits & 1 == 0
    assert result("bvmul", 8, even, WordInterval.top(8)).known & 1
    assert result("bvmul", 8, WordInterval.pattern(3, 2, 8), WordInterval.pattern(1, 0, 8)).known == 3
    assert result("=", 8, even, WordInterval.point(7, 8)).umax == 0


def test_division_by_something_that_may_be_zero_is_bounded_on_both_sides_of_the_sign() -> None:
    quotient = result("bvudiv", 8, WordInterval.unsigned(10, 20, 8), WordInterval.unsigned(0, 5, 8))
    assert (quotient.smin, quotient.smax, quotient.umin) == (-1, 20, 2)


def test_what_is_not_a_word_has_no_rule() -> None:
    memory = Array(BitVec(2), BitVec(8))
    assert rule_of("select", (memory, BitVec(2)), None) is None
    assert rule_of("=", (memory, memory), None) is None
    assert rule_of("ite", (BOOL, memory, memory), None) is None
    assert rule_of("<", (INT, INT), None) is None
    assert rule_of("apply", (BitVec(2),), ("f", (BitVec(2),), BOOL)) is None
    assert rule_of("apply", (BOOL,), ("f", (BOOL,), BOOL)) is None
    assert rule_of("store", (memory, BitVec(2), BitVec(8)), None) is None
