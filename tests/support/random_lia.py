"""Random small systems over numbers, as VMT-LIB and as Horn clauses, whose reachable states can be listed.

Expressions are nested tuples with a printer and a meaning of their own; nothing here uses Lemmata. Integers stay in ``DOMAIN``
because every step says so; a real has a start, and moves by halves within bounds; an array starts as a constant one and is
written at ``CELLS`` only; its value is a tuple of what is everywhere else, and of these cells. ``truth`` is the height of the
shortest derivation of each property's error (None: safe), and ``facts`` are all facts that can be derived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

DOMAIN = range(6)
Expr = Any  # a name, an int, a Fraction, a bool, or (operator, argument, …)
Env = Mapping[str, Any]
Fact = tuple[str, tuple[Any, ...]]
LIMIT = Fraction(3)
MOST = 150  # facts
CELLS = range(3)
ARRAY = "(Array Int Int)"


def meaning(expr: Expr) -> Callable[[Env], Any]:
    """What an expression means, as a function of the values of its names."""
    return eval(f"lambda env: {_python(expr)}", {"Fraction": Fraction, "div": _div, "select": _select, "store": _store})  # type: ignore[no-any-return]


def _div(a: int, b: int) -> int:
    return (a - a % abs(b)) // b


def _select(array: tuple[int, ...], index: int) -> int:
    return array[1 + index] if index in CELLS else array[0]


def _store(array: tuple[int, ...], index: int, element: int) -> tuple[int, ...]:
    return (*array[: 1 + index], element, *array[2 + index :])


def _python(expr: Expr) -> str:
    if isinstance(expr, str):
        return f"env[{expr!r}]"
    if not isinstance(expr, tuple):
        return repr(expr)
    op, *parts = expr
    args = [_python(part) for part in parts]
    match op:
        case "ite":
            return f"({args[1]} if {args[0]} else {args[2]})"
        case "+" | "*" | "<=" | "<" | ">=" | ">":
            return f"({f' {op} '.join(args)})"
        case "to_real":
            return args[0]
        case "to_int":
            return f"({args[0]} // 1)"
        case "-":
            return f"(-{args[0]})" if len(args) == 1 else f"({args[0]} - {args[1]})"
        case "fill":
            return f"(({args[0]},) * {1 + len(CELLS)})"
        case "select" | "store":
            return f"{op}({', '.join(args)})"
        case "div":
            return f"div({args[0]}, {args[1]})"
        case "mod":
            return f"({args[0]} % abs({args[1]}))"
        case "=":
            return f"({args[0]} == {args[1]})"
        case "distinct" | "xor":
            return f"({args[0]} != {args[1]})"
        case "and" | "or":
            return f"({f' {op} '.join(args)})"
        case "not":
            return f"(not {args[0]})"
        case "=>":
            return f"({args[1]} or not {args[0]})"
    raise AssertionError(op)


def text(expr: Expr) -> str:
    """SMT-LIB."""
    if isinstance(expr, bool):
        return "true" if expr else "false"
    if isinstance(expr, Fraction):
        shown = f"{abs(expr.numerator)}.0" if expr.denominator == 1 else f"(/ {abs(expr.numerator)}.0 {expr.denominator}.0)"
        return f"(- {shown})" if expr < 0 else shown
    if isinstance(expr, int):
        return f"(- {-expr})" if expr < 0 else str(expr)
    if isinstance(expr, str):
        return expr
    if expr[0] == "fill":
        return f"((as const {ARRAY}) {text(expr[1])})"
    return f"({expr[0]} {' '.join(text(part) for part in expr[1:])})"


@dataclass(frozen=True, slots=True)
class Case:
    """A file, what is true of it, and all facts that can be derived."""

    suffix: str
    text: str
    truth: tuple[int | None, ...]
    facts: frozenset[Fact]


class Maker:
    """Random expressions over typed names."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def number(self, names: Mapping[str, str], depth: int = 2) -> Expr:
        """An integer."""
        random = self.random
        own = [name for name, sort in names.items() if sort == "Int"]
        if depth == 0 or random.random() < 0.3:
            return random.choice(own) if own and random.random() < 0.75 else random.randint(-2, 4)
        arrays = [name for name, sort in names.items() if sort == ARRAY]
        if arrays and random.random() < 0.4:
            return ("select", random.choice(arrays), self.number(names, depth - 1))
        a, b = self.number(names, depth - 1), self.number(names, depth - 1)
        roll = random.random()
        if roll < 0.4:
            return ("+", a, b)
        if roll < 0.65:
            return ("-", a, b)
        if roll < 0.75:
            return ("*", random.choice([-2, -1, 2, 3]), a)
        if roll < 0.85:
            return (random.choice(["div", "mod"]), a, random.choice([-3, 2, 3]))
        return ("ite", self.formula(names, depth - 1), a, b)

    def real(self, names: Mapping[str, str]) -> Expr:
        """A real: one of the names, moved by halves."""
        own = [name for name, sort in names.items() if sort == "Real"]
        step = Fraction(self.random.randint(-2, 2), 2)
        moved = ("+", self.random.choice(own), step)
        return ("ite", self.formula(names, 1), moved, self.random.choice(own)) if self.random.random() < 0.5 else moved

    def array(self, names: Mapping[str, str]) -> Expr:
        """An array with one more write, where that is at a cell that counts."""
        (own,) = [name for name, sort in names.items() if sort == ARRAY]
        index, element = self.number(names, 1), self.number(names, 1)
        allowed = ("and", ("<=", 0, index), ("<=", index, CELLS[-1]), ("<=", 0, element), ("<=", element, 3))
        return ("ite", allowed, ("store", own, index, element), own)

    def formula(self, names: Mapping[str, str], depth: int = 2) -> Expr:
        """A Boolean."""
        random = self.random
        bools = [name for name, sort in names.items() if sort == "Bool"]
        if bools and random.random() < 0.2:
            name = random.choice(bools)
            return name if random.random() < 0.5 else ("not", name)
        if depth == 0 or random.random() < 0.45:
            return self._comparison(names, max(depth - 1, 0))
        a, b = self.formula(names, depth - 1), self.formula(names, depth - 1)
        roll = random.random()
        if roll < 0.35:
            return ("and", a, b)
        if roll < 0.7:
            return ("or", a, b)
        if roll < 0.8:
            return ("not", a)
        return (random.choice(["=>", "xor", "="]), a, b)

    def _comparison(self, names: Mapping[str, str], depth: int) -> Expr:
        reals = [name for name, sort in names.items() if sort == "Real"]
        op = self.random.choice(["<=", "<", ">=", ">", "=", "=", "distinct"])
        if reals and self.random.random() < 0.5:
            real = self.random.choice(reals)
            if self.random.random() < 0.3:
                return (op, real, ("to_real", self.number(names, depth)))
            if self.random.random() < 0.2:
                return (op, ("to_int", real), self.number(names, depth))
            return (op, real, Fraction(self.random.randint(-5, 5), 2))
        return (op, self.number(names, depth), self.number(names, depth))

    def of(self, sort: str, names: Mapping[str, str]) -> Expr:
        """An expression of a sort, with luck one that moves a little."""
        own = [name for name, s in names.items() if s == "Int"]
        if sort == "Int" and own and self.random.random() < 0.6:
            return ("+", self.random.choice(own), self.random.choice([-1, 0, 1, 1, 2]))
        if sort == ARRAY:
            return self.array(names)
        return self.number(names) if sort == "Int" else self.formula(names, 1) if sort == "Bool" else self.real(names)


