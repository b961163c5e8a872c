"""Random formulas over integers, reals and Booleans, for implicants and projections; and z3's word on them."""

from __future__ import annotations

from random import Random

import z3

from lemmata.logic.build import build, conj, negate
from lemmata.logic.smtlib.writer import to_text
from lemmata.logic.sorts import BOOL, INT, REAL, Sort
from lemmata.logic.terms import Term, const, name_of, var
from lemmata.logic.walk import variables

INTS = [var(f"{name}_ari", INT) for name in "xyzw"]
REALS = [var(f"{name}_ari", REAL) for name in "prst"]
BOOLS = [var(f"{name}_ari", BOOL) for name in "ab"]
KINDS = ("unit", "integers", "reals", "mixed", "division")


def _sum(rng: Random, among: list[Term], sort: Sort, factors: list[int]) -> Term:
    parts = [build("*", (const(rng.choice(factors), sort), v)) for v in rng.sample(among, rng.randint(1, min(3, len(among))))]
    return build("+", (*parts, const(rng.randint(-6, 6), sort)))


def _number(rng: Random, kind: str, depth: int) -> Term:
    if kind == "reals":
        return _sum(rng, REALS, REAL, [-2, -1, 1, 2, 3])
    if kind == "mixed" and rng.random() < 0.5:
        integer = _sum(rng, INTS[:2], INT, [-2, -1, 1, 2])
        return build("+", (_sum(rng, REALS, REAL, [-2, -1, 1, 2]), build("to_real", (integer,))))
    term = _sum(rng, INTS, INT, [-1, 1] if kind == "unit" else [-3, -2, -1, 1, 2, 3, 5])
    if kind == "division" and rng.random() < 0.4:
        divided = build(rng.choice(["div", "mod"]), (term, const(rng.choice([2, 3, -3, 4]), INT)))
        term = build("+", (divided, rng.choice(INTS)))
    if depth and rng.random() < 0.15:
        term = build("ite", (formula(rng, kind, 0), term, _sum(rng, INTS, INT, [-1, 1, 2])))
    return term


def _leaf(rng: Random, kind: str) -> Term:
    if rng.random() < 0.1:
        return rng.choice(BOOLS)
    term, choice = _number(rng, kind, 1), rng.random()
    if choice < 0.25:
        return build("=", (term, const(0, term.sort)))
    if choice < 0.35 and term.sort is INT:
        return build("=", (build("mod", (term, const(rng.choice([2, 3, 4, 6]), INT))), const(rng.randint(0, 1), INT)))
    return build(rng.choice(["<", "<="]), (term, const(0, term.sort)))


def formula(rng: Random, kind: str, depth: int) -> Term:
    """A formula of one of ``KINDS``; depth 0 is a literal."""
    if depth == 0:
        leaf = _leaf(rng, kind)
        return negate(leaf) if rng.random() < 0.3 else leaf
    op = rng.choice(["and", "and", "or", "ite", "=", "xor", "=>", "not"])
    arity = {"ite": 3, "=": 2, "xor": 2, "=>": 2, "not": 1}.get(op) or rng.randint(2, 4)
    return build(op, tuple(formula(rng, kind, depth - 1) for _ in range(arity)))


def conjunction(rng: Random, kind: str) -> Term:
    """A conjunction of literals or of formulas."""
    if rng.random() < 0.4:
        return conj([formula(rng, kind, 0) for _ in range(rng.randint(2, 7))])
    return conj([formula(rng, kind, rng.randint(0, 2)) for _ in range(rng.randint(1, 5))])


def for_z3(term: Term) -> z3.BoolRef:
    """The same for z3."""
    declared = "".join(f"(declare-const {name_of(v)} {v.sort})" for v in variables([term]))
    return z3.parse_smt2_string(f"{declared}(assert {to_text(term)})")[0]


def variable_for_z3(variable: Term) -> z3.ExprRef:
    """The same for z3."""
    make = z3.Int if variable.sort is INT else z3.Real if variable.sort is REAL else z3.Bool
    return make(name_of(variable))


def refuted(*claims: z3.BoolRef) -> bool:
    """Does z3 find a model of the claims? (It has little time; not finding one in it counts as none.)"""
    solver = z3.Solver()
    solver.set("timeout", 300)
    solver.add(*claims)
    return bool(solver.check() == z3.sat)
