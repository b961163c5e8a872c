"""Programs with what a wrong front end would make of them: two texts with the same lines, that differ in one construct.

Each entry: a name, the program, what is replaced in it, by what. The graph is made of the second text, the tree of the first; a
verdict about the graph is then wrong about the program. ``*`` marks the property that shows it, by its line.
"""

from __future__ import annotations

from typing import NamedTuple


class Misreading(NamedTuple):
    name: str
    text: str  # the program
    said: str  # a part of it
    read: str  # as it is misread
    line: int  # of the property that gets a wrong verdict


_BV = """function {:bvbuiltin "bvslt"} lt(a: bv8, b: bv8) returns (bool);
procedure p(v: bv8) {
  assert lt(200bv8, 100bv8);
}"""

MISREADINGS = (
    Misreading(
        "where is dropped at havoc",
        "procedure p() {\n  var x: int where x > 0;\n  havoc x;\n  assert x > 0;\n}",
        " where x > 0",
        "",
        4,
    ),
    Misreading(
        "where of a global is dropped",
        "var g: int where g > 0;\nprocedure p() {\n  assert g > 0;\n}",
        " where g > 0",
        "",
        3,
    ),
    Misreading(
        "where is invented",
        "procedure p() {\n  var x: int;\n  assert x == 0;\n}",
        "x: int",
        "x: int where x == 0",
        3,
    ),
    Misreading(
        "unique is dropped",
        "const unique a, b: int;\nprocedure p() {\n  assert a != b;\n}",
        "unique ",
        "",
        3,
    ),
    Misreading(
        "an axiom is dropped",
        "const c: int;\naxiom c > 5;\nprocedure p() {\n  assert c > 4;\n}",
        "axiom c > 5;",
        "axiom true;",
        4,
    ),
    Misreading(
        "a loop goes one round too far",
        "procedure p() {\n  var i: int;\n  i := 0;\n  while (i < 3) {\n    i := i + 1;\n  }\n  assert i == 3;\n}",
        "i < 3",
        "i <= 3",
        7,
    ),
    Misreading(
        "values are assigned one after the other",
        "procedure p() {\n  var x, y: int;\n  x := 1;\n  y := 2;\n  x, y := y, x;\n  assert y == 1;\n}",
        "x, y := y, x;",
        "x := y; y := x;",
        6,
    ),
    Misreading(
        "minus groups to the right",
        "procedure p(a: int, b: int, c: int) {\n  assume a == 5;\n  assert a - b - c == 5 - b - c;\n}",
        "a - b - c",
        "a - (b - c)",
        3,
    ),
    Misreading(
        "div rounds to zero",
        "procedure p(x: int) {\n  assume x == 0 - 7;\n  assert x div 2 == 0 - 4;\n}",
        "x div 2",
        "0 - (0 - x) div 2",
        3,
    ),
    Misreading(
        "implication groups to the left",
        "procedure p(a: bool, b: bool) {\n  assert a ==> b ==> a;\n}",
        "a ==> b ==> a",
        "(a ==> b) ==> a",
        2,
    ),
    Misreading(
        "arguments are swapped",
        "procedure q(x: int, y: int) returns (r: int) {\n  r := x - y;\n}\n"
        "procedure p() {\n  var r: int;\n  call r := q(3, 1);\n  assert r == 2;\n}",
        "q(3, 1)",
        "q(1, 3)",
        7,
    ),
    Misreading(
        "results are swapped",
        "procedure q() returns (a: int, b: int) {\n  a, b := 1, 2;\n}\n"
        "procedure p() {\n  var x, y: int;\n  call x, y := q();\n  assert x == 1;\n}",
        "call x, y",
        "call y, x",
        7,
    ),
    Misreading(
        "old is the present",
        "var g: int;\nprocedure p() modifies g; {\n  g := g + 1;\n  assert old(g) == g - 1;\n}",
        "old(g)",
        "g",
        4,
    ),
    Misreading(
        "the old index of a map",
        "var m: [int]int;\nvar i: int;\nprocedure p() modifies i; {\n  assume m[0] == 1 && m[1] == 2 && i == 0;\n  i := 1;\n"
        "  assert old(m[i]) == 1;\n}",
        "old(m[i])",
        "old(m)[i]",
        6,
    ),
    Misreading(
        "a contract's ensures is dropped",
        "procedure q() returns (r: int); ensures r > 0;\nprocedure p() {\n  var x: int;\n  call x := q();\n  assert x > 0;\n}",
        "r > 0",
        "true",
        5,
    ),
    Misreading(
        "modifies is dropped",
        "var g: int;\nprocedure q(); modifies g;\nprocedure p() modifies g; {\n  g := 1;\n  call q();\n  assert g == 1;\n}",
        "q(); modifies g;",
        "q();",
        6,
    ),
    Misreading(
        "a free postcondition blocks the body",
        "procedure q() returns (r: int) free ensures r == 3; {\n  havoc r;\n  assume true;\n}\n"
        "procedure p() {\n  var x: int;\n  call x := q();\n  assert x == 3;\n}",
        "assume true",
        "assume r == 3",
        8,
    ),
    Misreading(
        "a free precondition stops the caller",
        "procedure q(x: int); free requires x > 0;\nprocedure p() {\n  call q(0);\n  assume true;\n  assert false;\n}",
        "assume true",
        "assume false",
        5,
    ),
    Misreading(
        "an assumption variable is arbitrary",
        "procedure p() {\n  var {:assumption} a: bool;\n  assert a;\n}",
        "{:assumption} ",
        "",
        3,
    ),
    Misreading(
        "only the first label of a goto counts",
        "procedure p() {\n  var x: int;\n  goto A, B;\nA:\n  x := 1;\n  goto C;\nB:\n  x := 2;\n  goto C;\n"
        "C:\n  assert x == 1;\n}",
        "goto A, B",
        "goto A, A",
        11,
    ),
    Misreading(
        "a choice is no choice",
        "procedure p() {\n  var x: int;\n  x := 1;\n  if (*) {\n    x := 2;\n  }\n  assert x == 1;\n}",
        "(*)",
        "(false)",
        7,
    ),
    Misreading(
        "break leaves the inner loop only",
        "procedure p() {\n  var x: int;\n  x := 0;\nL:\n  while (x < 2) {\n    x := x + 1;\n"
        "    while (true) {\n      break L;\n    }\n  }\n  assert x == 1;\n}",
        "break L",
        "break",
        11,
    ),
    Misreading(
        "return goes on",
        "procedure p() {\n  var x: int;\n  x := 0;\n  return;\n  assert x == 1;\n}",
        "return",
        "assume true",
        5,
    ),
    Misreading("words are compared without their sign", _BV, '"bvslt"', '"bvult"', 3),
    Misreading(
        "bits are counted from one",
        "procedure p(v: bv8) {\n  assume v == 6bv8;\n  assert v[4:0] == 6bv4;\n}",
        "v[4:0]",
        "v[5:1]",
        3,
    ),
    Misreading(
        "words are joined the wrong way round",
        "procedure p() {\n  assert 1bv4 ++ 2bv4 == 18bv8;\n}",
        "1bv4 ++ 2bv4",
        "2bv4 ++ 1bv4",
        2,
    ),
    Misreading(
        "indices are swapped",
        "procedure p() {\n  var m: [int][int]int;\n  m[1][2] := 3;\n  assert m[1][2] == 3;\n}",
        "m[1][2] := 3",
        "m[2][1] := 3",
        4,
    ),
    Misreading(
        "parameters of the implementation are taken by name",
        "procedure q(a: int, b: int); requires a < b;\nimplementation q(b: int, a: int) {\n  assert b < a;\n}",
        "requires a < b",
        "requires b < a",
        3,
    ),
    Misreading(
        "an assumption is dropped",
        "procedure p(x: int) {\n  assume x > 0;\n  assert x >= 0;\n}",
        "assume x > 0",
        "assume true",
        3,
    ),
    Misreading(
        "a recursive call forgets what its callee changed",
        "var g: int;\nprocedure q(n: int) modifies g; {\n  if (n > 0) {\n    g := g + 1;\n    call q(n - 1);\n  }\n}\n"
        "procedure p() modifies g; {\n  g := 0;\n  call q(2);\n  assert g == 0;\n}",
        "g := g + 1",
        "g := g",
        11,
    ),
    Misreading(
        "a real quotient is an integer",
        "procedure p(x: real) {\n  assume x == 7.0;\n  assert x / 2.0 == 3.5;\n}",
        "x / 2.0",
        "real(int(x / 2.0))",
        3,
    ),
)
