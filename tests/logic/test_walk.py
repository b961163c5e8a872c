"""Folds, substitution, variables; terms may be as deep as they like, and they are built fast."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random
from time import process_time

import pytest

from lemmata.logic.build import build, conj, negate, truth
from lemmata.logic.evaluate import evaluate
from lemmata.logic.smtlib.writer import script
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import Term, bv, make, var
from lemmata.logic.text import infix
from lemmata.logic.walk import fold, substitute, variables
from tests.support.random_terms import Pool

DEEP = 100_000
x, y, z = (var(name, BitVec(8)) for name in "xyz")


def test_fold_visits_a_shared_node_once() -> None:
    term: Term = x
    for _ in range(60):
        term = make("bvmul", (term, term))
    visited = []
    sizes = fold([term], lambda t, below: visited.append(t) or 1 + sum(below))
    assert sizes[term] == 2**61 - 1
    assert len(visited) == 61


def test_variables_are_sorted_by_age() -> None:
    young = var("young and new", BitVec(8))
    assert variables([make("bvadd", (young, x)), make("bvand", (y, x))]) == tuple(sorted((young, x, y), key=lambda t: t.number))
    assert variables([bv(1, 8)]) == ()


def test_substitution_is_simultaneous() -> None:
    assert substitute([make("bvsub", (x, y))], {x: y, y: x}) == [make("bvsub", (y, x))]
    assert substitute([x, z], {x: y}) == [y, z]


def test_substitution_of_terms_stops_at_the_key() -> None:
    inner = make("bvmul", (x, y))
    assert substitute([make("bvsub", (inner, x))], {inner: z, x: y}) == [make("bvsub", (z, y))]


def test_substitution_simplifies_unless_told_otherwise() -> None:
    term = make("bvmul", (x, y))
    assert substitute([term], {x: bv(0, 8)}) == [bv(0, 8)]
    assert substitute([term], {x: bv(0, 8)}, make) == [make("bvmul", (bv(0, 8), y))]


@pytest.mark.parametrize("seed", range(10))
def test_substitution_is_evaluation_at_the_substituted_values(seed: int) -> None:
    pool = Pool(Random(seed), make)
    terms = [pool.step()[0] for _ in range(60)]
    first, second = pool.point(), pool.point()
    images = {variable: replacement for variable in first if (replacement := other(pool, variable)) is not None}
    replaced = substitute(terms, images)
    moved = {variable: evaluate([images.get(variable, variable)], second)[0] for variable in first}
    assert evaluate(replaced, second) == evaluate(terms, moved)


def other(pool: Pool, variable: Term) -> Term | None:
    """A term of the pool to put in place of a variable."""
    candidates = [raw for raw, _ in pool.pairs.get(variable.sort, []) if set(variables([raw])) <= set(pool.variables)]
    return pool.random.choice(candidates) if candidates else None


def deep_words(construct: Callable[..., Term]) -> Term:
    """x + y, times z, minus x, … 100,000 deep."""
    term = x
    for step in range(DEEP):
        op = ("bvadd", "bvmul", "bvxor", "bvor", "bvsub")[step % 5]
        term = construct(op, (term, (x, y, z)[step % 3]))
    return term


def deep_bits(construct: Callable[..., Term]) -> Term:
    """1-bit operators, 100,000 deep."""
    u, v = var("u", BitVec(1)), var("v", BitVec(1))
    term = u
    for step in range(DEEP // 2):
        op = ("bvand", "bvor", "bvxor")[step % 3]
        term = construct(op, (construct("bvnot", (term,)), v if step % 2 else u))
    return term


@pytest.mark.parametrize("deep", [deep_words, deep_bits])
def test_a_chain_that_is_100000_deep_works_everywhere(deep: Callable[[Callable[..., Term]], Term]) -> None:
    raw, built = deep(make), deep(build)
    point = {variable: k + 5 & (1 << variable.width) - 1 for k, variable in enumerate(variables([raw]))}
    assert len(set(evaluate([raw, built], point))) == 1
    assert fold([raw], lambda _, below: 1 + max(below, default=0))[raw] >= DEEP
    first = variables([raw])[0]
    assert evaluate(substitute([raw], {first: bv(0, first.width)}), point) == evaluate([raw], {**point, first: 0})
    assert pickle.loads(pickle.dumps(raw)) is raw
    text = script([make("=", (raw, first))])
    assert text.count("(") == text.count(")") >= DEEP
    assert "…" in infix(raw)


def test_boolean_chains_stay_linear() -> None:
    term = truth(deep_bits(make))
    assert term.sort is BOOL
    chain = var("p0", BOOL)
    for k in range(1, 20_000):
        chain = conj([negate(chain) if k % 50 == 0 else chain, var(f"p{k}", BOOL)])
    assert evaluate([chain], dict.fromkeys(variables([chain]), True)) == [False]


def speed(construct: Callable[..., Term], count: int = 30_000) -> float:
    """Terms per second, best of three; fresh ones each time."""
    best = 0.0
    for attempt in range(3):
        term: Term = var(f"fresh {construct.__name__} {attempt}", BitVec(32))
        start = process_time()
        for _ in range(count // 3):
            below = construct("bvadd", (term, x32))
            term = construct("ite", (construct("bvult", (below, y32)), below, term))
        best = max(best, count / (process_time() - start))
    return best


x32, y32 = var("x32", BitVec(32)), var("y32", BitVec(32))


def test_terms_are_built_fast() -> None:
    assert speed(make) > 100_000
    assert speed(build) > 60_000
