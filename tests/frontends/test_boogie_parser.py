import time
from fractions import Fraction

import pytest

from lemmata.frontends.boogie.check.types import type_text
from lemmata.frontends.boogie.reader import read_program
from lemmata.frontends.programs.tree import Assert, Assign, Break, Call, Goto, Havoc, If, Label, Return, While, blocks
from tests.support.boogie_text import body_of, parsed, read, written
from tests.support.paths import ROOT

BENCH = ROOT.parent / "shared" / "bench" / "boogie"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("-a % 256", "((-a) mod 256)"),
        ("-a[i]", "(-a[i])"),
        ("!a!f", "(!a!f)"),
        ("a - b - c", "((a - b) - c)"),
        ("a - -b", "(a - (-b))"),
        ("a * b + c / d", "((a * b) + (c / d))"),
        ("a div b mod c % d", "(((a div b) mod c) mod d)"),
        ("-a ** b ** c", "((-a) ** (b ** c))"),
        ("a * b ** c", "(a * (b ** c))"),
        ("a ++ b ++ c + d", "((a ++ b) ++ (c + d))"),
        ("a + 1 < b == false", None),
        ("a + 1 < b && c", "(((a + 1) < b) && c)"),
        ("a && b && c", "((a && b) && c)"),
        ("a || b ==> c && d", "((a || b) ==> (c && d))"),
        ("a ==> b ==> c", "(a ==> (b ==> c))"),
        ("a <== b <== c", "(c ==> (b ==> a))"),
        ("a <==> b <==> c", "((a <==> b) <==> c)"),
        ("a ==> b <==> c ==> d", "((a ==> b) <==> (c ==> d))"),
        ("!!a && !b", "((!(!a)) && (!b))"),
        ("(a)", "a"),
        ("f()", "f()"),
        ("f(a, g(b) + 1)", "f(a, (g(b) + 1))"),
        ("m[i]", "m[i]"),
        ("m[i, j][k]", "m[i, j][k]"),
        ("m[i := v][j]", "m[i := v][j]"),
        ("m[i, j := v + 1]", "m[i, j := (v + 1)]"),
        ("old(m)[i := old(x + 1)]", "old(m)[i := old((x + 1))]"),
        ("w[8:0] ++ w[16:8]", "(w[8:0] ++ w[16:8])"),
        ("7bv32 == x", "(7bv32 == x)"),
        ("if a then b else c + 1", "(if a then b else (c + 1))"),
        ("1 + if a then b else if c then d else e", "(1 + (if a then b else (if c then d else e)))"),
        ("(if a then b else c) + 1", "((if a then b else c) + 1)"),
        ("int(x) + int(y)", "(int(x) + int(y))"),
        ("real(1) < 2.0", "(real(1) < 2)"),
        ("(forall x, y : int, b : bool :: x < y || b)", "(forall x : int, y : int, b : bool :: ((x < y) || b))"),
        ("(exists x : int :: {:weight 3} {f(x), g(x)} {m[x]} x > 0) && a", "((exists x : int :: (x > 0)) && a)"),
        ("∀ x : int • x ≥ 0 ⇒ x ≠ -1", "(forall x : int :: ((x >= 0) ==> (x != (-1))))"),
        ("{ base: a, offset: b + 4 }!offset", "{ base: a, offset: (b + 4) }!offset"),
        ("p!a!b[i]", "p!a!b[i]"),
        ("true && !false", "(true && (!false))"),
    ],
)
def test_operators_bind_as_boogie_says(text, meaning):
    if meaning is None:
        with pytest.raises(Exception, match="cannot follow"):
            read(text)
    else:
        assert read(text) == meaning


@pytest.mark.parametrize("text", ["a < b < c", "a == b != c", "a && b || c", "a || b && c", "a ==> b <== c", "a <== b ==> c"])
def test_operators_that_boogie_does_not_mix_want_parentheses(text):
    with pytest.raises(Exception, match="without parentheses"):
        read(text)


