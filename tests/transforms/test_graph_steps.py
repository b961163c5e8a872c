"""What each simplification of a graph does, by small examples, and what it claims or derives on the way back."""

from collections.abc import Sequence
from itertools import pairwise

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, disj, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, Array
from lemmata.logic.terms import FALSE, TRUE, Term, name_of, var
from lemmata.logic.values import ArrayValue, default_value
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.models.system import system_of
from lemmata.solvers.smt import open_solver, preferred
from lemmata.transforms.graph import interpolate_claim, simplify_graph
from lemmata.transforms.graph.cone import reduce_graph_cone
from lemmata.transforms.graph.control import split_control
from lemmata.transforms.graph.edges import simplified, simplify_edges
from lemmata.transforms.graph.equations import definitions
from lemmata.transforms.graph.fixed import drop_fixed
from lemmata.transforms.graph.guard_invariants import use_guard_invariants
from lemmata.transforms.graph.inline import inline
from lemmata.transforms.graph.live import drop_dead
from lemmata.transforms.graph.measures import TreeSizes
from lemmata.work import now
from tests.support.lia_graphs import N, X, Y, add, eq, le, loop, num

B, C = var("b", BOOL), var("c", BOOL)
HERE = Source(0, (X, Y))


def made(places: Sequence[tuple[Term, ...]], *edges: Edge) -> Graph:
    """Locations p0, p1, … with these variables, and the error after them."""
    locations = (*(Location(f"p{n}", variables) for n, variables in enumerate(places)), Location("error"))
    return Graph(locations, edges, (GraphProperty(0, "q", len(places)),))


def proof(graph: Graph, **lemmas: Sequence[Term]) -> GraphInvariant:
    """Claims by the names of locations."""
    errors = {q.location for q in graph.questions}
    places = [(n, place) for n, place in enumerate(graph.locations) if n not in errors]
    return GraphInvariant(tuple(Claim(n, place, tuple(lemmas.get(place.name, ()))) for n, place in places))


def lemmas(invariant: GraphInvariant, name: str) -> tuple[Term, ...]:
    return next(claim.lemmas for claim in invariant.claims if claim.place.name == name)


def names(terms: Sequence[Term]) -> list[str]:
    return [name_of(v) for v in terms]


# The cone.


def test_the_cone_has_what_is_reachable_and_leads_to_the_error():
    dead, idle = Location("nobody arrives", (X,)), Location("nothing follows", (X,))
    graph = Graph(
        (Location("main", (X,)), dead, idle, Location("error"), Location("another error")),
        (
            Edge((), 0, (), TRUE, (num(0),)),
            Edge((Source(0, (X,)),), 2, (), TRUE, (X,)),
            Edge((Source(1, (X,)),), 0, (), TRUE, (X,)),
            Edge((Source(0, (X,)), Source(1, (Y,))), 3, (), TRUE),
            Edge((Source(0, (X,)),), 3, (), le(1, X)),
            Edge((Source(0, (X,)),), 4, (), TRUE),
        ),
        (GraphProperty(0, "first", 4), GraphProperty(1, "second", 3)),
    )
    reduction = reduce_graph_cone(graph, 1)
    assert [place.name for place in reduction.model.locations] == ["main", "error"]
    assert [edge.target for edge in reduction.model.edges] == [0, 1]
    assert [q.name for q in reduction.model.questions] == ["second"]
    back = reduction.back.invariant(proof(reduction.model, main=[le(X, 0)]))
    assert lemmas(back, "nobody arrives") == (FALSE,)
    assert lemmas(back, "nothing follows") == ()
    check_claims(graph, 1, back, ("z3",))


def test_where_the_error_cannot_be_reached_nothing_is_left():
    graph = made([(X,)], Edge((Source(0, (X,)),), 1, (), TRUE))
    reduction = simplify_graph(graph, 0, preferred())
    assert reduction.model.edges == ()
    check_claims(graph, 0, reduction.back.invariant(GraphInvariant(())), ("z3",))


# Edges.


