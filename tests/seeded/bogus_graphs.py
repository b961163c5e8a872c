"""Evidence about graphs, true and bogus: what ``certify_graph`` must accept, and what it must not.

Each bogus piece breaks one rule only, so that whoever forgets that rule accepts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from lemmata.certify.graph.check import certify_graph
from lemmata.certify.graph.claims import check_claims
from lemmata.certify.query import Panel
from lemmata.errors import CertificateError
from lemmata.logic.build import conj
from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import TRUE, Term, bv, make, var
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, GraphKInductive, Stretch, Turn
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source
from lemmata.solvers.smt import Unsat
from lemmata.verdict import Safe, Unsafe
from tests.support.lia_graphs import N, X, Y, add, eq, le, loop, num, phases

Check = Callable[[], object]
MANY = 1_000_000


def claims(graph: Graph, *lemmas: tuple[Term, ...]) -> GraphInvariant:
    errors = {q.location for q in graph.questions}
    inner = [number for number in range(len(graph.locations)) if number not in errors]
    return GraphInvariant(tuple(Claim(n, graph.locations[n], own) for n, own in zip(inner, lemmas, strict=True)))


def run(graph: Graph, *steps: tuple[int, tuple[int, ...], tuple[object, ...]], prop: int = 0) -> Derivation:
    """Facts from (edge, premises, values)."""
    return Derivation(prop, tuple(Fact(e, p, (), graph.locations[graph.edges[e].target], v) for e, p, v in steps))


def proof(graph: Graph, invariant: object, prop: int = 0) -> Check:
    return lambda: certify_graph(graph, prop, Safe(invariant), ("z3",))  # type: ignore[arg-type]


def told(graph: Graph, derivation: Derivation, prop: int = 0) -> Check:
    return lambda: certify_graph(graph, prop, Unsafe(derivation), ("z3",))


EVEN = make("=", (make("mod", (X, num(2))), num(0)))
COUNTER = loop((0, 0), TRUE, (add(X, 2), Y), eq(X, 5), eq(X, 4))  # 5 is never reached, 4 is
LEFT = le(X, 3)
# All edges call their input n; it is at least 0, but at the error, where it is another one.
SHARED = Graph(
    (Location("main", (X,)), Location("error")),
    (
        Edge((), 0, (N,), le(0, N), (num(0),)),
        Edge((Source(0, (X,)),), 0, (N,), le(0, N), (X,)),
        Edge((Source(0, (X,)),), 1, (N,), le(add(N, 1), 0)),
    ),
    (GraphProperty(0, "p", 1),),
)
# The error is two different facts; 1 and 2 are facts.
PAIRS = Graph(
    (Location("main", (X,)), Location("error")),
    (
        Edge((), 0, (N,), conj([le(1, N), le(N, 2)]), (N,)),
        Edge((Source(0, (X,)), Source(0, (Y,))), 1, (), eq(add(X, 1), Y)),
    ),
    (GraphProperty(0, "p", 1),),
)
CLASH = replace(
    PAIRS, edges=(PAIRS.edges[0], replace(PAIRS.edges[1], sources=(Source(0, (X,)), Source(0, (X,))), guard=eq(add(X, 1), X)))
)
PHASES = phases(4)
STUCK = loop((0, 0), TRUE, (X, Y), eq(X, 1))

CLAIMS_TRUE: dict[str, Check] = {
    "even": proof(COUNTER, claims(COUNTER, (EVEN,))),
    "phases": proof(PHASES, claims(PHASES, (le(X, 3), eq(Y, 0)), (le(X, 3), le(Y, X)), (le(Y, 3),))),
    "stuck": proof(STUCK, claims(STUCK, (eq(X, 0),))),
}
CLAIMS_BOGUS: dict[str, Check] = {
    "nothing is claimed": proof(COUNTER, claims(COUNTER, ())),
    "the start breaks the claim": proof(COUNTER, claims(COUNTER, (make("=", (make("mod", (X, num(2))), num(1))), le(6, X)))),
    "the loop breaks the claim": proof(COUNTER, claims(COUNTER, (LEFT,))),
    "the second lemma is broken": proof(COUNTER, claims(COUNTER, (le(0, X), le(X, 4)))),
    "the error is not excluded": proof(COUNTER, claims(COUNTER, (le(0, X),))),
    "a reachable error": proof(COUNTER, claims(COUNTER, (EVEN,)), 1),
    "two properties, one of them reachable": lambda: check_claims(COUNTER, (0, 1), claims(COUNTER, (EVEN,)), ("z3",)),
    "the claim speaks of an input": proof(SHARED, claims(SHARED, (le(0, N),))),
    "two sources are not the same fact": proof(PAIRS, claims(PAIRS, (le(1, X), le(X, 2)))),
    "names of two sources clash": proof(CLASH, claims(CLASH, (le(1, X), le(X, 2)))),
    "a claim of another place": proof(PHASES, claims(PHASES, (le(X, 3), eq(Y, 0)), (le(X, 3), eq(Y, 0)), (le(Y, 3),))),
}

# k-induction: x moves 0 → 1 → 2 → 0; the error is x = 3, two steps before it is 5.
RING = Graph(
    (Location("main", (X,)), Location("error")),
    (
        Edge((), 0, (), TRUE, (num(0),)),
        Edge((Source(0, (X,)),), 0, (), le(X, 1), (add(X, 1),)),
        Edge((Source(0, (X,)),), 0, (), eq(X, 2), (num(0),)),
        Edge((Source(0, (X,)),), 0, (), eq(X, 5), (num(4),)),
        Edge((Source(0, (X,)),), 0, (), eq(X, 4), (num(3),)),
        Edge((Source(0, (X,)),), 1, (), eq(X, 3)),
    ),
    (GraphProperty(0, "p", 1),),
)
LATE = replace(  # 0 → 1 → 2, and that is the error
    RING,
    edges=(RING.edges[0], *[replace(RING.edges[1], guard=eq(X, k)) for k in (0, 1)], replace(RING.edges[-1], guard=eq(X, 2))),
)
KINDUCTIVE_TRUE: dict[str, Check] = {
    "4-inductive": proof(RING, GraphKInductive(4, claims(RING, ()))),
    "given a claim": proof(RING, GraphKInductive(2, claims(RING, (le(X, 2),)))),
}
KINDUCTIVE_BOGUS: dict[str, Check] = {
    "k is too small": proof(RING, GraphKInductive(2, claims(RING, ()))),
    "the base is wrong": proof(LATE, GraphKInductive(4, claims(LATE, ()))),
    "the claim is not inductive": proof(LATE, GraphKInductive(1, claims(LATE, (le(X, 1),)))),
    "several sources": proof(PAIRS, GraphKInductive(1, claims(PAIRS, (le(1, X), le(X, 2))))),
}

# Derivations.
ODD = loop((0, 0), TRUE, (add(X, 2), Y), eq(X, 4))
TWICE = Graph(
    (Location("main", (X,)), Location("error")),
    (Edge((), 0, (N,), eq(add(N, N), 5), (num(1),)), Edge((Source(0, (X,)),), 1, (), eq(X, 1))),
    (GraphProperty(0, "p", 1),),
)
ZERO = Graph(
    (Location("main", (X,)), Location("error")),
    (
        Edge((), 0, (), TRUE, (num(0),)),
        Edge((Source(0, (X,)),), 1, (), make("=", (make("div", (num(7), X)), num(0)))),
    ),
    (GraphProperty(0, "p", 1),),
)
PLACES = Graph(
    (Location("here", (X,)), Location("there", (X,)), Location("error")),
    (Edge((), 0, (), TRUE, (num(1),)), Edge((Source(1, (X,)),), 2, (), eq(X, 1))),
    (GraphProperty(0, "p", 2),),
)
GUESS = replace(ODD, origin=Origin("boogie", inexact=(1,)))
OTHER = loop((0, 0), TRUE, (add(X, 2), Y), eq(X, 4), eq(X, 5))
RIGHT = run(ODD, (0, (), (0, 0)), (1, (0,), (2, 0)), (1, (1,), (4, 0)), (2, (2,), ()))
DERIVATIONS_TRUE: dict[str, Check] = {
    "four": told(ODD, RIGHT),
    "a pair": told(
        PAIRS,
        Derivation(
            0,
            (
                Fact(0, (), ((N, 1),), PAIRS.locations[0], (1,)),
                Fact(0, (), ((N, 2),), PAIRS.locations[0], (2,)),
                Fact(1, (0, 1), (), PAIRS.locations[1], ()),
            ),
        ),
    ),
}
DERIVATIONS_BOGUS: dict[str, Check] = {
    "the guard does not hold": told(ODD, run(ODD, (0, (), (0, 0)), (2, (0,), ()))),
    "the values are others": told(ODD, run(ODD, (0, (), (0, 0)), (1, (0,), (4, 0)), (2, (1,), ()))),
    "the start is another": told(ODD, run(ODD, (0, (), (4, 0)), (2, (0,), ()))),
    "a fact is its own premise": told(STUCK, run(STUCK, (1, (0,), (1, 0)), (2, (0,), ()))),
    "a premise comes later": told(STUCK, run(STUCK, (1, (1,), (1, 0)), (1, (0,), (1, 0)), (2, (1,), ()))),
    "a premise is elsewhere": told(PLACES, run(PLACES, (0, (), (1,)), (1, (0,), ()))),
    "a premise is missing": told(
        PAIRS,
        Derivation(0, (Fact(0, (), ((N, 1),), PAIRS.locations[0], (1,)), Fact(1, (0,), ((Y, 2),), PAIRS.locations[1], ()))),
    ),
    "it ends before the error": told(ODD, replace(RIGHT, facts=RIGHT.facts[:-1])),
    "it is about another property": told(
        OTHER, run(OTHER, (0, (), (0, 0)), (1, (0,), (2, 0)), (1, (1,), (4, 0)), (2, (2,), ())), 1
    ),
    "an input has half a number": told(
        TWICE,
        Derivation(
            0, (Fact(0, (), ((N, Fraction(5, 2)),), TWICE.locations[0], (1,)), Fact(1, (0,), (), TWICE.locations[1], ()))
        ),
    ),
    "an input overrides a source": told(ODD, Derivation(0, (*RIGHT.facts[:1], Fact(2, (0,), ((X, 4),), ODD.locations[1], ())))),
    "an edge that is more than the file": told(GUESS, RIGHT),
    "a division by zero": told(ZERO, run(ZERO, (0, (), (0,)), (1, (0,), ()))),
    "an empty derivation": told(ODD, Derivation(0, ())),
}

# Stretches.
FAR = loop((0, 0), le(X, 2 * MANY - 1), (add(X, 1), Y), eq(X, MANY), eq(X, 3 * MANY))
NEAR = loop((0, 0), le(X, 9), (add(X, 1), Y), eq(X, 5), eq(X, 20))
BENT = loop((0, 0), TRUE, (add(X, 1), make("ite", (le(X, 5), Y, add(Y, 1)))), conj([eq(X, MANY), eq(Y, MANY)]))
TWO = Graph(
    (Location("a", (X,)), Location("b", (X,)), Location("error")),
    (
        Edge((), 0, (), TRUE, (num(0),)),
        Edge((Source(0, (X,)),), 1, (), TRUE, (add(X, 1),)),
        Edge((Source(1, (X,)),), 2, (), le(MANY, X)),
    ),
    (GraphProperty(0, "p", 2),),
)


def stretched(graph: Graph, count: int, values: tuple[object, ...], prop: int = 0) -> Check:
    start = Fact(0, (), (), graph.locations[0], tuple([0] * len(graph.locations[0].variables)))
    place = graph.locations[graph.edges[1].target]
    rounds = Fact(1, (0,), (), place, values, stretch=Stretch(count, (Turn(1),)))
    last = Fact(2 + prop, (1,), (), graph.locations[-1] if prop == 0 and graph is TWO else graph.locations[1 + prop], ())
    return told(graph, Derivation(prop, (start, rounds, last)), prop)


STRETCHES_TRUE: dict[str, Check] = {"a million": stretched(FAR, MANY, (MANY, 0)), "five": stretched(NEAR, 5, (5, 0))}
STRETCHES_BOGUS: dict[str, Check] = {
    "a million too many": stretched(FAR, 3 * MANY, (3 * MANY, 0), 1),
    "ten too many": stretched(NEAR, 20, (20, 0), 1),
    "other values": stretched(FAR, MANY, (3 * MANY, 0), 1),
    "other values, executed": stretched(NEAR, 5, (20, 0), 1),
    "rounds that differ": stretched(BENT, MANY, (MANY, MANY)),
    "a round that does not come back": stretched(TWO, MANY, (MANY,)),
}

# Constant arrays, with which cvc5 gives up: what holds in no model is a proof, what has one is none.
MAP = Array(BitVec(5), BitVec(5))
V, A = var("v", BitVec(5)), var("constant array 0", MAP)
SAME, ZEROS = (make("filled", (cell,), MAP) for cell in (V, bv(0, 5)))


def written(array: Term, cells: int) -> Term:
    """With 1 in the first cells."""
    for index in range(cells):
        array = make("store", (array, bv(index, 5), bv(1, 5)))
    return array


def refuted(*formulas: Term) -> Check:
    def check() -> None:
        if not isinstance(Panel(("cvc5",)).ask(formulas), Unsat):
            raise CertificateError("there is a model")

    return check


CONSTANT_ARRAYS_TRUE: dict[str, Check] = {
    "all cells are one value, and two are not": refuted(make("=", (SAME, written(ZEROS, 2)))),
    "an array is a constant one, and has two values": refuted(make("=", (A, SAME)), make("=", (A, written(ZEROS, 2)))),
}
CONSTANT_ARRAYS_BOGUS: dict[str, Check] = {
    "all cells are one value": refuted(make("=", (A, SAME))),
    "all cells are written": refuted(make("=", (SAME, written(ZEROS, 32)))),
    "another array differs": refuted(make("=", (A, written(SAME, 1))), make("not", (make("=", (V, bv(1, 5))),))),
}
