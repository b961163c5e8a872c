import random
import re

import pytest

from lemmata.errors import InputError, Unsupported
from lemmata.frontends.boogie.reader import read_program
from tests.support.boogie_text import program

GLOBALS = (
    "type ref; const c : int; var x, y : int, b : bool, r : real, m : [int]bool, w : bv8, o : ref;function f(i : int) : bool;\n"
)
PROCEDURES = "procedure p(i : int, j : bool) returns (k : int); procedure g(); modifies x;\n"


def message(text: str) -> str:
    with pytest.raises(InputError) as error:
        program(text)
    return str(error.value)


@pytest.mark.parametrize(
    ("triggers", "wrong"),
    [
        ("{nofun(x)}", "2: there is no function 'nofun'"),
        ("{f(x + true)}", "6: '+' does not take int and bool"),
        ("{x + true}", "4: '+' does not take int and bool"),
        ("{novar}", "2: there is no variable 'novar'"),
        ("{f(x), f(novar)}", "10: there is no variable 'novar'"),
        ("{f(x, x)}", "2: the function 'f' takes 1 argument, not 2"),
        ("{f(x)} {f(x!a)}", "12: int has no field 'a'"),
        ("{f(x)} {f(y)}", "11: there is no variable 'y'"),
        ("{f(old(x))}", "4: an axiom cannot speak of old values"),
        ("{x}", "2: the variable 'x' by itself is no trigger (apply a function to it)"),
        ("{f(c)}", "1: this trigger does not mention the variable 'x'"),
        ("{f(x) == c}", "7: '==' cannot stand in a trigger"),
        ("{!(f(x) > c)}", "2: '!' cannot stand in a trigger"),
        ("{}", "2: expected an expression, found '}'"),
        ('{"f"}', "2: expected an expression, found '\"f\"'"),
        ("{(exists y : int :: true)}", "3: a quantifier in a trigger or an attribute is not supported"),
    ],
)
def test_triggers_are_checked_as_expressions(triggers, wrong):
    text = "const c : int; function f(int) : int; axiom (forall x:int :: TRIGGERS f(x) > 0);"
    place, _, cause = wrong.partition(":")
    assert message(text.replace("TRIGGERS", triggers)) == f"p.bpl:1:{text.index('TRIGGERS') + int(place)}:{cause}"


def test_a_long_name_is_told_by_its_first_characters():
    assert message(f"axiom {'x' * 5000} > 0;") == f"p.bpl:1:7: there is no variable '{'x' * 40}…'"
    assert message(f"var x : {'t' * 99};") == f"p.bpl:1:9: there is no type '{'t' * 99}'"


def test_triggers_that_boogie_takes_are_read_and_mean_nothing():
    function = "const c : int; var m : [int]int; function f(int) : int; function g(int, int) : int;"
    triggers = "{f(x), f(y)} {g(x, y)} {:nopats f(x)} {g(x + 1, -y)} {f(g(x, c)) != y} {m[m[x]], g(y div 2, 3)}"
    program(f"{function} procedure p() {{ assume (forall x, y : int :: {triggers} g(x, y) > 0); }}")


