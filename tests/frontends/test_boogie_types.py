import pytest

from lemmata.frontends.boogie.check.types import type_text
from lemmata.frontends.programs.tree import Assign, Call, Havoc, Quantified, parts
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from tests.support.boogie_text import program, written

DECLARED = (
    "type ref; type word = bv8; type heap = [ref, int]word; type pair a = [a]a; const c : ref;"
    "function f(x : int, b : bool) returns (real); function g(x : int) : word;"
    "var i, j : int, b : bool, r : real, w : word, h : heap, m : [int][bool]int, q : pair int;"
)


def condition(text: str):
    """A program and the expression in an assertion of it."""
    found = program(DECLARED + "procedure p() { assert " + text + "; }")
    return found, found.procedures["p"].implementations[0].body[0].condition


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("i + j * 2", "int"),
        ("i / j", "real"),
        ("i / r", "real"),
        ("r / j", "real"),
        ("i div j % 3", "int"),
        ("r / 2.0 + real(i)", "real"),
        ("r ** 2.0", "real"),
        ("int(r)", "int"),
        ("-i", "int"),
        ("-r", "real"),
        ("f(i, b)", "real"),
        ("g(1)", "bv8"),
        ("w ++ 1bv4", "bv12"),
        ("w[7:2]", "bv5"),
        ("h[c, 1]", "bv8"),
        ("h[c, 1 := 0bv8]", "[ref, int]bv8"),
        ("m[1]", "[bool]int"),
        ("m[1][b]", "int"),
        ("q[q[0]]", "int"),
        ("if b then r else 0.5", "real"),
        ("old(m)", "[int][bool]int"),
        ("c", "ref"),
        ("i < j", "bool"),
        ("m == old(m)", "bool"),
        ("(forall x : ref, k : int :: h[x, k] == w)", "bool"),
    ],
)
def test_every_expression_has_its_type(text, kind):
    found, whole = condition(f"({text}) == ({text})")
    assert type_text(found.type_of(whole.left)) == kind
    assert type_text(found.type_of(whole)) == "bool"


def test_every_part_of_an_expression_is_in_the_table():
    found, whole = condition("(forall x : int :: m[x][b] == i) ==> f(if b then 1 else i, !b) > old(r) - 1.0")
    stack = [whole]
    while stack:
        node = stack.pop()
        assert found.type_of(node) is not None
        stack += parts(node)


def test_types_have_sorts():
    found = program(DECLARED)
    sorts = {name: found.sort_of(variable) for name, variable in {**found.variables, **found.constants}.items()}
    assert sorts == {
        "i": INT,
        "j": INT,
        "b": BOOL,
        "r": REAL,
        "w": BitVec(8),
        "h": Array(INT, Array(INT, BitVec(8))),
        "m": Array(INT, Array(BOOL, INT)),
        "q": Array(INT, INT),
        "c": INT,
    }
    assert found.sort_of(found.functions["f"]) is REAL


def test_a_local_name_hides_a_global_one_and_a_bound_one_hides_both():
    found = program("var x : int; procedure p() { var x : bool; assert x && (forall x : real :: x > 0.0); }")
    (body,) = found.procedures["p"].implementations
    whole = body.body[0].condition
    assert found.variable_of(whole.left) is body.variables[0]
    assert isinstance(whole.right, Quantified)
    assert found.variable_of(whole.right.body.left) is whole.right.variables[0]


def test_names_are_resolved_in_targets_and_modifies():
    found = program("var g : int; procedure p() returns (r : int) modifies g; { var x : int; havoc x; call r := p(); g := x; }")
    procedure = found.procedures["p"]
    (havoc, call, assign) = procedure.implementations[0].body
    assert isinstance(havoc, Havoc) and isinstance(call, Call) and isinstance(assign, Assign)
    assert found.variable_of(havoc.targets[0]) is procedure.implementations[0].variables[0]
    assert found.variable_of(call.results[0]) is procedure.results[0]
    assert found.variable_of(assign.targets[0]) is found.variables["g"]
    assert found.variable_of(procedure.modifies[0]) is found.variables["g"]


