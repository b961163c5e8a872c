"""Numbers, macros, annotations: what SMT-LIB text means as terms. (Words and arrays: test_formula_reader.)"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import z3

from lemmata.errors import InputError
from lemmata.logic.build import build
from lemmata.logic.evaluate import evaluate
from lemmata.logic.smtlib.formula_reader import EXISTS, FORALL, TermReader, read_formulas
from lemmata.logic.smtlib.sexprs import SexprAtom, SexprText
from lemmata.logic.smtlib.writer import script
from lemmata.logic.sorts import BOOL, INT, REAL, Array
from lemmata.logic.terms import TRUE, Term, const, make, name_of, value_of, var

I, J = var("i", INT), var("j", INT)  # noqa: E741
R, S = var("r", REAL), var("s", REAL)
B, A = var("b", BOOL), var("a", Array(INT, REAL))


def reader_of(text: str, **options) -> TermReader:
    reader = TermReader(SexprText(text, "f"), **options)
    reader.scope.names.update((name_of(v), v) for v in (I, J, R, S, B, A))
    return reader


def term(text: str, **options) -> Term:
    return reader_of(text, **options).term()


@pytest.mark.parametrize("construct", [make, build])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(+ i j 1)", 12),
        ("(- i)", -7),
        ("(- i j 1)", 2),
        ("(* i j 2)", 56),
        ("(- 5)", -5),
        ("(div (- i) 2)", -4),
        ("(div i 2 2)", 1),
        ("(mod (- i) 4)", 1),
        ("(abs (- i))", 7),
        ("(to_int (- r))", -1),
        ("(to_int 1.9)", 1),
        ("(to_real i)", Fraction(7)),
        ("(/ i j)", Fraction(7, 4)),
        ("(/ 1 3)", Fraction(1, 3)),
        ("(/ 1 3 2)", Fraction(1, 6)),
        ("1.50", Fraction(3, 2)),
        ("(+ r 1)", Fraction(3, 2)),
        ("(+ 1 r i)", Fraction(17, 2)),
        ("(* 2 r)", Fraction(1)),
        ("(ite b 1 r)", Fraction(1)),
        ("(ite (< 0 1) i j)", 7),
        ("(is_int r)", False),
        ("(is_int (+ r r))", True),
        ("(is_int (to_real i))", True),
        ("((_ divisible 7) i)", True),
        ("((_ divisible 7) j)", False),
        ("(< j i 8)", True),
        ("(< i 8 j)", False),
        ("(> i j 3)", True),
        ("(>= i 7 7 j)", True),
        ("(<= j r)", False),
        ("(= r 0.5 (/ 1 2))", True),
        ("(= i 7.0)", True),
        ("(distinct i r 4)", True),
        ("(=> b (< r 1) (> r 1))", False),
        ("(xor b b b)", True),
        ("(select (store a i 1) 7)", Fraction(1)),
        ("(select ((as const (Array Int Real)) 2) i)", Fraction(2)),
        ("(let ((i j) (j i)) (- i j))", -3),
        ("(let ((k 1)) (let ((k (+ k k)) (l k)) (+ k l)))", 3),
        ("(! (+ i 1) :named seven)", 8),
        ("(+ |i| ; a comment ) (\n 1)", 8),
    ],
)
def test_terms_over_numbers_mean_what_the_standard_says(text, expected, construct):
    from lemmata.logic.values import ArrayValue

    point = {I: 7, J: 4, R: Fraction(1, 2), S: Fraction(-3), B: True, A: ArrayValue(A.sort, Fraction(0))}
    result = term(text, construct=construct)
    (value,) = evaluate([result], point)
    assert value == expected
    assert type(value) is type(expected)


def test_constants_are_constants_again():
    for number in (const(-5, INT), const(Fraction(-1, 3), REAL), const(Fraction(5, 2), REAL)):
        assert read_formulas(script([make("=", (number, number))]), "f", []) == [make("=", (number, number))]


def test_random_terms_are_read_again_as_the_same():
    rng = random.Random(5)
    numbers: list[Term] = [const(-3, INT), const(12, INT), I, J]
    for _ in range(200):
        a, b, unknown = rng.choice(numbers), rng.choice(numbers), rng.choice(numbers[2:])
        numbers.append(rng.choice([make(op, (a, b)) for op in ("+", "*", "-", "div", "mod")] + [make("neg", (unknown,))]))
    formulas = [make(rng.choice(["<", "<=", "="]), (a, b)) for a, b in zip(numbers, numbers[3:], strict=False)]
    assert read_formulas(script(formulas), "f", [I, J]) == formulas


def test_our_reader_and_that_of_z3_agree():
    rng = random.Random(11)

    def integer(depth: int) -> str:
        if depth == 0:
            return rng.choice(["i", "j", "3", "(- 2)"])
        a, b = integer(depth - 1), integer(depth - 1)
        forms = [f"(+ {a} {b} 1)", f"(- {a} {b} i)", f"(* {a} 3)", f"(div {a} 3)", f"(mod {a} 4)", f"(abs {a})", f"(- {a})"]
        return rng.choice([*forms, f"(ite (<= {a} {b} 2) {a} {b})", f"(to_int (+ r {real(depth - 1)}))"])

    def real(depth: int) -> str:
        if depth == 0:
            return rng.choice(["r", "0.25", "2", "(/ 1 3)"])
        a, b = real(depth - 1), real(depth - 1)
        return rng.choice([f"(+ {a} {b} 0.5)", f"(- {a} {b})", f"(/ {a} 4)", f"(to_real {integer(depth - 1)})", f"(+ r {a} i)"])

    declared = "(declare-const i Int)(declare-const j Int)(declare-const r Real)"
    for _ in range(60):
        text = rng.choice(
            [f"(< {real(2)} {real(2)})", f"(distinct {integer(2)} j {integer(1)})", f"(>= {integer(3)} {real(1)} r)"]
        )
        theirs = z3.parse_smt2_string(f"{declared}(assert {text})")[0]
        point = {I: rng.randrange(-9, 9), J: rng.randrange(-9, 9), R: Fraction(rng.randrange(-9, 9), 4)}
        values = [(z3.Int("i"), z3.IntVal(point[I])), (z3.Int("j"), z3.IntVal(point[J]))]
        values.append((z3.Real("r"), z3.RealVal(str(point[R]))))
        expected = z3.is_true(z3.simplify(z3.substitute(theirs, *values)))
        assert evaluate([term(text)], point) == [expected], text
        assert evaluate([term(text, construct=build)], point) == [expected], text


def test_macros_are_written_out_without_capturing_names():
    text = "(define-fun f ((i Int)) Int (+ i j)) (define-fun g ((j Int)) Int (f (* 2 j))) (assert (= (g i) 0))"
    (formula,) = read_formulas(text, "f", [I, J])
    assert formula is make("=", (make("+", (make("*", (const(2, INT), I)), J)), const(0, INT)))


def test_quantifiers_are_kept_where_a_binder_names_their_variables():
    bound = []

    def binder(name, sort):
        bound.append(var(f"{name}{len(bound)}", sort))
        return bound[-1]

    formula = term("(forall ((k Int) (l Int)) (exists ((k Int)) (< k l i)))", binder=binder)
    assert (formula.data, formula.args[0].data) == (FORALL, EXISTS)
    assert [name_of(v) for v in bound] == ["k0", "l1", "k2"]
    assert formula.args[0].args[0] is make("and", (make("<", (bound[2], bound[1])), make("<", (bound[1], I))))


def test_annotations_are_noted_with_their_place():
    reader = reader_of("(and (! b :next b.next :flag :init true) (! b :values (1 (2))))")
    reader.term()
    notes = [(note.key, note.at, note.term) for note in reader.notes]
    assert notes == [(":next", 10, B), (":flag", 23, B), (":init", 29, B), (":values", 46, B)]
    assert reader.notes[0].value == SexprAtom("b.next", 16)
    assert reader.notes[1].value is None


def test_named_terms_have_their_names_from_then_on():
    assert term("(and (! (< i j) :named low) low)").args[0] is make("<", (I, J))


def test_names_mean_what_they_meant_before_a_let():
    reader = reader_of("(let ((i 1) (new 2)) i) i new")
    assert value_of(reader.term()) == 1
    assert reader.term() is I
    with pytest.raises(InputError, match="there is no 'new'"):
        reader.term()


@pytest.mark.parametrize(
    ("text", "column", "cause"),
    [
        ("(and b :named x)", 8, "the keyword ':named' is out of place"),
        ("(! :named x)", 4, "the keyword ':named' is out of place"),
        ("(! b :named x y)", 15, "a keyword is wanted here"),
        ("(! b b)", 1, "one term is wanted here, not more"),
        ("(let x b)", 6, "bindings are wanted here"),
        ("(let ((x b) y) b)", 13, "this is not a binding"),
        ("(let ((x b b)) b)", 7, "one term is wanted here, not more"),
        ("(let ((x b)))", 1, "this is not a term"),
        ("(let ((x b)) b b)", 1, "one term is wanted here, not more"),
        ("(/ i)", 1, "'/' takes 2 arguments, not 1"),
        ("(bvsgt #b0 #b1 #b1)", 1, "'bvsgt' takes 2 arguments, not 3"),
        ("(bvuge #b0)", 1, "'bvuge' takes 2 arguments, not 1"),
        ("(/ b i)", 1, "'/' does not take (Bool, Int)"),
        ("(+ true)", 1, "'+' takes 2 arguments, not 1"),
        ("(+ 1)", 1, "'+' takes 2 arguments, not 1"),
        ("(and b (* r))", 8, "'*' takes 2 arguments, not 1"),
        ("(- true)", 1, "'-' does not take (Bool)"),
        ("(> i 1 b)", 1, "'>' does not take (Int, Int, Bool)"),
        ("(distinct i b)", 1, "'distinct' does not take (Int, Bool)"),
        ("(abs r)", 1, "'abs' does not take (Real)"),
        ("(abs (- 1.5))", 1, "'abs' does not take (Real)"),
        ("(is_int i)", 1, "'is_int' does not take (Int)"),
        ("(to_int 1)", 1, "'to_int' does not take (Int)"),
        ("(to_int b)", 1, "'to_int' does not take (Bool)"),
        ("((as const (Array Int Int)) true)", 1, "'const' does not take (Bool)"),
        ("( ; what\n(_ zero_extend 3) i)", 1, "'zero_extend' does not take (Int)"),
        ("((_ divisible 3) r)", 1, "'divisible' does not take (Real)"),
        ("(let () b)", 7, "'let' binds at least one name ((let ((NAME TERM) …) TERM))"),
        ("(mod r 2)", 1, "'mod' does not take (Real, Int)"),
        ("(to_real b)", 1, "'to_real' does not take (Bool)"),
        ("(select a r)", 1, "'select' does not take ((Array Int Real), Real)"),
        ("((_ divisible 0) i)", 1, "'divisible' by 0 has no meaning"),
        ("((as const Int) i)", 12, "the sort of an array is wanted here"),
        ("1.", 1, "'1.' is not a number"),
        ("1.5.2", 1, "'1.5.2' is not a number"),
        ("1x", 1, "'1x' is not a number"),
        ("#", 1, "'#' is not a number"),
        ("-3", 1, "there is no '-3' (a negative number is written (- 3))"),
        ('"text"', 1, "there is no"),
        (
            "(forall ((k Int)) (< k i))",
            2,
            "'forall' is not an operator that is known here (quantifiers are not supported here)",
        ),
        ("(match i ((x 1)))", 2, "'match' is not an operator that is known here"),
    ],
)
def test_mistakes_have_a_place_and_a_cause(text, column, cause):
    with pytest.raises(InputError) as error:
        term(text)
    assert str(error.value).startswith(f"f:1:{column}: {cause}")


def test_long_chains_and_wide_sums_are_read():
    depth = 100_000
    assert term("(and " * depth + "b" + " b)" * depth, construct=build) is B
    assert term("(let ((b (not b))) " * depth + "b" + ")" * depth, construct=build) is B
    wide = term(f"(+ {'i ' * depth})")
    assert len(wide.args) == depth
    assert term("(or true)", construct=build) is TRUE
