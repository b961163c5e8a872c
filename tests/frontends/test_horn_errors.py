"""What is wrong with a file of Horn clauses is said in one line, with its place; nothing else comes out of the front end."""

from __future__ import annotations

import random

import pytest

import lemmata
from lemmata.errors import InputError, Unsupported
from lemmata.frontends import load
from lemmata.frontends.horn import parse_horn
from tests.support.horn_text import asked
from tests.support.program import run_program

HEADER = "(set-logic HORN)\n(declare-fun P (Int) Bool) (declare-fun Q (Int Int) Bool)\n(declare-fun R () Bool)\n"
DEEP = 100_000
# the line after the header, its column, the message
WRONG = [
    # parentheses and words
    ("(assert (P 0)", 1, "this parenthesis is never closed"),
    ("(assert (=> R (P 0))", 1, "this parenthesis is never closed"),
    ("(assert (=> R (P", 15, "this parenthesis is never closed"),
    ("(assert (=> R (", 15, "this parenthesis is never closed"),
    ("(assert", 1, "this parenthesis is never closed"),
    ("(", 1, "this parenthesis is never closed"),
    ("(assert (forall ((x Int)", 17, "this parenthesis is never closed"),
    ("(assert (forall ((x Int) (=> R R)))", 26, "this is not a variable with its sort ((NAME SORT) is)"),
    ("(assert (let ((x R", 15, "this parenthesis is never closed"),
    ("(set-info :source", 1, "this parenthesis is never closed"),
    ("(assert (P 0)))", 15, "this parenthesis was never opened"),
    (")", 1, "this parenthesis was never opened"),
    ("assert R", 1, "a command is wanted here, not 'assert' (such as (assert FORMULA))"),
    ("((assert R))", 2, "a command is wanted here (such as (assert FORMULA))"),
    ("()", 2, "a command is wanted here (such as (assert FORMULA))"),
    ("(assert R R)", 11, "'assert' has one part too many"),
    ("(assert)", 8, "a term is wanted before this parenthesis"),
    ("(assert ())", 9, "this is not a term"),
    ("(assert |R)", 9, "there is no end to this symbol"),
    ('(set-info :source "R)', 19, "there is no end to this string"),
    # names
    ("(assert (P x))", 12, "there is no 'x' (declare it before it is used)"),
    ("(assert (S 0))", 10, "'S' is not an operator that is known here"),
    ("(assert (P -1))", 12, "there is no '-1' (a negative number is written (- 1))"),
    ("(assert (P P))", 12, "'P' needs arguments"),
    ("(assert (R 0))", 10, "'R' takes no arguments"),
    ("(assert (R))", 10, "'R' takes no arguments"),
    ("(assert (P 1 2))", 9, "'P' takes 1 argument, not 2"),
    ("(assert (and (forall ((x Int)) (P x)) (P x)))", 42, "there is no 'x' (declare it before it is used)"),
    ("(declare-fun P (Int) Bool)", 14, "there is a P already"),
    ("(declare-fun and (Int) Bool)", 14, "there is a and already"),
    ("(declare-fun false () Bool)", 14, "'false' is not a name"),
    ("(declare-fun 5 () Bool)", 14, "'5' is not a name"),
    ("(declare-fun (S) () Bool)", 14, "this is not a name"),
    ("(assert (let ((5 R)) R))", 16, "'5' is not a name"),
    ("(assert (forall ((true Bool)) R))", 19, "'true' is not a name"),
    ("(declare-fun S Bool)", 16, "the sorts of the arguments are wanted here (() if there are none)"),
    ("(declare-fun S (Int))", 21, "this parenthesis was never opened"),
    # sorts
    ("(assert (P true))", 9, "'P' takes (Int), not (Bool)"),
    ("(assert (P 0.5))", 9, "'P' takes (Int), not (Real)"),
    ("(assert (Q 0 R))", 9, "'Q' takes (Int, Int), not (Int, Bool)"),
    ("(assert (= 1 true))", 9, "'=' does not take (Int, Bool)"),
    ("(assert (=> 1 R))", 9, "'=>' does not take (Int, Bool)"),
    ("(assert (< 1 true))", 9, "'<' does not take (Int, Bool)"),
    ("(assert (P (+ 1 true)))", 12, "'+' does not take (Int, Bool)"),
    ("(assert (P (div 1.0 2)))", 12, "'div' does not take (Real, Int)"),
    ("(assert 5)", 9, "a formula is wanted here, this is a Int"),
    ("(assert (forall ((x Int)) x))", 9, "'forall' does not take (Int)"),
    ("(assert (forall () R))", 17, "'forall' binds at least one variable"),
    ("(assert (not (exists () R)))", 22, "'exists' binds at least one variable"),
    ("(set-logic HORN)", 1, "'set-logic' comes once, before declarations, definitions and assertions"),
    (
        "(assert (forall ((x Str)) R))",
        21,
        "'Str' is not a sort that is known here (Bool, Int, Real, (_ BitVec N) and (Array SORT SORT) are)",
    ),
    ("(assert (forall (x Int) R))", 18, "this is not a variable with its sort ((NAME SORT) is)"),
    ("(assert (forall x R))", 17, "variables with their sorts are wanted here (such as ((x Int) (y Bool)))"),
    ("(assert (forall ((x Int)) R R))", 9, "one term is wanted here, not more"),
    ("(assert (P (_ bv1 8)))", 9, "'P' takes (Int), not ((_ BitVec 8))"),
    ("(define-fun f ((x Int)) Bool (+ x 1))", 30, "this is a Int, another sort is announced: Bool"),
    # not Horn
    ("(assert (forall ((x Int)) (or (P x) (Q x x))))", 1, "this is not a Horn clause: both 'P' and 'Q' are in its head"),
    ("(assert (or (P 1) (P 2)))", 1, "this is not a Horn clause: both 'P' and 'P' are in its head"),
    ("(assert (=> (not (P 1)) R))", 1, "this is not a Horn clause: both 'P' and 'R' are in its head"),
    ("(assert (=> (=> (P 1) false) R))", 1, "this is not a Horn clause: both 'P' and 'R' are in its head"),
    ("(assert (xor R (P 1)))", 1, "this is not a Horn clause: both 'R' and 'P' are in its head"),
    ("(assert (P (ite R 1 2)))", 1, "there is a predicate or a quantifier in an argument of 'P'"),
    ("(assert (=> (= 1 (ite R 1 2)) (P 1)))", 1, "a predicate is used as a value below '='"),
    ("(assert (=> (< 1 (ite R 1 2)) false))", 1, "a predicate is used as a value below '<'"),
]
UNSUPPORTED = [
    ("(assert (exists ((x Int)) (P x)))", 1, "'exists' in the head of a clause is not supported"),
    ("(assert (=> (forall ((x Int)) (P x)) R))", 1, "'forall' in the body of a clause is not supported"),
    ("(assert (=> (forall ((x Int)) (< x 0)) R))", 1, "'forall' in the body of a clause is not supported"),
    ("(assert (=> (not (exists ((x Int)) (< x 0))) R))", 1, "'exists' in the head of a clause is not supported"),
    ("(assert (= (exists ((x Int)) (< x 0)) true))", 1, "a quantifier below '=' is not supported"),
    ("(define-fun f () Bool (exists ((x Int)) (P x)))", 1, "a quantifier in a definition is not supported"),
    (
        "(declare-const c Int)",
        16,
        "the constant 'c' has no value of its own: only predicates are supported (bind it with forall in every clause)",
    ),
    (
        "(declare-fun c () Real)",
        14,
        "the constant 'c' has no value of its own: only predicates are supported (bind it with forall in every clause)",
    ),
    ("(declare-fun f (Int) Int)", 14, "the function 'f' has no value of its own: only predicates are supported"),
    ("(declare-datatypes ((T 0)) (((A))))", 2, "datatypes are not supported"),
    ("(declare-datatype T ((A)))", 2, "datatypes are not supported"),
    ("(declare-sort T 0)", 2, "sorts without a meaning are not supported"),
    ("(define-sort T (X) X)", 1, "sorts with parameters are not supported"),
    ("(define-fun-rec f ((x Int)) Int (f x))", 2, "recursive functions are not supported"),
    ("(push 1)", 1, "the command 'push' is not supported here"),
    ("(reset)", 1, "the command 'reset' is not supported here"),
    ("(rule (P 0))", 1, "'rule' is not supported (write (assert (forall … (=> body head))))"),
    ("(check-sat) (check-sat)", 13, "a second (check-sat) is not supported (one question per file)"),
    ("(check-sat) (assert R)", 13, "an assertion after (check-sat) is not supported (one question per file)"),
]


