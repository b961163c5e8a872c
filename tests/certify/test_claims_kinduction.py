"""k-inductive evidence about graphs: accepted exactly if there is neither a short run nor a long way to the error."""

from itertools import product
from random import Random

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.certify.graph.kinduction import check_claims_kinductive
from lemmata.errors import CertificateError
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import INT
from lemmata.logic.terms import TRUE, Term, const, make, var
from lemmata.models.derivation import Claim, GraphInvariant, GraphKInductive
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Safe
from tests.support.finite_graphs import RANGE, invariant_of, random_graph, random_points

X, Y, Z = (var(name, INT) for name in "xyz")


def rotation(bad: int = 3) -> Graph:
    """(x, y, z) goes round from (0, 1, 2): never is x = 3, which takes four edges in a row to see."""
    here = Source(0, (X, Y, Z))
    start = tuple(const(value, INT) for value in range(3))
    return Graph(
        (Location("p", (X, Y, Z)), Location("false")),
        (
            Edge((), 0, (), TRUE, start),
            Edge((here,), 0, (), TRUE, (Y, Z, X)),
            Edge((here,), 1, (), make("=", (X, const(bad, INT)))),
        ),
        (GraphProperty(0, "false", 1),),
    )


def evidence(graph: Graph, k: int, *lemmas: Term) -> GraphKInductive:
    claims = [Claim(n, place, lemmas) for n, place in enumerate(graph.locations) if place.variables]
    return GraphKInductive(k, GraphInvariant(tuple(claims)))


def test_a_rotation_is_four_inductive():
    graph = rotation()
    assert check_claims_kinductive(graph, 0, evidence(graph, 4)) == "cvc5"
    assert certify_graph(graph, 0, Safe(evidence(graph, 4)), ["z3"]) == "z3"


@pytest.mark.parametrize(
    ("bad", "k", "complaint"), [(3, 1, "step fails"), (3, 3, "step fails"), (2, 4, "base fails"), (3, 0, "k = 0")]
)
def test_what_is_not_k_inductive_is_rejected(bad, k, complaint):
    graph = rotation(bad)
    with pytest.raises(CertificateError, match=complaint):
        check_claims_kinductive(graph, 0, evidence(graph, k))


def test_claims_help_and_must_be_inductive():
    graph = rotation()
    everywhere = [make("<=", (v, const(2, INT))) for v in (X, Y, Z)]
    check_claims_kinductive(graph, 0, evidence(graph, 1, *everywhere))
    with pytest.raises(CertificateError, match="violates the lemma x ≤ 2"):
        check_claims_kinductive(graph, 0, evidence(graph, 1, everywhere[0]))


def is_k_inductive(graph: Graph, prop: int, k: int, points: dict[int, set[tuple[int, ...]]]) -> bool:
    """By enumeration: paths of k edges through the points, all states but the last without an edge to the error."""
    error = graph.questions[prop].location
    starts, moves, fails = set(), {}, {}
    for edge in graph.edges:
        states = [(s.location, p) for s in edge.sources for p in sorted(points[s.location])] if edge.sources else [None]
        for state, inputs in product(states, product(RANGE, repeat=len(edge.inputs))):
            values = dict(zip(edge.inputs, inputs, strict=True))
            if state is not None:
                values |= zip(edge.sources[0].variables, state[1], strict=True)
            holds, *reached = evaluate([edge.guard, *edge.updates], values)
            after = (edge.target, tuple(reached))
            if not holds or (edge.target != error and edge.target not in points):
                continue
            if edge.target in points and after[1] not in points[edge.target]:
                return False  # not inductive
            if state is None:
                starts.add(after)
            else:
                moves.setdefault(state, set()).add(after)
                # an edge to the error counts as missed unless all values of its inputs take it: what is not assumed is not lost
                if edge.target == error:
                    fails.setdefault((state, edge), set()).add(inputs)
    always = {
        state for (state, edge), taken in fails.items() if len(taken) == len(RANGE) ** len(edge.inputs) and is_total(edge)
    }
    layer = starts
    for _ in range(k):
        if any(place == error for place, _ in layer):
            return False
        layer = {after for state in layer for after in moves.get(state, ())}
    layer = {(place, point) for place, some in points.items() for point in some}
    for time in range(k):
        layer = {after for state in layer if time == k - 1 or state not in always for after in moves.get(state, ())}
        layer = layer if time == k - 1 else {state for state in layer if state[0] != error}
    return not any(place == error for place, _ in layer)


def is_total(edge: Edge) -> bool:
    """Inputs are limited by the guard, so an edge with inputs can always be missed."""
    return not edge.inputs


def test_random_evidence_is_accepted_exactly_if_it_is_k_inductive():
    outcomes = {True: 0, False: 0}
    for seed in range(120):
        random = Random(seed)
        graph = random_graph(random, sources=1)
        points, k = random_points(random, graph), random.randint(1, 3)
        expected = is_k_inductive(graph, 0, k, points)
        outcomes[expected] += 1
        try:
            check_claims_kinductive(graph, 0, GraphKInductive(k, invariant_of(graph, points)), ["z3"])
        except CertificateError:
            assert not expected, seed
        else:
            assert expected, seed
    assert min(outcomes.values()) > 10
