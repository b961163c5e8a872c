"""Horn clauses become graphs: one location per predicate, one edge per clause, one error for all queries."""

from __future__ import annotations

import csv

import pytest

from lemmata.errors import InputError
from lemmata.frontends import load
from lemmata.frontends.horn import parse_horn
from lemmata.logic.build import build, conj
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import FALSE, TRUE, const, make, name_of, var
from lemmata.models.graph import Edge, Graph, Source
from tests.support.horn_text import asked
from tests.support.paths import ROOT

BENCH = ROOT.parent / "shared" / "bench"
X, Y, Z = (var(name, INT) for name in "xyz")
HEADER = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(declare-fun Q (Int Int) Bool)\n(declare-fun R () Bool)\n"
P, Q, R, FALSE_AT = range(4)


def number(value):
    return const(value, INT)


def read(text: str) -> Graph:
    return parse_horn((HEADER + text if "(check-sat)" in text else asked(HEADER + text)).encode(), "f.smt2")


def edges(text: str) -> tuple[Edge, ...]:
    return read(text).edges


def less(a, b):
    return make("<", (a, b))


def test_a_loop_as_competition_files_have_it():
    graph = read("""
    (assert (forall ((x Int)) (=> (= x 0) (P x))))
    (assert (forall ((x Int) (y Int)) (=> (and (P x) (and (= y (+ x 1)) (< x 10))) (P y))))
    (assert (forall ((x Int)) (=> (and (P x) (> x 10)) false)))
    (check-sat)
    (get-model)
    (exit)
    """)
    assert [place.name for place in graph.locations] == ["P", "Q", "R", "false"]
    assert graph.locations[P].variables == (X,)
    assert [(q.index, q.name, q.location) for q in graph.questions] == [(0, "false", FALSE_AT)]
    assert graph.origin.kind == "horn"
    start, step, query = graph.edges
    assert start == Edge((), P, (X,), build("=", (X, number(0))), (X,), 6)
    assert step.sources == (Source(P, (X,)),)
    assert (step.inputs, step.updates, step.line) == ((Y,), (Y,), 7)
    assert step.guard is conj([build("=", (Y, build("+", (X, number(1))))), less(X, number(10))])
    assert query == Edge((Source(P, (X,)),), FALSE_AT, (), less(number(10), X), (), 8)


def test_arguments_that_are_no_variables_become_equations_in_bodies_and_updates_in_heads():
    (edge,) = edges("(assert (forall ((x Int)) (=> (Q (+ x 1) x) (Q 5 (* 2 x)))))")
    (source,) = edge.sources
    fresh, own = source.variables
    assert own is X and fresh is not X
    assert edge.guard is build("=", (fresh, build("+", (X, number(1)))))
    assert edge.updates == (number(5), build("*", (number(2), X)))
    assert edge.inputs == ()


def test_a_variable_used_twice_is_one_source_variable_and_an_equation():
    (edge,) = edges("(assert (forall ((x Int)) (=> (and (Q x x) (P x)) R)))")
    (first, second), (third,) = (source.variables for source in edge.sources)
    assert first is X
    assert len({first, second, third}) == 3
    assert edge.guard is conj([build("=", (second, X)), build("=", (third, X))])
    assert [name_of(v) for v in (second, third)] == ["x~2", "x~3"]


def test_sources_come_in_the_order_of_the_file():
    (edge,) = edges("(assert (forall ((x Int) (y Int)) (=> (and (and (P y) true) (Q x 7) R (P x)) (P 0))))")
    assert [source.location for source in edge.sources] == [P, Q, R, P]
    assert edge.sources[0].variables == (Y,)
    assert edge.sources[1].variables[0] is X
    assert edge.sources[2].variables == ()


