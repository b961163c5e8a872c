"""PDR modulo arithmetic on small graphs that are made by hand; every verdict is checked here, edge by edge."""

from __future__ import annotations

import time
from collections.abc import Callable

from lemmata.config import LiftedOptions
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import TRUE, Term, bv, const, var
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Claim, Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.smt import Sat, open_solver
from lemmata.verdict import Safe, Unsafe, Verdict

X, Y, N = (var(name, INT) for name in "xyn")


def num(value: int) -> Term:
    return const(value, INT)


def add(*terms: Term) -> Term:
    return build("+", terms)


def le(a: Term, b: Term) -> Term:
    return build("<=", (a, b))


def lt(a: Term, b: Term) -> Term:
    return build("<", (a, b))


def loop(
    variables: tuple[Term, ...],
    starts: tuple[Term, ...],
    steps: list[tuple[Term, tuple[Term, ...]]],
    bad: Term,
    start_guard: Term = TRUE,
    inputs: tuple[Term, ...] = (),
) -> Graph:
    """One location, an initial edge, loop edges, and an error."""
    here = Source(0, variables)
    free = tuple(v for v in variables if v in starts)
    edges = [Edge((), 0, free, start_guard, starts)]
    edges += [Edge((here,), 0, inputs, guard, updates) for guard, updates in steps]
    edges.append(Edge((here,), 1, (), bad))
    return Graph((Location("main", variables), Location("bad")), tuple(edges), (GraphProperty(0, "bad", 1),))


def holds(graph: Graph, invariant: GraphInvariant) -> bool:
    """Is the invariant one, by z3, edge by edge?"""
    claims = {claim.location: conj(list(claim.lemmas)) for claim in invariant.claims}
    for edge in graph.edges:
        solver = open_solver("z3")
        solver.add(edge.guard)
        for source in edge.sources:
            own = graph.locations[source.location].variables
            solver.add(substitute([claims[source.location]], dict(zip(own, source.variables, strict=True)))[0])
        if edge.target in claims:
            own = graph.locations[edge.target].variables
            solver.add(negate(substitute([claims[edge.target]], dict(zip(own, edge.updates, strict=True)))[0]))
        if isinstance(solver.check(), Sat):
            return False
    return True


def runs(graph: Graph, derivation: Derivation) -> bool:
    """Is every fact what its edge makes of its premises, and the last one the error?"""
    for fact in derivation.facts:
        edge = graph.edges[fact.edge]
        values = dict(fact.inputs)
        for source, premise in zip(edge.sources, fact.premises, strict=True):
            assert graph.edges[derivation.facts[premise].edge].target == source.location
            values |= dict(zip(source.variables, derivation.facts[premise].values, strict=True))
        if not evaluate([edge.guard], values)[0] or tuple(evaluate(edge.updates, values)) != fact.values:
            return False
    return graph.edges[derivation.facts[-1].edge].target == graph.questions[derivation.prop].location


def settle(graph: Graph, seconds: float = 20, options: LiftedOptions | None = None) -> Verdict:
    """The verdict, with its evidence checked."""
    verdict = LiftedPdr(graph, options=options).check(0, time.monotonic() + seconds)
    match verdict:
        case Safe(GraphInvariant() as invariant):
            assert holds(graph, invariant)
        case Unsafe(Derivation() as derivation):
            assert runs(graph, derivation)
        case _:
            raise AssertionError(verdict)
    return verdict


def counter(limit: int, bad: int) -> Graph:
    return loop((X,), (num(0),), [(lt(X, num(limit)), (add(X, num(1)),))], le(num(bad), X))


def test_a_counter_that_stops_in_time_is_safe() -> None:
    assert isinstance(settle(counter(10, 11)), Safe)


def test_a_counter_that_goes_on_is_unsafe_and_its_run_is_replayed() -> None:
    verdict = settle(counter(10, 7))
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    assert verdict.trace.depth == 8


def test_an_error_without_edges_is_safe() -> None:
    graph = counter(10, 11)
    assert isinstance(settle(Graph(graph.locations, graph.edges[:-1], graph.questions)), Safe)


def test_an_initial_edge_into_the_error_is_unsafe() -> None:
    graph = Graph((Location("bad"),), (Edge((), 0, (X,), lt(num(3), X)),), (GraphProperty(0, "bad", 0),))
    assert isinstance(settle(graph), Unsafe)
    never = Graph((Location("bad"),), (Edge((), 0, (X,), lt(X, X)),), (GraphProperty(0, "bad", 0),))
    assert isinstance(settle(never), Safe)


def test_phases_are_locations() -> None:
    here, there = Location("up", (X, N)), Location("down", (Y, N))
    up, down = Source(0, (X, N)), Source(1, (Y, N))
    graph = Graph(
        (here, there, Location("bad")),
        (
            Edge((), 0, (N,), le(num(0), N), (num(0), N)),
            Edge((up,), 0, (), lt(X, N), (add(X, num(1)), N)),
            Edge((up,), 1, (), le(N, X), (X, N)),
            Edge((down,), 1, (), lt(num(0), Y), (add(Y, num(-1)), N)),
            Edge((down,), 2, (), lt(Y, num(0))),
        ),
        (GraphProperty(0, "bad", 2),),
    )
    assert isinstance(settle(graph), Safe)


