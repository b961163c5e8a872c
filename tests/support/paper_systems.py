"""Small systems over words: those of Welp and Kuehlmann (2013), and others that are hard for one reasoning unit or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import TRUE, Term, bv, make, var
from lemmata.models.graph import Graph, Origin
from lemmata.models.system import System, graph_of


def word(name: str, width: int = 32) -> Term:
    return var(name, BitVec(width))


def op(name: str, *args: Term | int, data: object = None) -> Term:
    """A term; numbers among the arguments are words as wide as the first term among them."""
    width = next((arg.width for arg in args if isinstance(arg, Term) and isinstance(arg.sort, BitVec)), 0)
    return make(name, tuple(bv(arg, width) if isinstance(arg, int) else arg for arg in args), data)


def system(
    starts: Mapping[Term, int | None],
    nexts: Mapping[Term, Term],
    *bads: Term,
    constraint: Term = TRUE,
    inputs: Sequence[Term] = (),
) -> System:
    fixed = {v: None if start is None else bv(start, v.width) for v, start in starts.items()}
    return System(tuple(fixed), tuple(inputs), fixed, {**nexts}, constraint, bads)


def as_graph(model: System) -> Graph:
    """What certify wants."""
    return graph_of(model, tuple(f"b{i}" for i in range(len(model.bads))), Origin(), "<memory>")


def simple(width: int = 32) -> System:
    """Section 3.1.2: n = 1, x = 0; while n > 0: x++, n--; never x ≥ 3."""
    n, x = word("n", width), word("x", width)
    return system(
        {n: 1, x: 0},
        {x: op("bvadd", x, 1), n: op("bvsub", n, 1)},
        op("bvsle", bv(3, width), x),
        constraint=op("bvslt", bv(0, width), n),
    )


def lin(width: int = 32) -> System:
    """Section 3.1.3: x + 2y ≤ 5 over the integers, kept by x++, y--; the first step's constraint says where it starts."""
    x, y, started = word("x", width), word("y", width), word("started", 1)
    total = op("bvadd", op("sign_extend", x, data=2), op("bvmul", op("sign_extend", y, data=2), 2))
    begins = op("or", op("=", started, 1), op("bvsle", total, 5))
    calm = [op("bvslt", x, (1 << (width - 1)) - 1), op("bvslt", bv(1 << (width - 1), width), y)]
    return system(
        {x: None, y: None, started: 0},
        {x: op("bvadd", x, 1), y: op("bvsub", y, 1), started: bv(1, 1)},
        op("bvslt", bv(5, width + 2), total),
        constraint=op("and", begins, *calm),
    )


def parity(width: int = 32) -> System:
    """x starts odd and grows by two: never 0."""
    x = word("x", width)
    return system({x: 1}, {x: op("bvadd", x, 2)}, op("=", x, 0))


def balance(width: int, total: int = 15) -> System:
    """x grows while y shrinks, around the clock, whenever an input says so; their sum is always the same modulo 2ʷ."""
    x, y, go = word("x", width), word("y", width), var("go", BOOL)
    return system(
        {x: 7, y: total - 7},
        {x: op("ite", go, op("bvadd", x, 3), x), y: op("ite", go, op("bvsub", y, 3), y)},
        op("not", op("=", op("bvadd", x, y), total)),
        inputs=(go,),
    )


def downwards(width: int = 32) -> System:
    """x falls to -5 and stays; never below, which only the signed reading says with one boundary."""
    x = word("x", width)
    return system({x: 0}, {x: op("ite", op("bvslt", bv(-5, width), x), op("bvsub", x, 1), x)}, op("bvslt", x, -5))


def upwards(width: int = 32) -> System:
    """x goes on from just below the middle of its range and stops above it, which only the unsigned reading says with one."""
    x, top = word("x", width), (1 << (width - 1)) + 5
    return system({x: top - 9}, {x: op("ite", op("bvult", x, top), op("bvadd", x, 1), x)}, op("bvult", bv(top, width), x))


def deep(steps: int, width: int = 8) -> System:
    """A counter that an input may stop for a while; bad after so many steps, and never before."""
    x, go = word("x", width), var("go", BOOL)
    return system({x: 0}, {x: op("ite", go, op("bvadd", x, 1), x)}, op("=", x, steps), inputs=(go,))


def capped(width: int = 8) -> System:
    """y is the sum of at most three inputs, each of them at most 3 by a constraint: never above 9, but 9 is reached."""
    y, count, i = word("y", width), word("count", 2), word("i", width)
    more = op("bvult", count, 3)
    return system(
        {y: 0, count: 0},
        {y: op("ite", more, op("bvadd", y, i), y), count: op("ite", more, op("bvadd", count, 1), count)},
        op("bvult", bv(9, width), y),
        op("=", y, 9),
        op("and", op("=", y, 7), op("bvult", count, 3)),
        constraint=op("bvule", i, 3),
        inputs=(i,),
    )


def chase(width: int = 32) -> System:
    """i runs from 0 to a limit that is free from the start and never changes; it does not pass it."""
    i, n = word("i", width), word("n", width)
    runs = op("bvslt", i, n)
    passed = op("and", op("bvsle", bv(0, width), n), op("bvslt", n, i))
    return system({i: 0, n: None}, {i: op("ite", runs, op("bvadd", i, 1), i), n: n}, passed)
