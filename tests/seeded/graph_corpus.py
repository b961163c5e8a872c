"""Small graphs with known answers, and what becomes of the evidence of an engine on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from lemmata.certify.graph.check import certify_graph
from lemmata.engines import Engine
from lemmata.errors import CertificateError, GaveUp
from lemmata.frontends.boogie import parse_boogie
from lemmata.logic.build import conj
from lemmata.logic.terms import TRUE
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.verdict import Safe, Unknown, Verdict
from lemmata.work import now
from tests.seeded.bug import Catcher, WrongAccepted
from tests.support.clock import in_time
from tests.support.lia_graphs import N, X, Y, add, eq, fibonacci, le, loop, num, phases, steps_of_two

CRASHES = (AssertionError, AttributeError, LookupError, TypeError, ValueError, ArithmeticError, StopIteration, RecursionError)
SHORT = 0.1  # seconds of CPU
Make = Callable[[Graph], Engine]
Due = Callable[[str], bool]  # must an engine find that answer?
HERE = (Source(0, (X, Y)),)


@dataclass(frozen=True, slots=True)
class Case:
    """A graph and the true answer to each of its properties."""

    name: str
    graph: Graph
    words: tuple[str, ...]


def _branches(bad: int) -> Graph:
    """An input chooses a way at the start: x is 1 and y even, or x is 0 and y a multiple of 3."""
    return Graph(
        (Location("even", (X, Y)), Location("third", (X, Y)), Location("end", (X, Y)), Location("error")),
        (
            Edge((), 0, (N,), le(1, N), (num(1), num(0))),
            Edge((), 1, (N,), le(N, 0), (num(0), num(0))),
            Edge(HERE, 0, (), le(Y, 4), (X, add(Y, 2))),
            Edge((Source(1, (X, Y)),), 1, (), le(Y, 4), (X, add(Y, 3))),
            Edge(HERE, 2, (), le(3, Y), (X, Y)),
            Edge((Source(1, (X, Y)),), 2, (), le(4, Y), (X, Y)),
            Edge((Source(2, (X, Y)),), 3, (), conj([eq(X, 0), eq(Y, bad)])),
        ),
        (GraphProperty(0, "p", 3),),
    )


def _doors() -> Graph:
    """Two edges into the error, of which one is impossible."""
    graph = loop((0, 0), le(X, 9), (add(X, 1), Y), le(X, -1))
    return Graph(graph.locations, (*graph.edges, Edge(HERE, 1, (), le(5, X))), graph.questions)


def _starts() -> Graph:
    """x starts as any number from 6 on, or up to 0."""
    starts = [Edge((), 0, (N,), guard, (N,)) for guard in (le(6, N), le(N, 0))]
    ends = [Edge((Source(0, (X,)),), 1 + k, (), eq(X, bad)) for k, bad in enumerate((-3, 3))]
    places = (Location("main", (X,)), Location("error"), Location("error 1"))
    return Graph(places, (*starts, *ends), tuple(GraphProperty(k, f"p{k}", 1 + k) for k in range(2)))


def _ring() -> Graph:
    """0 → 1 → 2 → 0 for ever; the error is 3, and behind it are 4 and 5."""
    hops = [Edge((Source(0, (X,)),), 0, (), eq(X, a), (num(b),)) for a, b in ((0, 1), (1, 2), (2, 0), (5, 4), (4, 3))]
    start, end = Edge((), 0, (), TRUE, (num(0),)), Edge((Source(0, (X,)),), 1, (), eq(X, 3))
    return Graph((Location("main", (X,)), Location("error")), (start, *hops, end), (GraphProperty(0, "p", 1),))


def _program(text: str) -> Graph:
    return parse_boogie(text.encode(), "p.bpl")


@cache
def corpus() -> dict[str, Case]:
    """By name."""
    cases = [
        Case(
            "counter", loop((0, 0), le(X, 9), (add(X, 2), add(Y, 1)), eq(X, 4), eq(X, 5), le(12, X)), ("unsafe", "safe", "safe")
        ),
        Case("inputs", steps_of_two(4), ("unsafe", "safe")),
        Case("phases, reached", phases(3), ("unsafe",)),
        Case("phases, missed", phases(4), ("safe",)),
        Case("branches, reached", _branches(6), ("unsafe",)),
        Case("branches, missed", _branches(4), ("safe",)),
        Case("two sources, reached", fibonacci(3, 3), ("unsafe",)),
        Case("two sources, missed", fibonacci(2, 3), ("safe",)),
        Case("nothing happens", loop((0, 0), TRUE, (X, Y), le(1, X)), ("safe",)),
        Case("swap", loop((0, 1), TRUE, (Y, X), eq(X, Y), conj([eq(X, 1), eq(Y, 0)])), ("safe", "unsafe")),
        Case(
            "far", loop((0, 0), le(X, 999_999), (add(X, 1), add(Y, 2)), conj([le(1_000_000, X), eq(Y, 2_000_000)])), ("unsafe",)
        ),
        Case("not so far", loop((0, 0), le(X, 39), (add(X, 1), add(Y, 3)), conj([le(40, X), eq(Y, 120)])), ("unsafe",)),
        Case("two doors", _doors(), ("unsafe",)),
        Case("ring", _ring(), ("safe",)),
        Case("two starts", _starts(), ("unsafe", "safe")),
        Case(
            "program",
            _program(
                "procedure main(n: int) { var i, s: int; i := 0; s := 0; assume n >= 1 && n <= 3;"
                " while (i < n) { if (i == 1) { s := s + 2; } else { s := s + 1; } i := i + 1; }"
                " assert s >= i; assert s <= 3; }"
            ),
            ("safe", "unsafe"),
        ),
    ]
    return {case.name: case for case in cases}


def settled(make: Make, names: Sequence[str], seconds: float, due: Due, ends: bool) -> Iterator[tuple[str, str]]:
    """(kind, text) of everything that goes wrong; a wrong verdict that certify accepts is the end.

    An engine that looks on for ever has no long time for answers that it need not find.
    """
    for name in names:
        case = corpus()[name]
        for prop, word in enumerate(case.words):
            where = f"{name}, property {prop}"
            try:
                until = now() + (seconds if due(word) or ends else SHORT)
                verdict: Verdict = make(case.graph).check(prop, until)
            except (GaveUp, *CRASHES) as error:
                verdict = Unknown(repr(error))
            yield from judged(case, prop, verdict, where, word, due(word))


def judged(case: Case, prop: int, verdict: Verdict, where: str, word: str, is_due: bool) -> Iterator[tuple[str, str]]:
    """What certify says about one verdict."""
    if isinstance(verdict, Unknown):
        if is_due:
            yield "unsettled", f"{where} ({word}): {verdict.reason}"
        return
    try:
        certify_graph(case.graph, prop, verdict, ("z3", "cvc5"), in_time())
    except CertificateError as error:
        yield ("certify" if isinstance(verdict, Safe) else "replay"), f"{where} ({word}): {error}"
    except GaveUp as error:
        yield "unsettled", f"{where}: certify gave up, {error.reason}"
    else:
        if verdict.word != word:
            raise WrongAccepted(f"{where} is {word}, and was accepted as {verdict.word}")


WHAT = {
    "certify": "fresh solvers reject a proof on small graphs with known answers",
    "replay": "evaluation rejects a derivation on small graphs with known answers",
    "unsettled": "a property of small graphs with known answers is not settled any more",
}


def catchers(
    name: str, make: Make, names: Sequence[str], due: Due = lambda word: True, ends: bool = True
) -> dict[str, Catcher]:
    """Who notices bugs of an engine, by kind; ``due`` are the answers that it must find, ``ends`` if it gives up by itself."""

    def looking(kind: str) -> Callable[[float], Iterator[str]]:
        def look(seconds: float) -> Iterator[str]:
            yield from (text for found, text in settled(make, names, seconds, due, ends) if found == kind)

        return look

    titles = {"certify": f"certify, {name}", "replay": f"replay, {name}", "unsettled": f"answers, {name}"}
    return {kind: Catcher(title, WHAT[kind], looking(kind), is_whole=True) for kind, title in titles.items()}