def test_a_relation_that_is_a_function_becomes_one():
    new, other = var("x'", INT), var("y'", INT)
    guard = conj([eq(new, add(X, 1)), eq(add(other, new), add(Y, 3)), le(X, 9)])
    edge, meanings = simplified(Edge((HERE,), 0, (new, other), guard, (new, other)))
    assert edge.inputs == ()
    assert edge.guard is le(X, 9)
    assert names(edge.sources[0].variables) == ["x", "y"]
    assert [repr(update) for update in edge.updates] == ["(+ x 1)", "(- (+ y 2) x)"]
    values = {X: 4, Y: 7}
    assert evaluate([meanings[new], meanings[other]], values) == evaluate(edge.updates, values) == [5, 5]


def test_the_initial_edge_of_a_transition_system_becomes_a_start_value():
    guard = eq(X, 0)
    relation = eq(N, add(X, 1))
    graph = made([(X,)], Edge((), 0, (X,), guard, (X,)), Edge((Source(0, (X,)),), 0, (N,), relation, (N,)))
    graph = Graph(graph.locations, (*graph.edges, Edge((Source(0, (X,)),), 1, (), le(X, -1))), graph.questions)
    system = system_of(simplify_edges(graph).model)
    assert system is not None
    assert (system.starts[X], system.nexts[X]) == (num(0), add(X, 1))


def test_clauses_of_a_choice_define_an_input():
    parts = [disj([B, eq(N, X)]), disj([negate(B), eq(N, add(Y, 1))])]
    edge, _ = simplified(Edge((Source(0, (X, Y, B)),), 0, (N,), conj(parts), (N, Y, B)))
    assert edge.inputs == ()
    assert edge.updates[0] is build("ite", (B, add(Y, 1), X))


def test_inputs_that_can_be_chosen_go_with_their_conjuncts():
    inputs = tuple(var(name, INT) for name in ("i", "j", "k"))
    i, j, k = inputs
    guard = conj([le(X, i), disj([C, eq(j, add(Y, i))]), le(k, X), le(k, Y), B])
    edge, meanings = simplified(Edge((HERE,), 1, (*inputs, B, C), guard, ()))
    assert (edge.guard, edge.inputs) == (TRUE, ())
    values = {X: 5, Y: 2}
    chosen = dict(zip(meanings, evaluate(list(meanings.values()), values), strict=True))
    assert evaluate([guard], values | chosen) == [True]


def test_an_input_with_bounds_on_both_sides_stays():
    edge, _ = simplified(Edge((HERE,), 1, (N,), conj([le(X, N), le(N, Y)]), ()))
    assert edge.inputs == (N,)


def test_definitions_that_would_be_huge_trees_stay_equations():
    chain = [var(f"d{n}", INT) for n in range(40)]
    guard = conj([eq(chain[0], X), *(eq(b, build("*", (a, a))) for a, b in pairwise(chain))])
    found = definitions(list(guard.args), chain)
    assert 30 < len(found) < 40
    assert max(TreeSizes().of(term) for term in found.values()) < 50_000


def test_names_that_differ_in_sort_only_are_told_apart():
    flag = var("x", BOOL)
    graph = made([(X,)], Edge((), 0, (), TRUE, (num(0),)), Edge((Source(0, (Y,)),), 1, (flag,), disj([flag, le(Y, 0)])))
    edge = simplify_edges(graph).model.edges[1]
    assert edge.sources[0].variables == (X,)
    assert len({name_of(v) for v in (X, *edge.inputs)}) == 1 + len(edge.inputs)


def test_equal_edges_are_there_once():
    graph = made([(X,)], Edge((), 0, (), TRUE, (num(0),)), *(Edge((Source(0, (v,)),), 1, (), le(1, v)) for v in (X, Y)))
    assert len(simplify_edges(graph).model.edges) == 2


def test_arrays_are_substituted_and_their_inputs_come_back():
    a, b = (var(name, Array(INT, INT)) for name in ("a", "b"))
    guard = conj([equal(b, build("store", (a, N, num(7)))), le(0, N)])
    graph = made(
        [(a,)],
        Edge((), 0, (a,), TRUE, (a,)),
        Edge((Source(0, (a,)),), 0, (b, N), guard, (b,)),
        Edge((Source(0, (a,)),), 1, (X,), equal(build("select", (a, X)), num(7))),
    )
    reduction = simplify_graph(graph, 0, preferred())
    assert names(reduction.model.edges[1].inputs) == ["n"]
    first = Fact(0, (), ((a, (zero := _zeros(a))),), reduction.model.locations[0], (zero,))
    second = Fact(1, (0,), ((N, 3),), reduction.model.locations[0], (zero.store(3, 7),))
    last = Fact(2, (1,), ((X, 3),), reduction.model.locations[1], ())
    replay_derivation(graph, reduction.back.trace(Derivation(0, (first, second, last))))


