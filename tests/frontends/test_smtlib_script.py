"""Commands of SMT-LIB scripts come one at a time, with their places; the scope grows on the way."""

from __future__ import annotations

import tracemalloc

import pytest

from lemmata.errors import InputError
from lemmata.frontends.smtlib import Asserted, Declared, Defined, Other, Script
from lemmata.logic.smtlib.sexprs import SexprAtom
from lemmata.logic.sorts import BOOL, INT, Array
from lemmata.logic.terms import make, name_of, var


def commands(text: str) -> list[object]:
    return list(Script(text.encode(), "f").commands())


def test_every_kind_of_command():
    found = commands(
        """(set-logic ALL)
        (declare-const x Int) (declare-fun f (Int Bool) (Array Int Int))
        (define-const two Int 2) (define-fun g ((y Int)) Bool (< y x two))
        (assert (! (g 7) :trans true))
        (get-info :name)"""
    )
    logic, x, f, two, g, asserted, info = found
    assert logic == Other("set-logic", (SexprAtom("ALL", 11),), 0)
    assert isinstance(x, Declared) and (x.name.text, x.wants, x.gives) == ("x", (), INT)
    assert isinstance(f, Declared) and (f.wants, f.gives) == ((INT, BOOL), Array(INT, INT))
    assert isinstance(two, Defined) and two.parameters == ()
    assert isinstance(g, Defined) and [v.sort for v in g.parameters] == [INT]
    assert isinstance(asserted, Asserted) and [note.key for note in asserted.notes] == [":trans"]
    assert isinstance(info, Other) and info.name == "get-info"


def test_what_a_definition_has_as_parameter_cannot_be_named_by_a_file():
    (defined,) = commands("(define-fun f ((x Int)) Int x)")
    assert isinstance(defined, Defined)
    assert defined.body is defined.parameters[0]
    assert "|" in name_of(defined.body)


def test_a_name_can_be_declared_by_the_caller_between_two_commands():
    script = Script(b"(define-fun s () Int (! x :next x1)) (assert (< x x1))", "f")
    script.reader.scope.declare(SexprAtom("x", 0), (), INT)
    reading = script.commands()
    defined = next(reading)
    assert isinstance(defined, Defined)
    (note,) = defined.notes
    assert isinstance(note.value, SexprAtom)
    script.reader.scope.declare(note.value, (), note.term.sort)
    asserted = next(reading)
    assert isinstance(asserted, Asserted)
    assert asserted.formula is make("<", (var("x", INT), var("x1", INT)))


def test_functions_without_a_meaning_are_applications():
    *_, asserted = commands("(declare-fun f (Int Real) Bool) (assert (f 1 2))")
    assert isinstance(asserted, Asserted)
    assert asserted.formula.op == "apply"
    assert [str(arg.sort) for arg in asserted.formula.args] == ["Int", "Real"]


def test_lines_are_counted():
    script = Script(b"(set-info :a b)\n\n(assert\n true) (assert false)\n", "f")
    ats = [command.at for command in script.commands()]
    assert [script.text.line(at) for at in ats] == [1, 3, 4]
    assert script.text.line(0) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(define-fun f ((x Int)) Int x) (assert (f 1))", "f:1:40: a formula is wanted here, this is a Int"),
        ("(define-fun f ((x Int)) Int x y)", "f:1:31: 'define-fun' has one part too many"),
        ("(exit 0)", "f:1:1: 'exit' takes nothing"),
        ("(check-sat 5)", "f:1:1: 'check-sat' takes nothing"),
        ("(set-logic 5)", "f:1:1: 'set-logic' takes a symbol"),
        ("(set-logic)", "f:1:1: 'set-logic' takes a symbol"),
        ("(echo a)", "f:1:1: 'echo' takes a string"),
        ("(get-info name)", "f:1:1: 'get-info' takes a keyword"),
        ("(set-info :a b) (set-info :a b c)", "f:1:17: 'set-info' takes a keyword and at most one value"),
        ("(define-fun f ((x Int)) Int)", "f:1:28: a term is wanted before this parenthesis"),
        ("(define-const c Int true)", "f:1:21: this is a Bool, another sort is announced: Int"),
        ("(define-fun f (x) Int 1)", "f:1:16: this is not a variable with its sort ((NAME SORT) is)"),
        ("(declare-const x Int) (declare-const x Bool)", "f:1:38: there is a x already"),
        ("(define-sort T () Int) (define-sort T () Bool)", "f:1:37: there is a sort T already"),
        ("(declare-const x T)", "f:1:18: 'T' is not a sort that is known here"),
        ("\n(declare-const x Int", "f:2:1: this parenthesis is never closed"),
        ("(declare-const \u00a0x Int)", "f:1:16: '\\xa0' is in no symbol of SMT-LIB (symbols in bars may have it)"),
        ("(set-info :a b)(set-logic ALL)\n(set-logic ALL)", "f:2:1: 'set-logic' comes once, before declarations"),
        ("(assert true) (set-logic ALL)", "f:1:15: 'set-logic' comes once, before declarations, definitions and assertions"),
        ("(declare-const x Int)(set-logic ALL)", "f:1:22: 'set-logic' comes once, before declarations"),
        ("(define-sort T () Int)(set-logic ALL)", "f:1:23: 'set-logic' comes once, before declarations"),
        ("(set-logic #xQF)", "f:1:12: '#xQF' is not a number"),
        ("(set-info :note (a (#b2)))", "f:1:21: '#b2' is not a number"),
        ("(set-info :note (a 4sat))", "f:1:20: '4sat' is not a number"),
        ("(set-info :date 2012-01-01)", "f:1:17: '2012-01-01' is not a number"),
    ],
)
def test_mistakes_have_a_place_and_a_cause(text, message):
    with pytest.raises(InputError) as error:
        commands(text)
    assert str(error.value).startswith(message)


def test_files_that_would_fill_the_memory_are_refused():
    with pytest.raises(InputError) as error:
        Script(b" " * (100 << 20), "f")
    assert str(error.value) == "f: the file has 100 MB (at most 64 MB are read)"


def test_what_was_read_is_not_kept():
    command = b"(assert (or (< 1 2) (= 3 (+ 1 2 0 0 0 0)) (not true)))\n"

    def peak(count: int) -> int:
        script = Script(command * count, "f")
        tracemalloc.start()
        for _ in script.commands():
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(2000) < 50_000 + 2 * peak(20)
