"""State machines become locations, and arbitrary values are chosen where they are read; both with their ways back."""

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.engines.abstract import Abstract
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.frontends.boogie import parse_boogie
from lemmata.logic.build import conj
from lemmata.logic.terms import FALSE, TRUE, name_of
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.transforms.graph.late_choice import choose_late
from lemmata.transforms.graph.states import split_states
from lemmata.verdict import Safe, Unsafe
from tests.support.lia_graphs import X2, Y2, N, X, Y, add, eq, le, num

HERE = Source(0, (X, Y))


def machine(*steps: tuple[int, int], bad: int, limit: int = 0) -> Graph:
    """x is the state: it goes from one number to another, y counts; the error is state ``bad`` with y ≥ ``limit``."""
    return Graph(
        (Location("main", (X, Y)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(4384), num(0))),
            *[Edge((HERE,), 0, (), eq(X, a), (num(b), add(Y, 1))) for a, b in steps],
            Edge((HERE,), 1, (), conj([eq(X, bad), le(limit, Y)])),
        ),
        (GraphProperty(0, "p", 1),),
    )


def test_each_state_is_a_location_and_what_cannot_be_reached_is_none():
    reduction = split_states(machine((4384, 4400), (4400, 4416), (4416, 4400), (5000, 5001), bad=5001))
    assert len(reduction.model.locations) == 4
    assert [name_of(v) for v in reduction.model.locations[1].variables] == ["y"]
    assert all(edge.guard is TRUE for edge in reduction.model.edges if edge.sources)


def test_a_proof_over_states_is_one_over_the_variable():
    graph = machine((4384, 4400), (4400, 4416), (4416, 4400), (5000, 5001), bad=5001)
    reduction = split_states(graph)
    verdict = LiftedPdr(reduction.model).check(0)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    check_claims(graph, 0, reduction.back.invariant(verdict.invariant), ("z3",))


def test_a_run_over_states_is_one_over_the_variable():
    graph = machine((4384, 4400), (4400, 4416), (4416, 4400), bad=4416, limit=3)
    reduction = split_states(graph)
    verdict = GraphBmc(reduction.model).check(0)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    replay_derivation(graph, found := reduction.back.trace(verdict.trace))
    assert [fact.values[0] for fact in found.facts[:-1]] == [4384, 4400, 4416, 4400, 4416]


def test_a_counter_is_no_state():
    graph = machine((4384, 4400), bad=4400)
    counting = Graph(
        graph.locations, (*graph.edges[:1], Edge((HERE,), 0, (), TRUE, (add(X, 1), Y)), graph.edges[-1]), graph.questions
    )
    assert split_states(counting).model == counting


def test_many_states_of_many_variables_are_left_alone():
    places = (Location("main", (X, Y, N)), Location("error"))
    here = Source(0, (X, Y, N))
    hops = [
        Edge((here,), 0, (), eq(v, k), tuple(num(k + 1) if u is v else u for u in (X, Y, N)))
        for v in (X, Y, N)
        for k in range(38)
    ]
    graph = Graph(
        places, (Edge((), 0, (), TRUE, (num(0),) * 3), *hops, Edge((here,), 1, (), eq(X, 38))), (GraphProperty(0, "p", 1),)
    )
    assert len(split_states(graph).model.locations) <= 41  # one of them


def late(bad_x: int) -> Graph:
    """x grows by y, and y is chosen anew: where y is read, it may be anything up to 2."""
    return Graph(
        (Location("main", (X, Y)), Location("error")),
        (
            Edge((), 0, (N,), TRUE, (num(0), N)),
            Edge((HERE,), 0, (N,), conj([le(0, Y), le(Y, 2)]), (add(X, Y), N)),
            Edge((HERE,), 0, (), TRUE, (add(X, 0), Y)),
            Edge((HERE,), 1, (), eq(X, bad_x)),
        ),
        (GraphProperty(0, "p", 1),),
    )


def test_a_value_that_is_arbitrary_is_chosen_where_it_is_read():
    reduction = choose_late(late(5))
    assert [name_of(v) for v in reduction.model.locations[0].variables] == ["x"]
    assert [[name_of(v) for v in edge.inputs] for edge in reduction.model.edges] == [[], ["y"], [], []]


