"""Random sessions with scopes, assumptions, models and cores: every answer of every solver against enumeration.

The variables are so small that a formula is a truth table: one bit per point, an integer as a whole.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from lemmata.errors import GaveUp
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, const, make, var
from lemmata.logic.values import ArrayValue
from lemmata.solvers.smt import Sat, Smt, Unsat, open_solver
from tests.support.solvers import available

WORD, MAP = BitVec(2), Array(BitVec(1), BitVec(1))
PLAIN = (var("a", WORD), var("b", WORD), var("c", BitVec(3)), var("p", BOOL), var("q", BOOL))
MAPS = (var("a", WORD), var("p", BOOL), var("m", MAP), var("n", MAP))
SUITE = 40
STEPS = 12


def values_of(sort: Sort) -> list[Value]:
    if sort is BOOL:
        return [False, True]
    if isinstance(sort, BitVec):
        return list(range(1 << sort.width))
    return [ArrayValue(MAP, 0, {0: x, 1: y}) for x, y in product((0, 1), repeat=2)]


class Formulas:
    """Random formulas over ``variables``, and their truth tables."""

    def __init__(self, variables: Sequence[Term], seed: int) -> None:
        self.random = Random(seed)
        self.variables = variables
        self.points = [dict(zip(variables, point, strict=True)) for point in product(*[values_of(v.sort) for v in variables])]

    def table(self, formula: Term) -> int:
        program = Program([formula])
        leaves = {*program.leaves}
        known: dict[tuple[Value, ...], bool] = {}
        table = 0
        for number, point in enumerate(self.points):
            key = tuple(point[leaf] for leaf in leaves)
            if key not in known:
                known[key] = program.run(point)[0]
            table |= known[key] << number
        return table

    def formula(self, depth: int = 3) -> Term:
        random = self.random
        if depth == 0 or random.random() < 0.1:
            return self.leaf(BOOL)
        match random.choice(("not", "and", "or", "xor", "=>", "ite", "=", "bvult", "bvsle", "bvule", "bvslt", "=")):
            case "not":
                return make("not", (self.formula(depth - 1),))
            case "ite":
                return make("ite", tuple(self.formula(depth - 1) for _ in range(3)))
            case "and" | "or" as op:
                return make(op, tuple(self.formula(depth - 1) for _ in range(random.randint(1, 3))))
            case "xor" | "=>" as op:
                return make(op, (self.formula(depth - 1), self.formula(depth - 1)))
            case "=":
                sort = random.choice([v.sort for v in self.variables])
                return make("=", (self.term(sort, depth - 1), self.term(sort, depth - 1)))
            case op:
                return make(op, (self.term(WORD, depth - 1), self.term(WORD, depth - 1)))

    def term(self, sort: Sort, depth: int) -> Term:
        if sort is BOOL:
            return self.formula(depth)
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf(sort)
        if self.random.random() < 0.2:
            return make("ite", (self.formula(depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1)))
        return self.word(sort, depth) if isinstance(sort, BitVec) else self.array(depth)

    def word(self, sort: BitVec, depth: int) -> Term:
        if sort.width == 1 and MAP in [v.sort for v in self.variables]:
            return make("select", (self.term(MAP, depth - 1), self.term(BitVec(1), depth - 1)))
        op = self.random.choice(("bvadd", "bvsub", "bvmul", "bvudiv", "bvsrem", "bvshl", "bvand", "bvxor", "extract", "concat"))
        if op == "extract":
            return make(op, (self.term(BitVec(sort.width + 1), depth - 1),), (sort.width, 1))
        if op == "concat" and sort.width > 1:
            return make(op, (self.term(BitVec(1), depth - 1), self.term(BitVec(sort.width - 1), depth - 1)))
        return make("bvor" if op == "concat" else op, (self.term(sort, depth - 1), self.term(sort, depth - 1)))

    def array(self, depth: int) -> Term:
        return make("store", (self.term(MAP, depth - 1), self.term(BitVec(1), depth - 1), self.term(BitVec(1), depth - 1)))

    def leaf(self, sort: Sort) -> Term:
        candidates = [v for v in self.variables if v.sort is sort]
        if candidates and self.random.random() < 0.8:
            return self.random.choice(candidates)
        return const(self.random.choice(values_of(sort)), sort) if sort is not MAP else self.random.choice(candidates)


class Session:
    """One solver, and what must be true of it."""

    def __init__(self, solver: Smt, formulas: Formulas) -> None:
        self.solver = solver
        self.formulas = formulas
        self.scopes = [(1 << len(formulas.points)) - 1]
        self.gave_up = 0

    def step(self) -> None:
        match self.formulas.random.choice(("push", "pop", "add", "check", "check", "check")):
            case "push":
                self.solver.push()
                self.scopes.append(self.scopes[-1])
            case "pop" if len(self.scopes) > 1:
                self.solver.pop()
                self.scopes.pop()
            case "add":
                formula = self.formulas.formula()
                self.solver.add(formula)
                self.scopes[-1] &= self.formulas.table(formula)
            case _:
                self.check()

    def check(self) -> None:
        assumptions = [self.formulas.formula(2) for _ in range(self.formulas.random.randrange(4))]
        tables = {term: self.formulas.table(term) for term in assumptions}
        allowed = self.scopes[-1]
        for table in tables.values():
            allowed &= table
        extra = self.formulas.term(WORD, 2)
        try:
            answer = self.solver.check(assumptions, [*self.formulas.variables, extra])
        except GaveUp as error:
            assert error.reason == "incomplete"
            self.gave_up += 1
            return
        match answer:
            case Sat(values):
                point = {v: values[v] for v in self.formulas.variables}
                assert allowed >> self.formulas.points.index(point) & 1
                assert values[extra] == Program([extra]).run(point)[0]
            case Unsat(core):
                assert allowed == 0
                assert list(core) == [term for term in dict.fromkeys(assumptions) if term in core]
                assert not self.needed(core, tables)

    def needed(self, core: Sequence[Term], tables: dict[Term, int]) -> int:
        left = self.scopes[-1]
        for term in core:
            left &= tables[term]
        return left


def run(name: str, variables: Sequence[Term], seed: int) -> int:
    """One session; how often the solver gave up."""
    session = Session(open_solver(name), Formulas(variables, seed))
    for _ in range(STEPS):
        session.step()
    return session.gave_up


@pytest.mark.parametrize("name", available())
def test_random_sessions_over_words_agree_with_enumeration(name: str) -> None:
    assert sum(run(name, PLAIN, seed) for seed in range(SUITE)) == 0


@pytest.mark.parametrize("name", [name for name in available() if name != "blast"])
def test_random_sessions_over_arrays_agree_with_enumeration(name: str) -> None:
    assert sum(run(name, MAPS, seed) for seed in range(SUITE)) == 0


if __name__ == "__main__":
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for solver_name in sys.argv[2:] or available():
        for kind in (PLAIN,) if solver_name == "blast" else (PLAIN, MAPS):
            print(solver_name, len(kind), sum(run(solver_name, kind, seed) for seed in range(sessions)), "gave up", flush=True)
