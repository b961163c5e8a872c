"""Projection of arrays: reads, writes, equations and disequations."""

from __future__ import annotations

from random import Random

import pytest

from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.projection.purify import value_term
from lemmata.logic.sorts import INT, Array, BitVec
from lemmata.logic.terms import FALSE, Term, Value, bv, const, make, topological, var
from lemmata.logic.text import infix
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import variables
from lemmata.solvers.smt import Sat, open_solver

CELLS = Array(INT, INT)
A, B, C = (var(f"{name}_arr", CELLS) for name in "abc")
I, J, K = (var(f"{name}_arr", INT) for name in "ijk")  # noqa: E741


def read(array: Term, index: Term) -> Term:
    return build("select", (array, index))


def write(array: Term, index: Term, value: Term) -> Term:
    return build("store", (array, index, value))


def n(value: int) -> Term:
    return const(value, INT)


def le(a: Term, b: Term) -> Term:
    return build("<=", (a, b))


def cells(**known: int) -> ArrayValue:
    return ArrayValue(CELLS, 0, {int(index[1:]): value for index, value in known.items()})


def projected(literals: list[Term], values: dict[Term, Value], *gone: Term) -> set[str]:
    assert all(evaluate(literals, values))
    result = project(literals, values, gone)
    assert all(evaluate(result, values))
    return {infix(literal).replace("_arr", "") for literal in result}


def test_the_array_after_a_write_is_substituted() -> None:
    literals = [equal(B, write(A, I, n(7))), le(read(B, J), n(3))]
    values = {A: cells(), B: cells(_1=7), I: 1, J: 2}
    assert projected(literals, values, B) == {"a[i := 7][j] ≤ 3"}


def test_the_array_before_a_write_gives_back_one_cell() -> None:
    literals = [equal(B, write(A, I, J)), le(read(A, I), n(3))]
    assert projected(literals, {A: cells(), B: cells(_1=7), I: 1, J: 7}, A) <= {"b[i] = j", "j = b[i]"}


def test_an_array_that_is_only_read_leaves_its_indices() -> None:
    literals = [le(read(A, I), n(3)), le(n(5), read(A, J))]
    assert projected(literals, {A: cells(_2=9), I: 1, J: 2}, A) == {"i < j"}


def test_equal_indices_have_one_cell() -> None:
    literals = [le(read(A, I), K), le(n(5), read(A, J))]
    assert projected(literals, {A: cells(_2=9), I: 2, J: 2, K: 9}, A) <= {"k ≥ 5", "i = j", "j = i"}


def test_an_array_that_differs_does_so_somewhere() -> None:
    literals = [negate(equal(A, B)), equal(read(A, I), n(0))]
    assert projected(literals, {A: cells(), B: cells(_3=1), I: 0}, A) == {"i ≤ 2"}


def test_words_as_indices_are_told_apart() -> None:
    sort = Array(BitVec(4), BitVec(8))
    m, p, q = var("m_arr", sort), var("p_arr", BitVec(4)), var("q_arr", BitVec(4))
    literals = [make("bvult", (make("select", (m, p)), make("select", (m, q))))]
    assert projected(literals, {m: ArrayValue(sort, 0, {2: 1}), p: 1, q: 2}, m) <= {"p ≠ q", "q ≠ p"}


# Random literals.


def _array(rng: Random, writes: int) -> Term:
    array = rng.choice([A, B, C])
    for _ in range(rng.randint(0, writes)):
        array = write(array, _number(rng, 0), _number(rng, rng.randint(0, 1)))
    return array


def _number(rng: Random, reads: int) -> Term:
    if reads and rng.random() < 0.7:
        return read(_array(rng, reads - 1), _number(rng, reads - 1))
    variable = rng.choice([I, J, K])
    return variable if rng.random() < 0.6 else build("+", (variable, n(rng.randint(-1, 2))))


def _literal(rng: Random) -> Term:
    choice = rng.random()
    if choice < 0.35:
        literal = equal(_array(rng, 1), _array(rng, 2))
    else:
        literal = build("=" if choice < 0.6 else "<=", (_number(rng, 2), _number(rng, 1)))
    return negate(literal) if rng.random() < 0.3 else literal


def _models(formula: Term, wanted: tuple[Term, ...], count: int) -> list[dict[Term, Value]]:
    solver = open_solver("z3")
    solver.add(formula)
    found: list[dict[Term, Value]] = []
    while len(found) < count and isinstance(answer := solver.check(wanted=wanted), Sat):
        found.append(dict(answer.values))
        if not wanted:
            break
        solver.add(negate(_is_at(answer.values)))
    return found


def _is_at(values: dict[Term, Value]) -> Term:
    return conj([equal(v, value_term(value, v.sort)) for v, value in values.items()])


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_random_projections_have_the_forgotten_variables_at_every_point(start: int) -> None:
    for seed in range(start, start + 20):
        rng = Random(f"arrays {seed}")
        formula = conj([_literal(rng) for _ in range(rng.randint(1, 5))])
        known = variables([formula])
        points = _models(formula, known, 1) if formula is not FALSE and known else []
        for point in points:
            gone = rng.sample(known, rng.randint(1, len(known)))
            literals = implicant(formula, point)
            result = project(literals, point, gone)
            assert all(evaluate(result, point)), seed
            kept = tuple(v for v in known if v not in gone)
            assert set(variables(result)) <= set(kept), seed
            for other in _models(conj(result), kept, 3):
                assert _models(conj([conj(literals), _is_at(other)]), (), 1), seed


def test_values_of_arrays_are_rarely_needed() -> None:
    literals = [equal(C, write(write(A, I, J), J, read(A, K))), negate(equal(A, B)), le(read(A, K), read(B, I))]
    values = {A: cells(), B: cells(_2=1), C: cells(_0=3), I: 0, J: 3, K: 0}
    assert all(evaluate(literals, values))
    assert not any(term.op == "filled" for term in topological(project(literals, values, [A])))


def test_a_literal_that_only_forgotten_words_decide_is_gone() -> None:
    w = var("w_arr", BitVec(8))
    assert project([make("bvult", (w, bv(9, 8)))], {w: 3}, [w]) == []
