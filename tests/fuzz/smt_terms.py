"""Random well-sorted terms of SMT-LIB 2.6: Core, Ints, Reals, Reals_Ints, FixedSizeBitVectors, ArraysEx.

Every operator that the standard (or the logic QF_BV) defines is drawn, with constants at the corners of their sorts, ``let``
with parallel bindings that hide and exchange names, and indexed operators at their extreme indices.
"""

from __future__ import annotations

from random import Random

from tests.fuzz.smt_naive import Sort
from tests.fuzz.smt_text import Names, Sym, Tree

WIDTHS = (1, 2, 3, 4, 8)
_SAME = [
    "bvand",
    "bvor",
    "bvxor",
    "bvnand",
    "bvnor",
    "bvxnor",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvsmod",
    "bvshl",
    "bvlshr",
    "bvashr",
]
_ORDER = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"]


def sort_tree(sort: Sort) -> Tree:
    """The sort as it is written."""
    if isinstance(sort, str):
        return sort
    if sort[0] == "BitVec":
        return ["_", "BitVec", str(sort[1])]
    return ["Array", sort_tree(sort[1]), sort_tree(sort[2])]  # type: ignore[misc]


def numeral(value: int) -> Tree:
    """An Int."""
    return str(value) if value >= 0 else ["-", str(-value)]


def bits(rng: Random, width: int, value: int) -> Tree:
    """A word, in one of its notations."""
    forms: list[Tree] = ["#b" + format(value, f"0{width}b"), ["_", f"bv{value}", str(width)]]
    if width % 4 == 0:
        text = format(value, f"0{width // 4}x")
        forms.append("#x" + rng.choice((text, text.upper())))
    return rng.choice(forms)