def test_in_ultimates_dialect_triggers_need_have_types_only():
    text = "function f(int) : int; axiom (forall x, y : int :: {f(x) == 1} {f(y)} {x} f(x) > 0);"
    read_program(text.encode(), "p.bpl", "ultimate")
    assert message(text) == "p.bpl:1:58: '==' cannot stand in a trigger"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", ""),
        ("hello", "1:1: expected a declaration, found 'hello'"),
        ("var x : int", "1:12: expected ';', found end of file"),
        ("var x int;", "1:7: expected ':', found 'int'"),
        ("var : int;", "1:5: expected a name, found ':'"),
        ("var x : 3;", "1:9: expected a type, found '3'"),
        ("type 3;", "1:6: expected the name of a type, found '3'"),
        ("axiom ;", "1:7: expected an expression, found ';'"),
        ("axiom (true;", "1:12: expected ')', found ';'"),
        ("axiom m[1;", "1:10: expected ']', found ';'"),
        ("axiom if a then b;", "1:18: expected 'else', found ';'"),
        ("axiom a +;", "1:10: expected an expression, found ';'"),
        ("axiom a b;", "1:9: expected ';', found 'b'"),
        ("axiom a!3;", "1:9: expected the name of a field, found '3'"),
        ("axiom w[8:b];", "1:11: expected a number, found 'b'"),
        ("axiom 256bv8 == 1bv8;", "1:7: 256 does not fit into 8 bits"),
        (f"axiom {'9' * 4001} > 0;", "1:7: this number has 4001 digits (at most 4000 are read)"),
        ("axiom 1e5000 > 0.0;", "1:7: the exponent 5000 is too large (at most 4000 is read)"),
        ("axiom a < b < c;", "1:13: '<' cannot follow '<' without parentheses"),
        ("axiom a && b || c;", "1:14: '||' cannot follow '&&' without parentheses"),
        ("axiom {: } true;", "1:10: expected the name of an attribute, found '}'"),
        ("procedure p() returns {", "1:23: expected '(', found '{'"),
        ("procedure p() {", "1:16: expected a statement, found end of file"),
        ("procedure p() { if (true) { }", "1:30: expected a statement, found end of file"),
        ("procedure p() { } }", "1:19: expected a declaration, found '}'"),
        ("procedure p() free modifies x; { }", "1:20: expected 'requires' or 'ensures', found 'modifies'"),
        ("procedure p() { x := 1 }", "1:24: expected ';', found '}'"),
        ("procedure p() { x = 1; }", "1:19: expected ':=', found '='"),
        ("procedure p() { x, y := 1; }", "1:22: 2 variables cannot take 1 value"),
        ("procedure p() { m[1] + 2 := 1; }", "1:17: this cannot be assigned to (expected x, m[i] or s!f)"),
        (
            "procedure p() { x := 1; var y : int; }",
            "1:25: a variable is declared within statements (declare it at the start of the body)",
        ),
        ("procedure p() { return 5; }", "1:24: 'return' takes no value (assign to the results, then return)"),
        ("procedure p() { if true { } }", "1:20: expected '(', found 'true'"),
        ("procedure p() { goto ; }", "1:22: expected a label, found ';'"),
        ("procedure p() { call ; }", "1:22: expected a procedure, found ';'"),
        ("procedure p() { else { } }", "1:17: expected a statement, found 'else'"),
        ("procedure p() { call p(1,); }", "1:26: expected an expression, found ')'"),
        ("function f(i : int,) : int;", "1:20: expected a type, found ')'"),
        ("axiom {:a 1,} true;", "1:13: expected an expression, found '}'"),
        ("function f(i : int) { i }", "1:21: expected 'returns', found '{'"),
    ],
)
def test_what_does_not_parse(text, wrong):
    if wrong:
        assert message(text) == f"p.bpl:{wrong}"
    else:
        assert not program(text).procedures


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("axiom (lambda i : int :: i) == m;", "1:8: lambda expressions are not supported"),
        ("axiom a <: b;", "1:9: the order of constants, '<:', is not supported"),
        ("const unique a : ref extends b;", "1:22: the order of constants, 'extends', is not supported"),
        ("const a : ref complete;", "1:15: the order of constants, 'complete', is not supported"),
        ("axiom (forall <a> i : a :: true);", "1:15: a quantifier with type parameters is not supported"),
        ("function f<a>(i : a) : a;", "1:11: a function with type parameters is not supported"),
        ("procedure p<a>(i : a);", "1:12: a procedure with type parameters is not supported"),
        ("var m : <a>[a]int;", "1:9: a map type with type parameters is not supported"),
        ("procedure p() { call forall p(); }", "1:17: 'call forall' is not supported"),
        ("procedure p() { fork p(); }", "1:17: 'fork' is not supported: there are no threads here"),
        ("procedure p() { atomic { } }", "1:17: 'atomic' is not supported: there are no threads here"),
        ("var x : bv0;", "1:9: bit-vectors have 1 to 1048576 bits, not 0"),
        (f"var x : bv{'9' * 5000};", f"1:9: bit-vectors have 1 to 1048576 bits, not {'9' * 40}"),
        ("var x : bv1048577;", "1:9: bit-vectors have 1 to 1048576 bits, not 1048577"),
        ("axiom 0bv0 == 0bv0;", "1:7: bit-vectors have 1 to 1048576 bits, not 0"),
        (f"var x : {'[int]' * 100}int;", "1:309: types nested more than 60 deep are not supported"),
        (
            "axiom (forall i : int :: {(forall j : int :: true)} true);",
            "1:28: a quantifier in a trigger or an attribute is not supported",
        ),
        (
            "function f(i : int) : int { g(i) } function g(i : int) : int { f(i) }",
            "1:10: the function 'f' is defined by itself: recursive functions are not supported",
        ),
        ("const unique p : { a : int, b : int };", "1:14: unique constants that are structs are not supported"),
    ],
)
def test_what_boogie_has_and_we_do_not(text, wrong):
    assert message(text) == f"p.bpl:{wrong}"
    with pytest.raises(Unsupported):
        program(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("var a : int;\nvar b, a : bool;", "2:8: the name 'a' is declared twice (first in line 1)"),
        ("const a : int; var a : int;", "1:20: the name 'a' is declared twice (first in line 1)"),
        ("type t;\ntype t = int;", "2:6: the type 't' is declared twice (first in line 1)"),
        ("function f() : int;\nfunction f() : int;", "2:10: the function 'f' is declared twice (first in line 1)"),
        ("procedure p() { }\nprocedure p();", "2:11: the procedure 'p' is declared twice (first in line 1)"),
        ("procedure p(a : int) {\nvar a : int; }", "2:5: the name 'a' is declared twice (first in line 1)"),
        ("procedure p(a : int) returns (a : int);", "1:31: the name 'a' is declared twice (first in line 1)"),
        ("function f(a : int, a : int) : int;", "1:21: the name 'a' is declared twice (first in line 1)"),
        ("axiom (forall a, a : int :: true);", "1:18: the name 'a' is declared twice (first in line 1)"),
        ("procedure p() {\na:\nif (*) { a: } }", "3:10: the label 'a' is declared twice (first in line 2)"),
        ("type t a a = int;", "1:6: two parameters of the type 't' have the same name"),
        ("type bv8 = int;", "1:6: the type 'bv8' is one of bit-vectors: it needs another name"),
        ("type t bv0;", "1:6: the type 'bv0' is one of bit-vectors: it needs another name"),
        ("var s : { a : int, a : int };", "1:9: the field 'a' is declared twice"),
        ("var s : { a : int }; axiom { a: 1, a: 2 }!a == 1;", "1:28: the field 'a' is declared twice"),
    ],
)
def test_what_is_declared_twice(text, wrong):
    assert message(text) == f"p.bpl:{wrong}"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("var a : t;", "1:9: there is no type 't'"),
        ("type t = u;", "1:10: there is no type 'u'"),
        ("type t a; var x : t;", "1:19: the type 't' takes 1 argument, not 0"),
        ("type t a b; var x : t int;", "1:21: the type 't' takes 2 arguments, not 1"),
        ("type t; var x : t int;", "1:17: the type 't' takes 0 arguments, not 1"),
        ("type t = [int]t;", "1:6: this type is too large, or a synonym of itself"),
        ("type s = t; type t = s; var x : t;", "1:6: this type is too large, or a synonym of itself"),
        ("axiom a;", "1:7: there is no variable 'a'"),
        ("axiom f(1);", "1:7: there is no function 'f'"),
        ("implementation p() { }", "1:16: there is no procedure 'p' for this implementation"),
        ("procedure p(); modifies a;", "1:25: there is no variable 'a'"),
        ("procedure p() returns (k : int); requires k > 0;", "1:43: there is no variable 'k'"),
        ("procedure p() { goto a, c; a: }", "1:25: there is no label 'c' in 'p'"),
        ("procedure p() { call q(); }", "1:17: there is no procedure 'q'"),
        ("procedure p() { havoc a; }", "1:23: there is no variable 'a'"),
        ("procedure p() { a := 1; }", "1:17: there is no variable 'a'"),
        ("procedure p() { break; }", "1:17: 'break' outside of a loop"),
        ("procedure p() { while (*) { } break; }", "1:31: 'break' outside of a loop"),
        ("procedure p() { l: assert true; while (*) { break l; } }", "1:45: there is no loop 'l' around this 'break'"),
    ],
)
def test_what_is_not_declared(text, wrong):
    assert message(text) == f"p.bpl:{wrong}"


