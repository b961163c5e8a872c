"""Models of Horn clauses: what other solvers answer is read, what we answer is read by others."""

from __future__ import annotations

import pytest
import z3

from lemmata.errors import InputError
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.horn.models import parse_model, write_model
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, const, make, var
from lemmata.models.derivation import Claim, GraphInvariant
from tests.support.paths import ROOT

BENCH = ROOT.parent / "shared" / "bench"
INLINING = ("fp.xform.inline_eager", "fp.xform.inline_linear")  # by which Spacer gets quantifiers into its models
CLAUSES = """(set-logic HORN)
(declare-fun |loop at 5| (Int Int) Bool)
(declare-fun done (Int) Bool)
(declare-fun flag () Bool)
(declare-fun never (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (|loop at 5| x y))))
(assert (forall ((x Int) (y Int)) (=> (and (|loop at 5| x y) (< x 9)) (|loop at 5| (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (|loop at 5| x y) (>= x 9)) (done y))))
(assert (forall ((y Int)) (=> (and (done y) (not (= y 9))) false)))
(assert (forall ((y Int)) (=> (and (never y) flag) false)))
(assert flag)
(check-sat)
"""
GRAPH = parse_horn(CLAUSES.encode(), "f")
X, Y = var("x", INT), var("y", INT)
MODEL = "(define-fun |loop at 5| ((a Int) (b Int)) Bool (and (= a b) (<= b 9)))\n(define-fun done ((v Int)) Bool (= v 9))\n"
LOOP = (make("=", (X, Y)), make("<=", (Y, const(9, INT))))


def lemmas(text: str) -> list[tuple[object, ...]]:
    invariant = parse_model(text.encode(), "m", GRAPH)
    assert [(c.location, c.place) for c in invariant.claims] == list(enumerate(GRAPH.locations[:4]))
    return [tuple(sorted(claim.lemmas, key=str)) for claim in invariant.claims]


@pytest.mark.parametrize(
    "text",
    [
        MODEL,
        f"sat\n{MODEL}",
        f"sat\n({MODEL})",
        f"sat (model {MODEL})\n",
        f"; safe\n(\n  ; a\n {MODEL} ; b\n)",
        f"((){MODEL})",
    ],
)
def test_models_come_with_and_without_what_stands_around_them(text):
    assert lemmas(text) == [
        tuple(sorted(LOOP, key=str)),
        (make("=", (GRAPH.locations[1].variables[0], const(9, INT))),),
        (),
        (FALSE,),
    ]


def test_auxiliary_functions_may_come_in_any_order():
    text = """(define-fun |loop at 5| ((a Int) (b Int)) Bool (and (both a b) true))
    (define-fun both ((q Int) (b Int)) Bool (and (= q b) (low b)))
    (define-fun low ((low Int)) Bool (<= low nine))
    (define-fun nine () Int 9)"""
    assert lemmas(text)[0] == tuple(sorted(LOOP, key=str))


def test_what_is_written_is_read_again():
    first, second, third, fourth = GRAPH.locations[:4]
    claims = (Claim(0, first, LOOP), Claim(1, second), Claim(2, third), Claim(3, fourth, (FALSE,)))
    text = write_model(GRAPH, GraphInvariant(claims))
    again = parse_model(text, "m", GRAPH)
    assert [set(claim.lemmas) for claim in again.claims] == [set(LOOP), set(), set(), {FALSE}]
    assert text.startswith("(\n  (define-fun |loop at 5| ((x Int) (y Int)) Bool\n    (and (= x y) (<= y 9)))\n")
    assert "(define-fun flag () Bool\n    true)" in text
    assert "false ()" not in text


def test_what_is_written_is_a_model_for_z3():
    clauses = "\n".join(line for line in CLAUSES.splitlines() if line.startswith("(assert"))
    model = write_model(GRAPH, parse_model(MODEL, "m", GRAPH)).strip()[1:-1]
    solver = z3.Solver()
    formulas = z3.parse_smt2_string(model + clauses)
    solver.add(z3.Not(z3.And(*formulas)))
    assert solver.check() == z3.unsat


def test_names_are_written_as_the_file_has_them():
    graph = parse_horn(
        b"(declare-fun |a%7Cb| () Bool) (declare-fun map (Int) Bool) (declare-fun %main () Bool) (check-sat)", "f"
    )
    text = write_model(graph, GraphInvariant(()))
    assert "(define-fun a%7Cb ()" in text
    assert "(define-fun map (" in text
    assert "(define-fun %main ()" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unsat", "m:1:1: this is not a model: 'unsat' is out of place"),
        ("(define-fun done ((v Int)) Bool (exists ((k Int)) (= v k)))", "m:1:34: 'exists' is not supported in a model"),
        ("(define-fun done ((v Int)) Bool (= v w))", "m:1:38: there is no 'w'"),
        ("(define-fun done ((v Bool)) Bool v)", "m:1:13: 'done' is (Bool) Bool here, but (Int) Bool in the clauses"),
        ("(define-fun done () Bool true)", "m:1:13: 'done' is () Bool here, but (Int) Bool in the clauses"),
        ("(define-fun done ((v Int)) Int v)", "m:1:13: 'done' is (Int) Int here, but (Int) Bool in the clauses"),
        ("(define-fun flag () Bool true) (define-fun flag () Bool true)", "m:1:44: 'flag' is defined twice"),
        ("(define-fun flag () Bool flag)", "m:1:13: 'flag' is defined by itself"),
        ("(define-fun f () Bool g) (define-fun g () Bool f)", "m:1:13: 'f' is defined by itself"),
        ("(define-fun-rec f () Bool true)", "m:1:2: 'define-fun-rec' is not supported in a model"),
        ("(define-fun flag () Bool true", "m:1:1: this parenthesis is never closed"),
        ("((define-fun flag () Bool true)", "m:1:1: this parenthesis is never closed"),
        ("(define-fun flag () Bool true true)", "m:1:1: this definition has one part too many"),
        ("(define-fun flag () Bool true))", "m:1:31: this is not a model: ')' is out of place"),
        ("(define-fun |flag| () Bool (_ as-array k!0))", "m:1:28: this is not a term"),
    ],
)
def test_what_is_wrong_with_a_model_is_said_with_its_place(text, message):
    with pytest.raises(InputError) as error:
        parse_model(text.encode(), "m", GRAPH)
    assert str(error.value).startswith(message)


def test_models_of_spacer_are_read():
    path = BENCH / "chc-lin" / "eldarica-misc__LIA__HOLA__36.c_000.smt2"
    text = path.read_text() if path.is_file() else CLAUSES
    for inlining in INLINING:
        z3.set_param(inlining, False)
    try:
        solver = z3.SolverFor("HORN")
        solver.set("timeout", 2000)
        solver.add(z3.parse_smt2_string(text.replace("(exit)", "")))
        answer = solver.check()
    finally:
        for inlining in INLINING:
            z3.set_param(inlining, True)
    if answer != z3.sat:
        pytest.skip("Spacer has no answer in time")
    graph = parse_horn(text.encode(), "f")
    invariant = parse_model(f"sat\n{solver.model().sexpr()}", "m", graph)
    assert len(invariant.claims) == len(graph.locations) - 1