def _zeros(v: Term) -> ArrayValue:
    return default_value(v.sort)


# Variables.


def test_constants_and_copies_are_claimed_and_no_longer_stored():
    place = (X, Y, N)
    graph = made(
        [place],
        Edge((), 0, (X,), TRUE, (X, X, num(4))),
        Edge((Source(0, place),), 0, (), eq(N, 4), (add(X, 1), add(Y, 1), N)),
        Edge((Source(0, place),), 1, (), negate(equal(X, Y))),
    )
    reduction = drop_fixed(graph)
    assert reduction.model.locations[0].variables == (X,)
    assert len(reduction.model.edges) == 2  # x ≠ x is false
    back = reduction.back.invariant(proof(reduction.model))
    assert set(lemmas(back, "p0")) == {equal(Y, X), eq(N, 4)}
    check_claims(graph, 0, back, ("z3",))


def test_a_guard_that_constants_make_false_is_no_way():
    graph = made(
        [(X,), (X,)],
        Edge((), 0, (), TRUE, (num(1),)),
        Edge((Source(0, (X,)),), 1, (), eq(X, 2), (X,)),
        Edge((Source(1, (X,)),), 2, (), TRUE),
    )
    back = simplify_graph(graph, 0, preferred()).back.invariant(GraphInvariant(()))
    assert FALSE in lemmas(back, "p1")
    check_claims(graph, 0, back, ("z3",))


def test_variables_that_decide_nothing_are_dropped():
    place = (X, Y)
    graph = made(
        [place],
        Edge((), 0, (Y,), TRUE, (num(0), Y)),
        Edge((HERE,), 0, (N,), TRUE, (add(X, 1), add(add(Y, X), N))),
        Edge((HERE,), 1, (), le(3, X)),
    )
    reduction = drop_dead(graph)
    assert reduction.model.locations[0].variables == (X,)
    assert all(edge.inputs == () for edge in reduction.model.edges)


def test_equations_that_hold_on_arrival_define_variables():
    """A synchronous program: y = 2x and b = (x ≥ 5) in every state, said before and after each step."""
    place = (X, Y, B)
    after = tuple(var(f"{name_of(v)}'", v.sort) for v in place)

    def state(x: Term, y: Term, b: Term) -> list[Term]:
        return [disj([b, le(x, 4)]), disj([negate(b), le(5, x)]), eq(y, add(x, x))]

    graph = made(
        [place],
        Edge((), 0, place, conj([*state(*place), eq(X, 0)]), place),
        Edge((Source(0, place),), 0, after, conj([*state(*place), *state(*after), eq(after[0], add(X, 1))]), after),
        Edge((Source(0, place),), 1, (), conj([*state(*place), negate(B), le(30, Y)])),
    )
    assert simplify_edges(graph).model.locations[0].variables == place
    reduction = simplify_graph(graph, 0, preferred())
    assert reduction.model.locations[0].variables == (X,)
    assert [edge.inputs for edge in reduction.model.edges] == [(), (), ()]
    back = reduction.back.invariant(proof(reduction.model, p0=[le(0, X)]))
    check_claims(graph, 0, back, ("z3",))


def test_what_an_edge_does_not_ensure_stays_in_guards():
    graph = loop((0, 0), le(X, 9), (add(X, 1), Y), conj([le(X, 9), le(20, Y)]))
    assert use_guard_invariants(graph, preferred()).model.edges[1].guard is le(X, 9)


# Locations.


def chain(claim: Term) -> Graph:
    """p0 adds an input to x, p1 doubles it, p2 checks ``claim``."""
    here = [Source(n, (X,)) for n in range(3)]
    return made(
        [(X,)] * 3,
        Edge((), 0, (), TRUE, (num(1),)),
        Edge((here[0],), 1, (N,), le(0, N), (add(X, N),)),
        Edge((here[1],), 2, (), le(X, 100), (add(X, X),)),
        Edge((here[2],), 0, (), le(X, 50), (X,)),
        Edge((here[2],), 3, (), negate(claim)),
    )