def test_the_value_that_was_read_is_the_one_that_was_given():
    graph = late(5)
    reduction = choose_late(graph)
    verdict = GraphBmc(reduction.model).check(0)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    replay_derivation(graph, found := reduction.back.trace(verdict.trace))
    assert sum(fact.values[1] for fact in found.facts[:-2]) == 5  # what each turn reads
    assert len(found.facts) == len(verdict.trace.facts)


def test_a_proof_without_arbitrary_values_is_one_with_them():
    graph = late(-1)
    reduction = choose_late(graph)
    verdict = Abstract(reduction.model).check(0)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    check_claims(graph, 0, reduction.back.invariant(verdict.invariant), ("z3",))


def test_a_value_that_is_remembered_or_tested_is_not_arbitrary():
    for step in (
        Edge((HERE,), 0, (N,), TRUE, (N, N)),  # twice the same
        Edge((HERE,), 0, (N,), le(0, N), (X, N)),  # tested when given
        Edge((HERE,), 0, (), le(0, Y), (X, Y)),  # tested and kept
        Edge((HERE,), 0, (), TRUE, (Y, Y)),  # copied and kept
    ):
        graph = Graph(
            (Location("main", (X, Y)), Location("error")),
            (Edge((), 0, (N,), TRUE, (num(0), N)), step, Edge((HERE,), 1, (), eq(X, Y))),
            (GraphProperty(0, "p", 1),),
        )
        assert choose_late(graph).model == graph


def test_a_fact_that_is_read_with_two_values_is_told_twice():
    graph = Graph(
        (Location("main", (X,)), Location("error")),
        (Edge((), 0, (N,), TRUE, (N,)), Edge((Source(0, (X,)), Source(0, (Y,))), 1, (), conj([eq(X, 1), eq(Y, 2)]))),
        (GraphProperty(0, "p", 1),),
    )
    reduction = choose_late(graph)
    assert reduction.model.locations[0].variables == ()
    verdict = LiftedPdr(reduction.model).check(0)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    replay_derivation(graph, found := reduction.back.trace(verdict.trace))
    assert sorted(fact.values for fact in found.facts[:-1]) == [(1,), (2,)]


def test_a_program_that_reads_and_havocs_keeps_only_what_it_adds_up():
    text = """
    procedure ULTIMATE.start() {
      var n, x: int;
      x := 0;
      while (*) { assume 0 <= n && n <= 3; x := x + n; havoc n; }
      assert x >= 0;
    }"""
    graph = parse_boogie(text.encode(), "p.bpl")
    places = simplify_graph(graph, 0, preferred()).model.locations
    assert {name_of(v) for place in places for v in place.variables} == {"x"}


def test_bounds_of_inputs_are_steps_of_loops():
    guard = conj([le(N, 10), le(X, 99)])
    graph = Graph(
        (Location("main", (X, Y)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(0), num(0))),
            Edge((HERE,), 0, (N,), guard, (add(X, 1), add(Y, N))),
            Edge((HERE,), 1, (), conj([le(1001, Y)])),
        ),
        (GraphProperty(0, "p", 1),),
    )
    verdict = Abstract(graph).check(0)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    check_claims(graph, 0, verdict.invariant, ("z3",))
    assert FALSE not in verdict.invariant.claims[0].lemmas


def test_names_of_two_sources_stay_apart():
    pair = (Source(0, (X, Y)), Source(0, (X2, Y2)))
    graph = Graph(
        (Location("main", (X, Y)), Location("error")),
        (Edge((), 0, (N,), TRUE, (num(4), N)), Edge(pair, 1, (), conj([eq(X, 4), eq(X2, 4), le(Y, 0), le(1, Y2)]))),
        (GraphProperty(0, "p", 1),),
    )
    reduction = choose_late(graph)
    verdict = LiftedPdr(reduction.model).check(0)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    replay_derivation(graph, reduction.back.trace(verdict.trace))


def test_an_index_is_chosen_early_so_that_an_invariant_can_name_its_cell():
    text = """
    var a: [int]int;
    procedure main(n: int, r: int) modifies a;
    {
      var i: int;
      i := 0;
      while (i < n) { a[i] := 7; i := i + 1; }
      assume 0 <= r && r < n;
      assert a[r] == 7;
    }"""
    graph = parse_boogie(text.encode(), "p.bpl")
    reduction = simplify_graph(graph, 0, preferred())
    assert any(name_of(v) == "r" for place in reduction.model.locations for v in place.variables)
    verdict = LiftedPdr(reduction.model).check(0)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    check_claims(graph, 0, reduction.back.invariant(verdict.invariant), ("z3",))
