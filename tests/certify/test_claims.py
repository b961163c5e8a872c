"""Claims about the locations of graphs: what is a proof is accepted, what is none is rejected, and says why."""

from dataclasses import replace
from random import Random

import pytest

from lemmata.certify.graph import claims as claims_module
from lemmata.certify.graph.check import certify_graph
from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.certify.journal import Journal
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, const, make, var
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Safe
from tests.support.counter_graphs import EVEN, X, claims, counter, number
from tests.support.finite_graphs import invariant_of, is_proof, random_graph, random_points

ANY = var("i", INT)


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_an_even_counter_never_is_five(solver):
    graph = counter()
    assert check_claims(graph, 0, claims(graph, EVEN), [solver]) == solver
    assert certify_graph(graph, 0, Safe(claims(graph, EVEN)), [solver]) == solver


@pytest.mark.parametrize(
    ("lemmas", "complaint"),
    [
        ((), "the clause of line 5: the claims allow to reach false from inv(x = 5)"),
        (
            (make("<=", (number(1), X)),),
            "the clause of line 3: at the start it leads to inv(x = 0), which violates the lemma x ≥ 1",
        ),
        ((EVEN, make("<=", (X, number(4)))), "violates the lemma x ≤ 4"),
        ((make("<=", (X, number(4))),), "the clause of line 4: from inv(x = "),
        ((make("=", (var("y", INT), X)),), "the claim of inv speaks of y, which is not a variable there"),
        ((X,), "the claim of inv is a Int, not a formula"),
    ],
)
def test_what_is_no_proof_is_rejected_and_says_why(lemmas, complaint):
    graph = counter()
    with pytest.raises(CertificateError) as caught:
        check_claims(graph, 0, claims(graph, *lemmas))
    assert complaint in str(caught.value)


def test_every_location_needs_exactly_one_claim():
    graph = counter()
    claim = claims(graph, EVEN).claims[0]
    wrong = [(), (claim, claim), (claim, Claim(1, graph.locations[1], (FALSE,))), (replace(claim, location=7),)]
    for given in wrong:
        with pytest.raises(CertificateError, match="exactly one claim"):
            check_claims(graph, 0, GraphInvariant(given))
    with pytest.raises(CertificateError, match="is not elsewhere"):
        check_claims(graph, 0, GraphInvariant((replace(claim, place=Location("elsewhere", (X,))),)))
    with pytest.raises(CertificateError, match="no property 3"):
        check_claims(graph, 3, claims(graph, EVEN))


def test_other_properties_may_fail():
    graph = counter()
    both = replace(
        graph,
        locations=(*graph.locations, Location("other")),
        edges=(*graph.edges, Edge((Source(0, (X,)),), 2, (), TRUE, ())),
        questions=(*graph.questions, GraphProperty(1, "other", 2)),
    )
    check_claims(both, 0, claims(both, EVEN))
    with pytest.raises(CertificateError, match="allow to reach other"):
        check_claims(both, 1, claims(both, EVEN))


def test_both_facts_of_a_clause_with_two_sources_count():
    A, B = var("a", INT), var("b", INT)
    p, error = Location("p", (X,)), Location("false")
    edges = (
        Edge((), 0, (ANY,), make("<=", (number(1), ANY)), (ANY,), 1),
        Edge((Source(0, (A,)), Source(0, (B,))), 0, (), TRUE, (make("+", (A, B)),), 2),
        Edge((Source(0, (A,)), Source(0, (B,))), 1, (), make("<", (make("+", (A, B)), number(2))), (), 3),
    )
    graph = Graph((p, error), edges, (GraphProperty(0, "false", 1),))
    check_claims(graph, 0, claims(graph, make("<=", (number(1), X))))
    with pytest.raises(CertificateError, match=r"from p.a = .* and p.b = "):
        check_claims(graph, 0, claims(graph, make("<=", (number(0), X))))


def malformed():
    """A counter with an edge that is none."""
    graph = counter()
    step = graph.edges[1]
    yield replace(step, inputs=(X,))
    yield replace(step, guard=make("=", (var("elsewhere", INT), X)))
    yield replace(step, updates=())
    yield replace(step, updates=(TRUE,))
    yield replace(step, sources=(Source(0, (X,)), Source(0, (X,))))
    yield replace(step, sources=(Source(0, (var("x", REAL),)),), updates=(number(0),))


