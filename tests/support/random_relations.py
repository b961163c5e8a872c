"""Random graphs of the kind that VMT files give: relations over two words, a Boolean and an input."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lemmata.logic.build import build, conj, disj, equal, implies, ite, negate
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source

WORD = BitVec(2)


STATES = (var("x", WORD), var("y", WORD), var("b", BOOL))


NEXTS = (var("x'", WORD), var("y'", WORD), var("b'", BOOL))


INPUTS = (var("i", BOOL),)


def vmt(init: Term, trans: Term, prop: Term) -> Graph:
    here = Source(0, STATES)
    places = (Location("main", STATES), Location("error: p0"))
    edges = (
        Edge((), 0, STATES, init, STATES),
        Edge((here,), 0, (*NEXTS, *INPUTS), trans, NEXTS),
        Edge((here,), 1, INPUTS, negate(prop)),
    )
    return Graph(places, edges, (GraphProperty(0, "p0", 1),), Origin("vmt", STATES, INPUTS), "random.vmt")


class Maker:
    """Random formulas of the shapes that relations have."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def relation(self, depth: int) -> Term:
        pick = self._random.random()
        if depth == 0 or pick < 0.35:
            return self.literal((*STATES, *NEXTS, *INPUTS))
        parts = [self.relation(depth - 1) for _ in range(self._random.randint(2, 3))]
        if pick < 0.65:
            return conj(parts)
        if pick < 0.85:
            return disj(parts)
        if pick < 0.9:
            return implies(parts[0], parts[1])
        return negate(parts[0]) if pick < 0.95 else ite(self.literal(STATES), parts[0], parts[1])

    def literal(self, over: Sequence[Term]) -> Term:
        v = self._random.choice(over)
        if v.sort is BOOL:
            other = self._random.choice([TRUE, FALSE, *(w for w in over if w.sort is BOOL)])
            atom = equal(v, other)
        else:
            op = self._random.choice(["=", "=", "=", "bvult"])
            atom = build(op, (v, self.word([w for w in over if w.sort is WORD])))
        return negate(atom) if self._random.random() < 0.25 else atom

    def word(self, over: Sequence[Term]) -> Term:
        term = self._random.choice([*over, bv(self._random.randrange(4), 2)])
        return build("bvadd", (term, bv(1, 2))) if self._random.random() < 0.3 else term

    def graph(self) -> Graph:
        init = conj([self.literal(STATES) for _ in range(self._random.randint(1, 3))])
        if self._random.random() < 0.3:
            init = disj([init, self.literal(STATES)])
        trans = self.relation(self._random.randint(1, 3))
        return vmt(init, trans, disj([self.literal((*STATES, *INPUTS)) for _ in range(2)]))
