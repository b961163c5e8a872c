"""Mistakes of transforms of graphs and of their ways back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.build import conj, negate
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import FALSE, TRUE, make, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.transforms.graph.cone import reduce_graph_cone
from tests.seeded.bug import Catcher, SeededBug, edit
from tests.support.bits_of_graphs import evidence, is_true
from tests.support.closed_graphs import closed_graph, closed_program
from tests.support.graph_steps import STEPS, agree
from tests.support.lia_graphs import N, X, add, eq, le, num

CRASHES = (AssertionError, AttributeError, LookupError, TypeError, ValueError, ArithmeticError)
SEEDS = (0, 1, 2, 4, 6, 7, 9, 10, 11, 12, 20, 21)  # of the first 24, those on which some bug shows


def _closed_door() -> Graph:
    """x is 0 for ever; from a place that only x = 1 leads to the error is near."""
    return Graph(
        (Location("main", (X,)), Location("behind", (X,)), Location("error")),
        (
            Edge((), 0, (), TRUE, (num(0),)),
            Edge((Source(0, (X,)),), 0, (), TRUE, (X,)),
            Edge((Source(0, (X,)),), 1, (), eq(X, 1), (X,)),
            Edge((Source(1, (X,)),), 2, (), TRUE),
        ),
        (GraphProperty(0, "p", 2),),
    )


def _control() -> Graph:
    """p and q say where a program is: it counts x down to 0 before both hold; then x > 0 is an error, and before x = 1."""
    p, q = var("p", BOOL), var("q", BOOL)
    place = (p, q, X)
    here = (Source(0, place),)
    return Graph(
        (Location("main", place), Location("error"), Location("error 1")),
        (
            Edge((), 0, (N,), conj([le(0, N), le(N, 2)]), (FALSE, FALSE, N)),
            Edge(here, 0, (), conj([negate(p), negate(q)]), (TRUE, le(X, 0), X)),
            Edge(here, 0, (), conj([p, negate(q), le(1, X)]), (TRUE, FALSE, add(X, -1))),
            Edge(here, 0, (), conj([p, negate(q), le(X, 0)]), (TRUE, TRUE, X)),
            Edge(here, 1, (), conj([q, le(1, X)])),
            Edge(here, 2, (), conj([p, negate(q), eq(X, 1)])),
        ),
        (GraphProperty(0, "p", 1), GraphProperty(1, "q", 2)),
    )


def _passed_on() -> Graph:
    """x is chosen, passed on as it is, and only then read."""
    return Graph(
        (Location("main", (X,)), Location("later", (X,)), Location("error")),
        (
            Edge((), 0, (N,), conj([le(0, N), le(N, 1)]), (N,)),
            Edge((Source(0, (X,)),), 1, (), TRUE, (X,)),
            Edge((Source(1, (X,)),), 2, (), eq(X, 2)),
        ),
        (GraphProperty(0, "p", 2),),
    )


@cache
def _graphs() -> tuple[Graph, ...]:
    sources = [(seed, Random(f"seeded {seed}")) for seed in SEEDS]
    made = [closed_program(random) if seed % 3 == 2 else closed_graph(random, sources=1 + seed % 2) for seed, random in sources]
    return (*made, _closed_door(), _control(), _passed_on())


def _agreeing(*names: str) -> Catcher:
    def look(_: float) -> Iterator[str]:
        for name in names:
            for number, graph in enumerate(_graphs()):
                for prop in range(len(graph.questions)):
                    try:
                        agree(graph, prop, STEPS[name](graph, prop))
                    except (CertificateError, GaveUp, *CRASHES) as error:
                        yield f"{name}, graph {number}, property {prop}: {type(error).__name__} {str(error)[:200]}"

    what = "verdicts of random graphs are those of enumeration, and evidence of the simpler graph is certified on the first one"
    return Catcher(f"agreement with enumeration, {' and '.join(names)}", what, look)


def _on_bits() -> Catcher:
    def look(_: float) -> Iterator[str]:
        for number, whole in enumerate((*_graphs(), _moving(), _numbers())):
            for prop in range(len(whole.questions)):
                graph = reduce_graph_cone(whole, prop).model
                if any(len(edge.sources) > 1 for edge in graph.edges):
                    continue
                try:
                    is_true(graph, evidence(graph, 0))
                except (CertificateError, GaveUp, *CRASHES) as error:
                    yield f"bits, graph {number}, property {prop}: {type(error).__name__} {str(error)[:200]}"

    what = "verdicts of PDR on the bits of random graphs are those of enumeration, and its evidence is certified on the graph"
    return Catcher("agreement with enumeration, bits", what, look)


def _moving() -> Graph:
    """x is chosen from -1 to 1; where b it becomes 2 and is forgotten; then it is chosen again, and b says if it is 2."""
    b, flags = var("b", BOOL), (var("b", BOOL),)
    return Graph(
        (Location("main", (X, b)), Location("later", flags), Location("last", (X, b)), Location("error"), Location("error 1")),
        (
            Edge((), 0, (N, b), conj([le(0, N), le(N, 2)]), (add(N, -1), b)),
            Edge((Source(0, (X, b)),), 0, (), conj([b, le(X, 2)]), (num(2), FALSE)),
            Edge((Source(0, (X, b)),), 1, (), eq(X, 2), flags),
            Edge((Source(1, flags),), 2, (N,), conj([le(0, N), le(N, 2)]), (N, eq(N, 2))),
            Edge((Source(2, (X, b)),), 3, (), conj([eq(X, 2), negate(b)])),
            Edge((Source(0, (X, b)),), 4, (), le(X, -1)),
        ),
        (GraphProperty(0, "p", 3), GraphProperty(1, "q", 4)),
    )


def _numbers() -> Graph:
    """x is 0, 5 or 9 and says what y is: chosen from 0 to 2, 9 more, or below 0; at the other place b says whether y is 0."""
    y, b = var("y", INT), var("b", BOOL)
    here, there = (X, y), (y, b)
    at, behind = (Source(0, here),), (Source(1, there),)
    chosen = conj([le(0, N), le(N, 2)])
    return Graph(
        (Location("main", here), Location("behind", there), *[Location(f"error {name}") for name in "pqrs"]),
        (
            Edge((), 0, (N,), chosen, (num(0), N)),
            Edge(at, 0, (), conj([eq(X, 0), le(y, 2)]), (num(5), add(y, 9))),
            Edge(at, 0, (), eq(X, 0), (num(9), add(make("neg", (y,)), -1))),
            Edge(at, 0, (N,), conj([chosen, eq(X, 5)]), (num(0), N)),
            Edge(at, 1, (), TRUE, (y, eq(y, 0))),
            Edge(at, 2, (), conj([eq(X, 9), le(0, y)])),
            Edge(at, 3, (), conj([eq(X, 9), le(y, -3)])),
            Edge(at, 4, (), conj([eq(X, 5), le(20, add(y, y))])),
            Edge(behind, 5, (), conj([b, negate(eq(y, 0))])),
        ),
        tuple(GraphProperty(n, name, 2 + n) for n, name in enumerate("pqrs")),
    )


CONE, EDGES, FIXED, DEAD = _agreeing("cone"), _agreeing("edges"), _agreeing("fixed"), _agreeing("dead")
INLINE, FRESH, CONTROL, ENSURED = _agreeing("inline"), _agreeing("fresh"), _agreeing("control"), _agreeing("ensured")
BITS = _on_bits()
G = "transforms.graph"

BUGS: tuple[SeededBug, ...] = (
    edit(
        "places that are not reached are claimed to be anything",
        f"{G}.cone:reduce_graph_cone",
        "(FALSE,) for n in",
        "() for n in",
        CONE,
    ),
    edit(
        "the cone keeps edges into the error only",
        f"{G}.cone:_backward",
        "stack += [source.location for edge in entering[location] for source in edge.sources]",
        "pass",
        CONE,
    ),
    edit(
        "an input that went is anything, though a term defines it",
        f"{G}.edges:_meanings",
        "terms.get(v, free.get(v, v))",
        "anything(v.sort) if v in terms else free.get(v, v)",
        EDGES,
    ),
    edit(
        "guards that define an input are forgotten, too",
        f"{G}.edges:simplified",
        "conj(parts) if parts else TRUE",
        "conj(parts[1:]) if parts else TRUE",
        EDGES,
    ),
    edit("a variable that is constant at first stays so", f"{G}.fixed:_join", "(was is None or was is update)", "True", FIXED),
    edit(
        "variables are equal if an edge gives them the same",
        f"{G}.fixed:_join",
        "leaders.setdefault((was, update),",
        "leaders.setdefault((None, update),",
        FIXED,
    ),
    edit(
        "what is fixed is not claimed",
        f"{G}.fixed:drop_fixed",
        "extra[number] = tuple(equal(v, w)",
        "extra[number] = () and tuple(equal(v, w)",
        FIXED,
    ),
    edit(
        "places that are not reached are claimed to be anything by fixed",
        f"{G}.fixed:drop_fixed",
        "else (FALSE,)",
        "else ()",
        FIXED,
    ),
    edit(
        "what a guard reads is dead",
        f"{G}.live:live_variables",
        "for location, mask in reads.of(edge, edge.guard):",
        "for location, mask in [(place, bits & -bits) for place, bits in reads.of(edge, edge.guard)]:",
        DEAD,
    ),
    edit(
        "what the update of a live variable reads is dead",
        f"{G}.live:_Passed.before",
        "yield from found",
        "yield from ()",
        DEAD,
    ),
    edit(
        "a live variable that keeps its value is dead before",
        f"{G}.live:_Passed.before",
        "if live & self._same:",
        "if False:",
        DEAD,
    ),
    edit(
        "locations that went are claimed to be anything",
        f"{G}.inline:Inlined.invariant",
        "interpolate_claim(self.old, removed, lemmas, self.solver)",
        "()",
        INLINE,
    ),
    edit(
        "locations that went are claimed unreachable",
        f"{G}.inline:Inlined.invariant",
        "interpolate_claim(self.old, removed, lemmas, self.solver)",
        "(FALSE,)",
        INLINE,
    ),
    edit(
        "a location that went keeps one way in",
        f"{G}.inline:_Work.remove",
        "for last in out_of for first in into]",
        "for last in out_of for first in into[:1]]",
        INLINE,
    ),
    edit("loops are inlined", f"{G}.inline:_Work._may_go", "edge.target == location or", "", INLINE),
    edit(
        "a value that is read twice is arbitrary",
        "transforms.graph.late_choice:_once",
        "counts[update] == 1",
        "counts[update] >= 1",
        FRESH,
    ),
    edit(
        "premises of the old derivation are counted in the new one",
        f"{G}.back:expanded",
        "at[fact.premises[~p]]",
        "fact.premises[~p]",
        INLINE,
    ),
    edit(
        "the way back loses lemmas of the second location",
        f"{G}.back:Adapted.invariant",
        "for number, found in lemmas_by_location(invariant).items()}",
        "for number, found in list(lemmas_by_location(invariant).items())[:1]}",
        CONE,
    ),
    edit(
        "the way back mixes up locations",
        f"{G}.back:Adapted.invariant",
        "self.kept[number]: found",
        "self.kept[-1 - number]: found",
        CONE,
    ),
    edit(
        "the chain of ways back is walked from the front",
        "transforms:Chain.invariant",
        "reversed(self.links)",
        "self.links",
        INLINE,
    ),
    edit(
        "the chain for derivations leaves the first link out",
        "transforms:Chain.trace",
        "reversed(self.links)",
        "reversed(self.links[1:])",
        DEAD,
    ),
    edit(
        "lemmas under a point of control hold everywhere",
        f"{G}.control:Unsplit.invariant",
        "implies(control, lemma)",
        "lemma",
        CONTROL,
    ),
    edit(
        "which points of control there are is not claimed",
        f"{G}.control:Unsplit.invariant",
        "(disj(some), *lemmas.get(origin, ()))",
        "lemmas.get(origin, ())",
        CONTROL,
    ),
    edit(
        "an edge leads to its last point of control only",
        f"{G}.control:_Split._targets",
        "return sorted(found)",
        "return sorted(found)[-1:]",
        CONTROL,
    ),
    edit(
        "what guards say is ensured by every edge",
        "oracles.houdini:_Judge.__call__",
        "if isinstance(answer, Sat)",
        "if False",
        ENSURED,
    ),
    edit(
        "what is ensured is not claimed",
        "transforms.graph.guard_invariants:use_guard_invariants",
        "extra = {number: tuple(found)",
        "extra = {number: ()",
        ENSURED,
    ),
    edit(
        "what is dead keeps its value",
        "transforms.system.program_counter:with_program_counter",
        "zero = _zero(v.sort)",
        "zero = v",
        BITS,
    ),
    edit(
        "an edge is taken from anywhere",
        "transforms.system.program_counter:_steps",
        "equal(counter, here), is_chosen",
        "is_chosen",
        BITS,
    ),
    edit(
        "two edges of a location are one choice",
        "transforms.system.program_counter:_is_choice",
        "bv(position,",
        "bv(0 * position,",
        BITS,
    ),
    edit(
        "the claim of a location is that of another one",
        "transforms.system.program_counter:CounterBack.invariant",
        "{counter: code}",
        "{counter: next(iter(self.codes.values()))}",
        BITS,
    ),
    edit(
        "words of negative integers have no sign",
        "logic.integers_as_words:IntegerWords._variable",
        "word if whole.is_signed else",
        "",
        BITS,
    ),
    edit(
        "sums wrap",
        "logic.integers_as_words:_within",
        "bits = max(needed, *(number.word.width for number in numbers))",
        "bits = max(number.word.width for number in numbers)",
        BITS,
        ("logic.integers_as_words:_within", "needed = _signed_bits(low, high)", "needed = numbers[0].word.width"),
    ),
    edit(
        "a variable that an input is assigned to has few values",
        f"{G}.bounded_integers:_few_values",
        "many[v] = None\n    queue",
        "pass\n    queue",
        BITS,
    ),
    edit(
        "values of a run are positions",
        f"{G}.bounded_integers:_integer",
        "return domain.at(int(value))",
        "return value",
        BITS,
    ),
    edit(
        "upper bits are equal, not bounds",
        "logic.integers_as_words:_Integers._equal",
        "_int(first + (1 << low))",
        "_int(first + 1)",
        BITS,
    ),
)