@pytest.mark.parametrize("edge", list(malformed()))
def test_an_edge_that_is_none_proves_nothing_and_refutes_nothing(edge):
    graph = replace(counter(), edges=(counter().edges[0], edge, counter().edges[2]))
    with pytest.raises(CertificateError, match="is not well formed"):
        check_claims(graph, 0, claims(graph, EVEN))
    facts = (Fact(0, (), (), graph.locations[0], (0,)), Fact(1, (0,), (), graph.locations[0], (2,)))
    with pytest.raises(CertificateError, match="is not well formed"):
        replay_derivation(graph, Derivation(0, facts))


def test_a_proof_may_not_choose_what_division_by_zero_gives():
    p, error = Location("p", (X,)), Location("false")
    edges = (
        Edge((), 0, (), TRUE, (make("div", (number(1), number(0))),), 1),
        Edge((Source(0, (X,)),), 1, (), make("=", (X, number(7))), (), 2),
    )
    graph = Graph((p, error), edges, (GraphProperty(0, "false", 1),))
    with pytest.raises(CertificateError):
        check_claims(graph, 0, claims(graph, make("=", (X, number(0)))))


def test_what_no_solver_can_say_is_no_answer():
    graph = counter()
    with pytest.raises(GaveUp):
        check_claims(graph, 0, claims(graph, EVEN), ["bitwuzla"])
    with pytest.raises(GaveUp, match="timeout"):
        check_claims(graph, 0, claims(graph, EVEN), until=0.0)


def test_mixed_sorts_are_understood():
    r, b = var("r", REAL), var("b", BOOL)
    p, error = Location("p", (r, b)), Location("false")
    half = const(0.5, REAL)
    edges = (
        Edge((), 0, (), TRUE, (half, FALSE), 1),
        Edge((Source(0, (r, b)),), 0, (), TRUE, (make("*", (r, half)), make("not", (b,))), 2),
        Edge((Source(0, (r, b)),), 1, (), make("and", (b, make("<=", (r, const(0, REAL))))), (), 3),
    )
    graph = Graph((p, error), edges, (GraphProperty(0, "false", 1),))
    check_claims(graph, 0, claims(graph, make("<", (const(0, REAL), r))))


@pytest.mark.parametrize("seed", range(150))
def test_random_claims_are_accepted_exactly_if_they_are_inductive(seed):
    random = Random(seed)
    graph = random_graph(random)
    points = random_points(random, graph)
    for prop in range(len(graph.questions)):
        expected = is_proof(graph, prop, points)
        try:
            check_claims(graph, prop, invariant_of(graph, points), ["z3"])
        except CertificateError:
            assert not expected
        else:
            assert expected


def test_random_claims_are_of_both_kinds():
    outcomes = set()
    for seed in range(60):
        random = Random(seed)
        graph = random_graph(random)
        outcomes.add(is_proof(graph, 0, random_points(random, graph)))
    assert outcomes == {True, False}


def outcome(graph, prop, invariant, journal):
    try:
        return check_claims(graph, prop, invariant, ["cvc5"], journal=journal)
    except CertificateError as error:
        return str(error).split(": ")[0]


@pytest.mark.parametrize("seed", range(40))
def test_questions_asked_together_and_alone_have_the_same_answer(seed, monkeypatch):
    random = Random(seed)
    graph = random_graph(random)
    invariant = invariant_of(graph, random_points(random, graph))
    together, alone = Journal(), Journal()
    found = outcome(graph, 0, invariant, together)
    monkeypatch.setattr(claims_module, "CERTIFY_TOGETHER_NODES", 0)
    assert outcome(graph, 0, invariant, alone) == found
    if found == "cvc5":
        assert sorted(one.obligation.edge for one in together.discharged) == sorted(
            one.obligation.edge for one in alone.discharged
        )


def test_what_is_not_refuted_together_soon_is_asked_alone(monkeypatch):
    monkeypatch.setattr(claims_module, "CERTIFY_TOGETHER_S", 0.0)
    assert check_claims(counter(), 0, claims(counter(), EVEN), ["cvc5"]) == "cvc5"
