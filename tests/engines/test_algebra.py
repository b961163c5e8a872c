"""Polynomial equations: what is found, that it holds on every run, and what is proved with it."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

import lemmata
from lemmata.engines.abstract import Abstract
from lemmata.engines.abstract.algebra import Algebra, polynomial_facts
from lemmata.engines.abstract.polynomials import PRIME, Alphabet, Residue, added, multiplied, plus_times
from lemmata.engines.abstract.products import has_products
from lemmata.engines.abstract.span import LinearSpan, kernel
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, equal, ite
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Safe
from tests.support.clock import in_time

A, B, C, D = (var(name, INT) for name in "abcd")


def n(value: int) -> Term:
    return const(value, INT)


def plus(*terms: Term | int) -> Term:
    return build("+", tuple(t if isinstance(t, Term) else n(t) for t in terms))


def times(*terms: Term | int) -> Term:
    return build("*", tuple(t if isinstance(t, Term) else n(t) for t in terms))


def loop(
    variables: tuple[Term, ...],
    start: tuple[Term, ...],
    *steps: tuple[Term, ...],
    guard: Term = TRUE,
    given: Term = TRUE,
    inputs: tuple[Term, ...] = (),
    bad: Term = TRUE,
) -> Graph:
    here = Source(0, variables)
    edges = [Edge((), 0, inputs, given, start), *[Edge((here,), 0, (), guard, step) for step in steps]]
    edges.append(Edge((here,), 1, (), bad))
    return Graph((Location("main", variables), Location("error")), tuple(edges), (GraphProperty(0, "p", 1),))


def follows(graph: Graph, left: Term, right: Term) -> bool:
    """Is this among the equations of the first location?"""
    space = Algebra(graph).spaces[0]
    alphabet = Alphabet(graph.locations[0].variables)
    assert space is not None
    return not space.remainder(plus_times(alphabet.polynomial(left), alphabet.polynomial(right), Fraction(-1)))


X, Y = var("x", INT), var("y", INT)
FOUND: dict[str, tuple[Graph, Term, Term]] = {
    "the sum of a counter": (
        loop((A, B), (n(0), n(0)), (plus(A, 1), plus(B, A))),
        times(2, B),
        times(A, plus(A, -1)),
    ),
    "the sum of squares": (
        loop((A, B), (n(0), n(0)), (plus(A, 1), plus(B, times(A, A)))),
        times(6, B),
        times(A, plus(A, -1), plus(times(2, A), -1)),
    ),
    "cubes by differences": (
        loop((A, B, C, D), (n(0), n(0), n(1), n(6)), (plus(A, 1), plus(B, C), plus(C, D), plus(D, 6))),
        B,
        times(A, A, A),
    ),
    "a product by addition": (
        loop((A, B, C, D), (X, Y, X, n(0)), (A, B, plus(C, -1), plus(D, B)), inputs=(X, Y)),
        D,
        times(B, plus(A, times(-1, C))),
    ),
    "a quotient by subtraction": (
        loop((A, B, C, D), (X, Y, n(0), X), (A, B, plus(C, 1), plus(D, times(-1, B))), inputs=(X, Y)),
        A,
        plus(times(B, C), D),
    ),
    "a geometric series": (
        loop((A, B, C), (X, n(1), n(0)), (A, times(A, B), plus(C, B)), inputs=(X,)),
        times(plus(A, -1), C),
        plus(B, -1),
    ),
    "a product by halving": (
        loop(
            (A, B, C, D),
            (X, Y, n(0), times(X, Y)),
            (
                build("div", (A, n(2))),
                times(2, B),
                ite(equal(build("mod", (A, n(2))), n(1)), plus(C, B), C),
                D,
            ),
            guard=build("<=", (n(1), A)),
            inputs=(X, Y),
        ),
        plus(times(A, B), C),
        D,
    ),
    "two ways that keep the same": (
        loop((A, B), (n(0), n(0)), (plus(A, 1), plus(B, times(2, A), 1)), (plus(A, -1), plus(B, times(-2, A), 1))),
        B,
        times(A, A),
    ),
    "an equation of the guard": (
        loop((A, B, C), (n(0), n(0), n(0)), (plus(A, 1), plus(B, C), plus(C, 1)), guard=equal(A, C)),
        times(2, B),
        times(A, plus(A, -1)),
    ),
    "what is chosen at the start": (
        loop((A, B), (X, times(X, X)), (plus(A, 1), plus(B, times(2, A), 1)), inputs=(X,)),
        B,
        times(A, A),
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_equation_is_found(name: str) -> None:
    assert follows(*FOUND[name])


REJECTED: dict[str, Graph] = {
    "another way breaks it": loop((A, B), (n(0), n(0)), (plus(A, 1), plus(B, A)), (A, plus(B, 1))),
    "the start breaks it": loop((A, B), (n(0), X), (plus(A, 1), plus(B, A)), inputs=(X,)),
    "an input breaks it": Graph(
        (Location("main", (A, B)), Location("error")),
        (
            Edge((), 0, (), TRUE, (n(0), n(0))),
            Edge((Source(0, (A, B)),), 0, (X,), TRUE, (plus(A, 1), plus(B, X))),
            Edge((Source(0, (A, B)),), 1, (), TRUE),
        ),
        (GraphProperty(0, "p", 1),),
    ),
    "the guard of one case only": loop((A, B), (n(0), n(0)), (plus(A, 1), ite(equal(A, n(5)), n(7), plus(B, A)))),
}


@pytest.mark.parametrize("name", REJECTED)
def test_what_some_run_breaks_is_not_claimed(name: str) -> None:
    assert Algebra(REJECTED[name]).facts[0] == []


def random_update(chance: random.Random, variables: tuple[Term, ...]) -> Term:
    parts: list[Term | int] = [chance.randint(-1, 1), *[times(chance.choice((0, 0, 1, 1, -1, 2)), v) for v in variables]]
    if chance.random() < 0.3:
        parts.append(times(chance.choice(variables), chance.choice(variables)))
    update = plus(*parts)
    return ite(build("<=", (chance.choice(variables), n(2))), update, variables[0]) if chance.random() < 0.2 else update


@pytest.mark.parametrize("seed", range(40))
def test_equations_hold_on_random_runs(seed: int) -> None:
    chance = random.Random(seed)
    variables = (A, B, C)[: chance.randint(2, 3)]
    start = tuple(chance.choice((n(chance.randint(-2, 2)), X)) for _ in variables)
    steps = [tuple(random_update(chance, variables) for _ in variables) for _ in range(chance.randint(1, 2))]
    facts = Algebra(loop(variables, start, *steps, inputs=(X,))).facts[0]
    for value in (-3, 0, 1, 4):
        state = evaluate(start, {X: value})
        for _ in range(6):
            assert all(evaluate(facts, dict(zip(variables, state, strict=True))))
            state = evaluate(chance.choice(steps), dict(zip(variables, state, strict=True)))


def test_reals_have_equations_too() -> None:
    a, b = var("p", REAL), var("q", REAL)
    half, one = const("1/2", REAL), const(1, REAL)
    step = (build("+", (a, one)), build("+", (b, build("*", (half, a)))))
    (fact,) = Algebra(loop((a, b), (const(0, REAL), const(0, REAL)), step)).facts[0]
    assert evaluate([fact], {a: 3, b: Fraction(3, 2)}) == [True]
    assert evaluate([fact], {a: 3, b: 2}) == [False]


def test_nothing_is_computed_where_all_is_linear_and_nothing_is_added_up() -> None:
    assert polynomial_facts(loop((A, B), (n(0), n(0)), (plus(A, 1), plus(B, 2)))) == [[], []]
    assert polynomial_facts(FOUND["the sum of a counter"][0]) != [[], []]


def test_a_remainder_is_what_a_quotient_leaves() -> None:
    alphabet = Alphabet((A,))
    quotient, remainder = build("div", (A, n(3))), build("mod", (A, n(3)))
    whole = added(multiplied(alphabet.polynomial(n(3)), alphabet.polynomial(quotient)), alphabet.polynomial(remainder))
    assert whole == alphabet.polynomial(A)


def test_a_kernel_has_the_combinations_that_vanish() -> None:
    basis = [Alphabet((A, B)).polynomial(t) for t in (A, B, times(A, B))]
    (found,) = kernel(basis, [{(): Fraction(2)}, {(0,): Fraction(1)}, {(): Fraction(3)}])
    assert not LinearSpan([found]).remainder(plus_times(basis[2], basis[0], Fraction(-3, 2)))


@pytest.mark.parametrize("value", [Fraction(0), Fraction(7), Fraction(-7), Fraction(22, 7), Fraction(-1, 1000)])
def test_a_residue_stands_for_a_fraction(value: Fraction) -> None:
    assert (Residue(value) * Residue(2) + -Residue(value)).rational() == value


def test_a_residue_stands_for_itself_or_for_nothing() -> None:
    for value in range(10**17, 10**17 + 50):
        found = Residue(value).rational()
        assert found is None or Residue(found) == Residue(value)


def test_a_multiple_of_the_prime_is_no_accident() -> None:
    a, b = var("p", REAL), var("q", REAL)
    step = (build("+", (a, const(Fraction(1, PRIME), REAL))), build("+", (b, a)))
    assert Algebra(loop((a, b), (const(0, REAL), const(0, REAL)), step)).facts[0] == []
    assert Algebra(loop((A, B), (n(0), n(PRIME)), (plus(A, 1), plus(B, A)))).facts[0] == []


PROGRAM = """procedure main()
{{
  var n, i, s : int;
  assume n >= 0;
  i := 0; s := 0;
  while (i < n) {{ {body} }}
  assert {claim};
}}
"""
PROGRAMS = {
    "sum": ("s := s + i; i := i + 1;", "2 * s == n * (n - 1)"),
    "squares": ("i := i + 1; s := s + i * i;", "6 * s == n * (n + 1) * (2 * n + 1)"),
    "odd numbers": ("s := s + 2 * i + 1; i := i + 1;", "s == n * n"),
    "product": ("s := s + n; i := i + 1;", "s == n * n"),
    "at least": ("s := s + i; i := i + 1;", "2 * s >= n * n - n"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_proved(name: str, tmp_path: Path) -> None:
    body, claim = PROGRAMS[name]
    file = tmp_path / "sum.bpl"
    file.write_text(PROGRAM.format(body=body, claim=claim))
    (answer,) = lemmata.check(file, engine="abstract", timeout=300).properties
    assert isinstance(answer.verdict, Safe)
    assert answer.certified


def test_equations_of_linear_graphs_are_used_but_not_handed_on() -> None:
    """Up and down again: what was added is taken away, so that the sum is not negative before the end."""
    variables = (A, B, C)
    up, down = Source(0, variables), Source(1, variables)
    edges = (
        Edge((), 0, (), TRUE, (n(0), n(0), n(0))),
        Edge((up,), 0, (), TRUE, (plus(A, 1), plus(B, A), C)),
        Edge((up,), 1, (), TRUE, variables),
        Edge((down,), 1, (), TRUE, (A, plus(B, times(-1, C)), plus(C, 1))),
        Edge((down,), 2, (), conj((build("<=", (C, A)), build("<", (B, n(0)))))),
    )
    places = (Location("up", variables), Location("down", variables), Location("error"))
    graph = Graph(places, edges, (GraphProperty(0, "p", 2),))
    engine = Abstract(graph)
    assert isinstance(engine.check(0, in_time()), Safe)
    assert engine.invariant is None or not any(has_products(claim.lemmas) for claim in engine.invariant.claims)


def test_what_is_not_true_is_not_proved() -> None:
    graph = loop((A, B), (n(0), n(0)), (plus(A, 1), plus(B, A)), bad=equal(times(2, B), plus(times(A, A), times(-1, A))))
    with pytest.raises(GaveUp):
        Abstract(graph).check(0, in_time())
