"""A graph that counts up to an error, claims about it and runs through it."""

from __future__ import annotations

from lemmata.logic.sorts import INT
from lemmata.logic.terms import TRUE, const, make, var
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source

X = var("x", INT)


def number(value: int):
    return const(value, INT)


def counter(step: int = 2, bad: int = 5) -> Graph:
    """x starts at 0 and grows by ``step``; the error is x = ``bad``."""
    inv, error = Location("inv", (X,), 1), Location("false")
    return Graph(
        (inv, error),
        (
            Edge((), 0, (), TRUE, (number(0),), 3),
            Edge((Source(0, (X,)),), 0, (), TRUE, (make("+", (X, number(step))),), 4),
            Edge((Source(0, (X,)),), 1, (), make("=", (X, number(bad))), (), 5),
        ),
        (GraphProperty(0, "false", 1),),
    )


def claims(graph: Graph, *lemmas) -> GraphInvariant:
    return GraphInvariant((Claim(0, graph.locations[0], lemmas),))


EVEN = make("=", (make("mod", (X, number(2))), number(0)))


def run_of(graph: Graph, *values: int) -> Derivation:
    """A counter that goes through these values, then to the error."""
    facts = [Fact(0 if n == 0 else 1, (n - 1,) if n else (), (), graph.locations[0], (v,)) for n, v in enumerate(values)]
    return Derivation(0, (*facts, Fact(2, (len(facts) - 1,), (), graph.locations[1], ())))
