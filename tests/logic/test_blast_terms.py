"""Blasted terms, with a builder that folds constants and shares gates, against concrete evaluation."""

from __future__ import annotations

import itertools
import random

import pytest

from lemmata.logic.blast import Blaster
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, make, var
from lemmata.transforms.circuit.rebuild import AigBuilder
from tests.support.random_words import random_dag


def word_values(terms: list[Term], leaves: list[Term], points: list[dict[Term, int]]) -> list[list[int]]:
    """The values of ``terms`` at each point, computed by gates."""
    widths = [1 if leaf.sort is BOOL else leaf.width for leaf in leaves]
    starts = dict(zip(leaves, itertools.accumulate(widths, initial=1), strict=False))
    builder = AigBuilder(1 + sum(widths))
    blaster = Blaster(builder, lambda leaf: [2 * (starts[leaf] + i) for i in range(widths[leaves.index(leaf)])])
    words = [blaster.bits(term) for term in terms]
    results = []
    for point in points:
        bits = [0, *(int(point[leaf]) >> i & 1 for leaf, width in zip(leaves, widths, strict=True) for i in range(width))]
        for left, right in zip(builder.lefts, builder.rights, strict=True):
            bits.append((bits[left >> 1] ^ left & 1) & (bits[right >> 1] ^ right & 1))
        results.append([sum((bits[lit >> 1] ^ lit & 1) << i for i, lit in enumerate(word)) for word in words])
    return results


@pytest.mark.parametrize("seed", range(20))
def test_random_terms_are_what_evaluation_says(seed: int) -> None:
    rng = random.Random(seed)
    width = rng.choice([2, 3, 5, 8, 12])
    leaves, nodes = random_dag(rng, 80, width, 4)
    points = [{leaf: rng.getrandbits(width) for leaf in leaves} for _ in range(10)]
    assert word_values(nodes, leaves, points) == [evaluate(nodes, point) for point in points]


def test_a_choice_whose_condition_is_one_of_its_branches() -> None:
    p, q = var("p", BOOL), var("q", BOOL)
    literals = [p, q, make("not", (p,)), make("not", (q,)), TRUE, FALSE]
    terms = [make("ite", three) for three in itertools.product(literals, repeat=3)]
    terms += [make(op, two) for op in ("xor", "and", "or", "=>", "=") for two in itertools.product(literals, repeat=2)]
    points = [{p: a, q: b} for a in (0, 1) for b in (0, 1)]
    assert word_values(terms, [p, q], points) == [evaluate(terms, {v: bool(x) for v, x in point.items()}) for point in points]


@pytest.mark.parametrize("width", [1, 3, 6])
def test_an_operator_on_equal_arguments(width: int) -> None:
    x = var("x", BitVec(width))
    ops = ["bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr"]
    terms = [make(op, (x, x)) for op in [*ops, "bvand", "bvor", "bvxor", "=", "bvult", "bvule", "bvslt", "bvsle"]]
    terms += [make(op, (x, make("bvnot", (x,)))) for op in ops]
    points = [{x: value} for value in range(1 << width)]
    assert word_values(terms, [x], points) == [evaluate(terms, point) for point in points]