def test_locations_that_are_passed_through_are_inlined_and_claimed_again():
    graph = chain(le(1, X))
    reduction = simplify_graph(graph, 0, preferred())
    assert len(reduction.model.locations) == 2
    (name,) = [place.name for place in reduction.model.locations if place.variables]
    back = reduction.back.invariant(proof(reduction.model, **{name: [le(1, X)]}))
    assert all(claim.lemmas for claim in back.claims)
    check_claims(graph, 0, back, ("z3",))


def test_a_derivation_finds_back_through_inlined_locations():
    graph = chain(le(X, 7))
    reduction = simplify_graph(graph, 0, preferred())
    verdict = GraphBmc(reduction.model).check(0)
    assert isinstance(verdict.trace, Derivation)
    back = reduction.back.trace(verdict.trace)
    replay_derivation(graph, back)
    assert len(back.facts) > len(verdict.trace.facts)


def test_a_claim_is_found_by_projection_where_the_way_out_has_inputs():
    graph = made(
        [(X,), (X,)],
        Edge((), 0, (N,), le(N, 3), (N,)),
        Edge((Source(0, (X,)),), 1, (Y,), conj([le(Y, add(X, X)), le(X, Y)]), (Y,)),
        Edge((Source(1, (X,)),), 1, (), le(X, 5), (X,)),
        Edge((Source(1, (X,)),), 2, (), le(7, X)),
    )
    reduction = inline(graph, preferred())
    assert all(source.location != 0 for edge in reduction.model.edges for source in edge.sources)
    back = reduction.back.invariant(proof(reduction.model, p1=[le(X, 6)]))
    assert lemmas(back, "p0")
    check_claims(graph, 0, back, ("z3",))


def test_lemmas_that_a_way_out_does_not_touch_hold_before_it_without_projection(monkeypatch):
    into = Edge((), 0, (N,), conj([le(N, 3), le(1, N)]), (N, N))
    out = Edge((Source(0, (X, Y)),), 1, (N,), le(N, 9), (X, N))
    graph = made([(X, Y), (X, Y)], into, out)
    removed = interpolate_claim.RemovedLocation(0, (into,), (out,))
    monkeypatch.delattr(interpolate_claim, "project")
    claim = interpolate_claim.interpolate_claim(graph, removed, {1: (le(X, 6), le(Y, 9))}, preferred())
    assert claim == (le(X, 6),)


def test_what_a_way_in_does_not_guarantee_is_no_claim():
    into = Edge((), 0, (N,), le(N, 3), (N,))
    other = Edge((), 0, (), TRUE, (num(2),))
    out = Edge((Source(0, (X,)),), 1, (N,), conj([le(N, X), le(1, N)]), (X,))
    removed = interpolate_claim.RemovedLocation(0, (into, other), (out,))
    graph = made([(X,), (X,)], into, other, out)
    assert interpolate_claim.interpolate_claim(graph, removed, {1: (le(1, X), le(X, 3))}, preferred()) == (le(X, 3),)


def test_who_has_a_precondition_does_not_wait_long_for_a_shorter_claim(monkeypatch):
    class Slow(type(open_solver("z3"))):
        def check(self, assumptions, wanted=(), until=None):
            waited.append(until - now())
            raise GaveUp("timeout")

    waited: list[float] = []
    monkeypatch.setattr(interpolate_claim, "_SHORT_NODES", 0)
    monkeypatch.setattr(interpolate_claim, "open_solver", lambda name: Slow())
    into = Edge((), 0, (N,), le(1, N), (N,))
    out = Edge((Source(0, (X,)),), 1, (), le(X, 9), (add(X, 1),))
    removed = interpolate_claim.RemovedLocation(0, (into,), (out,))
    claim = interpolate_claim.interpolate_claim(made([(X,), (X,)], into, out), removed, {1: (le(2, X),)}, preferred())
    assert waited and max(waited) <= interpolate_claim.SHORTER_CLAIM_S < interpolate_claim.CLAIM_S
    assert claim == (disj([negate(le(X, 9)), le(2, add(X, 1))]),)


