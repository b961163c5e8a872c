"""Solved forms say what the formula says: tried at every point."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from lemmata.logic.build import build, conj, disj, equal, ite, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import TRUE, Term, Value, bv, make, var
from lemmata.logic.walk import variables
from lemmata.transforms.system.solved_form import SolvedForm, solve_relation

WORD = BitVec(2)
U, V, W = (var(name, WORD) for name in "uvw")
B, C, D = (var(name, BOOL) for name in "bcd")
UNKNOWN = (U, V, W, B)
KNOWN = (C, D)


def solved(formula: Term) -> tuple[SolvedForm, list[Term]]:
    choices: list[Term] = []

    def choice() -> Term:
        choices.append(var(f"s{len(choices)}", BOOL))
        return choices[-1]

    return solve_relation(formula, UNKNOWN, choice), choices


def points(leaves: Sequence[Term]) -> list[dict[Term, Value]]:
    domains = [(False, True) if v.sort is BOOL else range(4) for v in leaves]
    return [dict(zip(leaves, point, strict=True)) for point in product(*domains)]


def says_the_same(formula: Term) -> bool:
    form, choices = solved(formula)
    given = [form.definitions.get(v, v) for v in UNKNOWN]
    program, plain = Program([form.residual, *given, *KNOWN]), Program([formula])
    read = set(variables([form.residual, *given]))
    used = [v for v in (*UNKNOWN, *KNOWN, *choices) if v in read or v in UNKNOWN or v in KNOWN]
    wanted = {tuple(p.values()) for p in points((*UNKNOWN, *KNOWN)) if plain.run(p)[0]}
    found = {tuple(values) for p in points(used) if (values := program.run(p)).pop(0)}
    return wanted == found


def both(*parts: Term) -> Term:
    return make("and", parts)


def either(*parts: Term) -> Term:
    return make("or", parts)


def plus(term: Term) -> Term:
    return build("bvadd", (term, bv(1, 2)))


CASES = {
    "nothing to solve": build("bvult", (U, V)),
    "an equation": equal(U, plus(V)),
    "an equation about itself": equal(U, plus(U)),
    "a circle": both(equal(U, plus(V)), equal(V, plus(U))),
    "a longer circle": both(equal(U, plus(V)), equal(V, plus(W)), equal(W, plus(U))),
    "a circle that closes": both(equal(U, plus(plus(V))), equal(V, plus(plus(U)))),
    "a chain": both(equal(U, plus(V)), equal(V, plus(W)), B),
    "a second definition": both(equal(U, plus(V)), equal(U, W)),
    "branches that exclude each other": either(both(C, equal(U, V)), both(negate(C), equal(V, W))),
    "branches that do not": either(equal(U, V), equal(V, W), both(C, B)),
    "a branch that reads what another defines": either(both(C, equal(U, bv(1, 2))), build("bvult", (U, V))),
    "a circle through branches": both(either(both(C, equal(U, plus(V))), negate(C)), either(equal(V, plus(U)), B)),
    "branches beside an equation": both(equal(U, plus(V)), either(both(C, equal(V, W)), both(negate(C), equal(U, bv(0, 2))))),
    "a choice below a choice": either(both(C, either(equal(U, V), equal(U, W))), both(D, equal(U, bv(3, 2)))),
    "if": make("ite", (C, equal(U, V), equal(V, W))),
    "if about what is sought": make("ite", (B, equal(U, V), equal(V, W))),
    "not": make("not", (both(negate(equal(U, V)), negate(B)),)),
    "implied": make("=>", (negate(equal(U, V)), both(B, equal(V, W)))),
    "not implied": make("not", (make("=>", (equal(U, V), B)),)),
    "equal Booleans": make("not", (make("=", (B, C)),)),
    "different constants": either(both(equal(W, bv(1, 2)), equal(U, V)), both(equal(W, bv(2, 2)), equal(V, U))),
    "always": TRUE,
}


@pytest.mark.parametrize("formula", CASES.values(), ids=CASES.keys())
def test_a_formula_is_solved(formula: Term) -> None:
    assert says_the_same(formula)


def test_definitions_are_found() -> None:
    form, choices = solved(CASES["a chain"])
    assert form == SolvedForm(TRUE, {U: plus(plus(W)), V: plus(W), B: TRUE})
    form, choices = solved(CASES["branches that exclude each other"])
    assert form.residual is TRUE and not choices
    assert form.definitions == {U: ite(C, V, U), V: ite(C, V, W)}
    assert len(solved(CASES["branches that do not"])[1]) == 2


def random_formula(source: random.Random, depth: int) -> Term:
    if depth == 0 or source.random() < 0.2:
        words = [U, V, W, bv(source.randrange(4), 2)]
        left, right = source.choice([U, V, W]), source.choice(words)
        right = plus(right) if source.random() < 0.5 else right
        atom = source.choice([equal(left, right), equal(left, right), build("bvult", (left, right)), B, C, D])
        return negate(atom) if source.random() < 0.2 else atom
    parts = [random_formula(source, depth - 1) for _ in range(source.randint(2, 3))]
    return source.choice([conj, disj])(parts)


@pytest.mark.parametrize("block", range(5))
def test_random_formulas_are_solved(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        formula = random_formula(random.Random(seed), 3)
        if len(solved(formula)[1]) <= 4:
            assert says_the_same(formula), (seed, formula)


def test_what_is_very_deep_stays_a_condition() -> None:
    formula: Term = equal(U, V)
    for n in range(10_000):
        formula = make(("and", "or")[n % 2], (negate(C) if n % 2 else D, formula))
    form, _ = solved(formula)
    assert not form.definitions and form.residual is not TRUE