@pytest.mark.parametrize(
    "text",
    [
        "(forall ((x Int)) (=> (and (P x) (< x 0)) false))",
        "(forall ((x Int)) (or (not (P x)) (not (< x 0))))",
        "(forall ((x Int)) (or (not (< x 0)) false (not (P x))))",
        "(forall ((x Int)) (not (and (P x) (< x 0))))",
        "(not (exists ((x Int)) (and (P x) (< x 0))))",
        "(=> (exists ((x Int)) (and (< x 0) (P x))) false)",
        "(forall ((x Int)) (=> (P x) (not (< x 0))))",
        "(forall ((x Int)) (=> (P x) (>= x 0)))",
        "(forall ((x Int)) (=> (P x) (=> (< x 0) false)))",
        "(forall ((x Int)) (=> (P x) (< x 0) false))",
        "(forall ((y Bool)) (forall ((x Int)) (=> (and (P x) (< x 0)) false)))",
        "(forall ((x Int)) (! (=> (and (P x) (! (< x 0) :named low)) false) :pattern ((P x))))",
        "(forall ((x Int)) (let ((a (P x)) (b (< x 0))) (=> (and a b b) false)))",
        "(forall ((x Int)) (=> (ite (< x 0) (P x) false) false))",
        "(forall ((x Int)) (=> (and (= (P x) true) (< x 0)) false))",
        "(forall ((x Int)) (=> (and (P x) (low x)) false))",
        "(forall ((x Int)) (=> (both x) false))",
        "(forall ((|x| Int)) (=> (and (|P| x) (< |x| 0)) false)) ; a comment\n",
        "(forall ((x Int)) (=> (and (P x) ; (or\n (; and\n < x 0)) false))",
    ],
)
def test_one_query_in_many_shapes(text):
    macros = "(define-fun low ((y Int)) Bool (< y 0)) (define-fun both ((x Int)) Bool (and (P x) (low x)))"
    assert edges(f"{macros if 'low x' in text or 'both' in text else ''}(assert {text})") == (
        Edge((Source(P, (X,)),), FALSE_AT, (), less(X, number(0)), (), 5),
    )


def test_a_head_with_several_predicates_makes_several_clauses():
    first, second, third = edges("(assert (forall ((x Int)) (=> (P x) (and (Q x 1) R (< x 3)))))")
    assert (first.target, first.updates) == (Q, (X, number(1)))
    assert (second.target, second.updates) == (R, ())
    assert (third.target, third.guard) == (FALSE_AT, make("<=", (number(3), X)))
    assert {edge.line for edge in (first, second, third)} == {5}


def test_a_disjunction_of_predicates_in_a_body_makes_several_clauses():
    first, second = edges("(assert (forall ((x Int)) (=> (or (P x) (= x 1) (= x 2)) R)))")
    assert (first.sources, first.guard) == ((Source(P, (X,)),), TRUE)
    assert (second.sources, second.inputs) == ((), (X,))
    assert second.guard is build("or", (build("=", (X, number(1))), build("=", (X, number(2)))))


def test_disjunctions_without_predicates_stay_as_they_are():
    (edge,) = edges("(assert (forall ((x Int)) (=> (and (P x) (or (< x 1) (and (< 5 x) (or (< x 7) (< 9 x))))) R)))")
    assert edge.guard.op == "or"


def test_existential_variables_of_a_body_are_inputs():
    (edge,) = edges("(assert (forall ((x Int)) (=> (and (P x) (or (exists ((y Int)) (= x (* 2 y))) (= x 1))) R)))")
    assert edge.inputs == (Y,)
    assert edge.guard.op == "or"


def test_bound_names_that_hide_others_become_other_variables():
    (edge,) = edges("(assert (forall ((x Int)) (=> (and (P x) (exists ((x Int)) (Q x 0))) (P x))))")
    assert edge.updates == (X,)
    assert edge.sources[0].variables == (X,)
    assert name_of(edge.sources[1].variables[0]) == "x~2"
    assert len({v for source in edge.sources for v in source.variables}) == 3


def test_a_macro_does_not_capture_names():
    macros = "(define-fun f ((y Int)) Int (+ y 1)) (define-fun g ((x Int) (y Int)) Int (f (- y x)))"
    (edge,) = edges(f"{macros}(assert (forall ((x Int) (y Int)) (=> (Q x y) (P (g y x)))))")
    assert edge.updates == (build("+", (make("-", (X, Y)), number(1))),)


@pytest.mark.parametrize(
    ("text", "count"),
    [("true", 0), ("false", 1), ("(=> R R)", 1), ("(=> false R)", 0), ("(or true R)", 0), ("R", 1), ("(not R)", 1)],
)
def test_clauses_without_variables(text, count):
    assert len(edges(f"(assert {text})")) == count


def test_a_fact_a_query_and_nothing_else():
    (edge,) = edges("(assert false)")
    assert edge == Edge((), FALSE_AT, (), TRUE, (), 5)


@pytest.mark.parametrize("text", ["(set-logic HORN)(check-sat)", "(check-sat)", "(declare-fun P (Int) Bool) (check-sat)"])
def test_files_without_clauses_have_an_error_that_nothing_leads_to(text):
    graph = parse_horn(text.encode(), "f")
    assert graph.edges == ()
    assert graph.locations[graph.questions[0].location].name == "false"
    assert FALSE not in graph.locations


