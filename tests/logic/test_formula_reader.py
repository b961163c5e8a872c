"""SMT-LIB text becomes terms, and what is wrong with it has a line and a column."""

from __future__ import annotations

import random

import pytest

from lemmata.errors import InputError
from lemmata.logic.evaluate import evaluate
from lemmata.logic.smtlib.formula_reader import read_formulas
from lemmata.logic.smtlib.writer import script, to_text
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import TRUE, Term, bv, const, make, var
from lemmata.logic.values import ArrayValue

X, Y = var("x", BitVec(8)), var("y", BitVec(8))
B, M = var("b", BOOL), var("a memory|1", Array(BitVec(2), BitVec(8)))
SCOPE = (X, Y, B, M)


def read(text: str) -> Term:
    (formula,) = read_formulas(f"(assert {text})", "proof.smt2", SCOPE)
    return formula


def value(text: str, **values: int) -> bool:
    point = {X: values.get("x", 0), Y: values.get("y", 0), B: bool(values.get("b", 0)), M: ArrayValue(M.sort, 0)}
    return bool(evaluate([read(text)], point)[0])


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("(bvuge x #x05)", {"x": 5}, True),
        ("(bvugt x #x05)", {"x": 5}, False),
        ("(bvsge x #x00)", {"x": 128}, False),
        ("(bvsgt x #xff)", {"x": 0}, True),
        ("(bvslt x #b00000001)", {"x": 255}, True),
        ("(= x y #x03)", {"x": 3, "y": 3}, True),
        ("(= x y #x03)", {"x": 4, "y": 4}, False),
        ("(distinct x y #x03)", {"x": 4, "y": 5}, True),
        ("(distinct x y #x03)", {"x": 4, "y": 4}, False),
        ("(=> b b false)", {"b": 1}, False),
        ("(=> false b false)", {}, True),
        ("(=> (=> true false) false)", {}, True),
        ("(xor b true true)", {"b": 1}, True),
        ("(= (bvnand x y) #xfe)", {"x": 3, "y": 1}, True),
        ("(= (bvnor x y) #xfc)", {"x": 3, "y": 1}, True),
        ("(= (bvxnor x y) #xfd)", {"x": 3, "y": 1}, True),
        ("(= (bvcomp x y) #b1)", {"x": 3, "y": 3}, True),
        ("(= (bvadd x y #x01) #x00)", {"x": 254, "y": 1}, True),
        ("(= ((_ extract 7 4) x) #xa)", {"x": 0xA5}, True),
        ("(= ((_ rotate_left 4) x) #x5a)", {"x": 0xA5}, True),
        ("(= ((_ rotate_left 9) x) #x4b)", {"x": 0xA5}, True),
        ("(= ((_ rotate_right 1) x) #xd2)", {"x": 0xA5}, True),
        ("(= ((_ rotate_right 8) x) x)", {"x": 0xA5}, True),
        ("(= ((_ repeat 2) x) #xa5a5)", {"x": 0xA5}, True),
        ("(= ((_ zero_extend 4) x) #x0ff)", {"x": 255}, True),
        ("(= ((_ sign_extend 4) x) #xfff)", {"x": 255}, True),
        ("(= (concat x y #b1) (_ bv1 17))", {}, True),
        ("(= (select (store |a memory%7C1| #b01 x) #b01) (_ bv7 8))", {"x": 7}, True),
        ("(= (select ((as const (Array (_ BitVec 2) (_ BitVec 8))) y) #b11) y)", {"y": 9}, True),
        ("(let ((x y) (y x)) (bvult x y))", {"x": 2, "y": 1}, True),
        ("(let ((z (bvadd x y))) (let ((x z)) (= x (bvadd z #x00))))", {"x": 2, "y": 1}, True),
        ("(let ((true1 false)) (not true1))", {}, True),
        ("(ite b (= x |y|) (= x #x01))", {"x": 1}, True),
    ],
)
def test_formulas_mean_what_the_standard_says(text, values, expected):
    assert value(text, **values) is expected


def test_declarations_definitions_comments_and_questions_around_the_assertions():
    text = """; a proof
    (set-logic QF_BV) (set-info :source |somebody; (else|)
    (declare-const x (_ BitVec 8)) (declare-fun b () Bool)
    (define-fun small () Bool (bvult x #x10)) ; not more
    (assert small) (assert (or b small))
    (check-sat)"""
    small = make("bvult", (X, bv(16, 8)))
    assert read_formulas(text, "f", SCOPE) == [small, make("or", (B, small))]