def inside(expr: Expr, sort: str) -> Expr:
    """The expression stays where it can be listed."""
    if sort in ("Bool", ARRAY):
        return True
    if sort == "Real":
        return ("and", ("<=", -LIMIT, expr), ("<=", expr, LIMIT))
    return ("and", ("<=", 0, expr), ("<=", expr, DOMAIN[-1]))


def values_of(sort: str) -> list[Any]:
    """All values of a Boolean or an integer."""
    return [False, True] if sort == "Bool" else list(DOMAIN)


def environments(names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """All values of these names."""
    for values in product(*[values_of(sort) for sort in names.values()]):
        yield dict(zip(names, values, strict=True))


def choose(random: Random, offers: list[tuple[int | None, Any]], count: int) -> list[tuple[int | None, Any]]:
    """Some of the questions, the deep ones first where there are; the first is safe half of the time, if that can be had."""
    safe = [offer for offer in offers if offer[0] is None]
    unsafe = sorted([offer for offer in offers if offer[0] is not None], key=lambda offer: -offer[0])
    order = [*safe[:1], *unsafe, *safe[1:]] if random.random() < 0.5 else [*unsafe[:1], *safe, *unsafe[1:]]
    return order[:count]


def random_case(seed: int) -> Case:
    """VMT-LIB for even seeds, Horn clauses for odd ones; of a few, the first that is not trivial."""
    from tests.support.random_lia_horn import random_horn
    from tests.support.random_lia_vmt import random_vmt

    random = Random(seed)
    listed: list[Case] = []
    while len(listed) < 8:
        case = (random_horn if seed % 2 else random_vmt)(random)
        if len(case.facts) <= MOST:  # otherwise they are not all there
            listed.append(case)
            if len(case.facts) >= 4 and any(height is None or height > 2 for height in case.truth):
                break
    return listed[-1]
