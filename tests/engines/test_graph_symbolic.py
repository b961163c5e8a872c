"""Symbolic execution of graphs: trees that close are proofs, paths to the error are runs, what does not narrow is given up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.engines.symbolic import engine as symbolic
from lemmata.engines.symbolic.engine import Symbolic
from lemmata.engines.symbolic.state import SymbolicState, Taken, arrive, leave
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import INT, Array
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.smt import preferred
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import in_time, in_turns
from tests.support.lia_graphs import N, X, Y, add, eq, fibonacci, le, loop, num, phases

A = var("a", Array(INT, INT))


def proof(graph: Graph, prop: int = 0) -> GraphInvariant:
    verdict = Symbolic(graph).check(prop, in_time())
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    certify_graph(graph, prop, verdict, ("cvc5", "z3"))
    return verdict.invariant


def run(graph: Graph) -> Derivation:
    verdict = Symbolic(graph).check(0, in_time())
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    assert certify_graph(graph, 0, verdict) == "evaluation"
    return verdict.trace


def chain(steps: Sequence[tuple[tuple[Term, ...], Term, tuple[Term, ...]]], bad: Term) -> Graph:
    """x, y, n through a few locations: inputs, guard and updates of each step; the error is at the end."""
    here = (X, Y, N)
    places = tuple(Location(f"l{i}", here) for i in range(len(steps) + 1))
    edges = [Edge((), 0, here, TRUE, here)]
    edges += [Edge((Source(i, here),), i + 1, *step) for i, step in enumerate(steps)]
    edges.append(Edge((Source(len(steps), here),), len(places), (), bad))
    return Graph((*places, Location("error")), tuple(edges), (GraphProperty(0, "bad", len(places)),))


def test_a_loop_with_a_known_number_of_turns_closes() -> None:
    proof(phases(4))


def test_an_error_behind_many_turns_is_a_run() -> None:
    assert run(loop((0, 0), le(X, 299), (add(X, 1), add(Y, 3)), eq(Y, 900))).depth == 300


def test_what_a_path_assumes_holds_on_it() -> None:
    proof(chain([((), le(X, 5), (X, X, N)), ((), TRUE, (add(X, 1), Y, N))], le(7, X)))


def test_a_symbol_that_nobody_holds_any_more_is_solved_for() -> None:
    proof(chain([((), le(X, 5), (add(X, 2), num(0), N)), ((), TRUE, (num(0), add(X, Y), N))], le(8, Y)))


def test_claims_speak_only_of_what_matters() -> None:
    steps = [((), conj([le(X, 5), le(3, N)]), (X, num(7), N)), ((), le(1, Y), (X, Y, N))]
    lemmas = [lemma for claim in proof(chain(steps, le(6, X))).claims for lemma in claim.lemmas]
    assert variables(lemmas) == (X,)


def test_branches_that_do_not_matter_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic, "SYMBOLIC_STATES", 60)
    either = [build("or", (le(num(i), add(X, Y)), negate(le(num(i), add(X, Y))))) for i in range(8)]
    here = (X, Y, N)
    edges = [Edge((), 0, (X, Y), TRUE, (X, Y, num(0)))]
    for i, branch in enumerate(either):
        edges += [Edge((Source(i, here),), i + 1, (), side, here) for side in branch.args]
    edges.append(Edge((Source(8, here),), 9, (), negate(eq(N, 0))))
    places = (*[Location(f"l{i}", here) for i in range(9)], Location("error"))
    proof(Graph(places, tuple(edges), (GraphProperty(0, "n stays", 9),)))


def test_disjunctions_are_followed_one_by_one() -> None:
    either = disj([conj([eq(X, 1), eq(Y, 2)]), conj([eq(X, 2), eq(Y, 4)])])
    proof(chain([((), either, (X, Y, N))], negate(eq(Y, add(X, X)))))


def memory(bad: Term) -> Graph:
    """a is arbitrary, then a[3] := x, a[5] := 8; the error asks what is there."""
    place = (X, A)
    written = build("store", (build("store", (A, num(3), X)), num(5), num(8)))
    return Graph(
        (Location("start", place), Location("end", place), Location("error")),
        (
            Edge((), 0, (X, A), eq(build("select", (A, num(4))), 1), (X, A)),
            Edge((Source(0, place),), 1, (), le(X, 6), (X, written)),
            Edge((Source(1, place),), 2, (), bad),
        ),
        (GraphProperty(0, "cell", 2),),
    )


@pytest.mark.parametrize("index, most", [(3, 6), (5, 8), (4, 1)])
def test_cells_keep_what_was_written(index: int, most: int) -> None:
    proof(memory(le(most + 1, build("select", (A, num(index))))))


def test_a_cell_that_may_hold_anything_is_an_error() -> None:
    assert run(memory(le(9, build("select", (A, num(6)))))).depth == 1


M = var("m", Array(INT, Array(INT, INT)))


def cell(row: Term | int, column: Term | int) -> Term:
    row, column = [num(index) if isinstance(index, int) else index for index in (row, column)]
    return build("select", (build("select", (M, row)), column))


def heap(bad: Term) -> Graph:
    """m is arbitrary but for m[1][7] = 1; then m[1][0] := 2, m[2][0] := 5, m[1][8] := m[1][7]; the error asks what is there."""

    def written(row: int, column: int, value: Term) -> Term:
        return build("store", (M, num(row), build("store", (build("select", (M, num(row))), num(column), value))))

    steps = [written(1, 0, num(2)), written(2, 0, num(5)), written(1, 8, cell(1, 7))]
    places = [Location(f"l{i}", (M,)) for i in range(4)]
    edges = [Edge((), 0, (M,), eq(cell(1, 7), 1), (M,))]
    edges += [Edge((Source(i, (M,)),), i + 1, (), TRUE, (step,)) for i, step in enumerate(steps)]
    edges.append(Edge((Source(3, (M,)),), 4, (), bad))
    return Graph((*places, Location("error")), tuple(edges), (GraphProperty(0, "cell", 4),))


@pytest.mark.parametrize(
    "read, value", [(cell(1, 0), 2), (cell(2, 0), 5), (cell(1, 7), 1), (cell(1, 8), 1), (cell(cell(1, 0), 0), 5)]
)
def test_cells_in_rows_keep_what_was_written_also_when_found_by_way_of_others(read: Term, value: int) -> None:
    proof(heap(negate(eq(read, value))))


@pytest.mark.parametrize("read", [cell(2, 7), cell(1, 1), cell(3, 0), cell(cell(2, 0), 0)])
def test_cells_in_rows_that_nobody_wrote_may_hold_anything(read: Term) -> None:
    assert run(heap(eq(read, 77))).depth == 3


def table(values: Sequence[int], size: int) -> Graph:
    """m[2] holds these values; x goes over them until the first 0, and an x from ``size`` on is the error."""
    row = const(ArrayValue(Array(INT, INT), 0), Array(INT, INT))
    for index, value in enumerate(values):
        row = build("store", (row, num(index), num(value)))
    here, read = (X, M), cell(2, X)
    return Graph(
        (Location("start", here), Location("loop", here), Location("error")),
        (
            Edge((), 0, (M,), TRUE, (num(0), M)),
            Edge((Source(0, here),), 1, (), TRUE, (X, build("store", (M, num(2), row)))),
            Edge((Source(1, here),), 1, (), conj([le(0, read), le(read, 9), negate(eq(read, 0))]), (add(X, 1), M)),
            Edge((Source(1, here),), 2, (), le(size, X)),
        ),
        (GraphProperty(0, "x stays", 2),),
    )


def test_a_table_is_read_without_a_question() -> None:
    graph = table([*[3] * 70, 0], 71)
    search = symbolic._Search(graph, 0, preferred())
    while search.pending:
        assert search.expand(None) is None
    assert (search.count, search.queries) == (72, 0)
    proof(graph)


@pytest.mark.parametrize("values, size", [([3] * 40, 20), ([3, 1, 0], 2)])
def test_a_table_that_goes_on_is_left(values: Sequence[int], size: int) -> None:
    assert run(table(values, size)).depth == size + 1


def test_only_needs_that_have_to_do_with_new_ones_are_doubtful() -> None:
    known = [le(X, 5), le(Y, N), le(N, 3)]
    taken = Taken((*known, le(4, Y)), (X, Y, N), frozenset(known))
    assert set(taken.doubtful()) == {le(4, Y), le(Y, N), le(N, 3)}
    assert Taken(tuple(known), (X, Y, N), frozenset(known)).doubtful() == []


def test_places_that_no_edge_leads_to_are_claimed_unreachable() -> None:
    graph = Graph(
        (Location("start", (X,)), Location("nowhere", (X,)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(1),)),
            Edge((Source(0, (X,)),), 2, (), le(X, 0)),
            Edge((Source(1, (X,)),), 2, (), TRUE),
        ),
        (GraphProperty(0, "p", 2),),
    )
    proof(graph)


def test_a_tree_that_does_not_close_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic, "SYMBOLIC_STATES", 100)
    with pytest.raises(GaveUp, match="incomplete"):
        Symbolic(loop((0, 0), TRUE, (add(X, 1), Y), le(X, -1))).check(0)


def test_a_spurious_error_is_no_answer() -> None:
    square = build("*", (X, X))
    with pytest.raises(GaveUp, match="incomplete"):
        Symbolic(chain([((), TRUE, (square, num(0), N))], eq(X, -1))).check(0, in_time())


def test_graphs_with_two_premises_are_refused() -> None:
    with pytest.raises(GaveUp, match="incomplete"):
        Symbolic(fibonacci(5, 9)).check(0)


def test_a_search_goes_on_where_it_was_stopped() -> None:
    graph = loop((0, 0), le(X, 199), (add(X, 1), add(Y, 2)), conj([le(200, X), negate(eq(Y, 400))]))
    engine = Symbolic(graph)
    verdict, turns = in_turns(lambda until: engine.check(0, until))
    assert turns
    certify_graph(graph, 0, verdict, ("cvc5", "z3"))


def test_a_state_after_an_edge_contains_every_state_that_the_edge_leads_to() -> None:
    edge = Edge((Source(0, (X2 := var("x2", INT), Y)),), 1, (N,), conj([le(X2, N), le(N, Y)]), (N, add(X2, Y)))
    before, after = Location("before", (X, Y)), Location("after", (X, Y))
    state = SymbolicState(0, (X, num(4)), (le(0, X),))
    (taken,) = leave(edge, state, before)
    found = arrive(taken, (N, X2, Y), 1, after)
    assert found is not None
    formula = found.formula(after)
    for x in range(5):
        for n in range(x, 5):
            assert evaluate([formula], {X: n, Y: x + 4}) == [True]
