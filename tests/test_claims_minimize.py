"""Smaller proofs: they still prove, they lose what is redundant, and they say it plainly."""

from dataclasses import replace
from random import Random

import pytest

from lemmata.certify.claims import check_claims
from lemmata.certify.claims_minimize import minimize_claims
from lemmata.certify.plain import plain
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import TRUE, const, make, var
from lemmata.logic.text import infix
from lemmata.models.derivation import GraphInvariant
from tests.finite_graphs import invariant_of, is_proof, random_graph, random_points
from tests.test_claims import EVEN, X, claims, counter, number

Y = var("y", INT)


def at_most(v, value):
    return make("<=", (v, number(value)))


def at_least(v, value):
    return make("<=", (number(value), v))


def test_what_the_proof_does_not_need_goes():
    graph = counter()
    large = claims(graph, at_least(X, 0), make("and", (EVEN, at_least(X, -5))), TRUE)
    assert minimize_claims(graph, 0, large).claims[0].lemmas == (EVEN,)


def test_a_lemma_that_another_needs_stays():
    graph = counter(bad=-1)
    needed = claims(graph, at_least(X, 0))
    assert minimize_claims(graph, 0, needed).claims[0].lemmas == (at_least(X, 0),)


def test_what_is_no_proof_is_left_for_the_check():
    graph = counter()
    wrong = claims(graph, at_most(X, 4))
    assert minimize_claims(graph, 0, wrong).claims[0].lemmas == (at_most(X, 4),)


def test_no_time_is_enough_to_return_a_proof():
    graph = counter()
    large = claims(graph, at_least(X, 0), EVEN)
    check_claims(graph, 0, minimize_claims(graph, 0, large, seconds=0.0))


@pytest.mark.parametrize(
    ("lemmas", "text"),
    [
        ([at_most(X, 3), at_most(X, 5)], ["x ≤ 3"]),
        ([at_most(X, 3), at_least(X, 3)], ["x = 3"]),
        ([at_least(X, 3), EVEN, at_most(X, 4), at_most(X, 3)], ["x = 3", "x mod 2 = 0"]),
        ([make("<=", (X, Y)), make("<=", (Y, X))], ["x = y"]),
        ([make("or", (at_most(X, 3), at_least(X, 5)))], ["x ≠ 4"]),
        ([make("or", (at_most(X, 3), at_least(X, 6)))], ["x ≤ 3 ∨ x ≥ 6"]),
        ([make("not", (at_most(X, 3),))], ["x ≥ 4"]),
    ],
)
def test_bounds_are_joined(lemmas, text):
    assert [infix(lemma) for lemma in plain(lemmas)] == text


def test_strict_bounds_of_reals_stay():
    r = var("r", REAL)
    low, high = make("<", (const(0, REAL), r)), make("<=", (r, const(1, REAL)))
    assert len(plain([low, high])) == 2


def test_random_proofs_stay_proofs():
    smaller = 0
    for seed in range(120):
        random = Random(seed)
        graph = random_graph(random)
        points = random_points(random, graph)
        if not is_proof(graph, 0, points):
            continue
        whole = invariant_of(graph, points)
        padded = [
            replace(c, lemmas=(*c.lemmas, *(make("or", (c.lemmas[0], at_least(v, 1))) for v in c.place.variables)))
            for c in whole.claims
        ]
        small = minimize_claims(graph, 0, GraphInvariant(tuple(padded)))
        check_claims(graph, 0, small, ["z3"])
        smaller += sum(len(c.lemmas) for c in small.claims) < sum(len(c.lemmas) for c in whole.claims)
    assert smaller > 5
