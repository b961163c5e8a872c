"""SMT-LIB text means what the term means: other people's parsers read it, and their solvers agree with evaluation."""

from __future__ import annotations

from random import Random

import pytest

from lemmata.logic.evaluate import evaluate
from lemmata.logic.smtlib.writer import script, symbol, to_text
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import Term, bv, const, make, var
from lemmata.logic.values import ArrayValue, is_open
from lemmata.logic.walk import fold
from tests.support.random_terms import Pool
from tests.support.smt_symbols import name_from

z3 = pytest.importorskip("z3")
x = var("x", BitVec(8))
NAMES = [
    "x",
    "x y",
    "a|b",
    "a\\b",
    "a%7Cb",
    "and",
    "bvadd",
    "let",
    "3x",
    "",
    "x′",
    ".hidden",
    "@at",
    "50%",
    "%25",
    "%%7C",
    "a\nb",
]


def points(seed: int, widths: tuple[int, ...] = (1, 2, 3, 4, 8)) -> tuple[list[Term], list[bool]]:
    """Equations that fix each variable at a random point, and say what 60 random terms are there (or are not)."""
    pool = Pool(Random(seed), make, widths)
    terms = [pool.step()[0] for _ in range(60)]
    point = pool.point()
    fixed = [make("=", (variable, const(value, variable.sort))) for variable, value in point.items()]
    values = fold(terms, lambda term, _: evaluate([term], point)[0])
    terms = [term for term in terms if not any_open(term, values)]
    claims = [make("=", (term, const(values[term], term.sort))) for term in terms]
    return [*fixed, *claims], fixed


def any_open(term: Term, values: dict[Term, object]) -> bool:
    opened = fold([term], lambda t, below: any(below) or (bool(t.args) and is_open(t.op, [values[a] for a in t.args])))
    return opened[term]


def z3_answer(text: str) -> str:
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize("seed", range(12))
def test_z3_finds_the_values_that_evaluation_finds(seed: int) -> None:
    formulas, fixed = points(seed)
    assert z3_answer(script(formulas)) == "sat"
    wrong = make("not", (make("and", tuple(formulas[len(fixed) :])),))
    assert z3_answer(script([*fixed, wrong])) == "unsat"


def test_z3_agrees_on_wide_words() -> None:
    formulas, fixed = points(77, (31, 64, 130))
    assert z3_answer(script(formulas)) == "sat"
    assert z3_answer(script([*fixed, make("not", (make("and", tuple(formulas[len(fixed) :])),))])) == "unsat"


def test_bitwuzla_reads_a_script() -> None:
    bitwuzla = pytest.importorskip("bitwuzla")
    a, b = var("a|b", BitVec(8)), var("and", BitVec(8))
    product = make("bvmul", (a, b))
    formulas = [make("=", (make("bvadd", (product, product)), bv(6, 8))), make("bvult", (a, bv(2, 8)))]
    for extra, answer in (([], "sat"), ([make("=", (a, bv(0, 8)))], "unsat")):
        parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
        parser.parse(script([*formulas, *extra], "QF_BV"), True, False)
        assert parser.bitwuzla().check_sat() is getattr(bitwuzla.Result, answer.upper())


@pytest.mark.parametrize("name", NAMES)
def test_every_name_survives(name: str) -> None:
    variable = var(name, BitVec(4))
    assert name_from(symbol(name)) == name
    assert z3_answer(script([make("=", (variable, bv(3, 4)))])) == "sat"


def test_different_names_are_different_symbols() -> None:
    assert len({symbol(name) for name in NAMES}) == len(NAMES)
    formulas = [make("=", (var(name, BitVec(8)), bv(k, 8))) for k, name in enumerate(NAMES)]
    assert z3_answer(script(formulas)) == "sat"


def test_one_name_of_two_sorts_is_declared_twice_under_two_names() -> None:
    text = script([make("=", (x, bv(1, 8))), make("=", (var("x", BitVec(4)), bv(2, 4))), var("x~2", BOOL)])
    assert "(declare-fun x () (_ BitVec 8))" in text
    assert "(declare-fun x~3 () (_ BitVec 4))" in text
    assert z3_answer(text) == "sat"


def test_shared_subterms_are_written_once() -> None:
    term: Term = x
    for _ in range(50):
        term = make("bvmul", (term, term))
    assert len(to_text(term)) < 5_000
    assert to_text(make("bvadd", (x, x))) == "(bvadd x x)"


def test_bound_names_never_hide_a_variable() -> None:
    product = make("bvmul", (x, var("?1", BitVec(8))))
    formulas = [make("=", (make("bvadd", (product, product)), bv(6, 8))), make("=", (var("?1", BitVec(8)), bv(1, 8)))]
    assert "(let ((??" in script(formulas)
    assert z3_answer(script(formulas)) == "sat"


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (bv(5, 8), "#x05"),
        (bv(5, 3), "#b101"),
        (const(-3, INT), "(- 3)"),
        (const(-0.75, REAL), "(- (/ 3.0 4.0))"),
        (make("and", (var("p", BOOL),)), "p"),
        (make("extract", (x,), (3, 0)), "((_ extract 3 0) x)"),
        (make("sign_extend", (x,), 4), "((_ sign_extend 4) x)"),
        (make("neg", (const(1, INT),)), "(- 1)"),
        (
            const(ArrayValue(Array(BitVec(4), BOOL), False, {3: True}), Array(BitVec(4), BOOL)),
            "(store ((as const (Array (_ BitVec 4) Bool)) false) #x3 true)",
        ),
    ],
)
def test_constants_and_indices_are_written_as_smtlib_wants(term: Term, text: str) -> None:
    assert to_text(term) == repr(term) == text


def test_functions_are_declared() -> None:
    application = make("apply", (x, x), ("f", (BitVec(8), BitVec(8)), BOOL))
    text = script([application])
    assert "(declare-fun f ((_ BitVec 8) (_ BitVec 8)) Bool)" in text
    assert z3_answer(text) == "sat"
