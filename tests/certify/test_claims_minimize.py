"""Smaller proofs: they still prove, they lose what is redundant, and they say it plainly."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.lemmas import clauses, join_bounds, trim
from lemmata.certify.graph.minimize import minimize_claims
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import TRUE, const, make, var
from lemmata.logic.text import infix
from lemmata.models.derivation import GraphInvariant
from lemmata.solvers.smt import open_solver
from tests.support.clock import in_time
from tests.support.counter_graphs import EVEN, X, claims, counter, number
from tests.support.finite_graphs import invariant_of, is_proof, random_graph, random_points

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


def test_an_edge_has_one_solver_before_and_after_lemmas_are_taken_apart(monkeypatch):
    opened = []

    def counting(name):
        opened.append(name)
        return open_solver(name)

    monkeypatch.setattr("lemmata.certify.graph.minimize.open_solver", counting)
    graph = counter()
    large = claims(graph, make("and", (EVEN, at_least(X, -5))), at_least(X, 0))
    assert minimize_claims(graph, 0, large).claims[0].lemmas == (EVEN,)
    assert 1 < len(opened) <= len(graph.edges) + 1  # one is for trimming


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
    assert [set(infix(lemma).split(" ∨ ")) for lemma in join_bounds(lemmas)] == [set(lemma.split(" ∨ ")) for lemma in text]


A, B, C = (make("<=", (X, number(n))) for n in (1, 3, 5))
P, Q = make("=", (X, Y)), make("<=", (Y, number(0)))


def neither(formula):
    return make("not", (formula,))


@pytest.mark.parametrize(
    ("lemma", "text"),
    [
        (make("or", (make("and", (P, Q)), make("and", (P, A)))), ["x = y", "y ≤ 0 ∨ x ≤ 1"]),
        (make("or", (make("and", (A, Q)), make("and", (neither(A), Q)))), ["y ≤ 0"]),
        (make("=>", (make("and", (P, neither(B))), Q)), ["x ≠ y ∨ x ≤ 3 ∨ y ≤ 0"]),
        (neither(make("or", (B, Q))), ["x ≥ 4", "y ≥ 1"]),
        (make("or", (A, B)), ["x ≤ 3"]),
        (make("and", (A, make("or", (C, Q)), TRUE)), ["x ≤ 1", "x ≤ 5 ∨ y ≤ 0"]),
        (make("or", (A, neither(A))), []),
        (make("and", (A, neither(C))), ["x ≤ 1", "x ≥ 6"]),
    ],
)
def test_lemmas_are_taken_apart_into_clauses(lemma, text):
    assert [set(infix(clause).split(" ∨ ")) for clause in clauses(lemma)] == [set(clause.split(" ∨ ")) for clause in text]


def test_clauses_say_the_same_as_the_lemma():
    random, literals = Random(1), [A, B, C, P, Q, make("=", (Y, number(2)))]

    def formula(depth):
        if depth == 0 or random.random() < 0.2:
            return random.choice(literals)
        op = random.choice(["and", "or", "=>", "not"])
        return make(op, tuple(formula(depth - 1) for _ in range({"not": 1, "=>": 2}.get(op, random.randint(2, 3)))))

    for _ in range(300):
        lemma = formula(3)
        parts = clauses(lemma)
        for x, y in product(range(-1, 8), repeat=2):
            values = {X: x, Y: y}
            assert evaluate([lemma], values) == [all(evaluate(parts, values))]


def test_literals_that_the_others_rule_out_go():
    whole = [make("<=", (X, Y)), make("or", (make("<", (Y, X)), Q)), make("or", (A, neither(Q)))]
    trimmed = trim(whole, open_solver("z3"), in_time())
    assert trimmed == [whole[0], Q, A]
    assert trim(whole, open_solver("z3"), 0.0) == whole


def test_strict_bounds_of_reals_stay():
    r = var("r", REAL)
    low, high = make("<", (const(0, REAL), r)), make("<=", (r, const(1, REAL)))
    assert len(join_bounds([low, high])) == 2


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
