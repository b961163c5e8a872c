"""Acceleration: errors behind many rounds are found, told and certified; what does not count, or is safe, is left alone."""

from __future__ import annotations

import re

import pytest

from lemmata.certify.formats.derivation import format_derivation, parse_derivations
from lemmata.certify.graph.check import certify_graph
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.certify.graph.minimize import shorten_derivation
from lemmata.engines.accelerate.engine import Accelerator
from lemmata.errors import GaveUp
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import now
from tests.support.boogie_graphs import graph_of
from tests.support.paths import ROOT
from tests.support.program import run_program

BOOGIE = ROOT.parent / "shared" / "bench" / "boogie"


def program(body: str) -> Graph:
    return graph_of(f"procedure main() {{ var x, y, z, t, n: int; var b: bool; {body} }}")


def answer(graph: Graph, seconds: float | None = None) -> Verdict:
    reduction = simplify_graph(graph, 0, preferred())
    verdict = Accelerator(reduction.model).check(0, None if seconds is None else now() + seconds)
    if isinstance(verdict, Unsafe):
        assert isinstance(verdict.trace, Derivation)
        return Unsafe(shorten_derivation(graph, reduction.back.trace(verdict.trace)))
    return verdict


def run(body: str) -> Derivation:
    """The counterexample, certified on the program as it was read, and once more after writing and reading it."""
    graph = program(body)
    verdict = answer(graph)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    assert certify_graph(graph, 0, verdict, ("cvc5", "z3")).startswith("evaluation")
    (again,) = parse_derivations(format_derivation(graph, verdict.trace), graph, "w")
    assert again == verdict.trace
    replay_derivation(graph, again)
    return verdict.trace


def last(derivation: Derivation, name: str) -> object:
    """The value that a variable has before the error."""
    fact = derivation.facts[-2]
    return dict(zip([str(v.data[0]) for v in fact.place.variables], fact.values, strict=True))[name]


@pytest.mark.parametrize("bound", [1_000_000, 2_000_000_000, 10**30])
def test_a_counter_is_followed_to_its_end(bound):
    found = run(f"x := 0; while (x < {bound}) {{ x := x + 1; }} assert x != {bound};")
    assert last(found, "x") == bound
    assert found.depth > bound
    assert len(found.facts) < 30
    assert re.search(r"9,999 times|0,000 times", found.describe())


def test_short_loops_are_told_round_by_round():
    found = run("x := 0; while (x < 50) { x := x + 1; } assert x != 50;")
    assert all(fact.stretch is None for fact in found.facts)


def test_a_loop_that_may_be_left_at_any_time_is_left_when_it_must_be():
    assert last(run("x := 0; while (*) { x := x + 3; } assert x != 3000000;"), "x") == 3_000_000


def test_how_far_it_is_may_be_chosen():
    found = run("x := 0; assume n > 0; while (x < n) { x := x + 1; y := y - 2; } assert n < 1000000 || y != 7;")
    assert last(found, "y") == 7 and last(found, "n") >= 1_000_000


def test_branches_that_switch_after_five_thousand_rounds_are_two_stretches():
    found = run(
        "x := 0; y := 0; while (x < 70000) { if (x < 5000) { y := y + 1; } else { y := y - 2; } x := x + 1; } assert y > 0;"
    )
    assert (last(found, "x"), last(found, "y")) == (70_000, 5000 - 2 * 65_000)
    assert len([fact for fact in found.facts if fact.stretch is not None]) == 2


def test_a_loop_within_a_loop_is_a_stretch_of_stretches():
    found = run(
        "x := 0; z := 0;while (x < 3000000) { y := 0; while (y < 10000) { y := y + 1; z := z + 1; } x := x + 1; } assert x < 3;"
    )
    assert last(found, "z") == 30_000_000_000
    assert found.depth > 60_000_000_000


def test_a_loop_after_a_loop():
    found = run(
        "x := 0; y := 0; while (x < 100000) { x := x + 1; } while (x > 0) { x := x - 1; y := y + 2; } assert y < 200000;"
    )
    assert last(found, "y") == 200_000


def test_a_variable_that_lags_behind_or_is_reset_joins_in():
    found = run(
        "x := 0; y := 7; t := 9; while (x < 100000) { t := y; y := x; z := 5; x := x + 1; } assert t + 2 != x || z != 5;"
    )
    assert (last(found, "t"), last(found, "y"), last(found, "z")) == (99_998, 99_999, 5)


def test_what_is_arbitrary_in_every_round_is_chosen_a_round_earlier():
    found = run("x := 0; while (x < 100000) { assume x < 500 ==> t == 3; x := x + 1; havoc t; } assert t != 7;")
    assert last(found, "t") == 7
    assert {fact.values[3] for fact in found.facts if fact.stretch is not None} <= {0, 3, 7}


