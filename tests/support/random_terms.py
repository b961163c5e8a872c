"""Random terms of every operator, made twice: raw by ``make`` and by a constructor that is under test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, const, make, var
from lemmata.logic.values import ArrayValue

WORD_BINARY = (
    *("bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"),
    *("bvshl", "bvlshr", "bvashr"),
)
COMPARISONS = ("bvult", "bvule", "bvslt", "bvsle")
Constructor = Callable[..., Term]


def random_value(random: Random, sort: Sort) -> Value:
    """A value, often one near the ends of its range."""
    if sort is BOOL:
        return random.random() < 0.5
    if sort is INT:
        return random.randint(-3, 3)
    if sort is REAL:
        return Fraction(random.randint(-6, 6), random.randint(1, 3))
    if isinstance(sort, Array):
        cells = [(random_value(random, sort.index), random_value(random, sort.element)) for _ in range(random.randrange(4))]
        return ArrayValue(sort, random_value(random, sort.element), cells)
    assert isinstance(sort, BitVec)
    top = 1 << sort.width
    near = [0, 1, 2, top - 1, top - 2, top // 2, top // 2 - 1, top // 2 + 1, sort.width, sort.width - 1]
    return random.choice(near) % top if random.random() < 0.6 else random.randrange(top)


@dataclass
class Pool:
    """Pairs (raw term, constructed term) by sort; ``grow`` adds one made of those that are there."""

    random: Random
    construct: Constructor
    widths: tuple[int, ...] = (1, 2, 3, 4, 8)
    pairs: dict[Sort, list[tuple[Term, Term]]] = field(default_factory=dict)
    variables: list[Term] = field(default_factory=list)

    def leaf(self, sort: Sort) -> None:
        """A variable or, sometimes, a constant."""
        if self.random.random() < 0.4 and not isinstance(sort, Array):
            term = const(random_value(self.random, sort), sort)
        else:
            term = var(f"{'abcdefgh'[self.random.randrange(3)]}", sort)
            self.variables.append(term)
        self.pairs.setdefault(sort, []).append((term, term))

    def pick(self, sort: Sort) -> tuple[Term, Term]:
        """A pair of the pool, mostly a new one; a leaf if there is none."""
        here = self.pairs.get(sort, [])
        if not here or self.random.random() < 0.15:
            self.leaf(sort)
            here = self.pairs[sort]
        return self.random.choice(here[-6:] if self.random.random() < 0.7 else here)

    def grow(self, op: str, sorts: tuple[Sort, ...], data: Any = None) -> tuple[Term, Term]:
        """Apply an operator to random arguments of these sorts; they are often the same."""
        args = [self.pick(sort) for sort in sorts]
        if len(args) > 1 and sorts[0] is sorts[1] and self.random.random() < 0.1:
            args[1] = args[0]
        pair = make(op, tuple(a for a, _ in args), data), self.construct(op, tuple(b for _, b in args), data)
        self.pairs.setdefault(pair[0].sort, []).append(pair)
        return pair

    def step(self) -> tuple[Term, Term]:
        """One random operator."""
        random = self.random
        kind = random.randrange(10)
        word = BitVec(random.choice(self.widths))
        if kind < 3:
            return self.grow(random.choice(WORD_BINARY), (word, word))
        if kind == 3:
            return self.grow(random.choice(COMPARISONS), (word, word))
        if kind == 4:
            return self._boolean()
        if kind == 5:
            sort = random.choice([word, word, BOOL, INT, REAL, self._array()])
            return self.grow("=", (sort, sort)) if random.random() < 0.5 else self.grow("ite", (BOOL, sort, sort))
        if kind == 6:
            return self._reshape(word)
        if kind == 7:
            return self._number()
        if kind == 8:
            return self._on_array()
        return self.grow(random.choice(("bvnot", "bvneg")), (word,))

    def _boolean(self) -> tuple[Term, Term]:
        op = self.random.choice(("not", "and", "and", "or", "or", "xor", "=>"))
        arity = 1 if op == "not" else self.random.choice((1, 2, 2, 3, 5)) if op in ("and", "or") else 2
        return self.grow(op, (BOOL,) * arity)

    def _reshape(self, word: BitVec) -> tuple[Term, Term]:
        random = self.random
        match random.randrange(4):
            case 0:
                return self.grow("concat", (word, BitVec(random.choice(self.widths[:3]))))
            case 1:
                wide = random.choice([sort for sort in self.pairs if isinstance(sort, BitVec)] or [word])
                low = random.randrange(wide.width)
                return self.grow("extract", (wide,), (random.randrange(low, wide.width), low))
            case 2:
                return self.grow("zero_extend", (word,), random.randrange(4))
            case _:
                return self.grow("sign_extend", (word,), random.randrange(4))

    def _number(self) -> tuple[Term, Term]:
        random = self.random
        sort = random.choice((INT, REAL))
        match random.randrange(7):
            case 0:
                return self.grow(random.choice(("<", "<=")), (sort, sort))
            case 1:
                return self.grow(random.choice(("+", "*")), (sort,) * random.randint(1, 3))
            case 2:
                return self.grow("-", (sort, sort))
            case 3:
                return self.grow("neg", (sort,))
            case 4:
                return self.grow(random.choice(("div", "mod")), (INT, INT))
            case 5:
                return self.grow("/", (REAL, REAL))
            case _:
                return self.grow("to_real", (INT,)) if sort is INT else self.grow("to_int", (REAL,))

    def _array(self) -> Array:
        return self.random.choice(
            (Array(BitVec(2), BitVec(3)), Array(BitVec(1), BitVec(1)), Array(INT, BOOL), Array(BitVec(8), BitVec(8)))
        )

    def _on_array(self) -> tuple[Term, Term]:
        sort = self._array()
        match self.random.randrange(5):
            case 0:
                return self.grow("filled", (sort.element,), sort)
            case 1 | 2:
                return self.grow("store", (sort, sort.index, sort.element))
            case _:
                return self.grow("select", (sort, sort.index))

    def point(self) -> dict[Term, Value]:
        """Random values for all variables."""
        return {variable: random_value(self.random, variable.sort) for variable in self.variables}


@dataclass
class Nest:
    """Small terms from above: operators directly on operators, with constants beside them, so that every rule gets its turn."""

    random: Random
    construct: Constructor
    width: int = 3

    def pair(self, sort: Sort, depth: int) -> tuple[Term, Term]:
        """A raw term of ``sort`` and the constructed one."""
        if depth == 0 or self.random.random() < 0.15:
            leaf = self._leaf(sort)
            return leaf, leaf
        op, sorts, data = self._operator(sort)
        args = [self.pair(arg, self.random.randrange(depth)) for arg in sorts]
        if len(sorts) > 1 and self.random.random() < 0.15:
            args[-1] = next(arg for arg, wants in zip(args, sorts, strict=True) if wants is sorts[-1])
        return make(op, tuple(a for a, _ in args), data), self.construct(op, tuple(b for _, b in args), data)

    def _leaf(self, sort: Sort) -> Term:
        if self.random.random() < 0.5 and not isinstance(sort, Array):
            return const(random_value(self.random, sort), sort)
        return var("ab"[self.random.randrange(2)], sort)

    def _operator(self, sort: Sort) -> tuple[str, tuple[Sort, ...], Any]:
        if isinstance(sort, BitVec):
            return self._word(sort)
        if isinstance(sort, Array):
            options = [("store", (sort, sort.index, sort.element), None), ("ite", (BOOL, sort, sort), None)]
            return self.random.choice([*options, ("filled", (sort.element,), sort)])
        return self._boolean() if sort is BOOL else self._number(sort)

    def _word(self, sort: BitVec) -> tuple[str, tuple[Sort, ...], Any]:
        random, width = self.random, sort.width
        low = random.randrange(3)
        cut = random.randrange(1, width) if width > 1 else 0
        options: list[tuple[str, tuple[Sort, ...], Any]] = [
            *[(random.choice(WORD_BINARY), (sort, sort), None)] * 3,
            (random.choice(("bvnot", "bvneg")), (sort,), None),
            ("ite", (BOOL, sort, sort), None),
            ("extract", (BitVec(low + width + random.randrange(3)),), (low + width - 1, low)),
            ("select", (Array(BitVec(1), sort), BitVec(1)), None),
        ]
        if cut:
            options.append(("concat", (BitVec(width - cut), BitVec(cut)), None))
            options.append((random.choice(("zero_extend", "sign_extend")), (BitVec(cut),), width - cut))
        return random.choice(options)

    def _boolean(self) -> tuple[str, tuple[Sort, ...], Any]:
        random = self.random
        sort = random.choice((BitVec(self.width), BitVec(self.width), BitVec(1), BOOL, INT, Array(BitVec(1), BitVec(2))))
        if sort is INT and random.random() < 0.6:
            return random.choice(("<", "<=")), (INT, INT), None
        if isinstance(sort, BitVec) and random.random() < 0.5:
            return random.choice(COMPARISONS), (sort, sort), None
        if sort is BOOL and random.random() < 0.7:
            return random.choice(("and", "or", "xor", "=>")), (BOOL, BOOL), None
        return random.choice(
            (("=", (sort, sort), None), ("=", (sort, sort), None), ("ite", (BOOL,) * 3, None), ("not", (BOOL,), None))
        )

    def _number(self, sort: Sort) -> tuple[str, tuple[Sort, ...], Any]:
        options = [("+", (sort,) * 3), ("*", (sort,) * 2), ("-", (sort,) * 2), ("neg", (sort,)), ("ite", (BOOL, sort, sort))]
        options += [("div", (INT, INT)), ("mod", (INT, INT)), ("to_int", (REAL,))] if sort is INT else [("to_real", (INT,))]
        op, sorts = self.random.choice(options)
        return op, sorts, None