def message(text: str) -> str:
    with pytest.raises(InputError) as error:
        parse_horn((HEADER + text).encode(), "f.smt2")
    return str(error.value)


@pytest.mark.parametrize(("text", "column", "cause"), WRONG)
def test_mistakes_are_named_with_their_place(text, column, cause):
    assert message(text) == f"f.smt2:4:{column}: {cause}"


@pytest.mark.parametrize(("text", "column", "cause"), UNSUPPORTED)
def test_what_is_not_supported_is_refused_with_its_place(text, column, cause):
    with pytest.raises(Unsupported) as error:
        parse_horn((HEADER + text).encode(), "f.smt2")
    assert str(error.value) == f"f.smt2:4:{column}: {cause}"


def test_other_logics_than_that_of_clauses_are_refused():
    with pytest.raises(Unsupported, match=r"f:1:1: the logic of Horn clauses is HORN, not QF_LIA \(Lemmata reads Horn clauses"):
        parse_horn(b"(set-logic QF_LIA)", "f")


def test_clauses_that_are_not_horn_are_named_by_their_own_line():
    text = "(assert R)\n\n(assert\n  (forall ((x Int))\n    (or (P x)\n        R)))\n(assert R)"
    assert message(text) == "f.smt2:6:1: this is not a Horn clause: both 'P' and 'R' are in its head"


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"", "f:1:1: there is no command in this file (expected (set-logic HORN) and clauses)"),
        (b" \n; only a comment\n", "f:1:1: there is no command in this file (expected (set-logic HORN) and clauses)"),
        (b"(set-logic HORN)\n(assert \x00)", "f:2:9: a control character (0x00) stands here"),
        (b"\x00" * 100, "f:1:1: a control character (0x00) stands here"),
        (b"(set-logic HORN)\n; \xc3\xa4 \xe4\n", "f:2:5: this is not UTF-8 text (byte 0xe4)"),
        (b"\xff\xfe(\x00", "f:1:4: a control character (0x00) stands here"),
    ],
)
def test_bytes_that_are_no_text(data, cause):
    with pytest.raises(InputError) as error:
        parse_horn(data, "f")
    assert str(error.value) == cause