def test_declarations_may_follow_their_uses():
    found = program(
        "implementation p(y : t) { assert f(y) == c; } procedure p(x : t); requires x == x;"
        "function f(x : t) : t { x } const c : t; type t = s; type s;"
    )
    procedure = found.procedures["p"]
    assert [parameter.name for parameter in procedure.parameters] == ["x"]
    assert [parameter.name for parameter in procedure.implementations[0].parameters] == ["y"]


def test_a_procedure_may_have_many_implementations():
    found = program("procedure p() { } implementation p() { } implementation p() { }")
    assert len(found.procedures["p"].implementations) == 3


def test_results_may_be_called_like_their_procedure():
    program("procedure main() returns (main : int) { main := 0; }")


POINTERS = (
    "type ptr = { base : int, offset : int }; var p, q : ptr; var m : [ptr]int; var n : [int]ptr;"
    "function f(x : ptr) returns (ptr); procedure a(x : ptr) returns (y : ptr); modifies p; ensures y == old(p);"
)


@pytest.mark.parametrize(
    ("statement", "targets", "values"),
    [
        ("p := q;", "p!base p!offset", "q!base q!offset"),
        ("p!offset := 1;", "p!base p!offset", "p!base 1"),
        ("p := { base: q!offset, offset: p!base };", "p!base p!offset", "q!offset p!base"),
        ("m[p] := 3;", "m", "m[p!base, p!offset := 3]"),
        ("n[1] := p;", "n!base n!offset", "n!base[1 := p!base] n!offset[1 := p!offset]"),
        ("n[1]!base := 2;", "n!base n!offset", "n!base[1 := 2] n!offset[1 := n!offset[1]]"),
        ("p := n[7];", "p!base p!offset", "n!base[7] n!offset[7]"),
        ("p := f(q);", "p!base p!offset", "f!base(q!base, q!offset) f!offset(q!base, q!offset)"),
        ("p := old(q);", "p!base p!offset", "old(q!base) old(q!offset)"),
        ("p := if b then p else q;", "p!base p!offset", "(if b then p!base else q!base) (if b then p!offset else q!offset)"),
        ("b := p == q;", "b", "((p!base == q!base) && (p!offset == q!offset))"),
        ("b := p != q;", "b", "((p!base != q!base) || (p!offset != q!offset))"),
        ("b := n == old(n);", "b", "((n!base == old(n!base)) && (n!offset == old(n!offset)))"),
        ("b := { base: 1, offset: 2 }!offset == 2;", "b", "(2 == 2)"),
        (
            "b := (forall x : ptr :: m[x] == x!base);",
            "b",
            "(forall x!base : int, x!offset : int :: (m[x!base, x!offset] == x!base))",
        ),
    ],
)
def test_structs_become_variables(statement, targets, values):
    found = program(POINTERS + "procedure t() modifies p, q, m, n; { var b : bool; " + statement + " }")
    (assign,) = found.procedures["t"].implementations[0].body
    assert " ".join([target.text for target in assign.targets]) == targets
    assert " ".join([written(value) for value in assign.values]) == values


def test_structs_leave_contracts_calls_and_loops_as_well():
    found = program(
        POINTERS
        + "procedure t(u : ptr where u!base > 0) modifies p; { var v : ptr; while (v == p) invariant u == v; {"
        + " call v := a(u); if (v == u) { havoc v; } else { assert v!base > 0; } } }"
    )
    (loop,) = found.procedures["t"].implementations[0].body
    (call, choice) = loop.body
    assert written(loop.invariants[0].condition) == "((u!base == v!base) && (u!offset == v!offset))"
    assert [written(argument) for argument in call.arguments] == ["u!base", "u!offset"]
    assert [name.text for name in call.results] == ["v!base", "v!offset"]
    assert [name.text for name in choice.then[0].targets] == ["v!base", "v!offset"]
    assert [name.text for name in found.procedures["a"].modifies] == ["p!base", "p!offset"]
    assert [written(parameter.where) for parameter in found.procedures["t"].parameters] == ["(u!base > 0)"] * 2
    assert list(found.variables) == ["p!base", "p!offset", "q!base", "q!offset", "m", "n!base", "n!offset"]
    assert found.sort_of(found.variables["m"]) is Array(INT, Array(INT, INT))
