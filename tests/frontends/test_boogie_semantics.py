"""What programs mean: which properties of small programs fail. Integers that are arbitrary are tried within -3 … 3."""

from __future__ import annotations

import pytest

from lemmata.config import Config
from lemmata.errors import GaveUp, InputError
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.work import now
from tests.support.clock import HANGS, in_time
from tests.support.graph_states import reached

DOMAIN = range(-3, 4)


def failing(text: str, inline: bool = True) -> set[int]:
    """The lines of the properties that fail."""
    names = reached(parse_boogie(text.encode(), "p.bpl", inline=inline), DOMAIN)
    return {int(name.partition("at line ")[2].partition("~")[0]) for name in names}


def check(text: str, seconds: float = HANGS) -> list[str]:
    """What ``lemmata check`` says of each property."""
    flow = Flow(Task(parse_boogie(text.encode(), "p.bpl"), Config(), in_time()), NOBODY)
    flow.prepare()
    words = []
    for position in range(len(flow.chosen)):
        try:
            settled = flow.settle(position, now() + seconds)
            words.append(settled.verdict.word if isinstance(settled, Settled) else settled.cause)
        except GaveUp as gave_up:
            words.append(f"unknown ({gave_up.reason})")
    return words


@pytest.mark.parametrize(
    "formula",
    [
        "-7 div 2 == -4",
        "7 div -2 == -3",
        "-7 mod 2 == 1",
        "-7 % -3 == 2",
        "-7 / 2 == -3.5",
        "7 / 2.0 == 7.0 / 2 && 7 / 2 == 3.5",
        "int(-7 / 2) == -4 && 6 / 4 == 3 / 2 && 1 / 3 < 1 / 2",
        "- 5 % 256 == 251",
        "7.0 / 2.0 == 3.5",
        "int(3.7) == 3 && int(-3.7) == -4",
        "real(3) / 2.0 == 1.5",
        "(if 1 < 2 then 3 else 4) == 3",
        "255bv8 ++ 1bv8 == 65281bv16",
        "6bv4[3:1] == 3bv2",
        "2.0 ** 5.0 == 32.0",
        "(false ==> false) && !(true <==> false)",
        "1 - 2 - 3 == -4",
        "12 div 2 div 3 == 2",
        "(forall x : int :: x == x)",
    ],
)
def test_a_formula_is_true(formula: str) -> None:
    assert failing(f"procedure p()\n{{\nassert {formula};\nassert !({formula});\n}}") == {4}


