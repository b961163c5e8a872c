"""Values of a sort, and indices at which arrays differ, whatever the index is."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from lemmata.logic.projection.enumeration import another, differing_index, values_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.values import ArrayValue

FINITE = {BOOL: 2, BitVec(3): 8, Array(BOOL, BOOL): 4, Array(BitVec(2), BOOL): 16, Array(BOOL, Array(BOOL, BOOL)): 16}
INFINITE = [INT, REAL, Array(INT, BOOL), Array(BOOL, INT), Array(Array(INT, INT), BOOL)]


@pytest.mark.parametrize("sort", FINITE, ids=str)
def test_a_finite_sort_is_listed_to_its_end(sort: Sort) -> None:
    values = list(values_of(sort))
    assert len(values) == len(set(values)) == FINITE[sort]
    assert another(sort, values) is None
    assert another(sort, values[1:]) == values[0]


@pytest.mark.parametrize("sort", INFINITE, ids=str)
def test_there_is_always_another_value_of_an_infinite_sort(sort: Sort) -> None:
    taken = list(islice(values_of(sort), 100))
    assert len(set(taken)) == 100
    assert another(sort, taken) not in [None, *taken]


@pytest.mark.parametrize("sort", [*FINITE, *INFINITE], ids=str)
def test_arrays_differ_where_it_is_said(sort: Sort) -> None:
    random = Random(7)
    indices = list(islice(values_of(sort), 6))
    array = Array(sort, BOOL)
    for _ in range(200):
        one, other = (
            ArrayValue(array, random.random() < 0.5, {i: random.random() < 0.5 for i in random.sample(indices, 2)})
            for _ in range(2)
        )
        if one != other:
            index = differing_index(one, other)
            assert one.select(index) != other.select(index)
        else:
            assert all(one.select(index) == other.select(index) for index in indices)


def test_arrays_that_agree_everywhere_are_equal_also_if_arrays_are_their_indices() -> None:
    index = Array(BOOL, BOOL)
    everything = dict.fromkeys(values_of(index), True)
    array = Array(index, BOOL)
    assert ArrayValue(array, False, everything) == ArrayValue(array, True)
    assert hash(ArrayValue(array, False, everything)) == hash(ArrayValue(array, True))
