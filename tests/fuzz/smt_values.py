"""Values of the naive reading: those at the corners, all of a small sort, and the same as Lemmata's and z3's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import z3

from lemmata.logic import sorts as ours
from lemmata.logic.terms import Value
from lemmata.logic.values import ArrayValue
from tests.fuzz.smt_naive import Cells, Sort, Word
from tests.fuzz.world import Beyond

SMALL = (-1, 0, 1, 2)
_ints: tuple[int, ...] = SMALL  # what integers range over where all values are tried
_MORE = 8
_INTS = (0, 1, -1, 2, -2, 3, 4, 5, 7, -7, 8, 10, 15, 2**31, -(2**31), 2**63, -(2**64))


def ints() -> tuple[int, ...]:
    """What integers range over where all values are tried."""
    return _ints


@contextmanager
def wider(evidence: bytes) -> Iterator[None]:
    """While inside, integers also have the values that a witness speaks of; ``Beyond`` if these are many."""
    global _ints
    words = re.findall(rb"\(- (\d{1,30})\)|(\d{1,30})", evidence)
    numbers = {-int(minus) if minus else int(plus) for minus, plus in words} - set(SMALL)
    if len(numbers) > _MORE:
        raise Beyond("many values")
    _ints = (*SMALL, *sorted(numbers))
    try:
        yield
    finally:
        _ints = SMALL


def corner(rng: Random, sort: Sort) -> Any:
    """A value, mostly at a corner of its sort."""
    if sort == "Bool":
        return rng.random() < 0.5
    if sort == "Int":
        return rng.choice(_INTS)
    if sort == "Real":
        return Fraction(rng.choice(_INTS), rng.choice((1, 1, 2, 3, 7)))
    if sort[0] == "BitVec":
        top = 1 << int(sort[1])
        return Word(int(sort[1]), rng.choice((0, 1, top - 1, top // 2, top // 2 - 1, rng.randrange(top))) % top)
    _, index, element = sort  # type: ignore[misc]
    return Cells(corner(rng, element), {corner(rng, index): corner(rng, element) for _ in range(rng.randrange(3))})


def all_of(sort: Sort) -> Sequence[Any]:
    """Every value of a small sort; of integers a few."""
    if sort == "Bool":
        return (False, True)
    if sort == "Int":
        return _ints
    if isinstance(sort, tuple) and sort[0] == "BitVec" and int(sort[1]) <= 3:
        return [Word(int(sort[1]), bits) for bits in range(1 << int(sort[1]))]
    raise Beyond(f"too many values of {sort}")


def mine(value: Any, sort: Sort) -> Value:
    """The value as Lemmata has it."""
    if isinstance(value, Word):
        return value.bits
    if isinstance(value, Cells):
        assert isinstance(sort, tuple) and len(sort) == 3
        items = {mine(i, sort[1]): mine(v, sort[2]) for i, v in value.items.items()}
        array = my_sort(sort)
        assert isinstance(array, ours.Array)
        return ArrayValue(array, mine(value.default, sort[2]), items)
    return Fraction(value) if sort == "Real" else value


def my_sort(sort: Sort) -> ours.Sort:
    """The sort as Lemmata has it."""
    if isinstance(sort, str):
        return {"Bool": ours.BOOL, "Int": ours.INT, "Real": ours.REAL}[sort]
    if sort[0] == "BitVec":
        return ours.BitVec(int(sort[1]))
    return ours.Array(my_sort(sort[1]), my_sort(sort[2]))  # type: ignore[misc]


def small_values(sort: ours.Sort) -> Sequence[Value]:
    """``all_of``, of Lemmata's sorts."""
    if sort is ours.BOOL:
        return (False, True)
    if sort is ours.INT:
        return _ints
    if isinstance(sort, ours.BitVec) and sort.width <= 4:
        return range(1 << sort.width)
    if isinstance(sort, ours.Array) and isinstance(sort.index, ours.BitVec) and sort.index.width <= 2:
        cells = product(small_values(sort.element), repeat=1 << sort.index.width)
        return [ArrayValue(sort, 0, enumerate(values)) for values in cells]
    raise Beyond(f"too many values of {sort}")


def z3_value(value: Any, sort: Sort) -> Any:
    """The value as z3 has it."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, Word):
        return z3.BitVecVal(value.bits, value.width)
    if isinstance(value, Cells):
        assert isinstance(sort, tuple) and len(sort) == 3
        array = z3.K(z3_sort(sort[1]), z3_value(value.default, sort[2]))
        for index, element in value.items.items():
            array = z3.Store(array, z3_value(index, sort[1]), z3_value(element, sort[2]))
        return array
    return z3.RealVal(str(value)) if sort == "Real" else z3.IntVal(value)


def z3_sort(sort: Sort) -> Any:
    """The sort as z3 has it."""
    if isinstance(sort, str):
        return {"Bool": z3.BoolSort(), "Int": z3.IntSort(), "Real": z3.RealSort()}[sort]
    if sort[0] == "BitVec":
        return z3.BitVecSort(sort[1])
    return z3.ArraySort(z3_sort(sort[1]), z3_sort(sort[2]))  # type: ignore[misc]