PROGRAMS: dict[str, tuple[str, set[int]]] = {
    "uninitialised": ("procedure p()\n{ var x : int;\nassert x == x;\nassert x == 0; }", {4}),
    "old of what nobody changes": ("var g : int;\nprocedure p()\n{ assert g == old(g); }", set()),
    "nothing after an assertion that fails": ("procedure p()\n{\nassert false;\nassert false; }", {3}),
    "assume stops": ("procedure p()\n{ assume false;\nassert false; }", set()),
    "axiom": ("const c : int; axiom c == 2;\nprocedure p()\n{ assert c == 2;\nassert c == 1; }", {4}),
    "axioms contradict": ("const a : int; axiom a != a;\nprocedure p()\n{ assert false; }", set()),
    "unique": ("const unique a, b : int;\nprocedure p()\n{ assert a != b;\nassert a < b; }", {4}),
    "types": ("type t; const unique a, b : t;\nprocedure p(x : t)\n{ assert a != b;\nassert x == a; }", {4}),
    "macro": ("function f(x : int) returns (int) { x + 1 }\nprocedure p()\n{ assert f(f(1)) == 3; }", set()),
    "requires of an entry": ("procedure p(x : int)\nrequires x > 0;\n{ assert x != 0;\nassert x != 1; }", {4}),
    "ensures holds": ("procedure p() returns (y : int)\nensures y > 0;\nfree ensures y < 0;\n{ y := 1; }", set()),
    "a result is arbitrary": ("procedure p() returns (y : int)\nensures y > 0;\n{ }", {2}),
    "invariant at the last visit": (
        "procedure p()\n{ var x : int; x := 0; while (x < 2)\ninvariant x < 2;\n{ x := x + 1; } }",
        {3},
    ),
    "free invariant": ("procedure p()\n{ while (*)\nfree invariant false;\n{ }\nassert false; }", set()),
    "where": ("var x : int where x > 0;\nprocedure p() modifies x;\n{ assert x > 0; havoc x;\nassert x > 1; }", {4}),
    "parallel": ("procedure p()\n{ var x, y : int; x, y := 1, 2; x, y := y, x;\nassert x == 2 && y == 1; }", set()),
    "goto any": ("procedure p()\n{ goto a, b; a: return; b:\nassert false; }", {3}),
    "break out of a labelled if": ("procedure p()\n{ a: if (*) { break a; }\nassert false; }", {3}),
    "break outer": ("procedure p()\n{ a: while (true) { while (true) { break a; } }\nassert false; }", {3}),
    "never left": ("procedure p()\n{ while (true) { }\nassert false; }", set()),
    "two implementations": (
        "procedure p(); implementation p()\n{ assert true; }\nimplementation p()\n{ assert false; }",
        {4},
    ),
    "old of an expression": (
        "var g : int;\nprocedure p() modifies g;\n{ var l : int; l := 2; g := g + 1; assert old(l + g) == l + g - 1;\n"
        "assert old(old(g)) == g - 1;\nassert old(g + old(g)) == 2 * g; }",
        {5},
    ),
    "a result where the argument was": (
        "procedure inc(x : int) returns (y : int) { y := x + 1; }\nprocedure p()\n{ var x : int; x := 1; call x := inc(x);\n"
        "assert x == 2; call x := inc(x + x);\nassert x == 5; }",
        set(),
    ),
    "a result in a global that the callee changes": (
        "var g : int;\nprocedure q(x : int) returns (y : int) modifies g; { g := 9; y := x + 1; }\n"
        "procedure p() modifies g;\n{ g := 1; call g := q(g);\nassert g == 2;\nassert g == 9; }",
        {6},
    ),
    "the same by contract": (
        "var g : int;\nprocedure q(x : int) returns (y : int); modifies g; ensures y == old(g) + x && g == 3;\n"
        "procedure p() modifies g;\n{ g := 1; call g := q(g);\nassert g == 2;\nassert g == 3; }",
        {6},
    ),
    "goto into a loop": (
        "procedure p()\n{ var x, y : int; x, y := 0, 0; goto In; while (x < 3) { x := x + 1; In: y := y + 1; }\n"
        "assert y == 4;\nassert x != 3; }",
        {4},
    ),
    "break by label": (
        "procedure p()\n{ var i, j : int; i := 0; O: while (true) { j := 0; I: while (true) { j := j + 1;\n"
        "if (j > 2) { break I; } if (i > 1) { break O; } } i := i + 1;\nassert j == 3; }\nassert i == 2 && j == 1; }",
        set(),
    ),
    "requires of a recursive call": (
        "procedure q(x : int) returns (y : int)\nrequires x >= 0;\nensures y >= x;\n"
        "{ y := x; if (x > 1) {\ncall y := q(x - 3);\ny := y + 3; } }",
        {5},
    ),
    "three truth values that differ": ("const unique a, b, c : bool;\nprocedure p()\n{ assert false; }", set()),
    "a contract that cannot be kept": (
        "procedure q(); ensures false;\nprocedure p()\n{ call q();\nassert false; }",
        set(),
    ),
    "return out of loops in a copy": (
        "procedure q() returns (r : int) { r := 0; while (true) { while (r < 3) { r := r + 1; if (r == 2) { return; } } } }\n"
        "procedure p()\n{ var a, b : int; call a := q(); call b := q();\nassert a == 2 && b == 2; }",
        set(),
    ),
    "hidden": ("var x : int;\nprocedure p() modifies x;\n{ var x : int; x := 1;\nassert x == 1; }", set()),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_fails_where_it_should(name: str) -> None:
    text, lines = PROGRAMS[name]
    assert failing(text) == lines
    assert failing(text, inline=False) == lines


CALLER = """var g : int;
procedure ULTIMATE.start() modifies g;
{
  var a : int;
  g := 1;
  call a := callee(2);
  assert a == 3 && g == 2;
  assert g == old(g) + 1;
}
"""
CALLEES = {
    "body": "procedure callee(x : int) returns (y : int) modifies g; { g := g + 1; y := old(g) + x; }",
    "contract": "procedure callee(x : int) returns (y : int); modifies g; ensures g == old(g) + 1 && y == old(g) + x;",
    "recursion": (
        "procedure callee(x : int) returns (y : int) modifies g;"
        "{ if (x > 1) { call y := callee(x - 1); y := y + 1; } else { g := g + 1; y := old(g) + x; } }"
    ),
    "renamed": (
        "implementation callee(g1 : int) returns (r : int) { g := g + 1; r := old(g) + g1; }"
        "procedure callee(x : int) returns (y : int); modifies g; ensures y > x;"
    ),
}


@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize("callee", CALLEES)
def test_a_call_is_what_its_callee_does(callee: str, inline: bool) -> None:
    assert failing(CALLER + CALLEES[callee], inline) == {8}


@pytest.mark.parametrize("inline", [True, False])
def test_requires_are_asserted_at_calls_and_assumed_after_them(inline: bool) -> None:
    text = "procedure q(x : int)\nrequires x > 0;\n{ assert x > 0; }\nprocedure p(x : int)\n{ call q(x);\nassert x > 0; }"
    assert failing(text, inline) == {5}
    assert failing(text.replace("call q", "free call q"), inline) == {6}


def test_the_whole_modifies_clause_of_a_contract_is_havocked() -> None:
    text = "var g, h : int;\nprocedure ext(); modifies g, g;\nprocedure p() modifies g, h;\n{ g, h := 1, 1; call ext();"
    assert failing(f"{text}\nassert h == 1;\nassert g == 1; }}") == {6}


QUANTIFIED = """procedure p(a : [int]int)
{
  assume (forall i : int :: a[i] > 0);
  assert a[5] > 0;
}
procedure q(a : [int]int)
{
  assume (exists i : int :: 0 <= i && i < 2 && a[i] > 7);
  assert a[0] > 0 || a[1] > 0;
  assert (forall i : int :: a[i] > 0);
}
function positive(a : [int]int) returns (bool) { (forall i : int :: a[i] > 0) }
procedure r(a : [int]int)
{
  assert positive(a);
}
"""


def test_quantifiers_are_witnessed_or_left_open_but_never_wrong() -> None:
    assert check(QUANTIFIED) == ["unknown (incomplete)", "safe", "unsafe", "unsafe"]


def test_what_is_only_approximated_is_never_unsafe() -> None:
    text = """
function {:overapproximation "and"} band(a : int, b : int) returns (int);
procedure p(x : int) { assert band(x, 1) <= 1; }
procedure q(x : int) { assert band(x, 1) == band(x, 1); }
procedure r(x : int) { var y : int; y := band(x, 1); y := 0; assert y == 0; }
"""
    assert check(text) == ["unknown (incomplete)", "safe", "safe"]


def test_a_run_beside_what_is_approximated_counts() -> None:
    text = """
function {:overapproximation "and"} band(a : int, b : int) returns (int);
procedure p(x : int)
{
  var y : int;
  if (x > 0) { y := band(x, 1); } else { y := 2; }
  assert y <= 1;
}
"""
    assert check(text) == ["unsafe"]


def test_a_function_without_body_is_one_function() -> None:
    text = """
function f(x : int) returns (int);
axiom f(1) == 2;
procedure p(x : int) { assume x == 1; assert f(x) == 2; assert f(x + 1) == 2; }
"""
    assert check(text) == ["safe", "unsafe"]


def test_operators_of_words_may_be_functions() -> None:
    text = """
function {:bvbuiltin "bvadd"} add(a : bv8, b : bv8) returns (bv8);
function {:builtin "bvult"} less(a : bv8, b : bv8) returns (bool);
function {:bvbuiltin "zero_extend 8"} wide(a : bv8) returns (bv16);
procedure p(x : bv8) { assert add(x, 255bv8) != x; assert less(x, add(x, 1bv8)); assert wide(x)[16:8] == 0bv8; }
"""
    assert check(text) == ["safe", "unsafe", "safe"]


def test_maps_with_several_indices_keep_what_is_not_written() -> None:
    text = """
procedure p(m : [int, int]int, i : int, j : int)
{
  var n : [int, int]int;
  n := m[i, j := 1];
  assert n[i, j] == 1;
  assert n[j, i] == m[j, i];
  n[i, i] := 5;
  assert i != j ==> n[j, j] == m[j, j];
}
"""
    assert check(text) == ["safe", "unsafe", "safe"]


def test_division_by_zero_is_arbitrary() -> None:
    text = "procedure p(x : int, y : int) { assert x div y == x div y; assert y == 0 || x mod y >= 0; }"
    assert check(text) == ["safe", "safe"]
    assert check("procedure p(x : int) { assert x mod 0 >= 0; }", seconds=0.05)[0].startswith("unknown")


def test_a_program_that_asserts_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"no property to check \(it needs an assertion, a contract or a loop invariant"):
        check("procedure p() { }")