def test_all_sorts_can_be_arguments():
    graph = parse_horn(
        b"""(declare-fun P (Bool Int Real (_ BitVec 8) (Array Int (Array Int Real))) Bool)
        (define-sort Byte () (_ BitVec 8))
        (assert (forall ((b Bool) (i Int) (r Real) (w Byte) (a (Array Int (Array Int Real))))
          (=> (and (P b i r w a) (< r i) (= (bvadd w #x01) #xff) (< 0 (select (select a i) 0)))
              (P (not b) (div i 2) (/ r 3) (bvnot w) (store a 1 (store (select a 0) i 7)))))) (check-sat)""",
        "f",
    )
    assert [v.sort for v in graph.locations[0].variables] == [BOOL, INT, REAL, BitVec(8), Array(INT, Array(INT, REAL))]
    (edge,) = graph.edges
    assert [update.sort for update in edge.updates] == [v.sort for v in graph.locations[0].variables]


def test_numbers_are_converted_where_a_predicate_wants_reals():
    graph = parse_horn(b"(declare-fun P (Real) Bool) (assert (P 1)) (assert (forall ((i Int)) (P i))) (check-sat)", "f")
    assert graph.edges[0].updates == (const(1, REAL),)
    assert graph.edges[1].updates == (make("to_real", (var("i", INT),)),)


def test_names_of_variables_come_from_heads_then_bodies_then_from_nowhere():
    graph = read("""
    (assert (forall ((x Int) (low Int)) (=> (Q x low) (Q 0 low))))
    (assert (forall ((a Int) (b Int)) (=> (= a b) (Q a b))))
    (assert (P 0))""")
    assert [name_of(v) for v in graph.locations[Q].variables] == ["a", "b"]
    assert [name_of(v) for v in graph.locations[P].variables] == ["x1"]
    graph = read("(assert (forall ((x Int) (low Int)) (=> (Q x low) (Q 0 low))))")
    assert [name_of(v) for v in graph.locations[Q].variables] == ["x", "low"]


def nested(depth: int) -> str:
    return f"(forall ((x Int)) (=> {'(and ' * depth} (P x) {' (< x 5))' * depth} R))"


def bound_in_turn(depth: int) -> str:
    lets = "".join(f"(let ((a{i + 1} (not a{i}))) " for i in range(depth))
    return f"(forall ((x Int)) (let ((a0 (< x 5))) {lets} (=> (and a{depth} (P x)) R){')' * depth}))"


def implied(depth: int) -> str:
    return f"(forall ((x Int)) {'(=> (< x 5) ' * depth} (=> (P x) R) {')' * depth})"


def quantified(depth: int) -> str:
    return f"{'(forall ((x Int)) ' * depth} (=> (and (P x) (< x 5)) R) {')' * depth}"


@pytest.mark.parametrize(
    ("shape", "depth"), [(nested, 100_000), (bound_in_turn, 100_000), (implied, 20_000), (quantified, 20_000)]
)
def test_deep_formulas_are_read(shape, depth):
    (edge,) = edges(f"(assert {shape(depth)})")
    (source,) = edge.sources
    assert (source.location, edge.target) == (P, R)
    assert edge.guard is less(source.variables[0], number(5))


def test_a_graph_satisfies_the_conventions_of_edges():
    graph = read("(assert (forall ((x Int) (y Int) (u Int)) (=> (and (Q x y) (Q y x) (P (+ x y))) (Q u (+ u x)))))")
    (edge,) = graph.edges
    here = [v for source in edge.sources for v in source.variables] + list(edge.inputs)
    assert len(set(here)) == len(here) == 6
    assert len({name_of(v) for v in here}) == 6


def test_files_are_known_by_their_suffix_or_their_logic(tmp_path):
    for name in ("a.smt2", "plain"):
        path = tmp_path / name
        path.write_text("; clauses\n(set-logic HORN)\n(assert false)\n(check-sat)\n")
        assert isinstance(graph := load(path), Graph)
        assert graph.file == str(path)


def test_what_follows_exit_is_not_read():
    assert read("(check-sat) (exit) ) garbage").edges == ()


@pytest.mark.parametrize("suite", ["chc-lin", "chc-nonlin"])
def test_every_benchmark_is_read(suite):
    if not (BENCH / suite).is_dir():
        pytest.skip("no benchmarks here")
    with (BENCH / suite / "index.csv").open() as index:
        rows = list(csv.DictReader(index))
    for row in rows:
        graph = load(BENCH / suite / row["file"])
        assert isinstance(graph, Graph)
        assert (len(graph.locations) - 1, len(graph.edges)) == (int(row["predicates"]), int(row["clauses"])), row["file"]


def test_the_number_of_clauses_that_a_formula_makes_is_bounded():
    choices = " ".join(f"(or (P {i}) (Q {i} x))" for i in range(20))
    text = f"(assert (forall ((x Int)) (=> (and {choices}) R)))"
    with pytest.raises(InputError, match=r"f\.smt2:5:1: this formula makes more than 10000 clauses"):
        read(text)
