"""Random terms and graphs as translations from C write them: remainders, quotients, flags, conversions to signed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term, const, make, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source


def number(value: int) -> Term:
    return const(value, INT)


def modulo(term: Term, modulus: int) -> Term:
    return make("mod", (term, number(modulus)))


def flag(condition: Term) -> Term:
    return make("ite", (condition, number(1), number(0)))


def at_most(a: Term, b: Term) -> Term:
    return make("<=", (a, b))


def signed(term: Term, size: int) -> Term:
    rest = modulo(term, size)
    return make("ite", (at_most(rest, number(size // 2 - 1)), rest, make("-", (rest, number(size)))))


def random_number(random: Random, names: Sequence[Term], depth: int) -> Term:
    if depth == 0:
        return random.choice([*names, number(random.randint(-9, 9))])
    a, b = random_number(random, names, depth - 1), random_number(random, names, random.randrange(depth))
    match random.randrange(10):
        case 0 | 1 | 2:
            return modulo(a, random.choice([2, 3, 4, 6, 8, 12, -4]))
        case 3:
            return make("div", (a, number(random.choice([2, 3, 4, -2]))))
        case 4:
            return make("ite", (random_formula(random, names, depth - 1), a, b))
        case 5:
            return make("*", (a, number(random.randint(-4, 4))))
        case 6:
            return make("+", (a, b))
        case 7:
            return flag(random_formula(random, names, depth - 1))
        case 8:
            return signed(a, random.choice([4, 8]))
        case _:
            return make("-", (a, b))


def random_formula(random: Random, names: Sequence[Term], depth: int) -> Term:
    if depth > 0 and random.random() < 0.3:
        a, b = random_formula(random, names, depth - 1), random_formula(random, names, depth - 1)
        return make(random.choice(["and", "or"]), (a, make("not", (b,))))
    a, b = random_number(random, names, depth), random_number(random, names, random.randrange(2))
    return make(random.choice(["<", "<=", "="]), (a, b))


def c_like_graph(random: Random) -> Graph:
    """One or two locations with two integers that stay small; the guards say so in remainders."""
    names = (var("x", INT), var("y", INT))
    count = random.randint(1, 2)
    places = (*(Location(f"p{n}", names) for n in range(count)), Location("error"))
    start = Edge((), 0, (), make("and", (at_most(number(0), number(1)),)), tuple(number(random.randint(0, 3)) for _ in names))
    targets = [*range(count), *(random.randrange(count) for _ in range(2)), count]
    edges = [_edge(random, places, target, random.randrange(count)) for target in targets]
    return Graph(places, (start, *edges), (GraphProperty(0, "q", count),))


def _edge(random: Random, places: tuple[Location, ...], target: int, source: int) -> Edge:
    names = places[source].variables
    inputs = (var("i", INT),) if random.random() < 0.3 else ()
    parts = [at_most(modulo(v, 4096), number(2)) for v in inputs] + [at_most(number(0), v) for v in inputs]
    parts += [at_most(v, number(2)) for v in inputs]
    updates = tuple(_update(random, (*names, *inputs), v) for v in places[target].variables)
    parts += [at_most(modulo(make("+", (term, number(4))), 1 << 32), number(random.randint(6, 12))) for term in updates]
    parts += [random_formula(random, (*names, *inputs), 2) for _ in range(random.randint(1, 2))]
    return Edge((Source(source, names),), target, inputs, make("and", tuple(parts)), updates, 3)


def _update(random: Random, names: tuple[Term, ...], v: Term) -> Term:
    match random.randrange(4):
        case 0:
            return v
        case 1:
            return make("+", (v, number(random.choice([1, 2, 4]))))
        case 2:
            return number(random.randint(-1, 2))
        case _:
            return random_number(random, names, 2)
