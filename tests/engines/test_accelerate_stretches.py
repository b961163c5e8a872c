"""Stretches: lines agree with execution, pieces are straight, and the checker refuses what is not taken."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from lemmata.certify.formats.derivation import format_derivation, parse_derivations
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.errors import CertificateError, GaveUp, InputError
from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.domains.affine_iteration import NOT_AFFINE, Affine, AffineEvaluator, affine
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import TRUE, Term, const, make, var
from lemmata.models.derivation import Derivation, Fact, Stretch, Turn
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source
from lemmata.models.stretches import follow
from lemmata.run.worlds.classification import is_inexact

X, Y, N = var("x", INT), var("y", INT), var("n", INT)
MANY = 1_000_000


def num(value: int) -> Term:
    return const(value, INT)


def random_number(random: Random, depth: int) -> Term:
    if depth <= 0 or random.random() < 0.2:
        return random.choice([X, Y, num(random.randint(-6, 6))])
    a, b = random_number(random, depth - 1), random_number(random, depth - 1)
    match random.choice(["+", "-", "neg", "*", "mod", "div", "ite"]):
        case "neg":
            return build("neg", (a,))
        case "*":
            return build("*", (a, num(random.randint(-3, 3))))
        case "mod" | "div" as op:
            return build(op, (a, num(random.choice([-7, -2, 2, 3, 5, 40]))))
        case "ite":
            return build("ite", (random_formula(random, depth - 1), a, b))
        case op:
            return build(op, (a, b))


def random_formula(random: Random, depth: int) -> Term:
    if depth > 1 and random.random() < 0.4:
        parts = [random_formula(random, depth - 1) for _ in range(2)]
        return random.choice([conj(parts), disj(parts), negate(parts[0]), build("=>", tuple(parts))])
    op = random.choice(["<", "<=", "="])
    return build(op, (random_number(random, depth - 1), random_number(random, depth - 1)))


@pytest.mark.parametrize("seed", range(300))
def test_a_value_along_lines_is_the_value_at_every_point(seed):
    random = Random(seed)
    terms = [random_number(random, 3), random_formula(random, 3)]
    counts = (random.randint(1, 7), random.randint(1, 5))
    starts = [(random.randint(-20, 20), [random.randint(-4, 4), random.choice([0, 0, 1, 10])]) for _ in range(2)]
    found = AffineEvaluator(terms).run({v: affine(*start) for v, start in zip((X, Y), starts, strict=True)}, counts)
    for rounds in product(*[range(count) for count in counts]):
        here = {v: s + sum(d * k for d, k in zip(ds, rounds, strict=True)) for v, (s, ds) in zip((X, Y), starts, strict=True)}
        for value, expected in zip(found, evaluate(terms, here), strict=True):
            if isinstance(value, Affine):
                value = value.start + sum(d * k for d, k in zip(value.steps, rounds, strict=False))
            assert value is NOT_AFFINE or value == expected


def test_most_values_along_lines_are_known():
    known = 0
    for seed in range(200):
        random = Random(seed)
        values = AffineEvaluator([random_formula(random, 3)]).run({X: affine(100, [3]), Y: -2}, (1000,))
        known += values[0] is not NOT_AFFINE
    assert known > 120


def test_division_by_zero_has_no_value_along_a_line():
    divided = make("div", (num(1), Y))
    assert AffineEvaluator([divided, make("mod", (X, Y))]).run({X: affine(0, [1]), Y: 0}, (5,)) == [NOT_AFFINE, NOT_AFFINE]


# A loop x := x + step, y := … while guard, and an error.


def looping(guard: Term, updates: tuple[Term, Term], inputs: tuple[Term, ...] = (), inexact: tuple[int, ...] = ()) -> Graph:
    place, source = Location("head", (X, Y)), Source(0, (X, Y))
    edges = (
        Edge((), 0, (), TRUE, (num(0), num(0))),
        Edge((source,), 0, inputs, guard, updates),
        Edge((source,), 1, (), TRUE, ()),
    )
    return Graph((place, Location("error")), edges, (GraphProperty(0, "error", 1),), Origin(inexact=inexact))


def add(a: Term, b: Term | int) -> Term:
    return build("+", (a, num(b) if isinstance(b, int) else b))


def told(graph: Graph, count: int, values: tuple[int, int], turn: Turn | None = None) -> Derivation:
    place = graph.locations[0]
    first = Fact(0, (), (), place, (0, 0))
    rounds = Fact(1, (0,), (), place, values, stretch=Stretch(count, (turn or Turn(1),)))
    return Derivation(0, (first, rounds, Fact(2, (1,), (), graph.locations[1], ())))


COUNTING = looping(build("<", (X, num(MANY))), (add(X, 1), add(Y, -2)))


def test_a_long_stretch_is_proved_and_a_short_one_executed():
    assert replay_derivation(COUNTING, told(COUNTING, MANY, (MANY, -2 * MANY))) == "evaluation, cvc5"
    assert replay_derivation(COUNTING, told(COUNTING, 50, (50, -100))) == "evaluation"


@pytest.mark.parametrize(
    ("count", "values"),
    [
        (MANY + 1, (MANY + 1, -2 * MANY - 2)),  # one round too many
        (MANY, (MANY, -2 * MANY + 1)),
        (MANY, (MANY - 1, -2 * MANY)),
        (MANY - 1, (MANY, -2 * MANY)),
        (MANY, (MANY, 2 * MANY)),
        (50, (50, -98)),
        (0, (0, 0)),
        (-1, (0, 0)),
    ],
)
def test_wrong_counts_and_wrong_values_are_rejected(count, values):
    with pytest.raises(CertificateError, match="fact 1"):
        replay_derivation(COUNTING, told(COUNTING, count, values))


@pytest.mark.parametrize(
    "guard",
    [
        negate(build("=", (X, num(MANY // 2)))),
        disj([build("<", (X, num(100))), build("<", (num(200), X))]),
        build("<", (build("mod", (X, num(MANY - 1))), num(MANY - 2))),
        build("=", (build("mod", (X, num(2))), num(0))),
    ],
)
def test_a_guard_that_fails_somewhere_in_the_middle_is_seen(guard):
    graph = looping(guard, (add(X, 1), add(Y, -2)))
    with pytest.raises(CertificateError, match="not every round"):
        replay_derivation(graph, told(graph, MANY, (MANY, -2 * MANY)))
    facts = [Fact(0, (), (), graph.locations[0], (0, 0))]
    with pytest.raises(GaveUp):
        follow(graph, facts, 0, Stretch(MANY, (Turn(1),)))


def test_inputs_may_be_terms_that_change_from_round_to_round():
    graph = looping(conj([build("=", (N, add(X, 3))), build("<", (X, num(3 * MANY)))]), (N, Y), (N,))
    right = told(graph, MANY, (3 * MANY, 0), Turn(1, ((N, add(X, 3)),)))
    replay_derivation(graph, right)
    (again,) = parse_derivations(format_derivation(graph, right), graph, "w")
    assert again == right
    for wrong in (Turn(1, ((N, add(X, 2)),)), Turn(1), Turn(1, ((N, N),)), Turn(2), Turn(7), Turn(0), Turn(1, ((N, TRUE),))):
        with pytest.raises(CertificateError):
            replay_derivation(graph, told(graph, MANY, (3 * MANY, 0), wrong))


def test_what_may_be_divided_by_zero_is_left_open():
    graph = looping(build("<=", (num(0), make("mod", (X, Y)))), (add(X, 1), Y))
    for count in (10, MANY):
        with pytest.raises(GaveUp, match="incomplete"):
            replay_derivation(graph, told(graph, count, (count, 0)))


@pytest.mark.parametrize(
    "change",
    [
        lambda fact: replace(fact, premises=()),
        lambda fact: replace(fact, premises=(1,)),
        lambda fact: replace(fact, inputs=((N, 1),)),
        lambda fact: replace(fact, edge=2),
        lambda fact: replace(fact, stretch=Stretch(MANY, ())),
        lambda fact: replace(fact, stretch=Stretch(MANY // 2, (Stretch(2, (Turn(1),)), Turn(1)))),
    ],
)
def test_stretches_that_do_not_fit_are_rejected(change):
    right = told(COUNTING, MANY, (MANY, -2 * MANY))
    first, rounds, last = right.facts
    with pytest.raises(CertificateError):
        replay_derivation(COUNTING, Derivation(0, (first, change(rounds), last)))


def test_a_stretch_of_stretches_is_proved_and_told_in_words():
    inner = Stretch(MANY // 1000, (Turn(1), Stretch(999, (Turn(1),))))
    first, rounds, last = told(COUNTING, 1, (MANY, -2 * MANY)).facts
    derivation = Derivation(0, (first, replace(rounds, stretch=inner), last))
    assert replay_derivation(COUNTING, derivation) == "evaluation, cvc5"
    assert derivation.depth == MANY
    assert "1,000 times (1 edge and 999 times 1 edge)" in derivation.describe()
    assert derivation.to_json()["facts"][1]["stretch"] == {"count": 1000, "steps": [1, {"count": 999, "steps": [1]}]}
    (again,) = parse_derivations(format_derivation(COUNTING, derivation), COUNTING, "w")
    assert again == derivation


def test_stretches_within_stretches_are_proved_without_looking_at_each_of_them_again_and_again():
    nested = Stretch(2, (Turn(1),))
    for _ in range(15):
        nested = Stretch(2, (nested,))
    first, rounds, last = told(COUNTING, 1, (1 << 16, -2 << 16)).facts
    replay_derivation(COUNTING, Derivation(0, (first, replace(rounds, stretch=nested), last)))
    with pytest.raises(CertificateError):
        replay_derivation(COUNTING, Derivation(0, (first, replace(rounds, stretch=nested, values=(1 << 16, 0)), last)))


@pytest.mark.parametrize(
    "step",
    [
        "(repeat)",
        "(repeat " + "9" * 400_001 + " (edge 1))",
        "(repeat x (edge 1))",
        "(repeat 3)",
        "(repeat 3 (edge 9))",
        "(repeat 3 (edge 0))",
        "(repeat 3 (edge 1 (n 1)))",
        "(repeat 3 edge)",
    ],
)
def test_what_is_no_stretch_is_not_read(step):
    text = f"(property 0) (fact head (edge 1) (from 0) {step} (values 1 2))"
    with pytest.raises(InputError):
        list(parse_derivations(text, COUNTING, "w"))


def test_a_loop_that_changes_its_ways_is_told_in_straight_pieces():
    turning = build("ite", (build("<", (X, num(5000))), add(Y, 3), add(Y, -1)))
    graph = looping(TRUE, (add(X, 1), turning))
    facts = [Fact(0, (), (), graph.locations[0], (0, 0))]
    assert follow(graph, facts, 0, Stretch(MANY, (Turn(1),))) == 2
    assert [fact.stretch.count for fact in facts[1:] if fact.stretch] == [5000, MANY - 5000]
    assert facts[-1].values == (MANY, 15_000 - (MANY - 5000))


def test_a_loop_that_bends_in_every_round_is_told_round_by_round_or_given_up(monkeypatch):
    monkeypatch.setattr("lemmata.models.stretches.WRITTEN_FACTS", 4000)
    graph = looping(TRUE, (add(X, 1), add(Y, X)))
    facts = [Fact(0, (), (), graph.locations[0], (0, 0))]
    follow(graph, facts, 0, Stretch(3000, (Turn(1),)))
    assert facts[-1].values == (3000, 3000 * 2999 // 2) and len(facts) == 3001
    with pytest.raises(GaveUp, match="incomplete"):
        follow(graph, facts, len(facts) - 1, Stretch(10**12, (Turn(1),)))


def test_real_numbers_move_by_fractions():
    r = var("r", REAL)
    place, source = Location("head", (r,)), Source(0, (r,))
    half = const(Fraction(1, 2), REAL)
    edges = (Edge((), 0, (), TRUE, (const(0, REAL),)), Edge((source,), 0, (), TRUE, (build("+", (r, half)),)))
    edges += (Edge((source,), 1, (), build("<", (const(1000, REAL), r))),)
    graph = Graph((place, Location("error")), edges, (GraphProperty(0, "error", 1),))
    facts = [Fact(0, (), (), place, (Fraction(0),))]
    follow(graph, facts, 0, Stretch(MANY, (Turn(1),)))
    assert facts[-1].values == (Fraction(MANY, 2),)
    replay_derivation(graph, Derivation(0, (*facts, Fact(2, (1,), (), graph.locations[1], ()))))


def test_a_stretch_through_an_inexact_edge_shows_nothing():
    graph = looping(TRUE, (add(X, 1), Y), inexact=(1,))
    assert is_inexact(graph, told(graph, MANY, (MANY, 0)))
    for count in (10, MANY):
        with pytest.raises(CertificateError, match=r"fact 1: .* does more than the file says"):
            replay_derivation(graph, told(graph, count, (count, 0)))
    exact = replace(graph, origin=Origin())
    replay_derivation(exact, told(exact, MANY, (MANY, 0)))


def test_words_that_change_are_never_straight():
    b = var("b", BOOL)
    place, source = Location("head", (b,)), Source(0, (b,))
    edges = (Edge((), 0, (), TRUE, (TRUE,)), Edge((source,), 0, (), TRUE, (negate(b),)))
    graph = Graph((place,), edges, ())
    facts = [Fact(0, (), (), place, (True,))]
    follow(graph, facts, 0, Stretch(2001, (Turn(1),)))
    assert len(facts) == 2002 and facts[-1].values == (False,)
