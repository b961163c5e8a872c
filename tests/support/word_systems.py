"""Small random systems over words, Booleans and arrays, with every operator on them, and runs of such systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, const, make, topological, var
from lemmata.logic.values import ArrayValue
from lemmata.models.system import System

WORDS = [BitVec(width) for width in (1, 2, 3, 4)]
ARRAYS = [Array(BitVec(2), BitVec(3)), Array(BitVec(1), BOOL), Array(BitVec(3), BitVec(1))]
BINARY = ["bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"]
BINARY += ["bvshl", "bvlshr", "bvashr"]
PREDICATES = ["bvult", "bvule", "bvslt", "bvsle", "="]


class Terms:
    """Random terms over given leaves."""

    def __init__(self, chance: Random, leaves: Sequence[Term], depth: int) -> None:
        self.chance, self.leaves, self.depth = chance, leaves, depth

    def term(self, sort: Sort, depth: int | None = None) -> Term:
        """A term of a sort."""
        depth = self.depth if depth is None else depth
        if depth == 0 or self.chance.random() < 0.1:
            return self._leaf(sort)
        if self.chance.random() < 0.15:
            return make("ite", (self.term(BOOL, depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1)))
        if sort is BOOL:
            return self._boolean(depth - 1)
        return self._array(sort, depth - 1) if isinstance(sort, Array) else self._word(sort, depth - 1)

    def _leaf(self, sort: Sort) -> Term:
        fitting = [leaf for leaf in self.leaves if leaf.sort is sort]
        if fitting and self.chance.random() < 0.85:
            return self.chance.choice(fitting)
        return const(random_value(self.chance, sort), sort)

    def _boolean(self, depth: int) -> Term:
        pick = self.chance.random()
        if pick < 0.35:
            op = self.chance.choice(["not", "and", "or", "xor", "=>", "="])
            count = 1 if op == "not" else self.chance.randint(1, 4) if op in ("and", "or") else 2
            return make(op, tuple(self.term(BOOL, depth) for _ in range(count)))
        if pick < 0.45:
            return self._select(ARRAYS[1], depth)
        sort = self.chance.choice(ARRAYS if pick < 0.55 else WORDS)
        op = "=" if isinstance(sort, Array) else self.chance.choice(PREDICATES)
        return make(op, (self.term(sort, depth), self.term(sort, depth)))

    def _word(self, sort: Sort, depth: int) -> Term:
        assert isinstance(sort, BitVec)
        width, chance = sort.width, self.chance
        choices = ["binary", "binary", "binary", "unary", "extract"]
        choices += ["concat", "extend"] if width > 1 else []
        choices += ["select"] if sort in (ARRAYS[0].element, ARRAYS[2].element) else []
        match chance.choice(choices):
            case "binary":
                return make(chance.choice(BINARY), (self.term(sort, depth), self.term(sort, depth)))
            case "unary":
                return make(chance.choice(["bvnot", "bvneg"]), (self.term(sort, depth),))
            case "concat":
                low = chance.randint(1, width - 1)
                return make("concat", (self.term(BitVec(width - low), depth), self.term(BitVec(low), depth)))
            case "extend":
                more = chance.randint(0, width - 1)
                return make(chance.choice(["zero_extend", "sign_extend"]), (self.term(BitVec(width - more), depth),), more)
            case "extract":
                whole = chance.randint(width, 4)
                low = chance.randint(0, whole - width)
                return make("extract", (self.term(BitVec(whole), depth),), (low + width - 1, low))
            case _:
                return self._select(next(array for array in ARRAYS if array.element is sort), depth)

    def _select(self, array: Array, depth: int) -> Term:
        return make("select", (self.term(array, depth), self.term(array.index, depth)))

    def _array(self, sort: Array, depth: int) -> Term:
        if self.chance.random() < 0.2:
            return make("filled", (self.term(sort.element, depth),), sort)
        return make("store", (self.term(sort, depth), self.term(sort.index, depth), self.term(sort.element, depth)))


def random_value(chance: Random, sort: Sort) -> Value:
    """A value of a sort."""
    if sort is BOOL:
        return chance.random() < 0.5
    if isinstance(sort, BitVec):
        return chance.choice([0, (1 << sort.width) - 1, chance.getrandbits(sort.width), chance.getrandbits(sort.width)])
    assert isinstance(sort, Array)
    cells = {random_value(chance, sort.index): random_value(chance, sort.element) for _ in range(chance.randint(0, 6))}
    return ArrayValue(sort, random_value(chance, sort.element), cells)


def random_values(chance: Random, variables: Sequence[Term]) -> dict[Term, Value]:
    """A value for each variable."""
    return {v: random_value(chance, v.sort) for v in variables}


def random_system(seed: int, arrays: bool = True, depth: int = 4) -> System:
    """A system with variables and inputs of many sorts; some start free, some with a constant, some with a function."""
    chance = Random(seed)
    sorts: list[Sort] = [BOOL, *WORDS, *(ARRAYS if arrays else [])]
    variables = [var(f"x{i}", chance.choice(sorts)) for i in range(chance.randint(1, 6))]
    inputs = [var(f"i{i}", chance.choice(sorts)) for i in range(chance.randint(0, 4))]
    free = [v for v in variables if chance.random() < 0.4]
    starting, stepping = Terms(chance, free, 2), Terms(chance, [*variables, *inputs], depth)
    if not arrays:
        starting, stepping = Words(chance, free, 2), Words(chance, [*variables, *inputs], depth)
    return System(
        tuple(variables),
        tuple(inputs),
        {v: None if v in free else starting.term(v.sort) for v in variables},
        {v: stepping.term(v.sort) for v in variables},
        make("and", (stepping.term(BOOL, 2), stepping.term(BOOL, 2))) if chance.random() < 0.5 else const(True, BOOL),
        tuple(stepping.term(BOOL) for _ in range(chance.randint(1, 3))),
    )


class Words(Terms):
    """Random terms without arrays."""

    def _select(self, array: Array, depth: int) -> Term:
        return self.term(array.element, depth)

    def _boolean(self, depth: int) -> Term:
        term = super()._boolean(depth)
        return term if not any(isinstance(t.sort, Array) for t in topological([term])) else self._leaf(BOOL)


def run(system: System, state: Mapping[Term, Value], lines: Sequence[Mapping[Term, Value]]) -> list[list[Value]]:
    """Constraint, bads and next values at each step."""
    wanted = [system.constraint, *system.bads, *(system.nexts[v] for v in system.variables)]
    results = []
    for line in lines:
        values = evaluate(wanted, {**state, **line})
        results.append(values)
        state = dict(zip(system.variables, values[1 + len(system.bads) :], strict=True))
    return results


def terms_of(system: System) -> list[Term]:
    """All terms of a system."""
    starts = [start for start in system.starts.values() if start is not None]
    return topological([*starts, *system.nexts.values(), system.constraint, *system.bads])
