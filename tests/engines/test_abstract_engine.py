"""Abstract interpretation by solver: what it proves, what it must not prove, and that its facts are inductive."""

from fractions import Fraction

import pytest

from lemmata.engines.abstract import Abstract, AbstractOptions
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, disj, equal, ite, negate
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.logic.walk import substitute
from lemmata.models.derivation import GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.smt import Unsat, open_solver
from lemmata.verdict import Safe
from tests.support.clock import in_time, in_turns

A, B, C = (var(name, INT) for name in ("a", "b", "c"))
P, Q = var("p", BOOL), var("q", BOOL)
X, Y = var("x", REAL), var("y", REAL)


def n(value: int) -> Term:
    return const(value, INT)


def plus(a: Term, b: int | Term) -> Term:
    return build("+", (a, b if isinstance(b, Term) else const(b, a.sort)))


def less(a: Term, b: Term) -> Term:
    return build("<", (a, b))


def loop(variables: tuple[Term, ...], start: tuple[Term, ...], steps: list[tuple[Term, tuple[Term, ...]]], bad: Term) -> Graph:
    here = Source(0, variables)
    edges = [Edge((), 0, (), TRUE, start)]
    edges += [Edge((here,), 0, (), guard, updates) for guard, updates in steps]
    edges.append(Edge((here,), 1, (), bad))
    return Graph((Location("main", variables), Location("error")), tuple(edges), (GraphProperty(0, "p", 1),))


def is_inductive(graph: Graph, invariant: GraphInvariant) -> bool:
    lemmas = {claim.location: claim.lemmas for claim in invariant.claims}
    errors = {question.location for question in graph.questions}
    for edge in graph.edges:
        if edge.target in errors:
            continue
        solver = open_solver("z3")
        solver.add(edge.guard)
        for source in edge.sources:
            names = dict(zip(graph.locations[source.location].variables, source.variables, strict=True))
            for lemma in substitute(lemmas[source.location], names):
                solver.add(lemma)
        after = dict(zip(graph.locations[edge.target].variables, edge.updates, strict=True))
        solver.add(negate(conj(substitute(lemmas[edge.target], after))))
        if not isinstance(solver.check(), Unsat):
            return False
    return True


def proved(graph: Graph, **options: object) -> bool:
    engine = Abstract(graph, options=AbstractOptions(**options))  # type: ignore[arg-type]
    try:
        verdict = engine.check(0, in_time())
    except GaveUp as gave_up:
        assert gave_up.reason == "incomplete"
        verdict = None
    assert engine.invariant is None or is_inductive(graph, engine.invariant)
    return isinstance(verdict, Safe)


CASES = {
    "two counters stay equal": loop((A, B), (n(0), n(0)), [(TRUE, (plus(A, 1), plus(B, 1)))], negate(equal(A, B))),
    "an even counter": loop((A,), (n(0),), [(TRUE, (plus(A, 2),))], equal(build("mod", (A, n(2))), n(1))),
    "a bound with a guard": loop((A,), (n(0),), [(less(A, n(1000000)), (plus(A, 1),))], less(n(1000000), A)),
    "a sum that is kept": loop(
        (A, B), (n(1), n(2)), [(TRUE, (plus(A, 1), plus(B, -1)))], less(n(5), plus(A, build("*", (n(1), B))))
    ),
    "two phases": loop(
        (A, B),
        (n(0), n(5000)),
        [(TRUE, (plus(A, 1), ite(build("<=", (n(5000), A)), plus(B, 1), B)))],
        conj([equal(A, n(100000)), negate(equal(B, A))]),
    ),
    "a program counter of Booleans": loop(
        (P, Q, A),
        (negate(TRUE), negate(TRUE), n(0)),
        [
            (conj([negate(P), negate(Q)]), (TRUE, Q, plus(A, 1))),
            (conj([P, negate(Q)]), (P, TRUE, plus(A, 1))),
            (conj([P, Q]), (negate(P), negate(Q), plus(A, -2))),
        ],
        disj([less(n(2), A), conj([P, Q, negate(equal(A, n(2)))])]),
    ),
    "reals": loop(
        (X, Y),
        (const(0, REAL), const(0, REAL)),
        [(TRUE, (plus(X, const(Fraction(1, 2), REAL)), plus(Y, 1)))],
        negate(equal(Y, build("*", (const(2, REAL), X)))),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_needs_facts_beyond_the_literals_of_the_property_is_proved(name: str) -> None:
    assert proved(CASES[name])


def test_a_reachable_error_is_never_proved_and_the_facts_are_inductive() -> None:
    assert not proved(loop((A, B), (n(0), n(0)), [(TRUE, (plus(A, 1), plus(B, 2)))], equal(B, n(20))))


def test_a_call_is_joined_with_what_its_callee_returns() -> None:
    """double(c, d): d = 2c; main adds double(i) to b while a counts i."""
    d, i, r = var("d", INT), var("i'", INT), var("r", INT)
    places = (Location("double", (C, d)), Location("main", (A, B)), Location("error"))
    edges = (
        Edge((), 0, (), TRUE, (n(0), n(0))),
        Edge((Source(0, (C, d)),), 0, (), TRUE, (plus(C, 1), plus(d, 2))),
        Edge((), 1, (), TRUE, (n(0), n(0))),
        Edge((Source(1, (A, B)), Source(0, (i, r))), 1, (), TRUE, (plus(A, i), plus(B, r))),
        Edge((Source(1, (A, B)),), 2, (), negate(equal(B, build("*", (n(2), A))))),
    )
    assert proved(Graph(places, edges, (GraphProperty(0, "p", 2),)))


def test_a_location_that_is_never_reached_is_claimed_so() -> None:
    places = (Location("main", (A,)), Location("dead", (B,)), Location("error"))
    edges = (
        Edge((), 0, (), TRUE, (n(0),)),
        Edge((Source(0, (A,)),), 1, (), less(n(0), A), (A,)),
        Edge((Source(1, (B,)),), 2, (), TRUE),
    )
    assert proved(Graph(places, edges, (GraphProperty(0, "p", 2),)))


def test_a_run_goes_on_where_it_was_stopped() -> None:
    engine = Abstract(CASES["two phases"])
    verdict, turns = in_turns(lambda until: engine.check(0, until))
    assert isinstance(verdict, Safe) and turns


def test_it_works_with_z3_too() -> None:
    assert proved(CASES["two phases"], solver="z3")
