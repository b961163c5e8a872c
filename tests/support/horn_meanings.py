"""Edges back as clauses, random meanings of their predicates, and whether clauses hold then, by z3."""

from __future__ import annotations

import random

import z3

from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.terms import name_of
from lemmata.models.graph import Edge, Graph

HEADER = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Bool) Bool)
(declare-fun R () Bool)
(declare-fun S (Real) Bool)
(define-fun twice ((x Int)) Int (+ x x))
(define-fun above ((b Bool) (x Int)) Bool (and b (P x) (> x 1)))
"""


DECLARATIONS = {
    "P": z3.Function("P", z3.IntSort(), z3.BoolSort()),
    "Q": z3.Function("Q", z3.IntSort(), z3.BoolSort(), z3.BoolSort()),
    "R": z3.Bool("R"),
    "S": z3.Function("S", z3.RealSort(), z3.BoolSort()),
}


def text_of(graph: Graph, edge: Edge) -> str:
    """An edge as a clause."""
    body = [to_text(edge.guard), *(text_of_atom(graph, s.location, map(to_text, s.variables)) for s in edge.sources)]
    head = text_of_atom(graph, edge.target, map(to_text, edge.updates))
    bound = [*edge.inputs, *(v for s in edge.sources for v in s.variables)]
    clause = f"(=> (and {' '.join(body)}) {head})"
    variables = " ".join(f"({symbol(name_of(v))} {v.sort})" for v in bound)
    return f"(assert (forall ({variables}) {clause}))" if bound else f"(assert {clause})"


def text_of_atom(graph: Graph, location: int, args) -> str:
    args = list(args)
    name = graph.locations[location].name
    return f"({name} {' '.join(args)})" if args else name


def meanings(rng: random.Random):
    x, r, b = z3.Var(0, z3.IntSort()), z3.Var(0, z3.RealSort()), z3.Var(1, z3.BoolSort())
    no, yes = z3.BoolVal(False), z3.BoolVal(True)
    k = rng.randrange(-2, 3)
    return [
        (DECLARATIONS["P"], rng.choice([x > k, x % 2 == 0, x == k, no, yes])),
        (DECLARATIONS["Q"], rng.choice([z3.Or(b, x > k), z3.And(x <= k, b), z3.Not(b), no, yes])),
        (DECLARATIONS["S"], rng.choice([r > k, z3.IsInt(r), no, yes])),
    ], (DECLARATIONS["R"], rng.choice([no, yes]))


def holds(formulas, functions, proposition) -> str:
    solver = z3.Solver()
    solver.set("timeout", 500)
    formula = z3.substitute(z3.And(*formulas), proposition)
    solver.add(z3.Not(z3.substitute_funs(formula, *functions)))
    return str(solver.check())
