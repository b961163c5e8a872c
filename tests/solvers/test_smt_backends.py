"""The protocol of SMT solvers, backend by backend: scopes, cores, values, limits, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from lemmata.errors import GaveUp, UsageError
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, const, make, var
from lemmata.logic.values import ArrayValue
from lemmata.solvers.blast_backend import SAT_SOLVERS, Blast, WordEncoder
from lemmata.solvers.smt import Inexpressible, Sat, Unsat, open_solver
from lemmata.work import now
from tests.support.clock import LATE, in_time
from tests.support.solvers import available

SOLVERS = available()
x, y, p = var("x", BitVec(32)), var("y", BitVec(32)), var("p", BOOL)
MEMORY = Array(BitVec(4), BitVec(8))
NUMBER_SOLVERS = [name for name in SOLVERS if name in ("z3", "cvc5", "yices")]
ARRAY_SOLVERS = [name for name in SOLVERS if name != "blast"]
FILLING_SOLVERS = [name for name in ARRAY_SOLVERS if name != "yices"]


def less(a: Term, b: Term) -> Term:
    return make("bvult", (a, b))


def equal(a: Term, b: Term) -> Term:
    return make("=", (a, b))


def negation(a: Term) -> Term:
    return make("not", (a,))


def factors() -> list[Term]:
    """Find the two prime factors of a number with 80 bits: nobody does that in a second."""
    a, b = var("factor a", BitVec(40)), var("factor b", BitVec(40))
    wide = [make("zero_extend", (term,), 40) for term in (a, b)]
    product = equal(make("bvmul", (wide[0], wide[1])), bv(1000000000039 * 999999999989, 80))
    return [product, less(bv(1, 40), a), less(bv(1, 40), b)]


def test_the_hard_dependencies_and_our_own_solver_are_always_there() -> None:
    assert {"bitwuzla", "z3", "blast"} <= set(SOLVERS)


def test_a_solver_that_does_not_exist_is_a_wrong_call() -> None:
    with pytest.raises(UsageError, match="there is no solver 'minisat'"):
        open_solver("minisat")


def test_a_solver_that_is_not_there_is_a_wrong_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lemmata.solvers.z3_backend", None)
    with pytest.raises(UsageError, match="the solver 'z3' is not installed"):
        open_solver("z3")


@pytest.mark.parametrize("name", SOLVERS)
def test_popping_forgets_what_was_added_since_the_push(name: str) -> None:
    solver = open_solver(name)
    solver.add(less(x, y))
    solver.push()
    solver.add(less(y, x))
    assert isinstance(solver.check(), Unsat)
    solver.push()  # above a contradiction
    solver.add(p)
    assert solver.check([p]) == Unsat(())
    solver.pop()
    assert isinstance(solver.check(), Unsat)
    solver.pop()
    assert isinstance(solver.check(), Sat)
    assert solver.check([less(y, x)]) == Unsat((less(y, x),))


@pytest.mark.parametrize("name", SOLVERS)
def test_a_contradiction_found_under_assumptions_is_not_forgotten(name: str) -> None:
    # Yices 2.6.5 forgets it: a² - 2a = 1 + a has no solution modulo 4.
    a = var("a", BitVec(2))
    left = make("bvsub", (make("bvmul", (a, a)), make("bvadd", (a, a))))
    solver = open_solver(name)
    solver.push()
    solver.add(equal(left, make("bvsrem", (make("bvadd", (bv(1, 2), a)), make("bvsub", (a, a))))))
    assert [solver.check([p]), solver.check(), solver.check([negation(p)])] == [Unsat(())] * 3
    solver.pop()
    assert isinstance(solver.check(), Sat)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_core_holds_given_terms_in_the_given_order_each_once(name: str) -> None:
    first, second, third = less(bv(3, 32), x), less(x, y), make("and", (less(y, x), p))
    core = open_solver(name).check([first, third, second, third])
    assert core == Unsat((third, second))


@pytest.mark.parametrize("name", SOLVERS)
def test_constants_may_be_assumed(name: str) -> None:
    solver = open_solver(name)
    assert isinstance(solver.check([TRUE]), Sat)
    assert solver.check([p, FALSE, TRUE]) == Unsat((FALSE,))
    assert set(solver.check([p, negation(p)]).core) == {p, negation(p)}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", SOLVERS)
def test_values_are_those_of_one_model_also_for_terms_nobody_mentioned(name: str) -> None:
    solver = open_solver(name)
    solver.add(less(x, y))
    extra = make("bvudiv", (make("bvmul", (y, var("z", BitVec(32)))), x))
    terms = [x, y, var("z", BitVec(32)), extra, less(y, x), var("q", BOOL)]
    answer = solver.check([less(bv(7, 32), x)], terms)
    assert isinstance(answer, Sat)
    assert list(answer.values) == terms
    leaves = {term: answer.values[term] for term in terms if term.is_var}
    assert evaluate(terms, leaves) == list(answer.values.values())
    assert 7 < leaves[x] < leaves[y]
    assert answer.values[less(y, x)] is False


@pytest.mark.parametrize("name", SOLVERS)
def test_wide_words_come_back_whole(name: str) -> None:
    wide = var("wide", BitVec(20_000))
    number = (1 << 19_999) + 12_345
    solver = open_solver(name)
    solver.add(equal(wide, bv(number, 20_000)))
    assert solver.check((), [wide]) == Sat({wide: number})


@pytest.mark.parametrize("name", SOLVERS)
def test_a_hard_question_stops_at_its_limit_and_the_solver_works_on(name: str) -> None:
    solver = open_solver(name)
    for formula in factors():
        solver.add(formula)
    start = time.monotonic()
    for _ in range(2):
        with pytest.raises(GaveUp, match="timeout"):
            solver.check(until=now() + 0.2)
    assert time.monotonic() - start < 2 * LATE  # Z3 needs a moment before it looks at the clock
    a, b = (var(f"factor {which}", BitVec(40)) for which in "ab")
    answer = solver.check([equal(a, bv(999999999989, 40))], [b], until=in_time())
    assert answer == Sat({b: 1000000000039})


@pytest.mark.parametrize("name", ["bitwuzla", "z3", "blast"])
def test_an_interrupt_gets_through(name: str) -> None:
    solver = open_solver(name)
    for formula in factors():
        solver.add(formula)
    sender = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])  # the solver may hold the interpreter
    try:
        with pytest.raises(KeyboardInterrupt):
            solver.check(until=in_time())
    finally:
        sender.wait()


@pytest.mark.parametrize("name", SOLVERS)
def test_a_limit_that_has_passed_is_not_even_tried(name: str) -> None:
    with pytest.raises(GaveUp, match="timeout"):
        open_solver(name).check(until=now() - 1)


@pytest.mark.parametrize("name", ARRAY_SOLVERS)
def test_arrays_have_values_that_satisfy_what_was_asked(name: str) -> None:
    memory, other = var("memory", MEMORY), var("other", MEMORY)
    cell = make("select", (memory, bv(3, 4)))
    formulas = [equal(cell, bv(7, 8)), equal(other, make("store", (memory, bv(5, 4), cell))), negation(equal(memory, other))]
    solver = open_solver(name)
    for formula in formulas:
        solver.add(formula)
    answer = solver.check((), [memory, other])
    assert isinstance(answer, Sat)
    assert all(evaluate(formulas, answer.values))


@pytest.mark.parametrize("name", FILLING_SOLVERS)
def test_constant_arrays_are_read(name: str) -> None:
    table = const(ArrayValue(MEMORY, 5, {3: 7, 9: 1}), MEMORY)
    index = var("index", BitVec(4))
    solver = open_solver(name)
    solver.add(less(make("select", (table, index)), bv(5, 8)))
    assert solver.check((), [index]) == Sat({index: 9})
    assert isinstance(solver.check([negation(equal(index, bv(9, 4)))]), Unsat)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_arrays_of_constant_arrays_are_read(name: str) -> None:
    row = Array(INT, INT)
    table = make("filled", (make("filled", (const(0, INT),), row),), Array(INT, row))
    index = var("index", INT)
    solver = open_solver(name)
    solver.add(negation(equal(make("select", (make("select", (table, index)), index)), const(0, INT))))
    assert isinstance(solver.check((), []), Unsat)


@pytest.mark.parametrize("name", ARRAY_SOLVERS)
def test_functions_are_functions(name: str) -> None:
    sorts = (BitVec(32), BitVec(32))
    one, two = (make("apply", pair, ("f", sorts, BitVec(8))) for pair in ((x, y), (y, x)))
    solver = open_solver(name)
    solver.add(negation(equal(one, two)))
    assert isinstance(solver.check(), Sat)
    assert solver.check([p, equal(x, y)]) == Unsat((equal(x, y),))


@pytest.mark.parametrize("name", NUMBER_SOLVERS)
def test_numbers_are_exact_however_large(name: str) -> None:
    i, r = var("i", INT), var("r", REAL)
    solver = open_solver(name)
    solver.add(equal(make("*", (const(3, INT), i)), const(3 * 10**40, INT)))
    solver.add(equal(make("*", (const(3, REAL), r)), const(1, REAL)))
    assert solver.check((), [i, r]) == Sat({i: 10**40, r: Fraction(1, 3)})
    assert solver.check([make("<", (i, const(0, INT)))]) == Unsat((make("<", (i, const(0, INT))),))


@pytest.mark.parametrize("name", NUMBER_SOLVERS)
def test_numbers_divided_by_zero_are_left_open(name: str) -> None:
    i, j = var("i", INT), var("j", INT)
    solver = open_solver(name)
    try:
        solver.add(negation(equal(make("div", (i, j)), const(0, INT))))
        assert isinstance(solver.check([equal(j, const(0, INT))]), Sat)
    except Inexpressible:
        assert name == "yices"


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("bitwuzla", equal(var("i", INT), const(0, INT))),
        ("blast", equal(var("memory", MEMORY), var("other", MEMORY))),
        ("blast", make("apply", (x,), ("g", (BitVec(32),), BOOL))),
        ("yices", equal(var("memory", MEMORY), const(ArrayValue(MEMORY, 5), MEMORY))),
        ("yices", equal(make("*", (var("i", INT), var("j", INT))), const(6, INT))),
        ("cvc5", equal(var("memory", MEMORY), make("filled", (var("cell", BitVec(8)),), MEMORY))),
    ],
)
def test_what_a_solver_cannot_say_is_refused_and_does_no_harm(name: str, term: Term) -> None:
    if name not in SOLVERS:
        pytest.skip(f"{name} is not installed")
    solver = open_solver(name)
    with pytest.raises(Inexpressible, match=f"{name} has no"):
        solver.add(term)
    assert GaveUp("incomplete").reason == Inexpressible(name, "word").reason
    solver.add(less(x, y))
    assert isinstance(solver.check([less(y, x)]), Unsat)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_chain_of_a_hundred_thousand_terms_works_or_is_refused(name: str) -> None:
    term = p
    for i in range(100_000):
        term = make("ite", (term, var(f"q{i % 7}", BOOL), var(f"q{3 * i % 7}", BOOL)))
    solver = open_solver(name)
    try:
        solver.add(term)
    except Inexpressible:
        assert name in ("cvc5", "yices")
        return
    assert isinstance(solver.check((), [p]), Sat)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_promise_of_words_only_changes_no_answer(name: str) -> None:
    solver = open_solver(name, "QF_BV")
    solver.add(less(x, y))
    assert solver.check([less(y, x), p]) == Unsat((less(y, x),))
    assert isinstance(solver.check([p], [x, y]), Sat)


@pytest.mark.parametrize("sat", SAT_SOLVERS)
def test_blasting_solvers_share_gates_but_not_formulas(sat: str) -> None:
    words = WordEncoder()
    one, two = Blast(sat=sat, words=words), Blast(sat=sat, words=words)
    one.add(less(x, y))
    assert one.check([less(y, x)]) == Unsat((less(y, x),))
    assert isinstance(two.check([less(y, x)], [x]), Sat)
