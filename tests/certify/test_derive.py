"""Derivations: what is one is accepted, what is none is rejected, and what hangs on a division by zero shows nothing."""

from dataclasses import replace
from random import Random

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.certify.graph.minimize import shorten_derivation
from lemmata.certify.graph.open_values import OPEN, OpenProgram, may_be_open
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import TRUE, const, make, var
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Unsafe
from tests.support.counter_graphs import counter, run_of
from tests.support.finite_graphs import derivations, is_derivation, random_graph

X, Y = var("x", INT), var("y", INT)
ZERO, ONE = const(0, INT), const(1, INT)


def test_a_counter_reaches_four_in_two_steps():
    graph = counter(bad=4)
    derivation = run_of(graph, 0, 2, 4)
    replay_derivation(graph, derivation)
    assert certify_graph(graph, 0, Unsafe(derivation)) == "evaluation"
    with pytest.raises(CertificateError, match="about property 0, not 1"):
        certify_graph(graph, 1, Unsafe(derivation))


@pytest.mark.parametrize(
    ("facts", "complaint"),
    [
        ((), "empty"),
        ((0, 2), "the guard of the clause of line 5 does not hold"),
        ((1, 3, 5), "fact 0: x is 1, the clause of line 3 gives 0"),
        ((0, 3, 5), "fact 1: x is 3, the clause of line 4 gives 2"),
        ((0, True, 4), "fact 1: the value of x is not a Int"),
    ],
)
def test_what_is_no_derivation_is_rejected_and_says_why(facts, complaint):
    graph = counter(bad=4)
    derivation = run_of(graph, *facts) if facts else Derivation(0, ())
    with pytest.raises(CertificateError, match=complaint):
        replay_derivation(graph, derivation)


def broken(graph: Graph):
    """A right derivation with one thing wrong."""
    right = run_of(graph, 0, 2, 4)
    facts = right.facts
    yield "ends at inv, not at false", replace(right, facts=facts[:-1])
    yield "no edge 9", replace(right, facts=(*facts[:-1], replace(facts[-1], edge=9)))
    yield "3 is no earlier fact", replace(right, facts=(*facts[:-1], replace(facts[-1], premises=(3,))))
    yield "needs 1 facts, not 2", replace(right, facts=(*facts[:-1], replace(facts[-1], premises=(1, 2))))
    yield "needs exactly one value", replace(right, facts=(replace(facts[0], inputs=((X, 1),)), *facts[1:]))
    yield "leads to inv, not to false", replace(right, facts=(replace(facts[0], place=graph.locations[1]), *facts[1:]))
    yield "2 values for 1 variables", replace(right, facts=(replace(facts[0], values=(0, 0)), *facts[1:]))
    yield "has no property 5", replace(right, prop=5)


@pytest.mark.parametrize("number", range(8))
def test_a_derivation_with_one_thing_wrong_is_rejected(number):
    graph = counter(bad=4)
    complaint, derivation = list(broken(graph))[number]
    with pytest.raises(CertificateError, match=complaint):
        replay_derivation(graph, derivation)


def test_a_fact_may_not_start_where_it_is_not():
    p, q, error = Location("p"), Location("q"), Location("false")
    edges = (Edge((), 0, (), TRUE, (), 1), Edge((Source(1, ()),), 2, (), TRUE, (), 2))
    graph = Graph((p, q, error), edges, (GraphProperty(0, "false", 2),))
    wrong = Derivation(0, (Fact(0, (), (), p, ()), Fact(1, (0,), (), error, ())))
    with pytest.raises(CertificateError, match="fact 0 is at p, the clause of line 2 starts at q"):
        replay_derivation(graph, wrong)


def dividing(guard) -> tuple[Graph, Derivation]:
    """One initial edge with inputs x = 5, y = 0 that leads to the error if ``guard``."""
    graph = Graph((Location("false"),), (Edge((), 0, (X, Y), guard, (), 1),), (GraphProperty(0, "false", 0),))
    return graph, Derivation(0, (Fact(0, (), ((X, 5), (Y, 0)), graph.locations[0], ()),))


QUOTIENT = make("=", (make("div", (X, Y)), ZERO))


