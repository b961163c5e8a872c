"""The values of a sort, one after another, and an index at which two arrays differ.

Numbers have always one more value; truth values, words and arrays of those may be used up. Arrays are counted like numbers:
the digits of n, in a base of at most ``_DIGITS``, are the cells at the first indices. So all arrays come where index and
element are finite and small, and otherwise more than any model holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import count, islice
from typing import cast

from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Value
from lemmata.logic.values import ArrayValue

_DIGITS = 256  # elements of a sort that are used


def values_of(sort: Sort) -> Iterator[Value]:
    """Values of a sort, none twice."""
    if sort is BOOL:
        return iter((False, True))
    if isinstance(sort, BitVec):
        return iter(range(1 << sort.width))
    if isinstance(sort, Array):
        return _arrays(sort)
    return map(Fraction, count()) if sort is REAL else count()


def _arrays(sort: Array) -> Iterator[Value]:
    digits = tuple(islice(values_of(sort.element), _DIGITS))
    for number in count():
        cells: dict[Value, Value] = {}
        indices = values_of(sort.index)
        while number:
            number, digit = divmod(number, len(digits))
            index = next(indices, None)
            if index is None:
                return
            cells[index] = digits[digit]
        yield ArrayValue(sort, digits[0], cells)


def another(sort: Sort, taken: Collection[Value]) -> Value | None:
    """A value that is not taken, if there is one."""
    if sort in (INT, REAL):
        return max(cast("Collection[int]", taken), default=0) + 1
    return next((value for value in values_of(sort) if value not in taken), None)


def differing_index(one: ArrayValue, other: ArrayValue) -> Value:
    """An index at which two arrays differ, which are not equal."""
    indices = dict.fromkeys(index for array in (one, other) for index, _ in array.items)
    for index in indices:
        if one.select(index) != other.select(index):
            return index
    index = another(one.sort.index, indices)
    assert index is not None, "arrays that agree at every index are equal"
    return index
