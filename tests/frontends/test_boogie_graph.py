"""The graph of a program: its locations, edges and properties, what they are called, and what is left out."""

from __future__ import annotations

import pytest

from lemmata.errors import InputError, UsageError
from lemmata.logic.terms import name_of
from lemmata.models.graph import Graph
from tests.support.boogie_graphs import graph_of


def names(graph: Graph) -> list[str]:
    return [place.name for place in graph.locations]


def variables(graph: Graph, place: str) -> list[str]:
    return [name_of(v) for location in graph.locations if location.name == place for v in location.variables]


def questions(text: str, entry: str | None = None) -> list[str]:
    return [question.name for question in graph_of(text, entry).questions]


COUNTER = """procedure main()
{
  var x : int;
  x := 0;
  while (x < 3)
  {
    x := x + 1;
  }
  assert x == 3;
}
"""


def test_there_is_a_location_before_each_statement() -> None:
    graph = graph_of(COUNTER)
    assert names(graph) == [
        "main:start", "main:4", "main:5", "main:7", "main:9", "main:10", "assert at line 9"
    ]  # fmt: skip
    assert [place.line for place in graph.locations] == [1, 4, 5, 7, 9, 10, 9]
    ends = [(*(names(graph)[s.location] for s in edge.sources), names(graph)[edge.target], edge.line) for edge in graph.edges]
    assert ends == [
        ("main:start", "main:4", 1),
        ("main:start", 1),
        ("main:4", "main:5", 4),
        ("main:5", "main:7", 5),
        ("main:5", "main:9", 5),
        ("main:7", "main:5", 7),
        ("main:9", "assert at line 9", 9),
        ("main:9", "main:10", 9),
    ]


def test_several_statements_of_a_line_have_numbers() -> None:
    graph = graph_of("procedure p() { var x : int; x := 1; x := 2; assert x == 2; assert x == 2; }")
    assert len(set(names(graph))) == len(graph.locations)
    assert [question.name for question in graph.questions] == ["assert at line 1", "assert at line 1~2"]


def test_properties_are_listed_in_the_order_of_the_file() -> None:
    text = """
procedure q(x : int) returns (y : int)
  requires x > 0;
  ensures y > 0;
{
  y := x;
  while (*)
    invariant y > 0;
  {
  }
}
procedure p()
{
  var a : int;
  assert true;
  call a := q(1);
}
"""
    found = ["ensures at line 4", "invariant at line 8", "assert at line 15", "requires of q at line 16"]
    assert questions(text) == found


CALLS = """
var g : int;
procedure callee(x : int) returns (y : int)
  modifies g;
{
  var t : int;
  t := x;
  g := g + t;
  y := t;
  assert y == x;
}
procedure ULTIMATE.start()
  modifies g;
{
  var t : int;
  call t := callee(2);
  call t := callee(t);
}
procedure unused() { assert false; }
"""


def test_the_start_is_the_only_entry_and_what_it_does_not_need_is_left_out() -> None:
    graph = graph_of(CALLS)
    assert [question.name for question in graph.questions] == ["assert at line 10"]
    assert not any("unused" in name for name in names(graph))
    assert sum(not edge.sources for edge in graph.edges) == 1


def test_an_entry_can_be_chosen() -> None:
    assert questions(CALLS, "unused") == ["assert at line 19"]
    with pytest.raises(UsageError, match=r"'nobody' does not exist: choose one of callee, ULTIMATE\.start, unused"):
        graph_of(CALLS, "nobody")
    with pytest.raises(UsageError, match="the procedure 'q' has no body: choose one of p"):
        graph_of("procedure p() { } procedure q();", "q")
    with pytest.raises(InputError, match="there is no procedure with a body"):
        graph_of("procedure q();")


def test_without_a_start_every_body_is_an_entry() -> None:
    graph = graph_of(CALLS.replace("ULTIMATE.start", "main"))
    assert sum(not edge.sources for edge in graph.edges) == 3
    assert {"callee:start", "main:start", "unused:start"} <= set(names(graph))


def test_a_callee_is_copied_to_each_call_and_has_one_property() -> None:
    graph = graph_of(CALLS)
    paths = {name.rsplit(":", 1)[0] for name in names(graph) if "/" in name}
    assert paths == {"ULTIMATE.start:16/callee", "ULTIMATE.start:17/callee"}
    assert max(len(edge.sources) for edge in graph.edges) == 1
    assert sum(edge.target == graph.questions[0].location for edge in graph.edges) == 2


def test_a_copy_calls_variables_by_their_procedure_where_the_caller_has_the_name() -> None:
    assert variables(graph_of(CALLS), "ULTIMATE.start:16/callee:8") == ["g", "t", "x", "y", "callee.t"]


def test_a_summary_has_the_values_at_its_start_and_its_end() -> None:
    graph = graph_of(CALLS, inline=False)
    assert variables(graph, "callee:start") == ["g", "x"]
    assert variables(graph, "callee:end") == ["g", "x", "y", "old(g)"]
    joins = [edge for edge in graph.edges if len(edge.sources) == 2]
    assert [[names(graph)[s.location] for s in edge.sources] for edge in joins] == [
        ["ULTIMATE.start:16", "callee:end"],
        ["ULTIMATE.start:17", "callee:end"],
    ]
    assert all(len({*edge.sources[0].variables, *edge.sources[1].variables}) == 2 + 4 for edge in joins)


def test_recursion_is_never_copied() -> None:
    graph = graph_of("procedure p(n : int) { if (n > 0) { call p(n - 1); } assert n <= 0; }")
    assert not any("/" in name for name in names(graph))
    assert sum(len(edge.sources) == 2 for edge in graph.edges) == 1


def test_a_local_name_that_hides_a_global_one_is_told_apart() -> None:
    graph = graph_of(
        "var x : int; procedure p() modifies x; { var y : int; x := 1; call q(); } procedure q() { var x : int; x := 2; }", "q"
    )
    assert variables(graph, "q:1") == ["q.x"]


def test_only_constants_that_matter_live_at_locations() -> None:
    text = "const a, b : int; axiom a == b; procedure p() { assert a > 0; }"
    graph = graph_of(text)
    assert variables(graph, "p:start") == ["a"]
    start = next(edge for edge in graph.edges if not edge.sources)
    assert [name_of(v) for v in start.inputs] == ["a", "b"]


INEXACT = """
function {:overapproximation "and"} band(a : int, b : int) returns (int);
procedure p(x : int) { assert band(x, 1) <= 1; }
procedure q(x : int) { assert x == 0; }
"""


def test_edges_that_do_more_than_the_program_are_marked() -> None:
    graph = graph_of(INEXACT)
    lines = {graph.edges[number].line for number in graph.origin.inexact}
    assert lines == {3} and graph.origin.kind == "boogie"
    assert graph_of(CALLS).origin.inexact == ()


def test_a_program_nested_very_deep_is_read() -> None:
    depth = 3000
    blocks = "if (*) {" * depth + "assert true;" + "}" * depth
    sums = "+".join(["1"] * depth)
    graph = graph_of(f"procedure p() {{ var x : int; {blocks} x := {'(' * depth}x{')' * depth} + {sums}; }}")
    assert len(graph.locations) > depth