def test_a_remainder_is_followed_up_to_where_it_wraps():
    found = run("x := 10; while (x mod 4294967296 >= 10) { x := x + 2; } assert x mod 4294967296 != 0;")
    assert last(found, "x") == 4_294_967_296


def test_a_counter_that_wraps_is_followed_through_two_periods():
    found = run("x := 0; y := 0; while (y < 400000) { x := (x + 1) mod 300000; y := y + 1; } assert x != 100000;")
    assert (last(found, "x"), last(found, "y")) == (100_000, 400_000)


def test_a_disequality_is_jumped_over_or_not():
    assert last(run("x := 0; while (x != 99999) { x := x + 2; if (x > 200000) { assert false; } }"), "x") == 200_002
    assert last(run("x := 0; while (x != 100000) { x := x + 2; } assert false;"), "x") == 100_000


def test_parity_is_seen():
    found = run("x := 0; y := 0; while (x < 100000) { if (x mod 2 == 0) { y := y + 3; } x := x + 1; } assert y != 150000;")
    assert last(found, "y") == 150_000


def test_real_numbers_count_too():
    graph = graph_of(
        "procedure main() { var r: real; var x: int; r := 0.0; x := 0;"
        "while (x < 100000) { r := r + 0.5; x := x + 1; } assert r != 50000.0; }"
    )
    verdict = answer(graph)
    assert isinstance(verdict, Unsafe)
    certify_graph(graph, 0, verdict, ("cvc5", "z3"))


@pytest.mark.parametrize(
    "body",
    [
        "x := 0; while (x < 1000000) { x := x + 1; } assert x == 1000000;",
        "x := 0; while (x != 500001) { x := x + 2; assert x != 500001; }",  # never meets it
        "x := 0; while (x < 1000000) { if (x == 500000) { x := 2000000; } x := x + 1; } assert x == 2000001;",
        "x := 0; while (x mod 1000 < 900) { x := x + 1; } assert x == 900;",  # not beyond where it wraps
        "x := 0; y := 0; while (x < 1000000 && (x < 10 || x > 20)) { x := x + 1; } assert x == 10;",  # a hole in the guard
        "x := 0; y := 0; while (x < 1000000) { x := x + 1; y := y + 2; } assert y == 2 * x;",
    ],
)
def test_what_is_safe_is_not_refuted(body):
    try:
        verdict = answer(program(body), 0.3)
    except GaveUp:
        verdict = Unknown("incomplete")  # bounds may be hard
    assert verdict == Unknown("incomplete")


@pytest.mark.parametrize(
    "body", ["assert x > 0;", "while (x > 0) { x := x * x; } assert x > 0;", "while (*) { havoc x; } assert x > 0;"]
)
def test_where_nothing_counts_it_gives_up_at_once(body):
    with pytest.raises(GaveUp, match="incomplete"):
        answer(program(body))


def test_trees_are_given_up():
    graph = graph_of("procedure p(n: int) returns (r: int) { if (n > 0) { call r := p(n - 1); r := r + 1; } assert r < 9; }")
    with pytest.raises(GaveUp, match="incomplete"):
        Accelerator(graph).check(0)


CLAUSES = """(set-logic HORN) (declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 5)) (inv x y))))
(assert (forall ((x Int) (y Int) (u Int) (v Int))
  (=> (and (inv x y) (< x 123456789) (= u (+ x 1)) (= v (- (+ u y) x))) (inv u v))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 123456789) (= y 123456794)) false)))
(check-sat)
"""


@pytest.mark.parametrize("engine", ["accelerate", "auto"])
def test_clauses_whose_inputs_change_in_every_round_are_refuted_and_the_witness_is_accepted(tmp_path, engine):
    file, witness = tmp_path / "c.smt2", tmp_path / "c.txt"
    file.write_text(CLAUSES)

    code, out, _ = run_program("check", file, "--engine", engine, "--workers", "1", "--witness", witness)
    assert code == 10 and "123,456,789 times 1 edge" in out
    assert run_program("replay", file, witness)[0] == 0
    witness.write_text(witness.read_text().replace("repeat 123456789", "repeat 123456788"))
    assert run_program("replay", file, witness)[0] == 1


@pytest.mark.skipif(not BOOGIE.is_dir(), reason="the benchmark programs are not here")
@pytest.mark.parametrize("name", ["const1.i_3", "functions1.i_3", "nested1.i_4", "overflow1.i_3"])
def test_deep_errors_of_the_benchmarks_are_found(name):
    import lemmata

    graph = lemmata.load(BOOGIE / "20170304-DifficultPathPrograms" / f"{name}.bpl")
    assert isinstance(graph, Graph)
    verdict = answer(graph)
    assert isinstance(verdict, Unsafe)
    certify_graph(graph, 0, verdict, ("cvc5", "z3"))