def fibonacci(bad: Callable[[Term, Term], Term]) -> Graph:
    """fib(n, f): two calls are two sources of one edge."""
    p, q, m, g = (var(name, INT) for name in ("p", "q", "m", "g"))
    call = [Source(0, (m, p)), Source(0, (var("k", INT), q))]
    both = conj([equal(m, add(N, num(-1))), equal(var("k", INT), add(N, num(-2))), lt(num(1), N)])
    return Graph(
        (Location("fib", (N, g)), Location("bad")),
        (
            Edge((), 0, (N,), conj([le(num(0), N), le(N, num(1))]), (N, N)),
            Edge(tuple(call), 0, (N,), both, (N, add(p, q))),
            Edge((Source(0, (N, g)),), 1, (), bad(N, g)),
        ),
        (GraphProperty(0, "bad", 1),),
    )


def test_two_sources_are_joined_in_a_proof() -> None:
    assert isinstance(settle(fibonacci(lambda n, f: lt(f, num(0)))), Safe)


def test_two_sources_are_joined_in_a_derivation() -> None:
    verdict = settle(fibonacci(lambda n, f: conj([equal(n, num(5)), equal(f, num(5))])))
    assert isinstance(verdict, Unsafe)
    assert isinstance(settle(fibonacci(lambda n, f: conj([equal(n, num(3)), le(num(2), f)]))), Unsafe)


def test_booleans_and_reals_are_states_too() -> None:
    on, level = var("on", BOOL), var("level", REAL)
    half = build("/", (level, const(2, REAL)))
    graph = loop(
        (on, level),
        (TRUE, const(8, REAL)),
        [(on, (negate(on), half)), (negate(on), (TRUE, build("+", (level, const(1, REAL)))))],
        build("<", (level, const(0, REAL))),
    )
    assert isinstance(settle(graph), Safe)


def test_a_run_is_taken_up_again_after_an_interruption() -> None:
    engine = LiftedPdr(counter(30, 31))
    verdict: Verdict | None = None
    for _ in range(2000):
        try:
            verdict = engine.check(0, time.monotonic() + 0.005)
            break
        except GaveUp as error:
            assert error.reason == "timeout"
    assert isinstance(verdict, Safe)


def test_what_others_know_is_used() -> None:
    graph = loop((X, Y), (num(0), num(0)), [(TRUE, (add(X, Y), add(Y, X)))], lt(add(X, Y), num(0)))
    told = GraphInvariant((Claim(0, graph.locations[0], (conj([le(num(0), X), le(num(0), Y)]),)),))
    engine = LiftedPdr(graph, known=lambda: told)
    assert isinstance(engine.check(0, time.monotonic() + 10), Safe)
    assert engine.bound <= 1


def test_what_others_know_of_two_locations_is_kept_apart() -> None:
    """The same claim at both; it is needed at both."""
    first, second = Source(0, (X,)), Source(1, (X,))
    graph = Graph(
        (Location("first", (X,)), Location("second", (X,)), Location("bad")),
        (
            Edge((), 0, (), TRUE, (num(1),)),
            Edge((first,), 1, (), TRUE, (add(X, X),)),
            Edge((second,), 0, (), TRUE, (add(X, X, X),)),
            Edge((first,), 2, (), lt(X, num(-5))),
        ),
        (GraphProperty(0, "bad", 2),),
    )
    told = GraphInvariant(tuple(Claim(i, graph.locations[i], (le(num(0), X),)) for i in (0, 1)))
    verdict = LiftedPdr(graph, known=lambda: told).check(0, time.monotonic() + 10)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    assert holds(graph, verdict.invariant)


def test_one_object_answers_all_properties() -> None:
    graph = counter(5, 6)
    here = Source(0, (X,))
    two = Graph(
        (*graph.locations, Location("worse")),
        (*graph.edges, Edge((here,), 2, (), equal(X, num(3)))),
        (*graph.questions, GraphProperty(1, "worse", 2)),
    )
    engine = LiftedPdr(two)
    assert isinstance(engine.check(0, time.monotonic() + 10), Safe)
    assert isinstance(engine.check(1, time.monotonic() + 10), Unsafe)
    assert isinstance(engine.check(0, time.monotonic() + 10), Safe)


def test_products_arrays_and_words_are_settled_or_given_up() -> None:
    product = loop((X, Y), (num(1), num(1)), [(TRUE, (build("*", (X, Y)), add(Y, num(1))))], lt(X, num(0)))
    assert isinstance(settle(product), Safe)
    memory = var("memory", Array(INT, INT))
    clear = (build("store", (memory, X, num(0))), add(X, num(1)))
    dirty = conj([lt(num(0), X), negate(equal(build("select", (memory, num(0))), num(0)))])
    assert isinstance(settle(loop((memory, X), (memory, num(0)), [(TRUE, clear)], dirty)), Safe)
    word = var("word", BitVec(8))
    assert isinstance(
        settle(loop((word,), (bv(0, 8),), [(TRUE, (build("bvadd", (word, bv(2, 8))),))], equal(word, bv(7, 8)))), Safe
    )


def test_the_solvers_that_were_asked_are_told() -> None:
    engine = LiftedPdr(counter(3, 4), options=LiftedOptions(solver="z3"))
    engine.check(0, time.monotonic() + 10)
    assert engine.used == {"z3"}