def test_reals_are_exact():
    axioms = parsed("axiom 0.1 == 1e-1; axiom 2.5e2 == 250.0;").axioms
    assert [axiom.condition.left.value for axiom in axioms] == [Fraction(1, 10), Fraction(250)]
    assert [axiom.condition.right.value for axiom in axioms] == [Fraction(1, 10), Fraction(250)]


def test_assignments_to_parts_of_maps_become_assignments_of_maps():
    (first, second, third) = body_of("m[i] := v; m[i][j], x := v, w; m[i, j] := v;")
    assert [target.text for target in second.targets] == ["m", "x"]
    assert [written(statement.values[0]) for statement in (first, second, third)] == [
        "m[i := v]",
        "m[i := m[i][j := v]]",
        "m[i, j := v]",
    ]


def test_an_assignment_to_a_field_keeps_the_others():
    (statement,) = body_of("s!f[i] := v;")
    assert written(statement.values[0]) == "s with f: s!f[i := v]"


def test_all_statements_are_read():
    body = body_of(
        "havoc x, y; assume {:note} a; assert b; call p(); call x := q(1, y); call x, y := r(); free call p();"
        "here: there: goto here, there; break; break here; return;"
    )
    kinds = ["Havoc", "Assume", "Assert", "Call", "Call", "Call", "Call", "Label", "Label", "Goto", "Break", "Break", "Return"]
    assert [type(statement).__name__ for statement in body] == kinds
    assert [(len(call.results), call.is_free) for call in body if isinstance(call, Call)] == [
        (0, False),
        (1, False),
        (2, False),
        (0, True),
    ]
    assert [[name for name, _ in goto.labels] for goto in body if isinstance(goto, Goto)] == [["here", "there"]]
    assert [jump.label for jump in body if isinstance(jump, Break)] == [None, "here"]
    assert isinstance(body[0], Havoc) and isinstance(body[7], Label) and isinstance(body[-1], Return)


def test_if_and_while_keep_their_parts():
    (choice, loop) = body_of(
        "if (a) { x := 1; } else if (*) { x := 2; y := 3; } else { }"
        "while (*) invariant a; free invariant {:note} b; { if (c) { break; } x := 4; }"
    )
    assert isinstance(choice, If) and isinstance(loop, While)
    assert [len(block) for block in blocks(choice)] == [1, 1]
    inner = choice.otherwise[0]
    assert isinstance(inner, If) and inner.condition is None and [len(block) for block in blocks(inner)] == [2, 0]
    assert loop.condition is None and [clause.is_free for clause in loop.invariants] == [False, True]
    assert [type(statement) for statement in loop.body] == [If, Assign]


def test_a_chain_of_choices_ends_where_its_text_ends():
    body = body_of("if (a) { } else if (b) { } else if (c) { } x := 1; if (d) { x := 2; }")
    assert [type(statement) for statement in body] == [If, Assign, If]


def test_declarations_are_read():
    found = parsed(
        "type ref; type C a b; type S a = [a]int, T = C int (S bool); const unique c, d : ref;"
        'const e : int; axiom e > 0; var x, y : int where x > y, z : [int, bool]real; var {:note 1, "two"} w : bv8;'
        "function f(int, ref) returns (bool); function {:inline true} g(x : int, y, z : bool) : int { x + 1 }"
        "function h(ref, b : int) returns (out : T);"
    )
    assert [(t.name, t.parameters, t.synonym and type_text(t.synonym)) for t in found.types] == [
        ("ref", (), None),
        ("C", ("a", "b"), None),
        ("S", ("a",), "[a]int"),
        ("T", (), "C int (S bool)"),
    ]
    assert [(v.name, v.kind, v.is_unique, type_text(v.type)) for v in found.variables] == [
        ("c", "const", True, "ref"),
        ("d", "const", True, "ref"),
        ("e", "const", False, "int"),
        ("x", "global", False, "int"),
        ("y", "global", False, "int"),
        ("z", "global", False, "[int, bool]real"),
        ("w", "global", False, "bv8"),
    ]
    assert [written(v.where) for v in found.variables if v.where] == ["(x > y)", "(x > y)"]
    (note,) = found.variables[-1].attributes
    assert (note.name, written(note.arguments[0]), note.arguments[1]) == ("note", "1", "two")
    assert [[(p.name, type_text(p.type)) for p in f.parameters] for f in found.functions] == [
        [("", "int"), ("", "ref")],
        [("x", "int"), ("y", "bool"), ("z", "bool")],
        [("", "ref"), ("b", "int")],
    ]
    assert found.functions[1].attributes[0].name == "inline"


