"""Random BTOR2: small models with every operator, arrays, constraints, negated ids, free and input-like states.

``random_model(rng)`` gives the text of a model whose states and inputs are few enough to enumerate (see ``Shape``). All that
is random comes from ``rng``. Models are legal by construction.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

Sort = int | tuple[int, int]  # bits of a word, or bits of index and element

UNARY = ("not", "inc", "dec", "neg")
REDUCTIONS = ("redand", "redor", "redxor")
BOOLEAN = ("iff", "implies")
RELATIONS = ("eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte")
OVERFLOWS = ("saddo", "uaddo", "sdivo", "smulo", "umulo", "ssubo", "usubo")
BITWISE = ("and", "nand", "nor", "or", "xnor", "xor")
SHIFTS = ("rol", "ror", "sll", "sra", "srl")
ARITHMETIC = ("add", "mul", "sdiv", "udiv", "smod", "srem", "urem", "sub")
RESIZING = ("uext", "sext", "slice", "concat")
ARRAYS = ("read", "write", "array ite", "array eq", "array neq")
OPERATORS = (*UNARY, *REDUCTIONS, *BOOLEAN, *RELATIONS, *OVERFLOWS, *BITWISE, *SHIFTS, *ARITHMETIC, *RESIZING, "ite")


@dataclass(frozen=True)
class Shape:
    """How large a model may be."""

    state_bits: int = 6
    input_bits: int = 3
    widest: int = 4  # bits of a word
    nodes: int = 14  # operators
    bads: int = 2
    arrays: bool = True
    constraints: float = 0.4  # probability of each of two


def random_model(rng: random.Random, shape: Shape | None = None) -> str:
    """The text of a random model."""
    shape = shape or Shape()
    writer = _Writer(rng, shape)
    writer.states()
    writer.inputs()
    for _ in range(shape.nodes):
        writer.operator()
    writer.endings()
    return "\n".join(writer.lines) + "\n"


class _Writer:
    """The lines so far, and the ids of the terms by sort."""

    def __init__(self, rng: random.Random, shape: Shape) -> None:
        self.rng = rng
        self.shape = shape
        self.lines: list[str] = []
        self.last = 0
        self.sorts: dict[Sort, int] = {}
        self.pool: dict[Sort, list[int]] = {}
        self.owned: list[tuple[int, Sort]] = []  # states

    # Lines.

    def line(self, *words: object) -> int:
        self.last += self.rng.choice((1, 1, 1, 3))
        self.lines.append(" ".join(map(str, (self.last, *words))))
        return self.last

    def sort(self, sort: Sort) -> int:
        if sort not in self.sorts:
            if isinstance(sort, int):
                self.sorts[sort] = self.line("sort bitvec", sort)
            else:
                index, element = self.sort(sort[0]), self.sort(sort[1])
                self.sorts[sort] = self.line("sort array", index, element)
        return self.sorts[sort]

    def term(self, tag: str, sort: Sort, *args: object) -> int:
        node = self.plain(tag, sort, *args)
        self.pool.setdefault(sort, []).append(node)
        return node

    def plain(self, tag: str, sort: Sort, *args: object) -> int:
        """A term that nobody picks later."""
        return self.line(tag, self.sort(sort), *args)

    def constant(self, width: int) -> int:
        value = self.rng.randrange(1 << width)
        match self.rng.randrange(7):
            case 0:
                return self.plain("zero", width)
            case 1:
                return self.plain("one", width)
            case 2:
                return self.plain("ones", width)
            case 3:
                return self.plain("const", width, format(value, f"0{width}b"))
            case 4:
                return self.plain("consth", width, format(value, "x"))
            case 5:
                return self.plain("constd", width, -self.rng.randint(0, 1 << (width - 1)))
            case _:
                return self.plain("constd", width, value)

    def pick(self, sort: Sort) -> int:
        """An id of that sort; a word may come negated."""
        known = self.pool.get(sort, [])
        if isinstance(sort, int):
            if not known or self.rng.random() < 0.15:
                return self.constant(sort)
            newest = known[-3:] if self.rng.random() < 0.5 else known
            return self.rng.choice(newest) * self.rng.choice((1, 1, 1, -1))
        return self.rng.choice(known)

    def width(self) -> int:
        return self.rng.randint(1, self.shape.widest)

    def name(self) -> list[str]:
        return [self.rng.choice(("a", "b", "top.m[3].x", "state3", "input9", "|q|"))] if self.rng.random() < 0.4 else []

    # Parts of a model.

    def states(self) -> None:
        bits = self.shape.state_bits
        while bits > 0 and (not self.owned or self.rng.random() < 0.85):
            if self.rng.random() < 0.3:
                self.operator()
            sort, cost = self.state_sort(bits)
            bits -= cost
            self.state(sort)

    def state_sort(self, bits: int) -> tuple[Sort, int]:
        if self.shape.arrays and bits >= 2 and self.rng.random() < 0.3:
            index = self.rng.randint(1, 2) if bits >= 4 else 1
            element = self.rng.randint(1, max(1, min(2, bits >> index)))
            return (index, element), element << index
        width = self.rng.randint(1, min(bits, self.shape.widest))
        return width, width

    def state(self, sort: Sort) -> None:
        value = None
        if self.rng.random() < 0.8:
            source = sort if isinstance(sort, int) or (sort in self.pool and self.rng.random() < 0.4) else sort[1]
            value = self.constant(source) if isinstance(source, int) and self.rng.random() < 0.8 else self.pick(source)
        node = self.term("state", sort, *self.name())
        self.owned.append((node, sort))
        if value is not None:
            self.line("init", self.sort(sort), node, value)

    def inputs(self) -> None:
        bits = self.shape.input_bits
        while bits > 0 and self.rng.random() < 0.8:
            if self.shape.arrays and bits >= 2 and self.rng.random() < 0.1:
                self.term("input", (1, 1), *self.name())
                bits -= 2
                continue
            width = self.rng.randint(1, min(bits, self.shape.widest))
            self.term("input", width, *self.name())
            bits -= width

    def endings(self) -> None:
        lines = [("next", sort, node) for node, sort in self.owned if self.rng.random() < 0.85]
        self.rng.shuffle(lines)
        for tag, sort, node in lines:
            value = self.moved(node, sort) if isinstance(sort, int) and self.rng.random() < 0.75 else self.pick(sort)
            self.line(tag, self.sort(sort), node, value)
        for _ in range(2):
            if self.rng.random() < self.shape.constraints:
                self.line("constraint", self.likely() if self.rng.random() < 0.7 else self.pick(1))
        for _ in range(self.rng.randint(1, self.shape.bads)):
            self.line("bad", self.pick(1) if self.rng.random() < 0.2 else self.far(), *self.name())

    def moved(self, node: int, width: int) -> int:
        """The state, changed now and then, so that its values come one after the other."""
        tag = self.rng.choice(("inc", "inc", "dec", "dec", "add", "sub", "xor", "rol", "mul"))
        other = [] if tag in ("inc", "dec") else [self.pick(width)]
        changed = self.plain(tag, width, node, *other)
        if self.rng.random() < 0.5:
            return changed
        return self.plain("ite", width, self.pick(1), changed, node)

    def far(self) -> int:
        """A bit that says that several words have certain values."""
        words = [(node, sort) for node, sort in self.owned if isinstance(sort, int)]
        conditions = [
            self.plain("eq", 1, node, self.constant(sort))
            for node, sort in self.rng.sample(words, min(len(words), self.rng.randint(1, 3)))
        ]
        result = self.pick(1) if not conditions or self.rng.random() < 0.15 else conditions[0]
        for condition in conditions:
            result = self.plain("and", 1, result, condition)
        return result

    def likely(self) -> int:
        """A bit that is mostly 1."""
        width = self.width()
        return self.term("neq", 1, self.pick(width), self.constant(width))

    def operator(self) -> None:
        arrays = [sort for sort in self.pool if not isinstance(sort, int)]
        if arrays and self.rng.random() < 0.35:
            self.array_operator(self.rng.choice(arrays))
            return
        tag = self.rng.choice(OPERATORS)
        width = self.width()
        if tag in UNARY:
            self.term(tag, width, self.pick(width))
        elif tag in REDUCTIONS:
            self.term(tag, 1, self.pick(width))
        elif tag in BOOLEAN:
            self.term(tag, 1, self.pick(1), self.pick(1))
        elif tag in RELATIONS or tag in OVERFLOWS:
            self.term(tag, 1, self.pick(width), self.pick(width))
        elif tag == "ite":
            self.term(tag, width, self.pick(1), self.pick(width), self.pick(width))
        elif tag in RESIZING:
            self.resize(tag, width)
        else:
            self.term(tag, width, self.pick(width), self.pick(width))

    def resize(self, tag: str, width: int) -> None:
        if tag == "concat":
            other = self.width()
            self.term(tag, width + other, self.pick(width), self.pick(other))
        elif tag == "slice":
            low = self.rng.randrange(width)
            high = self.rng.randrange(low, width)
            self.term(tag, high - low + 1, self.pick(width), high, low)
        else:
            more = self.rng.randint(0, 3)
            self.term(tag, width + more, self.pick(width), more)

    def array_operator(self, sort: tuple[int, int]) -> None:
        index, element = sort
        match self.rng.choice(ARRAYS):
            case "read":
                self.term("read", element, self.pick(sort), self.pick(index))
            case "write":
                self.term("write", sort, self.pick(sort), self.pick(index), self.pick(element))
            case "array ite":
                self.term("ite", sort, self.pick(1), self.pick(sort), self.pick(sort))
            case relation:
                self.term(relation.removeprefix("array "), 1, self.pick(sort), self.pick(sort))
