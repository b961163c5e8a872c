"""Is this a value of that sort? Evidence from outside may say anything."""

from __future__ import annotations

from fractions import Fraction

from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Value
from lemmata.logic.values import ArrayValue

_NUMBERS: dict[Sort, tuple[type, ...]] = {BOOL: (bool,), INT: (int,), REAL: (Fraction, int)}


def is_of(value: Value, sort: Sort) -> bool:
    """Is this a value of the sort, in the form that ``logic.values`` gives it?"""
    match sort:
        case BitVec():
            return type(value) is int and 0 <= value < 1 << sort.width
        case Array():
            return isinstance(value, ArrayValue) and value.sort is sort and _is_array(value)
    return type(value) in _NUMBERS[sort]


def _is_array(value: ArrayValue) -> bool:
    index, element = value.sort.index, value.sort.element
    return is_of(value.default, element) and all(is_of(i, index) and is_of(x, element) for i, x in value.items)