def test_umlauts_and_a_byte_order_mark_are_no_mistake():
    text = "\ufeff(set-logic HORN) ; Grüße\n(declare-fun |größer als| () Bool)\n(assert |größer als|)"
    assert parse_horn(asked(text).encode(), "f").locations[0].name == "größer als"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("(" * DEEP, "f.smt2:4:2: a command is wanted here (such as (assert FORMULA))"),
        (")" * DEEP, "f.smt2:4:1: this parenthesis was never opened"),
        ("(assert " + "(and " * DEEP, f"f.smt2:4:{8 + 5 * DEEP - 4}: this parenthesis is never closed"),
        ("(assert " + "(" * DEEP, f"f.smt2:4:{8 + DEEP}: this parenthesis is never closed"),
        (
            "(assert " + "(not " * DEEP + "x" + ")" * DEEP,
            f"f.smt2:4:{9 + 5 * DEEP}: there is no 'x' (declare it before it is used)",
        ),
        ("(set-info :x " + "(" * DEEP + ")" * DEEP + ") (oops)", "the command 'oops' is not supported here"),
        ("(define-fun f () " + "(Array Int " * DEEP + "Int" + ")" * DEEP + " 0)", "nested too deeply (at most 50 arrays)"),
    ],
)
def test_depth_is_no_matter(text, cause):
    assert message(text).endswith(cause)


