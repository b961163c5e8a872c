"""Formulas without constant arrays have a model wherever the given ones have one; where an index has few values, only there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from lemmata.certify.constant_arrays import without_constant_arrays
from lemmata.certify.query import Panel
from lemmata.errors import GaveUp
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.projection.enumeration import values_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, bv, const, make, topological, var
from lemmata.logic.walk import variables
from lemmata.solvers.smt import Sat, Unsat, open_solver
from tests.support.random_terms import random_value

BIT, PAIR = BitVec(1), BitVec(2)
SMALL = [Array(BOOL, BIT), Array(BIT, BOOL), Array(BIT, PAIR), Array(PAIR, BIT), Array(BIT, Array(BIT, BOOL))]
LARGE = [Array(BitVec(5), BIT), Array(INT, BOOL), Array(INT, INT), Array(REAL, BIT), Array(Array(BIT, BOOL), BIT)]
_POINTS = 3000  # that enumeration looks at
LARGE += [Array(PAIR, Array(INT, BIT)), Array(BitVec(5), Array(BOOL, PAIR))]


class Formulas:
    """Random formulas about arrays of one sort: reads, writes, constant arrays, and equations between all of them."""

    def __init__(self, random: Random, sort: Array) -> None:
        self._random = random
        self._sort = sort

    def list(self) -> list[Term]:
        return [self._formula(2) for _ in range(self._random.randint(1, 5))]

    def _formula(self, depth: int) -> Term:
        random = self._random
        if depth and random.random() < 0.4:
            args = tuple([self._formula(depth - 1) for _ in range(2)])
            return make("not", args[:1]) if random.random() < 0.4 else make(random.choice(("and", "or")), args)
        sort = random.choice((self._sort, self._sort, self._sort.index, self._sort.element))
        return make("=", (self._term(sort, 3), self._term(sort, 3)))

    def _term(self, sort: Sort, depth: int) -> Term:
        random, kind = self._random, self._random.random()
        if depth and sort is self._sort.element and kind < 0.5:
            return make("select", (self._term(self._sort, depth - 1), self._term(self._sort.index, depth - 1)))
        if depth and isinstance(sort, Array) and kind < 0.8:
            if kind < 0.4:
                return make("filled", (self._term(sort.element, depth - 1),), sort)
            places = (sort, sort.index, sort.element)
            return make("store", tuple([self._term(place, depth - 1) for place in places]))
        if kind > 0.9:
            return const(random_value(random, sort), sort)
        return var(f"{'ab'[random.randrange(2)]} {sort}", sort)


def answer(formulas: Sequence[Term], name: str = "z3") -> type:
    solver = open_solver(name)
    for formula in formulas:
        solver.add(formula)
    return type(solver.check((), (), None))


def points(formulas: Sequence[Term]) -> list[tuple[Value, ...]]:
    """All values of the variables."""
    return list(product(*[values_of(v.sort) for v in variables(formulas)]))


def has_model(formulas: Sequence[Term]) -> bool:
    known, program = variables(formulas), Program(formulas)
    return any(all(program.run(dict(zip(known, point, strict=True)))) for point in points(formulas))


def weakened(formulas: Sequence[Term]) -> list[Term] | None:
    weaker = without_constant_arrays(formulas)
    assert not any(t.op == "filled" or (t.is_const and isinstance(t.sort, Array)) for t in topological(weaker or ()))
    return weaker


@pytest.mark.parametrize("sort", SMALL, ids=str)
def test_over_small_sorts_they_have_a_model_just_where_enumeration_finds_one(sort: Array) -> None:
    verdicts = []
    for seed in range(150):
        formulas = Formulas(Random(seed), sort).list()
        if (weaker := weakened(formulas)) is not None and len(points(formulas)) < _POINTS:
            verdicts.append(has_model(formulas))
            assert answer(weaker) is (Sat if verdicts[-1] else Unsat), seed
    assert verdicts.count(True) > 10 and verdicts.count(False) > 5


@pytest.mark.parametrize("sort", [*SMALL, *LARGE], ids=str)
def test_what_holds_at_a_random_point_keeps_its_model(sort: Array) -> None:
    told = 0
    for seed in range(60):
        random = Random(seed)
        formulas = Formulas(random, sort).list()
        point = {v: random_value(random, v.sort) for v in variables(formulas)}
        held = [f if value else make("not", (f,)) for f, value in zip(formulas, evaluate(formulas, point), strict=True)]
        if (weaker := weakened(held)) is not None:
            told += 1
            assert answer(weaker) is Sat, seed
    assert told > 30


@pytest.mark.parametrize("width", [1, 2, 4, 5])
def test_where_all_values_of_an_index_are_read_there_is_no_further_one(width: int) -> None:
    sort, word = Array(BitVec(width), BOOL), BitVec(width)
    empty, indices = make("filled", (const(False, BOOL),), sort), [var(f"i{n}", word) for n in range(1 << width)]
    differ = [make("not", (make("=", (i, j)),)) for n, i in enumerate(indices) for j in indices[:n]]
    weaker = weakened([*differ, *[make("not", (make("select", (empty, i)),)) for i in indices]])
    assert weaker is not None and answer(weaker) is Sat


def test_formulas_without_constant_arrays_are_left_alone() -> None:
    sort = Array(INT, INT)
    a = var("a", sort)
    assert without_constant_arrays([make("=", (a, make("store", (a, const(1, INT), const(2, INT)))))]) is None


def test_new_names_are_new() -> None:
    sort = Array(BitVec(5), BIT)
    names = [var("constant array 0", sort), var("elsewhere in (_ BitVec 5)", BitVec(5))]
    filled = make("filled", (bv(0, 1),), sort)
    formulas = [make("not", (make("=", (names[0], filled)),)), make("=", (make("select", (names[0], names[1])), bv(1, 1)))]
    weaker = weakened(formulas)
    assert weaker is not None and answer(weaker) is Sat and len(variables(weaker)) == 4


PAIRS = Array(PAIR, PAIR)
ZEROS, SAME = make("filled", (bv(0, 2),), PAIRS), make("filled", (var("x", PAIR),), PAIRS)


def written(array: Term, *indices: int) -> Term:
    """With 1 at some indices."""
    for index in indices:
        array = make("store", (array, bv(index, 2), bv(1, 2)))
    return array


def test_a_solver_that_gives_up_is_asked_about_the_weaker_formulas() -> None:
    equation = make("=", (SAME, written(ZEROS, 1, 2)))
    with pytest.raises(GaveUp):
        answer([equation], "cvc5")
    panel = Panel(("cvc5",))
    assert isinstance(panel.ask([equation]), Unsat) and list(panel.answered) == ["cvc5"]


def test_a_model_of_the_weaker_formulas_is_no_answer() -> None:
    equation = make("=", (SAME, written(ZEROS, 0, 1, 2, 3)))
    assert answer([equation]) is Sat
    panel = Panel(("cvc5",))
    with pytest.raises(GaveUp, match="incomplete"):
        panel.ask([equation])
    assert not panel.answered