def test_a_labelled_loop_or_choice_can_be_left():
    program("procedure p() { k: l: while (*) { while (*) { break l; } if (*) { break k; } break; } m: if (*) { break m; } }")


@pytest.mark.parametrize(
    ("condition", "wrong"),
    [
        ("x", "8: the condition has type int, expected bool"),
        ("x + 1", "8: the condition has type int, expected bool"),
        ("x + b > 0", "10: '+' does not take int and bool"),
        ("x == r", "10: '==' does not take int and real"),
        ("x < r", "10: '<' does not take int and real"),
        ("o < o", "10: '<' does not take ref and ref"),
        ("o == x", "10: '==' does not take ref and int"),
        ("r % r == r", "10: 'mod' does not take real and real"),
        ("x ** y == x", "10: '**' does not take int and int"),
        ("b && x > 0 && y", "19: '&&' does not take bool and int"),
        ("x ==> b", "10: '==>' does not take int and bool"),
        ("w ++ x == w", "10: '++' does not take bv8 and int"),
        ("w + w == w", "10: '+' does not take bv8 and bv8"),
        ("!x", "8: '!' does not take int"),
        ("-b == b", "8: '-' does not take bool"),
        ("x[1]", "9: int is no map"),
        ("m[1, 2]", "9: [int]bool takes 1 index, not 2"),
        ("m[b]", "10: the index has type bool, expected int"),
        ("m[1 := 2] == m", "15: the new value has type int, expected bool"),
        ("f(b)", "10: the argument of 'f' has type bool, expected int"),
        ("f(1, 2)", "8: the function 'f' takes 1 argument, not 2"),
        ("if x then b else b", "11: the condition has type int, expected bool"),
        ("if b then x else b", "8: 'if' does not take int and bool"),
        ("w[9:0] == w", "9: bv8 has no bits [9:0]"),
        ("w[2:2] == w", "9: bv8 has no bits [2:2]"),
        ("x[2:0] == w", "9: int has no bits"),
        ("int(x) == x", "12: the argument of 'int' has type int, expected real"),
        ("real(r) == r", "13: the argument of 'real' has type real, expected int"),
        ("(forall i : int :: i)", "27: what 'forall' says has type int, expected bool"),
        ("x!base == 1", "9: int has no field 'base'"),
        ("(forall i : int :: i > 0) && i > 0", "37: there is no variable 'i'"),
    ],
)
def test_sorts_of_expressions(condition, wrong):
    text = GLOBALS + "procedure t() {\nassert " + condition + "; }"
    assert message(text) == f"p.bpl:3:{wrong}"


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("x := b;", "6: the value for 'x' has type bool, expected int"),
        ("x, y := 1, b;", "12: the value for 'y' has type bool, expected int"),
        ("x, x := 1, 2;", "4: 'x' is changed twice at once"),
        ("m[0], m[1] := b, b;", "7: 'm' is changed twice at once"),
        ("m[0] := 1;", "9: the new value has type int, expected bool"),
        ("x[0] := 1;", "2: int is no map"),
        ("c := 1;", "1: the constant 'c' cannot be changed"),
        ("n := 1;", "1: the parameter 'n' cannot be changed"),
        ("havoc c;", "7: the constant 'c' cannot be changed"),
        ("w := 0bv8;", "1: 't' changes the variable 'w', which it does not list (add 'modifies w;')"),
        ("havoc w;", "7: 't' changes the variable 'w', which it does not list (add 'modifies w;')"),
        ("call r := p(1, b);", "6: the result 'k' has type int, but 'r' has real"),
        ("call x := p(1);", "1: 'p' takes 2 arguments, not 1"),
        ("call p(1, b);", "1: 'p' gives 1 result, not 0"),
        ("call x, y := p(1, b);", "1: 'p' gives 1 result, not 2"),
        ("call x := p(b, b);", "13: the argument for 'i' has type bool, expected int"),
        ("call w := p(1, b);", "6: 't' changes the variable 'w', which it does not list (add 'modifies w;')"),
        ("assume 1;", "8: the condition has type int, expected bool"),
        ("if (x) { }", "5: the condition has type int, expected bool"),
        ("while (x) { }", "8: the condition has type int, expected bool"),
        ("while (*) invariant x; { }", "21: the invariant has type int, expected bool"),
    ],
)
def test_sorts_and_targets_of_statements(statement, wrong):
    text = GLOBALS + PROCEDURES + "procedure t(n : int) modifies x, y, m, r; {\n" + statement + " }"
    assert message(text) == f"p.bpl:4:{wrong}"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("procedure t() { call g(); }", "17: 't' calls 'g', which changes 'x' (add 'modifies x;' to 't')"),
        ("procedure t(); modifies c;", "25: the constant 'c' cannot be changed"),
        ("procedure t() requires x; { }", "24: the precondition has type int, expected bool"),
        ("procedure t() ensures x; { }", "23: the postcondition has type int, expected bool"),
        ("procedure t() requires old(x) > 0; { }", "24: a precondition cannot speak of old values"),
        ("axiom x > 0;", "7: an axiom cannot speak of the variable 'x' (use constants)"),
        ("axiom c;", "7: the axiom has type int, expected bool"),
        ("function h(i : int) : int { i + x }", "33: a function cannot speak of the variable 'x' (use constants)"),
        ("function h(i : int) : int { i > 0 }", "29: the body of 'h' has type bool, expected int"),
        ("function h(i : int) : int { old(i) }", "29: a function cannot speak of old values"),
        ("var z : int where z;", "19: the where clause has type int, expected bool"),
        ("procedure t(n : int where n) { }", "27: the where clause has type int, expected bool"),
        ("procedure t() { var n : int where n; }", "35: the where clause has type int, expected bool"),
        ("var z : int where old(z) > 0;", "19: a where clause cannot speak of old values"),
        ("implementation p(i : int) { }", "16: the procedure 'p' has 2 parameters, its implementation 1"),
        ("implementation p(i, j : int) returns (k : int) { }", "21: the parameter 'j' has type int, in the procedure bool"),
        ("implementation p(i : int, j : bool) { }", "16: the procedure 'p' has 1 result, its implementation 0"),
        (
            "implementation p(i : int, j : bool) returns (k : real) { }",
            "46: the result 'k' has type real, in the procedure int",
        ),
        (
            "implementation p(i : int where i > 0, j : bool) returns (k : int) { }",
            "18: a where clause belongs to the procedure, not to its implementation",
        ),
    ],
)
def test_contracts_and_signatures(text, wrong):
    assert message(GLOBALS + PROCEDURES + text) == f"p.bpl:3:{wrong}"


ODD = (
    GLOBALS
    + PROCEDURES
    + """implementation p(i : int, j : bool) returns (k : int) { var s : { a : int, b : bool }; k := i; s!a := k;
    l: while (k > 0 && (j || f(k))) invariant k >= 0 - 1; { k := k - 1; if (*) { break; } else if (s!b) { goto l; } }
    call k := p(k, (forall z : int :: {f(z)} m[z] ==> f(z))); assert {:note "a", 1} old(m)[k := true] == m; }"""
)
WORD = re.compile(r"\s+|\w+|[^\w\s]")


def test_damaged_programs_are_errors_with_a_place_and_nothing_else():
    source = random.Random(5)
    program(ODD)
    words = WORD.findall(ODD)
    errors = 0
    for _ in range(400):
        damaged = list(words)
        for _ in range(source.randint(1, 4)):
            at = source.randrange(len(damaged))
            damaged[at : at + source.randint(0, 2)] = source.choices(words, k=source.randint(0, 2))
        try:
            program("".join(damaged))
        except InputError as error:
            errors += 1
            assert error.place.line is not None and error.place.column is not None
    assert 200 < errors < 400