def test_contracts_may_follow_a_semicolon_or_precede_a_body():
    (first, second) = parsed(
        "procedure p(x : int, y, z : bool) returns (r : int); requires x > 0; modifies ; modifies g, h; modifies g;"
        "free requires y; free ensures r > 0; ensures {:note} r > 1; "
        "procedure q() modifies g; { var a, b : int; var c : bool; }"
    ).procedures
    assert [name.text for name in first.modifies] == ["g", "h", "g"]
    assert [clause.is_free for clause in first.requires] == [False, True]
    assert [clause.is_free for clause in first.ensures] == [True, False]
    assert not first.implementations and len(first.parameters) == 3
    assert [variable.name for variable in second.implementations[0].variables] == ["a", "b", "c"]


def test_a_body_knows_where_it_ends():
    text = "procedure p() {\n  while (true) {\n  }\n}"
    (body,) = parsed(text).procedures[0].implementations
    assert (body.end, body.body[0].end) == (text.rindex("}"), text.index("}"))


def test_a_hundred_thousand_parentheses_or_choices_are_no_matter():
    depth = 100_000
    assert read("(" * depth + "a" + ")" * depth) == "a"
    assert len(body_of("if (a) {" * depth + "}" * depth)) == 1


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("!", ""),
        ("m[", "]"),
        ("f(", ")"),
        ("old(", ")"),
        ("if b then b else ", ""),
        ("b ==> ", ""),
        ("(forall x : int :: ", ")"),
    ],
)
def test_deep_expressions_are_no_matter(begin, end):
    assert len(parsed(f"axiom {begin * 3_000}b{end * 3_000};").axioms) == 1


@pytest.mark.parametrize(
    ("begin", "end"),
    [("while (*) {", "}"), ("if (*) { } else if (*) { } else { while (*) {", "} }"), ("if (*) { } else ", "if (*) { }")],
)
def test_deep_statements_are_no_matter(begin, end):
    assert body_of(begin * 3_000 + (end if begin.endswith("else ") else end * 3_000))


def test_deep_nesting_is_no_matter_for_names_and_types_either():
    depth = 3_000
    deep = f"assert {'(' * depth}x{' + 1)' * depth} > {'(if b then x else ' * depth}0{')' * depth};"
    deep += "if (b) {" * depth + "}" * depth + f"assume {'b ==> ' * depth}b;" + "if (b) { }" + "else if (*) { }" * depth
    deep += "s!f := { f: 1 }!f;"  # so that structs are removed as well
    read_program(f"procedure p() {{ var x : int, b : bool, s : {{ f : int }}; {deep} }}".encode(), "p.bpl")


def test_thirty_thousand_lines_are_read_in_seconds():
    body = "".join([f"l{n}:\nif (x < y + {n}) {{ x := x + 1; }}\nm[x] := y;\n" for n in range(10_000)])
    text = f"var m : [int]int; procedure p() modifies m; {{ var x, y : int;\n{body} }}"
    begin = time.process_time()
    program = read_program(text.encode(), "p.bpl")
    assert len(program.procedures["p"].implementations[0].body) == 30_000
    assert time.process_time() - begin < 5


@pytest.mark.skipif(not BENCH.is_dir(), reason="the benchmarks are not here")
def test_all_benchmarks_pass_names_and_types():
    asserts = 0
    for path in sorted(BENCH.rglob("*.bpl")):
        program = read_program(path.read_bytes(), path.name, "ultimate")
        bodies = [body for procedure in program.procedures.values() for body in procedure.implementations]
        assert bodies, path
        asserts += sum(isinstance(statement, Assert) for body in bodies for statement in body.body)
    assert asserts > 150