def test_definitions_that_grow_beyond_all_bounds_are_refused(monkeypatch):
    monkeypatch.setattr("lemmata.logic.smtlib.scope._MOST_EXPANDED", 100_000)
    doubled = "".join(f"(define-fun f{i + 1} ((x Int)) Int (f{i} (f{i} x)))\n" for i in range(60))
    text = f"(define-fun f0 ((x Int)) Int (+ (* x x) 1))\n{doubled}(assert (P (f60 1)))"
    assert "grow beyond all bounds" in message(text)


def test_shared_definitions_are_no_growth():
    doubled = "".join(f"(define-fun f{i + 1} ((x Int)) Int (+ (f{i} x) (f{i} (+ x 0))))\n" for i in range(60))
    text = f"(define-fun f0 ((x Int)) Int (* x x))\n{doubled}(assert (forall ((y Int)) (P (f60 y))))"
    assert len(parse_horn(asked(HEADER + text).encode(), "f").edges) == 1


def test_huge_numbers_are_refused():
    assert message(f"(assert (P {'9' * 400_001}))") == "f.smt2:4:12: this number has 400001 digits (at most 400000 are read)"
    assert parse_horn(asked(HEADER + f"(assert (P {'9' * 400_000}))").encode(), "f").edges


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("(assert R)", "4:11"),
        ("(assert R)\n(assert (=> R false))\n", "6:1"),
        ("", "4:1"),
        ("(exit)(check-sat)", "4:18"),
        ("; (check-sat)", "4:14"),
    ],
)
def test_a_file_that_asks_nothing_is_refused(text, place):
    asked_for = "nothing is asked: there is no (check-sat) (is this the whole file? then write it at the end)"
    assert message(text) == f"f.smt2:{place}: {asked_for}"


def test_every_way_in_refuses_a_file_that_was_cut_off(tmp_path):
    file, model = tmp_path / "cut.smt2", tmp_path / "model.smt2"
    file.write_text(HEADER + "(assert R)\n")
    model.write_text("((define-fun R () Bool true))")
    line = (
        f"lemmata: {file}:5:1: nothing is asked: there is no (check-sat) (is this the whole file? then write it at the end)\n"
    )
    for call in (["check", file], ["info", file], ["certify", file, model], ["convert", file, tmp_path / "copy.smt2"]):
        assert run_program(*call) == (2, "", line)
    with pytest.raises(InputError, match=r"cut\.smt2:5:1: nothing is asked"):
        lemmata.check(file)


def test_other_files_are_refused_by_load(tmp_path):
    path = tmp_path / "a.smt2"
    path.write_text("(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n")
    with pytest.raises(InputError, match=r"a\.smt2:1:16: the constant 'x' has no value of its own"):
        load(path)


def test_damaged_files_give_a_graph_or_an_input_error():
    rng = random.Random(7)
    text = HEADER + (
        "(define-fun f ((x Int)) Int (ite (< x 0) (- x) x))\n"
        "(assert (forall ((x Int) (y Int)) (=> (and (Q x y) (let ((z (f y))) (< z |x|))) (! (P (+ x y)) :named n))))\n"
        "(assert (not (exists ((x Int)) (and (P x) (= x (* 3 (mod x 7)))))))\n(check-sat)\n"
    )
    words = ["(", ")", "|", '"', ";", " ", "x", "P", "forall", "let", "!", ":named", "_", "as", "0", "1.5", "#b1", "not", "\n"]
    for _ in range(400):
        at, much = rng.randrange(len(text)), rng.choice([0, 1, 3, 30])
        damaged = text[:at] + rng.choice(words) + text[at + much :]
        try:
            parse_horn(damaged.encode(), "f")
        except InputError as error:
            assert str(error).startswith("f:")
