"""Checker ``interpolants``: every proof is a Floyd-Hoare proof of its trace for Z3, every run replays."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from lemmata.certify.graph.derivation import replay_derivation
from lemmata.engines.traces.engine import Traces
from lemmata.engines.traces.interpolants import InterpolantOptions, Interpolants
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible, TraceStep
from lemmata.errors import GaveUp
from lemmata.frontends.boogie import parse_boogie
from lemmata.frontends.horn import parse_horn
from lemmata.models.graph import Edge
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now
from tests.support.clock import in_time
from tests.support.closed_graphs import closed_graph
from tests.support.lia_graphs import fibonacci, phases, steps_of_two
from tests.support.random_lia_horn import random_horn
from tests.support.thesis_systems import loop_from_two, reachable, unreachable
from tests.support.trace_proofs import checked, line, shortest

ENDS = pytest.mark.parametrize("options", [InterpolantOptions(ends="sp"), InterpolantOptions(ends="wp"), InterpolantOptions()])


@ENDS
def test_the_thesis_systems_are_decided_along_their_traces(options: InterpolantOptions) -> None:
    graph = reachable()
    assert isinstance(checked(graph, line(0, 1, 2, 3), Interpolants(graph, options=options)), Feasible)
    graph = unreachable()
    for rounds in range(4):
        trace = line(0, 1, *[2] * rounds, 4)
        assert isinstance(checked(graph, trace, Interpolants(graph, options=options)), Infeasible)
    graph = loop_from_two()
    assert isinstance(checked(graph, line(0, 1, 2, 2, 3), Interpolants(graph, options=options)), Infeasible)


@ENDS
def test_trees_are_decided(options: InterpolantOptions) -> None:
    steps = (TraceStep(0), TraceStep(0), TraceStep(1, (0, 1)), TraceStep(2, (2,)))
    graph = fibonacci(2, 2)
    assert isinstance(checked(graph, EdgeTrace(0, steps), Interpolants(graph, options=options)), Feasible)
    graph = fibonacci(2, 0)
    assert isinstance(checked(graph, EdgeTrace(0, steps), Interpolants(graph, options=options)), Infeasible)


RECURSIVE = b"""
procedure sum(n: int) returns (s: int) {
  if (n <= 0) { s := 0; } else { call s := sum(n - 1); s := s + n; }
}
procedure main(k: int) {
  var r: int;
  assume 0 <= k && k <= 2;
  call r := sum(k);
  assert r >= k;
}
"""


@ENDS
def test_trees_of_recursive_procedures_are_decided(options: InterpolantOptions) -> None:
    graph = parse_boogie(RECURSIVE, "sum.bpl", "main", inline=False)
    checker = Interpolants(graph, options=options)
    traces = list(shortest(graph, 0, 24))[:12]
    assert max(len(trace) for trace in traces) > 8
    assert all(isinstance(checked(graph, trace, checker), Infeasible) for trace in traces)


@ENDS
def test_random_graphs_have_proofs_and_runs(options: InterpolantOptions) -> None:
    answers = set()
    for seed in range(16):
        graph = closed_graph(Random(seed), sources=1 + seed % 2)
        checker = Interpolants(graph, options=options)
        for trace in list(shortest(graph, 0, 6))[:6]:
            answers.add(type(checked(graph, trace, checker)))
    assert answers == {Feasible, Infeasible}


def test_random_horn_clauses_have_proofs_and_runs() -> None:
    answers = set()
    for seed in range(40):
        graph = parse_horn(random_horn(Random(seed)).text.encode(), "random.smt2")
        checker = Interpolants(graph)
        for trace in list(shortest(graph, 0, 6))[:4]:
            answers.add(type(checked(graph, trace, checker)))
    assert answers == {Feasible, Infeasible}


def test_loops_that_grow_are_decided() -> None:
    graph = steps_of_two(6)
    assert isinstance(checked(graph, line(0, 1, 1, 2), Interpolants(graph)), Infeasible)
    assert isinstance(checked(graph, line(0, 1, 1, 1, 1, 2), Interpolants(graph)), Feasible)
    graph = phases(3)
    assert isinstance(checked(graph, line(0, 2, 4, 5), Interpolants(graph)), Infeasible)
    assert isinstance(checked(graph, line(0, 1, 2, 4, 5), Interpolants(graph)), Infeasible)


TWICE = b"""
procedure main() {
  var x, y: int;
  x := 0; y := 0;
  while (*) { x := x + 3; y := y + 6; }
  assert x != 1000 && (x != 999 || y == 1998);
}
"""


def test_a_loop_is_not_counted_where_an_equation_or_a_remainder_will_do() -> None:
    graph = simplify_graph(parse_boogie(TWICE, "twice.bpl"), 0, preferred()).model
    checker = Interpolants(graph)
    longest = {len(trace): trace for trace in shortest(graph, 0, 4)}[4]
    answer = checked(graph, longest, checker)
    assert isinstance(answer, Infeasible)
    assert isinstance(Traces(graph, Interpolants(graph)).check(0, in_time()), Safe)


GATE = b"""
procedure main() {
  var gate, time, step: int;
  gate := 0; time := 0;
  while (time < 1000) {
    if (gate < 100) { gate := gate + 1; }
    havoc step; assume step <= 10;
    time := time + step;
  }
  assert gate == 100;
}
"""


def test_rounds_are_not_counted_where_a_sum_stays_the_same() -> None:
    graph = simplify_graph(parse_boogie(GATE, "gate.bpl"), 0, preferred()).model
    engine = Traces(graph, Interpolants(graph))
    assert isinstance(engine.check(0, in_time()), Safe)
    assert engine.bound < 10


ARRAYS = b"""
procedure main(n: int) {
  var a: [int]int; var i: int;
  assume n > 0;
  a[0] := 7; i := 1;
  while (i < n) { a[i] := a[i - 1]; i := i + 1; }
  assert a[0] == 7;
}
"""


@ENDS
def test_traces_with_arrays_are_decided(options: InterpolantOptions) -> None:
    graph = parse_boogie(ARRAYS, "arrays.bpl")
    checker = Interpolants(graph, options=options)
    assert all(isinstance(checked(graph, trace, checker), Infeasible) for trace in list(shortest(graph, 0, 14))[:4])


REALS = b"""
procedure main() {
  var x, y: real;
  x := 0.0; y := 1.0;
  while (*) { x := x + 0.5; y := y + 1.0; }
  assert x + x < y;
}
"""


@ENDS
def test_traces_with_reals_are_decided(options: InterpolantOptions) -> None:
    graph = parse_boogie(REALS, "reals.bpl")
    checker = Interpolants(graph, options=options)
    assert all(isinstance(checked(graph, trace, checker), Infeasible) for trace in list(shortest(graph, 0, 14))[:4])


MIXED = b"""
procedure main() {
  var x: real; var n: int;
  x := 0.0; n := 0;
  while (*) { x := x + 2.0; n := n + 1; }
  assert n < 5 || x > 7.0;
}
"""


def test_integers_beside_reals_are_decided() -> None:
    graph = simplify_graph(parse_boogie(MIXED, "mixed.bpl"), 0, preferred()).model
    checker = Interpolants(graph)
    for rounds in range(8):
        initial, loop, error = (next(n for n, e in enumerate(graph.edges) if is_it(e)) for is_it in KINDS)
        assert isinstance(checked(graph, line(initial, *[loop] * rounds, error), checker), Infeasible)


KINDS: tuple[Callable[[Edge], bool], ...] = (
    lambda edge: not edge.sources,
    lambda edge: bool(edge.sources) and edge.target == edge.sources[0].location,
    lambda edge: bool(edge.sources) and edge.target != edge.sources[0].location,
)


def test_a_checker_that_is_out_of_time_gives_up() -> None:
    graph = unreachable()
    with pytest.raises(GaveUp):
        Interpolants(graph).check(line(0, 1, 2, 4), now() - 1)


FAR = b"""
procedure main(n: int) {
  var x, y: int;
  x := 0; y := n;
  while (x < 700) { x := x + 1; }
  assert x < 700 || y != 3;
}
"""


def test_a_path_program_that_comes_back_is_walked_to_an_error_that_is_far_away() -> None:
    graph = simplify_graph(parse_boogie(FAR, "far.bpl"), 0, preferred()).model
    verdict = Traces(graph, Interpolants(graph)).check(0, in_time())
    assert isinstance(verdict, Unsafe)
    replay_derivation(graph, verdict.trace)
    assert verdict.trace.depth >= 700
