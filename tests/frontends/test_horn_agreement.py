"""Clauses mean what z3 reads in them: with any meaning of the predicates, file and graph are valid together or not at all.

Formulas are random, of many shapes; those that are not Horn are refused and do not count. Predicates get random meanings, and
z3 says whether what its own reader makes of the file holds, and whether the edges of the graph do.
"""

from __future__ import annotations

import random

import pytest
import z3

from lemmata.errors import InputError
from lemmata.frontends.horn import parse_horn
from tests.support.horn_meanings import HEADER, holds, meanings, text_of
from tests.support.horn_text import asked


class Shapes:
    """Random formulas over x, y: Int, b: Bool, r: Real."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._names = ["x", "y"]

    def integer(self, depth: int = 2) -> str:
        rng = self._rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice([*self._names, "0", "1", "(- 2)"])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        shapes = [f"(+ {a} {b})", f"(- {a} {b} 1)", f"(* 2 {a})", f"(ite {self.plain(0)} {a} {b})", f"(mod {a} 3)", f"(- {a})"]
        return rng.choice([*shapes, f"(twice {a})", f"(abs {a})", f"(div {a} 2)", f"(to_int (+ r {self.real()}))"])

    def real(self) -> str:
        return self._rng.choice(["r", "0.5", "1", "(/ 1 3)", "(+ r x)", "(- 1.5 r)", "(to_real y)"])

    def plain(self, depth: int = 1) -> str:
        """Without predicates."""
        rng = self._rng
        if depth == 0 or rng.random() < 0.5:
            a, b, c = self.integer(depth), self.integer(depth), self.integer(0)
            atoms = ["b", f"(< {a} {b})", f"(<= {a} {c} {b})", f"(= {a} {b})", f"(distinct {a} {b} {c})", f"(> {a} {b})"]
            return rng.choice([*atoms, f"(>= r {a})", f"(is_int (* 0.5 {self.real()}))", f"(< {self.real()} r)"])
        a, b = self.plain(depth - 1), self.plain(depth - 1)
        return rng.choice([f"(and {a} {b})", f"(or {a} {b})", f"(not {a})", f"(=> {a} {b})", f"(xor {a} {b})", f"(= {a} {b})"])

    def atom(self) -> str:
        rng = self._rng
        atoms = [f"(P {self.integer(1)})", f"(Q {self.integer(1)} {self.plain(0)})", "R", f"(S {self.real()})", "(S 1)"]
        return rng.choice([*atoms, f"(above {self.plain(0)} {self.integer(1)})"])

    def body(self, depth: int) -> str:
        rng = self._rng
        if depth == 0:
            return rng.choice([self.atom(), self.plain()])
        a, b = self.body(depth - 1), self.body(depth - 1)
        z = f"z{rng.randrange(2)}"
        self._names.append(z)
        inside = self.body(depth - 1)
        self._names.pop()
        shapes = [f"(and {a} {b} {self.plain()})", f"(and {a} {b})", f"(or {a} {b})", f"(not {self.head(depth - 1)})"]
        shapes += [f"(exists (({z} Int)) {inside})", f"(let (({z} (+ x 1))) {inside})", f"(ite {self.plain()} {a} {b})"]
        return rng.choice([*shapes, f"(= {a} true)"])

    def head(self, depth: int) -> str:
        rng = self._rng
        if depth == 0:
            return rng.choice([self.atom(), "false", self.plain()])
        a, b = self.head(depth - 1), self.body(depth - 1)
        z = f"z{rng.randrange(2)}"
        self._names.append(z)
        inside = self.head(depth - 1)
        self._names.pop()
        shapes = [f"(=> {b} {a})", f"(or (not {b}) {a})", f"(or {a} {self.plain()})", f"(and {a} {self.head(depth - 1)})"]
        return rng.choice([*shapes, f"(not {b})", f"(forall (({z} Int)) {inside})", f"(=> {b} {self.plain()} {a})"])

    def clause(self) -> str:
        bound = "((x Int) (y Int) (b Bool) (r Real))"
        match self._rng.randrange(4):
            case 0:
                return f"(forall {bound} (=> {self.body(2)} {self.head(0)}))"
            case 1:
                return f"(not (exists {bound} {self.body(2)}))"
            case 2:
                return f"(forall {bound} {self.head(2)})"
            case _:
                return f"(forall {bound} (or (not {self.body(1)}) (not {self.body(1)}) {self.head(0)}))"


@pytest.mark.parametrize("seed", range(12))
def test_a_graph_means_what_its_file_means(seed):
    shapes, rng, accepted = Shapes(seed), random.Random(seed), 0
    for _ in range(30):
        clause = shapes.clause()
        try:
            graph = parse_horn(asked(f"{HEADER}(assert {clause})").encode(), "f")
        except InputError as error:
            assert "Horn" in str(error) or "not supported" in str(error) or "in an argument" in str(error), (str(error), clause)
            continue
        accepted += 1
        file = z3.parse_smt2_string(f"{HEADER}(assert {clause})")
        edges = "\n".join(text_of(graph, edge) for edge in graph.edges)
        ours = z3.parse_smt2_string(HEADER + edges)
        for _ in range(3):
            functions, proposition = meanings(rng)
            answers = {holds(side, functions, proposition) for side in (list(file), list(ours))} - {"unknown"}
            assert len(answers) < 2, (clause, edges)
    assert accepted > 8
