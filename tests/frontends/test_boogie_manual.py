"""What the Boogie manual says of ``where``, ``free``, ``{:assumption}``, ``/``, backslashes and attributes.

Verdicts are those of ``lemmata check``, certified, of each property in the order of the file; the same programs are executed by
enumeration, with copies of bodies and with summaries.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import lemmata
from lemmata.config import Config
from lemmata.errors import InputError, UsageError
from lemmata.events import NOBODY
from lemmata.frontends import load
from lemmata.frontends.boogie import parse_boogie
from lemmata.run.flow import Flow
from lemmata.run.options import make_config
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from tests.support.clock import in_time
from tests.support.graph_states import reached
from tests.support.paths import ROOT

DOMAIN = range(-2, 4)
NO, IS = "the attribute", "is not supported"


def check(text: str, config: Config | None = None, entry: str | None = None) -> list[str]:
    """The verdicts; what is not certified is none."""
    graph = parse_boogie(text.encode(), "p.bpl", entry)
    flow = Flow(Task(graph, config or Config(), in_time()), NOBODY)
    flow.prepare()
    settled = [flow.settle(position, in_time()) for position in range(len(flow.chosen))]
    assert all(isinstance(answer, Settled) for answer in settled), settled
    return [answer.verdict.word for answer in settled if isinstance(answer, Settled)]


def fails(text: str, inline: bool) -> list[str]:
    """The same, by enumeration."""
    graph = parse_boogie(text.encode(), "p.bpl", inline=inline)
    found = reached(graph, DOMAIN)
    return ["unsafe" if question.name in found else "safe" for question in graph.questions]


PROGRAMS = {
    # where
    "where of a global that is not mentioned": (
        "var a : int where a == b && a > 0; var b : int; procedure main() { assert b > 0; }",
        "safe",
    ),
    "a chain of where clauses": (
        "var a : int where a > b; var b : int where b > c; var c : int where c > 0; var d : int where d == a;"
        "procedure main() { assert a > 1; } procedure last() { assert d > 1; assert d > 2; assert d > 3; }",
        "safe safe safe unsafe",
    ),
    "where of an unmentioned global speaks of a constant": (
        "const k : int; var a : int where k > 0; procedure main() { assert k > 0; assert k > 1; }",
        "safe unsafe",
    ),
    "axioms tie constants that are not mentioned": (
        "const a, b : int; axiom a == b && a > 0; procedure main() { assert b > 0; assert b > 1; }",
        "safe unsafe",
    ),
    "where that nothing satisfies": (
        "var a : int where a > 1 && a < 1; procedure main() { assert false; }",
        "safe",
    ),
    "where of a global that only a callee mentions": (
        "var a : int where a > 0; procedure main() { var y : int; call y := get(); assert y > 0; }"
        "procedure get() returns (y : int) { y := a; }",
        "safe",
    ),
    "havoc of a result in a body apart keeps where of the procedure's result": (
        "var g : int; procedure q(x : int) returns (a : int where a > x, c : int where c > a); modifies g;"
        "implementation q(y : int) returns (b : int, d : int) { havoc b; assert b > y; assert d > b; havoc g, d; assert d > b;"
        "assert d > y; b := 0; assert b > y; }",
        "safe unsafe safe safe unsafe",
    ),
    "havoc keeps where of what it changes, and of nothing else": (
        "var a : int where a > b; var b : int; procedure main() modifies a, b;"
        "{ havoc a; assert a > b; havoc b; assert a > b; }",
        "safe unsafe",
    ),
    "havoc of both": (
        "var a : int where a > b; var b : int; procedure main() modifies a, b; { havoc b, a; assert a > b; assert b > 0; }",
        "safe unsafe",
    ),
    "an assignment may leave where": (
        "var a : int where a > 0; procedure main() modifies a; { a := -1; assert a > 0; }",
        "unsafe",
    ),
    "a call without body keeps where of what it modifies": (
        "var a : int where a > 0; procedure ext(); modifies a;"
        "procedure main() modifies a; { a := -1; call ext(); assert a > 0; assert a > 1; }",
        "safe unsafe",
    ),
    "where of what a call does not modify": (
        "var a : int where a > 0; var b : int; procedure ext(); modifies b;"
        "procedure main() modifies a, b; { a := -1; call ext(); assert a > 0; }",
        "unsafe",
    ),
    "where of results, without body": (
        "procedure ext(x : int) returns (y : int where y > x);"
        "procedure main() { var z : int; call z := ext(1); assert z > 1; assert z > 2; }",
        "safe unsafe",
    ),
    "where of results at the start of a body": (
        "procedure get() returns (y : int where y > 0) { assert y > 0; y := y - 1; assert y > 0; }",
        "safe unsafe",
    ),
    "where of locals": (
        "procedure main() { var x : int where x > y; var y : int where y > 0; assert x > 1; havoc y; assert x > y; }",
        "safe unsafe",
    ),
    "where of a parameter is for the body": (
        "procedure q(x : int where x > 0) { assert x > 0; assert x > 1; } procedure main() { call q(-1); assert false; }",
        "safe unsafe unsafe",
    ),
    "where of a parameter of a separate implementation": (
        "procedure q(x : int where x > 0) returns (y : int where y > x);"
        "implementation q(u : int) returns (v : int) { assert u > 0; assert v > u; assert v < u; }",
        "safe safe unsafe",
    ),
    "where of a global is for every body": (
        "var a : int where a > 0; procedure q() { assert a > 0; }"
        "procedure main() modifies a; { a := -1; call q(); assert a > 0; }",
        "safe unsafe",
    ),
    # free clauses
    "free requires, without body": (
        "procedure ext(x : int); free requires x > 0; procedure main(x : int) { call ext(x); assert x > 0; }",
        "unsafe",
    ),
    "free requires is no obligation": (
        "procedure ext(x : int); free requires x > 0; requires x < 2; procedure main() { call ext(-1); call ext(2); }",
        "safe unsafe",
    ),
    "free requires is assumed in the body only": (
        "procedure q(x : int) free requires x > 0; { assert x > 0; assert x > 1; }"
        "procedure main(x : int) { call q(x); assert x > 0; }",
        "safe unsafe unsafe",
    ),
    "the body runs where free requires does not hold": (
        "var g : int; procedure inc() modifies g; free requires g >= 0; { g := g + 1; }"
        "procedure main() modifies g; { g := -2; call inc(); assert g == -1; assert g >= 0; }",
        "safe unsafe",
    ),
    "what such a body calls": (
        "var g : int; procedure p() free requires g > 0; { call q(); assert g > 0; }"
        "procedure q() requires g > 0; { assert g > 0; }"
        "procedure main() modifies g; { g := 0; call p(); assert g > 0; }",
        "safe safe safe unsafe",
    ),
    "free requires and recursion": (
        "procedure down(x : int) returns (y : int) free requires x >= 0;"
        "{ assert x >= 0; y := x; if (x != -1) { call y := down(x - 1); } }"
        "procedure main() { var z : int; call z := down(1); assert z == -1; assert z == 0; }",
        "safe safe unsafe",
    ),
    "invariants of a body outside of its contract": (
        "procedure q(x : int) free requires x > 0;"
        "{ var i : int; i := 0; while (i < x) invariant x > 0; free invariant i < 2; { i := i + 1; } }"
        "procedure main() { call q(-1); assert false; }",
        "safe unsafe",
    ),
    "free ensures of a body is neither checked nor assumed": (
        "procedure q() returns (y : int) free ensures y > 0; { y := -1; }"
        "procedure main() { var z : int; call z := q(); assert z > 0; assert z == -1; }",
        "unsafe safe",
    ),
    "free ensures does not help the next ensures": (
        "procedure q() returns (y : int) free ensures y > 0; ensures y > 0; { y := -1; }",
        "unsafe",
    ),
    "free ensures false": (
        "procedure q() free ensures false; { } procedure main() { call q(); assert false; }",
        "unsafe",
    ),
    "free ensures of a recursive procedure": (
        "procedure q(x : int) returns (y : int) free ensures y > 0; { y := 0; if (x > 0) { call y := q(x - 1); } }"
        "procedure main() { var z : int; call z := q(1); assert z > 0; }",
        "unsafe",
    ),
    "free ensures without body": (
        "procedure q() returns (y : int); free ensures y > 0;"
        "procedure main() { var z : int; call z := q(); assert z > 0; assert z > 1; }",
        "safe unsafe",
    ),
    "free invariant": (
        "procedure main() { var x : int; x := 0; while (*) free invariant x < 2; { x := x + 1; } assert x < 2; assert x < 1; }",
        "safe unsafe",
    ),
    "ensures is asserted and assumed": (
        "procedure q() returns (y : int) ensures y > 0; { }procedure main() { var z : int; call z := q(); assert z > 0; }",
        "unsafe safe",
    ),
    "free call": (
        "procedure q(x : int) requires x > 0; { assert x > 0; } procedure ext(x : int); requires x > 0;"
        "procedure main(x : int) { free call q(x); assert x > 0; }"
        "procedure other(x : int) { free call ext(x); assert x > 0; }",
        "safe unsafe unsafe",
    ),
    # assumption variables
    "an assumption variable starts true": (
        "procedure main() { var {:assumption} a : bool; assert a; }",
        "safe",
    ),
    "an assumption variable gets stronger": (
        "procedure main(n : int) { var {:assumption} a : bool; a := a && n >= 0; assert a; assert n >= 0; }",
        "unsafe safe",
    ),
    "havoc of an assumption variable": (
        "procedure main() { var {:assumption} a : bool; var b : bool; b := a; havoc a; assert a ==> b; assert a; }",
        "safe unsafe",
    ),
    "a false assumption stays false": (
        "procedure main() { var {:assumption} a : bool; a := a && false; havoc a; assert !a; a := a && true; assert !a; }",
        "safe safe",
    ),
    "an assumption variable of a callee starts true in every call": (
        "procedure q() returns (y : bool) { var {:assumption} a : bool; y := a; a := a && false; }"
        "procedure main() { var y : bool; call y := q(); call y := q(); assert y; }",
        "safe",
    ),
    "a global assumption variable starts anyhow": (
        "var {:assumption} a : bool; procedure ext(); modifies a;"
        "procedure main() modifies a; { var b : bool; assert a; b := a; call ext(); assert a ==> b; assert a; }",
        "unsafe safe unsafe",
    ),
    "assumption false is no mark": (
        "procedure main() { var {:assumption false} a : bool; a := true; havoc a; assert a; }",
        "unsafe",
    ),
    # names and attributes
    "a backslash is no part of a name": (
        "var \\x : int; procedure main() modifies x; { x := 1; assert \\x == 1; \\x := 2; assert x == 1; }",
        "safe unsafe",
    ),
    "keywords as names": (
        "var \\int : int; procedure \\call(\\where : int) returns (\\old : int) modifies \\int;"
        "{ \\old := \\where + \\int; \\if: \\int := 0; }"
        "procedure main() modifies \\int; { var \\var : int; \\int := 1; call \\var := \\call(1); assert \\var == 2;"
        "assert \\int != 0; }",
        "safe unsafe",
    ),
    "attributes everywhere": (
        "type {:a} t; const {:a} unique {:b 1} c : t; function {:a} f({:a} x : int, {:b} int) returns ({:c} int);"
        "function g({:a} x : int) returns ({:b} y : int) { x + 1 } axiom {:a} g(1) == 2; var {:a} v : int;"
        'procedure {:a} p({:a} x : int where x > 0, {:b} {:c 1} y, z : int) returns ({:d "e"} r : int);'
        "requires {:a} x > 0; ensures {:a} r == x;"
        "implementation {:a} p({:a} x : int, y, z : int) returns ({:b} r : int) { var {:a} l : int; l := x; r := l; }"
        "procedure main() { var r : int; call {:a} r := p(1, 2, 3); assert {:a} r == 1; assume {:a} r == 2;"
        "while (*) invariant {:a} (exists {:q} i : int :: {:a} i == r); { } assert g(r) == 2; }",
        "safe safe safe safe safe",
    ),
    "division": (
        "procedure main(x : int) { var r : real; r := x / 2; assert r * 2.0 == real(x); assert int(r) == x div 2;"
        "assert r == real(x div 2); }",
        "safe safe unsafe",
    ),
    "quotients are compared as reals": ("procedure main() { assert 1 / 2 == 1 / 3; }", "unsafe"),
    "the same in Ultimate's dialect": (
        "procedure ULTIMATE.start() { var x : int; assert 1 / 2 == 1 / 3; x := -7 / 2; assert x == -4 && 7.0 / 2.0 == 3.5; }",
        "safe safe",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_what_the_manual_says(name: str) -> None:
    text, words = PROGRAMS[name]
    assert check(text) == words.split()


REALS = ("division", "the same in Ultimate's dialect", "attributes everywhere")  # which enumeration has no values for


@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in REALS])
def test_enumeration_agrees(name: str, inline: bool) -> None:
    text, words = PROGRAMS[name]
    assert fails(text, inline) == words.split()


def test_what_an_entry_calls_relies_on_its_contract_as_well() -> None:
    text = (
        "procedure q(x : int) free requires x > 0; { assert x > 0; assert x < 2; }"
        "procedure main(x : int) { call q(x); assert x > 0; }"
    )
    assert check(text, entry="main") == ["safe", "unsafe", "unsafe"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("procedure p(x : int) returns (y : int) { y := x / 2; }", "47: the value for 'y' has type real, expected int"),
        ("procedure p(x : int) { assert x / 2 == x; }", "37: '==' does not take real and int"),
        ("procedure p(m : [int]int) { assert m[1 / 1] == 0; }", "38: the index has type real, expected int"),
    ],
)
def test_a_quotient_of_integers_is_no_integer(text: str, wrong: str) -> None:
    with pytest.raises(InputError) as error:
        parse_boogie(text.encode(), "p.bpl")
    remedy = "'/' gives a real, 'div' divides integers; with --dialect ultimate '/' is 'div'"
    assert str(error.value) == f"p.bpl:1:{wrong} ({remedy})"


def test_a_dialect_may_be_named(tmp_path: Path) -> None:
    file = tmp_path / "p.bpl"
    file.write_text("procedure main(x : int) { var y : int; y := 7 / 2; assert y == 3; assert y == x; }")
    result = lemmata.check(file, dialect="ultimate", workers=1)
    assert [prop.verdict.word for prop in result.properties] == ["safe", "unsafe"]
    with pytest.raises(InputError, match="expected int"):
        lemmata.check(file)
    start = "procedure ULTIMATE.start() { assert 1 / 2 == 1 / 3; }"
    assert fails(start, inline=True) == ["safe"]
    assert reached(parse_boogie(start.encode(), "p.bpl", dialect="boogie"), DOMAIN)
    with pytest.raises(UsageError, match="a dialect is for programs"):
        load(ROOT / "examples" / "lfsr-free-start.aag", dialect="ultimate")
    with pytest.raises(UsageError, match="dialect"):
        lemmata.check(file, dialect="c")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("procedure p() { var {:assumption} a : int; }", "35: the assumption variable 'a' is not of type bool"),
        ("procedure p() { var {:assumption} a : bool where a; }", "35: the assumption variable 'a' cannot have a where clause"),
        ("procedure p({:assumption} a : bool) { }", "27: the assumption variable 'a' is neither local nor global"),
        ("procedure p() returns ({:assumption} a : bool) { }", "38: the assumption variable 'a' is neither local nor global"),
        ("const {:assumption} a : bool;", "21: the assumption variable 'a' is neither local nor global"),
        ('procedure p() { var {:assumption "a"} a : bool; }', "21: 'assumption' takes 'true', 'false' or nothing"),
        (
            "procedure p() { var {:assumption} a : bool; a := true; }",
            "45: the assumption variable 'a' can only get stronger (write 'a := a && …')",
        ),
        (
            "procedure p() { var {:assumption} a : bool; a := a; }",
            "45: the assumption variable 'a' can only get stronger (write 'a := a && …')",
        ),
        (
            "procedure p() { var {:assumption} a, b : bool; a, b := a && b, a && b; }",
            "51: the assumption variable 'b' can only get stronger (write 'b := b && …')",
        ),
        (
            "procedure q() returns (r : bool); procedure p() { var {:assumption} a : bool; call a := q(); }",
            "84: the assumption variable 'a' cannot take a result",
        ),
        ("procedure p(x : int where x == y) returns (y : int) { }", "32: there is no variable 'y'"),
        ("procedure p() { var a\\b : int; }", "22: expected ':', found 'b'"),
        ("var \\ : int;", "5: the character '\\\\' has no place in a Boogie program"),
        ("axiom {:ignore} false;", f"7: {NO} 'ignore' {IS}: Boogie does not read a declaration with it (take it out)"),
        ("procedure {:ignore} p();", f"11: {NO} 'ignore' {IS}: Boogie does not read a declaration with it (take it out)"),
        ("type {:datatype} T;", f"6: {NO} 'datatype' {IS}: it makes a data type (take it out)"),
        ("function {:constructor} f() : int;", f"10: {NO} 'constructor' {IS}: it belongs to a data type (take it out)"),
        (
            "function {:identity} f(x : int) : int;",
            f"10: {NO} 'identity' {IS}: it says that the function gives its argument back (take it out)",
        ),
        ('type {:builtin "Bool"} B;', f"6: {NO} 'builtin' {IS}: it names a type of SMT-LIB (take it out)"),
        ("procedure {:verify false} p() { }", f"11: {NO} 'verify' {IS}: it keeps assertions unchecked (take it out)"),
        (
            "procedure {:selective_checking} p() { }",
            f"11: {NO} 'selective_checking' {IS}: it turns assertions into assumptions (take it out)",
        ),
        (
            "procedure p() { assert {:subsumption 0} true; }",
            f"24: {NO} 'subsumption' {IS}: it decides whether an assertion is assumed afterwards (take it out)",
        ),
        (
            "procedure p() { assert {:verified_under true} true; }",
            f"24: {NO} 'verified_under' {IS}: it makes an assertion weaker (take it out)",
        ),
        (
            "procedure p() { assume {:start_checking_here} true; }",
            f"24: {NO} 'start_checking_here' {IS}: it turns assertions before it into assumptions (take it out)",
        ),
        (
            'function {:bvbuiltin "bvadd"} f(x : bv8, y : bv8) : bv8 { x }',
            "10: 'f' has a body, and 'bvbuiltin' gives it another meaning (it is one or the other)",
        ),
        ("type finite T;", "6: finite types are not supported"),
        ("var x : int; var \\x : int;", "18: the name 'x' is declared twice (first in line 1)"),
    ],
)
def test_refused(text: str, wrong: str) -> None:
    with pytest.raises(InputError) as error:
        parse_boogie(text.encode(), "p.bpl")
    assert str(error.value) == f"p.bpl:1:{wrong}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{ g[i] := !g[i]; g[!i] := !g[!i]; while (*) { g[i] := !g[i]; } }", ["unsafe"]),
        ("{ havoc g; }", ["unsafe"]),
        ("{ g[i] := !g[i]; g[i] := !g[i]; }", ["safe"]),
        ("{ g[i] := g[!i]; g[!i] := g[i]; }", ["unsafe"]),
    ],
)
@pytest.mark.parametrize("index", ["bool", "bv1"])
def test_maps_with_finitely_many_indices_in_the_thesis_preset(text: str, words: list[str], index: str) -> None:
    if index == "bv1":
        text = text.replace("!i", "not(i)")
    head = 'function {:bvbuiltin "bvnot"} not(x : bv1) returns (bv1);'
    program = f"{head} var g : [{index}]bool; procedure main(i : {index}) modifies g; ensures old(g) == g; {text}"
    assert check(program, make_config(engine="lifted", preset="thesis")) == words


def test_attributes_that_change_nothing_may_stand() -> None:
    text = 'procedure {:verify true} p() { assert {:subsumption 2} {:msg "a"} true; } function {:inline} f(x : int) : int { x }'
    parse_boogie(text.encode(), "p.bpl")