@pytest.mark.parametrize("guard", [QUOTIENT, make("not", (QUOTIENT,)), make("=", (make("mod", (X, ZERO)), X))])
def test_a_derivation_that_hangs_on_a_division_by_zero_shows_nothing(guard):
    with pytest.raises(GaveUp, match="incomplete"):
        replay_derivation(*dividing(guard))


@pytest.mark.parametrize(
    "guard",
    [
        make("or", (QUOTIENT, make("=", (Y, ZERO)))),
        make("=>", (QUOTIENT, make("=", (Y, ZERO)))),
        make("not", (make("and", (QUOTIENT, make("=", (Y, ONE)))),)),
        make("=", (make("ite", (make("=", (Y, ZERO)), X, make("div", (X, Y)))), X)),
    ],
)
def test_a_division_by_zero_that_decides_nothing_does_no_harm(guard):
    replay_derivation(*dividing(guard))


def test_open_values_spread_and_agree_with_evaluation_elsewhere():
    f = make("apply", (X,), ("f", (INT,), INT))
    assert may_be_open([f]) and may_be_open([QUOTIENT]) and not may_be_open([make("div", (X, ONE))])
    b = var("b", BOOL)
    terms = [f, make("+", (f, X)), make("and", (b, make("=", (f, X)))), make("xor", (b, b)), make("div", (X, Y))]
    assert OpenProgram(terms).run({X: 7, Y: 2, b: False}) == [OPEN, OPEN, False, False, 3]
    assert OpenProgram(terms).run({X: 7, Y: 0, b: True}) == [OPEN, OPEN, OPEN, False, OPEN]
    assert OpenProgram([make("ite", (make("=", (f, X)), X, X))]).run({X: 1}) == [OPEN]


def mutated(random: Random, derivation: Derivation) -> Derivation:
    """One fact is changed, dropped, or doubled."""
    facts = list(derivation.facts)
    at = random.randrange(len(facts))
    fact = facts[at]
    match random.randrange(6):
        case 0 if fact.values:
            facts[at] = replace(fact, values=tuple(v + random.randint(-1, 1) for v in fact.values))
        case 1 if fact.inputs:
            facts[at] = replace(fact, inputs=tuple((v, x + random.choice([-1, 1])) for v, x in fact.inputs))
        case 2 if fact.premises:
            facts[at] = replace(fact, premises=tuple(random.randrange(len(facts)) for _ in fact.premises))
        case 3:
            facts[at] = replace(fact, edge=random.randrange(-1, 7))
        case 4:
            del facts[at]
        case _:
            facts.insert(at, facts[random.randrange(len(facts))])
    return replace(derivation, facts=tuple(facts), prop=derivation.prop)


def test_random_derivations_are_accepted_exactly_if_they_are_some():
    accepted = rejected = 0
    for seed in range(400):
        random = Random(seed)
        graph = random_graph(random)
        for right in derivations(graph):
            replay_derivation(graph, right)
            for _ in range(8):
                derivation = mutated(random, right)
                try:
                    replay_derivation(graph, derivation)
                except CertificateError:
                    rejected += 1
                    assert not is_derivation(graph, derivation)
                else:
                    accepted += 1
                    assert is_derivation(graph, derivation)
    assert accepted > 20 and rejected > 100


def test_a_shorter_derivation_has_no_detours():
    graph = counter(step=0, bad=0)
    short = shorten_derivation(graph, run_of(graph, 0, 0, 0, 0))
    assert short == run_of(graph, 0)


def test_random_derivations_stay_derivations_when_they_get_shorter():
    shorter = 0
    for seed in range(300):
        graph = random_graph(Random(seed))
        for derivation in derivations(graph):
            short = shorten_derivation(graph, derivation)
            replay_derivation(graph, short)
            shorter += len(short.facts) < len(derivation.facts)
    assert shorter > 20


def test_what_is_no_derivation_is_not_made_shorter():
    graph = counter(bad=4)
    wrong = replace(run_of(graph, 0, 2, 4), facts=(Fact(9, (), (), graph.locations[0], (0,)),))
    assert shorten_derivation(graph, wrong) == wrong
    assert shorten_derivation(graph, Derivation(0, ())) == Derivation(0, ())
