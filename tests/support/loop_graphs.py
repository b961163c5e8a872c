"""Graphs over integers with one loop, or with two calls, from terms."""

from __future__ import annotations

from collections.abc import Callable

from lemmata.logic.build import build, conj, equal
from lemmata.logic.sorts import INT
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source

X, Y, N = (var(name, INT) for name in "xyn")


def num(value: int) -> Term:
    return const(value, INT)


def add(*terms: Term) -> Term:
    return build("+", terms)


def le(a: Term, b: Term) -> Term:
    return build("<=", (a, b))


def lt(a: Term, b: Term) -> Term:
    return build("<", (a, b))


def loop(
    variables: tuple[Term, ...],
    starts: tuple[Term, ...],
    steps: list[tuple[Term, tuple[Term, ...]]],
    bad: Term,
    start_guard: Term = TRUE,
    inputs: tuple[Term, ...] = (),
) -> Graph:
    """One location, an initial edge, loop edges, and an error."""
    here = Source(0, variables)
    free = tuple(v for v in variables if v in starts)
    edges = [Edge((), 0, free, start_guard, starts)]
    edges += [Edge((here,), 0, inputs, guard, updates) for guard, updates in steps]
    edges.append(Edge((here,), 1, (), bad))
    return Graph((Location("main", variables), Location("bad")), tuple(edges), (GraphProperty(0, "bad", 1),))


def counter(limit: int, bad: int) -> Graph:
    return loop((X,), (num(0),), [(lt(X, num(limit)), (add(X, num(1)),))], le(num(bad), X))


def fibonacci(bad: Callable[[Term, Term], Term]) -> Graph:
    """fib(n, f): two calls are two sources of one edge."""
    p, q, m, g = (var(name, INT) for name in ("p", "q", "m", "g"))
    call = [Source(0, (m, p)), Source(0, (var("k", INT), q))]
    both = conj([equal(m, add(N, num(-1))), equal(var("k", INT), add(N, num(-2))), lt(num(1), N)])
    return Graph(
        (Location("fib", (N, g)), Location("bad")),
        (
            Edge((), 0, (N,), conj([le(num(0), N), le(N, num(1))]), (N, N)),
            Edge(tuple(call), 0, (N,), both, (N, add(p, q))),
            Edge((Source(0, (N, g)),), 1, (), bad(N, g)),
        ),
        (GraphProperty(0, "bad", 1),),
    )