def test_calls_that_are_joined_with_a_summary_are_inlined():
    graph = made(
        [(X,), (X,)],
        Edge((), 0, (N,), le(0, N), (N,)),
        Edge((Source(0, (X,)), Source(1, (Y,))), 1, (), le(Y, X), (add(X, 1),)),
        Edge((), 1, (), TRUE, (num(0),)),
        Edge((Source(1, (X,)),), 2, (), le(X, -1)),
    )
    reduction = simplify_graph(graph, 0, preferred())
    assert [place.name for place in reduction.model.locations] == ["p1", "error"]
    assert max(len(edge.sources) for edge in reduction.model.edges) == 1
    check_claims(graph, 0, reduction.back.invariant(proof(reduction.model, p1=[le(0, X)])), ("z3",))


def test_a_location_that_an_edge_reads_twice_stays():
    graph = made(
        [(X,)],
        Edge((), 0, (N,), le(0, N), (N,)),
        Edge((Source(0, (X,)), Source(0, (Y,))), 1, (), eq(X, add(Y, 2))),
    )
    assert inline(graph, preferred()).model.edges == graph.edges


def test_an_edge_that_stays_where_it_is_is_dropped_with_inlining_only():
    graph = loop((0, 0), le(X, 3), (add(X, 1), Y), le(5, X))
    idle = Edge((HERE,), 0, (), le(X, 2), (X, Y))
    stuttering = Graph(graph.locations, (*graph.edges, idle), graph.questions)
    assert len(simplify_edges(stuttering).model.edges) == 4
    assert inline(stuttering, preferred()).model.edges == graph.edges


def test_long_chains_are_no_matter():
    count = 400
    steps = [Edge((Source(n, (X,)),), n + 1, (N,), le(0, N), (add(X, N),)) for n in range(count - 1)]
    graph = made(
        [(X,)] * count, Edge((), 0, (), TRUE, (num(0),)), *steps, Edge((Source(count - 1, (X,)),), count, (), le(X, -1))
    )
    assert len(simplify_graph(graph, 0, preferred()).model.locations) < count // 10


# Control.


def program() -> Graph:
    """Control in p and q: 00 sets x, 10 counts it down to 0, 11 is the end, where x > 0 is an error."""
    p, q = var("p", BOOL), var("q", BOOL)
    new = (var("p'", BOOL), var("q'", BOOL), var("x'", INT))
    at = {
        "00": [negate(p), negate(q)],
        "10": [p, negate(q)],
        "11": [p, q],
    }
    to = {name: [v if bit == "1" else negate(v) for v, bit in zip(new, name, strict=False)] for name in at}
    cases = [
        conj([*at["00"], *to["10"], le(0, new[2])]),
        conj([*at["10"], *to["10"], le(1, X), eq(new[2], add(X, -1))]),
        conj([*at["10"], *to["11"], le(X, 0), eq(new[2], X)]),
    ]
    place = (p, q, X)
    return made(
        [place],
        Edge((), 0, (N,), TRUE, (FALSE, FALSE, N)),
        Edge((Source(0, place),), 0, new, disj(cases), new),
        Edge((Source(0, place),), 1, (), conj([*at["11"], le(1, X)])),
    )


def test_a_program_counter_becomes_locations():
    graph = program()
    reduction = split_control(simplify_edges(graph).model, preferred())
    inner = [place for place in reduction.model.locations if place.variables]
    assert len(inner) == 3
    assert all(place.variables == (X,) for place in inner)
    small = simplify_graph(graph, 0, preferred())
    loops = [edge for edge in small.model.edges if edge.sources]
    assert [edge.inputs for edge in loops] == [()] * len(loops)
    back = small.back.invariant(proof(small.model))
    check_claims(graph, 0, back, ("z3",))


def test_a_transition_system_stays_one_without_inlining_and_splitting():
    reduced = simplify_graph(program(), 0, preferred(), inlining=False, splitting=False).model
    assert [len(place.variables) for place in reduced.locations] == [3, 0]


def test_booleans_that_are_data_are_left_alone():
    flags = tuple(var(f"f{n}", BOOL) for n in range(6))
    inputs = tuple(var(f"i{n}", BOOL) for n in range(6))
    graph = made(
        [flags],
        Edge((), 0, (), TRUE, (FALSE,) * 6),
        Edge((Source(0, flags),), 0, inputs, TRUE, inputs),
        Edge((Source(0, flags),), 1, (), conj(flags)),
    )
    assert split_control(graph, preferred()).model == graph
