"""Small graphs over integers, made by hand: what the tests of the engines on graphs share."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.build import build, conj, equal
from lemmata.logic.sorts import INT
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source

X, Y, N, X2, Y2 = (var(name, INT) for name in ("x", "y", "n", "x2", "y2"))


def num(value: int) -> Term:
    return const(value, INT)


def add(a: Term, b: Term | int) -> Term:
    return build("+", (a, num(b) if isinstance(b, int) else b))


def le(a: Term | int, b: Term | int) -> Term:
    return build("<=", (num(a) if isinstance(a, int) else a, num(b) if isinstance(b, int) else b))


def eq(a: Term, b: Term | int) -> Term:
    return equal(a, num(b) if isinstance(b, int) else b)


def loop(start: Sequence[int], guard: Term, updates: Sequence[Term], *bads: Term, inputs: Sequence[Term] = ()) -> Graph:
    """One location with x and y, a loop, and an error per bad condition."""
    here = (Source(0, (X, Y)),)
    errors = tuple(Location(f"error {i}") for i in range(len(bads)))
    return Graph(
        (Location("main", (X, Y)), *errors),
        (
            Edge((), 0, (), TRUE, tuple(map(num, start))),
            Edge(here, 0, tuple(inputs), guard, tuple(updates)),
            *(Edge(here, 1 + i, (), bad) for i, bad in enumerate(bads)),
        ),
        tuple(GraphProperty(i, f"p{i}", 1 + i) for i in range(len(bads))),
    )


def steps_of_two(limit: int) -> Graph:
    """x grows by 0 to 2 per step, y counts the steps: x > limit is reached in limit // 2 + 1 steps, x > 2y never."""
    guard = conj([le(0, N), le(N, 2)])
    return loop((0, 0), guard, (add(X, N), add(Y, 1)), le(limit + 1, X), le(add(add(Y, Y), 1), X), inputs=(N,))


def phases(limit: int) -> Graph:
    """Three locations: x counts up to 3, then y counts up to x, then the error where y = limit."""
    here = (Source(0, (X, Y)),)
    there = (Source(1, (X, Y)),)
    return Graph(
        (Location("up", (X, Y)), Location("follow", (X, Y)), Location("done", (Y,)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(0), num(0))),
            Edge(here, 0, (), le(X, 2), (add(X, 1), Y)),
            Edge(here, 1, (), le(3, X), (X, Y)),
            Edge(there, 1, (), le(add(Y, 1), X), (X, add(Y, 1))),
            Edge(there, 2, (), le(X, Y), (Y,)),
            Edge((Source(2, (Y,)),), 3, (), eq(Y, limit)),
        ),
        (GraphProperty(0, "limit", 3),),
    )


def fibonacci(number: int, value: int) -> Graph:
    """fib(0) = fib(1) = 1, by clauses with two premises: the error is that fib(number) = value."""
    recursion = conj([eq(X, add(N, -1)), eq(X2, add(N, -2)), le(2, N)])
    return Graph(
        (Location("fib", (X, Y)), Location("error")),
        (
            Edge((), 0, (N,), conj([le(0, N), le(N, 1)]), (N, num(1))),
            Edge((Source(0, (X, Y)), Source(0, (X2, Y2))), 0, (N,), recursion, (N, add(Y, Y2))),
            Edge((Source(0, (X, Y)),), 1, (), conj([eq(X, number), eq(Y, value)])),
        ),
        (GraphProperty(0, "value", 1),),
    )


def follows(graph: Graph, edges: Sequence[int]) -> bool:
    """Do these edges, taken one after the other, fit together?"""
    targets = [graph.edges[e].target for e in edges]
    sources = [graph.edges[e].sources for e in edges]
    return not sources[0] and all(s[0].location == t for s, t in zip(sources[1:], targets, strict=False))