class Terms:
    """Terms over the variables in ``scope``, and ``functions`` with parameters."""

    def __init__(self, rng: Random, names: Names, scope: dict[Sym, Sort], sorts: tuple[Sort, ...]) -> None:
        self._rng, self._names = rng, names
        self.scope = scope
        self.sorts = sorts
        self.functions: dict[Sym, tuple[list[Sort], Sort]] = {}

    def of(self, sort: Sort, depth: int) -> Tree:
        """A term of that sort."""
        rng = self._rng
        if depth <= 0 or rng.random() < 0.12:
            return self.leaf(sort)
        roll = rng.random()
        if roll < 0.08:
            return ["ite", self.of("Bool", depth - 1), self.of(sort, depth - 1), self.of(sort, depth - 1)]
        if roll < 0.16:
            return self._let(sort, depth)
        fitting = [(f, domain) for f, (domain, result) in self.functions.items() if result == sort]
        if roll < 0.22 and fitting:
            function, domain = rng.choice(fitting)
            return [function, *(self.of(d, depth - 1) for d in domain)] if domain else function
        if sort == "Bool":
            return self._bool(depth)
        if sort == "Int":
            return self._int(depth)
        if sort == "Real":
            return self._real(depth)
        if sort[0] == "BitVec":
            return self._bits(int(sort[1]), depth)
        return self._array(sort, depth)

    def leaf(self, sort: Sort) -> Tree:
        """A variable or a constant."""
        fitting = [symbol for symbol, s in self.scope.items() if s == sort]
        if fitting and self._rng.random() < 0.75:
            return self._rng.choice(fitting)
        return self.constant(sort)

    def constant(self, sort: Sort) -> Tree:
        """A constant, mostly at a corner."""
        rng = self._rng
        if sort == "Bool":
            return rng.choice(("true", "false"))
        if sort == "Int":
            return numeral(rng.choice((0, 1, -1, 2, -2, 3, 5, 7, -7, 10, 2**31, -(2**63))))
        if sort == "Real":
            value: Tree = rng.choice(("0.0", "1.0", "0.5", "1.50", "2.25", "10.001"))
            return rng.choice((value, value, ["-", value], ["/", "1.0", rng.choice(("3.0", "7.0"))]))
        if sort[0] == "BitVec":
            width = int(sort[1])
            top = 1 << width
            return bits(rng, width, rng.choice((0, 1 % top, top - 1, top // 2, top // 2 - 1, rng.randrange(top))))
        arrays = [symbol for symbol, s in self.scope.items() if s == sort]
        if arrays:
            return rng.choice(arrays)
        return [["as", "const", sort_tree(sort)], self.constant(sort[2])]  # type: ignore[misc]

    def _let(self, sort: Sort, depth: int) -> Tree:
        """Bindings are parallel: their terms do not see each other."""
        rng = self._rng
        chosen: dict[Sym, tuple[Sort, Tree]] = {}
        for _ in range(rng.randint(1, 2)):
            inner = rng.choice(self.sorts)
            hides = list(self.scope)
            symbol = rng.choice(hides) if hides and rng.random() < 0.6 else self._names.fresh()
            if symbol not in chosen:
                chosen[symbol] = inner, self.of(inner, depth - 1)
        outer = self.scope
        self.scope = {**outer, **{symbol: s for symbol, (s, _) in chosen.items()}}
        hidden = {f: what for f, what in self.functions.items() if f in chosen}
        self.functions = {f: what for f, what in self.functions.items() if f not in chosen}
        body = self.of(sort, depth - 1)
        self.scope = outer
        self.functions |= hidden
        return ["let", [[symbol, term] for symbol, (_, term) in chosen.items()], body]

    def _several(self, sort: Sort, depth: int, least: int = 2) -> list[Tree]:
        return [self.of(sort, depth - 1) for _ in range(self._rng.choice((least, least, least, least + 1, least + 2)))]

    def _bool(self, depth: int) -> Tree:
        rng = self._rng
        numbers = [s for s in self.sorts if s in ("Int", "Real")]
        words = [s for s in self.sorts if isinstance(s, tuple) and s[0] == "BitVec"]
        roll = rng.random()
        if roll < 0.3:
            return [rng.choice(("and", "or", "xor", "=>", "=", "distinct")), *self._several("Bool", depth)]
        if roll < 0.38:
            return ["not", self.of("Bool", depth - 1)]
        if roll < 0.55:
            comparable = [s for s in self.sorts if isinstance(s, str) or s[0] != "Array"]
            return [rng.choice(("=", "=", "distinct")), *self._several(rng.choice(comparable), depth)]
        if numbers and (roll < 0.8 or not words):
            sort = rng.choice(numbers)
            if sort == "Real" and rng.random() < 0.1:
                return ["is_int", self.of("Real", depth - 1)]
            if sort == "Int" and rng.random() < 0.06:
                return [["_", "divisible", str(rng.choice((1, 2, 3, 7)))], self.of("Int", depth - 1)]
            return [rng.choice(("<", "<=", ">", ">=")), *self._several(sort, depth)]
        if words:
            sort = rng.choice(words)
            return [rng.choice(_ORDER), self.of(sort, depth - 1), self.of(sort, depth - 1)]
        return ["=", *self._several("Bool", depth)]

    def _select(self, sort: Sort, depth: int) -> Tree | None:
        arrays = [s for s in self.sorts if isinstance(s, tuple) and s[0] == "Array" and s[2] == sort]  # type: ignore[misc]
        if not arrays or self._rng.random() > 0.15:
            return None
        array = self._rng.choice(arrays)
        return ["select", self.of(array, depth - 1), self.of(array[1], depth - 1)]

    def _int(self, depth: int) -> Tree:
        rng = self._rng
        if (select := self._select("Int", depth)) is not None:
            return select
        match rng.randrange(7):
            case 0:
                return [rng.choice("+-"), *self._several("Int", depth)]
            case 1:
                return ["-", self.of("Int", depth - 1)]
            case 2:
                return ["*", self.of("Int", depth - 1), numeral(rng.choice((0, 1, -1, 2, 3)))]
            case 3:
                return [rng.choice(("div", "mod")), self.of("Int", depth - 1), numeral(rng.choice((1, 2, 3, -2, -3, 7, -1)))]
            case 4:
                return ["abs", self.of("Int", depth - 1)]
            case 5 if "Real" in self.sorts:
                return ["to_int", self.of("Real", depth - 1)]
        return [rng.choice("+-*"), *self._several("Int", depth)] if rng.random() < 0.2 else ["+", *self._several("Int", depth)]

    def _real(self, depth: int) -> Tree:
        rng = self._rng
        match rng.randrange(5):
            case 0:
                return [rng.choice("+-"), *self._several("Real", depth)]
            case 1:
                return ["-", self.of("Real", depth - 1)]
            case 2:
                return ["*", rng.choice(("2.0", "0.5", "0.0")), self.of("Real", depth - 1)]
            case 3 if "Int" in self.sorts:
                return ["to_real", self.of("Int", depth - 1)]
        return ["/", self.of("Real", depth - 1), rng.choice(("2.0", "3.0", "0.5"))]

    def _bits(self, width: int, depth: int) -> Tree:
        rng = self._rng
        sort = ("BitVec", width)
        if (select := self._select(sort, depth)) is not None:
            return select
        match rng.randrange(10):
            case 0:
                return [rng.choice(("bvnot", "bvneg")), self.of(sort, depth - 1)]
            case 1 if width > 1:
                low = rng.randrange(1, width)
                return ["concat", self.of(("BitVec", width - low), depth - 1), self.of(("BitVec", low), depth - 1)]
            case 2:
                low, more = rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 1, 4))
                wide = ("BitVec", low + width + more)
                return [["_", "extract", str(low + width - 1), str(low)], self.of(wide, depth - 1)]
            case 3:
                more = rng.randrange(width)
                return [
                    ["_", rng.choice(("zero_extend", "sign_extend")), str(more)],
                    self.of(("BitVec", width - more), depth - 1),
                ]
            case 4:
                turn = rng.choice((0, 1, width - 1, width, width + 1, 2 * width + 1))
                return [["_", rng.choice(("rotate_left", "rotate_right")), str(turn)], self.of(sort, depth - 1)]
            case 5 if width % 2 == 0:
                return [["_", "repeat", "2"], self.of(("BitVec", width // 2), depth - 1)]
            case 6 if width == 1:
                inner = ("BitVec", rng.choice(WIDTHS))
                return ["bvcomp", self.of(inner, depth - 1), self.of(inner, depth - 1)]
        return [rng.choice(_SAME), self.of(sort, depth - 1), self.of(sort, depth - 1)]

    def _array(self, sort: Sort, depth: int) -> Tree:
        assert isinstance(sort, tuple) and len(sort) == 3
        return ["store", self.of(sort, depth - 1), self.of(sort[1], depth - 1), self.of(sort[2], depth - 1)]
