"""The systems of Werner's thesis as graphs: sections 3.3.1 and 3.3.2, and the program of figure 3.4."""

from __future__ import annotations

from lemmata.logic.build import negate
from lemmata.logic.terms import TRUE, Term
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from tests.support.lia_graphs import X2, Y2, X, Y, add, eq, num


def _edge(source: int, target: int, guard: Term, *updates: Term) -> Edge:
    own = (X, Y) if len(updates) == 2 else (X,)
    return Edge((Source(source, own),), target, (), guard, updates)


def reachable() -> Graph:
    """Figure 3.1: x := 0; x := x + 1; the error is x = 1."""
    places = tuple(Location(f"ℓ{n}", (X,)) for n in range(4))
    here = (Source(2, (X,)),)
    return Graph(
        (*places, Location("ℓE")),
        (
            Edge((), 0, (X2,), TRUE, (X2,)),
            _edge(0, 1, TRUE, num(0)),
            _edge(1, 2, TRUE, add(X, 1)),
            Edge(here, 4, (), eq(X, 1)),
            _edge(2, 3, negate(eq(X, 1)), X),
        ),
        (GraphProperty(0, "x ≠ 1", 4),),
    )


def unreachable() -> Graph:
    """Figure 3.3: x and y begin as 0 and grow together; the error is x ≠ y."""
    places = tuple(Location(f"ℓ{n}", (X, Y)) for n in range(3))
    here = (Source(1, (X, Y)),)
    return Graph(
        (*places, Location("ℓE")),
        (
            Edge((), 0, (X2, Y2), TRUE, (X2, Y2)),
            _edge(0, 1, TRUE, num(0), num(0)),
            _edge(1, 1, TRUE, add(X, 1), add(Y, 1)),
            _edge(1, 2, eq(X, Y), X, Y),
            Edge(here, 3, (), negate(eq(X, Y))),
        ),
        (GraphProperty(0, "x = y", 3),),
    )


def loop_from_two() -> Graph:
    """Figure 3.4: x := 2; x grows; the error is x = 1. The plain algorithm blocks 1, 0, -1, … for ever."""
    places = tuple(Location(f"ℓ{n}", (X,)) for n in range(2))
    return Graph(
        (*places, Location("ℓE")),
        (
            Edge((), 0, (X2,), TRUE, (X2,)),
            _edge(0, 1, TRUE, num(2)),
            _edge(1, 1, TRUE, add(X, 1)),
            Edge((Source(1, (X,)),), 2, (), eq(X, 1)),
        ),
        (GraphProperty(0, "x ≠ 1", 2),),
    )
