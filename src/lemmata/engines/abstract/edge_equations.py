"""``EquationalEdge``: an edge in one of its cases, as equations: what becomes of the variables, and which differences are zero.

Choices (``ite``) in updates are decided one after the other; a way has the decisions among its conditions. Of these and of
the guard only equations between numbers are kept. Beyond a few choices the rest stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.logic.build import build, conj, negate
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, const, topological
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.values import dataclass

_WAYS = 16  # ways along an edge
_ZERO, _ONE, _TWO = (const(value, INT) for value in (0, 1, 2))


@dataclass(frozen=True, slots=True)
class EquationalEdge:
    """``updates`` per variable of the target; ``zeros`` are zero whenever the way is taken."""

    locations: tuple[int, ...]
    sources: tuple[tuple[Term, ...], ...]
    target: int
    updates: tuple[Term, ...]
    zeros: tuple[Term, ...]


def equational_edges(graph: Graph) -> list[EquationalEdge]:
    """All ways along all edges."""
    return [way for edge in graph.edges for way in _ways(edge)]


def _ways(edge: Edge) -> Iterator[EquationalEdge]:
    locations = tuple(source.location for source in edge.sources)
    sources = tuple(source.variables for source in edge.sources)
    for guard, *updates in _cases([edge.guard, *edge.updates]):
        yield EquationalEdge(locations, sources, edge.target, tuple(updates), tuple(_zeros(guard)))


def _cases(terms: list[Term]) -> Iterator[list[Term]]:
    """Guard and updates, for each way to decide the choices that have numbers as results, outermost first."""
    waiting = [terms]
    count = 1
    while waiting:
        guard, *updates = waiting.pop()
        choices = (
            [t for t in topological([guard, *updates]) if t.op == "ite" and t.sort in (INT, REAL)] if count < _WAYS else []
        )
        if guard is FALSE:
            continue
        if not choices:
            yield [guard, *updates]
            continue
        condition = choices[-1].args[0]
        count += 1
        for truth, given in ((FALSE, negate(condition)), (TRUE, condition)):
            decided = substitute([guard, *updates], {condition: truth})
            waiting.append([conj([given, decided[0]]), *decided[1:]])


def _zeros(guard: Term) -> Iterator[Term]:
    """``a - b`` for each equation ``a = b`` among the conjuncts, and for each pair of opposite bounds."""
    waiting = [guard]
    bounds: set[tuple[Term, Term]] = set()
    while waiting:
        term = waiting.pop()
        if term.op == "and":
            waiting += term.args
        elif term.op == "=" and term.args[0].sort in (INT, REAL):
            yield build("-", term.args)
        elif term.op == "not":
            yield from _other_half(term.args[0])
        elif term.op == "<=":
            bounds.add((term.args[0], term.args[1]))
            if (term.args[1], term.args[0]) in bounds:
                yield build("-", term.args)


def _other_half(term: Term) -> Iterator[Term]:
    """What is not odd is even, and the other way round: 0 if ``term`` is a remainder of 2 that is not so."""
    if term.op == "=":
        for a, b in (term.args, term.args[::-1]):
            if a.op == "mod" and a.args[1] is _TWO and b in (_ZERO, _ONE):
                yield a if b is _ONE else build("-", (a, _ONE))