def test_what_is_written_is_read_again_as_the_same():
    rng = random.Random(3)
    words = [X, Y, bv(77, 8), make("select", (M, bv(2, 2)))]
    for _ in range(200):
        op = rng.choice(["bvadd", "bvmul", "bvand", "bvudiv", "bvsrem", "bvshl", "bvsub"])
        words.append(make(op, (rng.choice(words), rng.choice(words))))
    formulas = [make(rng.choice(["bvult", "bvsle", "="]), (a, b)) for a, b in zip(words, words[7:], strict=False)]
    assert read_formulas(script(formulas), "f", SCOPE) == formulas


def test_deep_formulas_are_read_without_recursion():
    deep = X
    for i in range(50_000):
        deep = make("bvadd", (make("bvxor", (deep, Y)), bv(i, 8)))
    formula = make("=", (deep, Y))
    assert read(to_text(formula)) is formula
    lets = "(let ((x (bvadd x x))) " * 20_000 + "(= x y)" + ")" * 20_000
    assert read(lets).sort is BOOL


def test_constant_arrays_are_written_out():
    array = ArrayValue(M.sort, 5, {1: 7})
    formula = make("=", (M, const(array, M.sort)))
    again = read(to_text(formula))
    assert evaluate([again], {M: array}) == [True]
    assert evaluate([again], {M: array.store(0, 0)}) == [False]


@pytest.mark.parametrize(
    ("text", "place", "cause"),
    [
        ("(assert (bvult x z))", "1:18", "there is no 'z'"),
        ("(assert\n  (bvult x b))", "2:3", "does not take"),
        ("(assert x)", "1:9", "a formula is wanted"),
        ("(assert (bvult x #x5))", "1:9", "does not take"),
        ("(assert (bvult x))", "1:9", "2 arguments, not 1"),
        ("(assert (not b b))", "1:9", "1 argument, not 2"),
        ("(assert (=))", "1:9", "not a term"),
        ("(assert ())", "1:9", "not a term"),
        ("(assert (= x))", "1:9", "does not take"),
        ("(assert (distinct b))", "1:9", "2 arguments"),
        ("(assert (bvwhat x))", "1:10", "'bvwhat' is not an operator"),
        ("(assert ((_ extract 8 0) x))", "1:9", "does not take"),
        ("(assert ((_ extract 8) x))", "1:10", "not an operator"),
        ("(assert (= x #xzz))", "1:14", "not a number"),
        ("(assert (= x (_ bv256 8)))", "1:17", "does not fit into 8 bits"),
        ("(assert (= x (_ bv0 99999999999)))", "1:21", "out of range"),
        ("(assert (= ((_ repeat 0) x) x))", "1:12", "repeat"),
        ("(assert (= ((_ zero_extend 1048576) x) x))", "1:12", "too many"),
        ("(assert b", "1:1", "never closed"),
        ("(assert b))", "1:11", "never opened"),
        ("(assert |b)", "1:9", "no end to this symbol"),
        ("(assert (let ((x)) b))", "1:15", "not a binding"),
        ("(assert (let ((c b)) b) c)", "1:1", "not understood"),
        ("(assert (and (let ((c b)) c) c))", "1:30", "there is no 'c'"),
        ("(assert (exists ((z Bool)) z))", "1:10", "'exists' is not an operator"),
        ("(push 1)", "1:1", "not understood"),
        ("b", "1:1", "not understood"),
        ("(declare-const x (_ BitVec 9))", "1:18", "the model has x as a"),
        ("(declare-const z Bool)", "1:16", "there is no 'z'"),
        ("(declare-const b Float)", "1:18", "not a sort"),
        ("(define-fun x () Bool b)", "1:13", "there is a x already"),
        ("(define-fun w () Bool x)", "1:23", "another sort"),
        ("(define-fun w () " + "(Array Bool " * 5000 + "Bool" + ")" * 5000 + " x)", "1:625", "nested too deeply"),
    ],
)
def test_mistakes_have_a_place_and_a_cause(text, place, cause):
    with pytest.raises(InputError, match=cause) as error:
        read_formulas(text, "proof.smt2", SCOPE)
    assert str(error.value).startswith(f"proof.smt2:{place}: ")


def test_an_empty_script_asserts_nothing():
    assert read_formulas("; nothing\n", "f", SCOPE) == []
    assert read("true") is TRUE
