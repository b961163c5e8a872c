"""Houdini: the largest part of a set of candidates that is inductive (Flanagan, Leino 2001).

Each location has candidates. All of them are supposed to hold; an edge that leads from states with all candidates of its
sources to one that violates candidates of its target refutes these, and they are dropped. Whoever relied on them is asked
again, until no edge refutes anything. What is left is inductive, and every inductive part of the candidates is left: there is
one largest part, since unions of inductive sets are inductive.

Who asks, and what candidates are (formulas, cubes), is the caller's business: ``judge`` looks for one step along an edge and
says which candidates of the target hold after it. A step that violates candidates, as the solver sees it, and none of them by
evaluation (dividing by zero) drops them all: what is dropped too much costs strength, never soundness.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from lemmata.models.graph import Edge

_E = TypeVar("_E", bound="HasEdge")
C = TypeVar("C")


class HasEdge(Protocol):
    """Somebody who asks about an edge."""

    @property
    def edge(self) -> Edge:
        """The edge."""
        ...


def keep_inductive(
    edges: Sequence[_E],
    alive: dict[int, list[C]],
    judge: Callable[[_E, list[C]], Sequence[object] | None],
    last: int | None = None,
) -> bool:
    """Drop candidates from ``alive``, by location, until the rest is inductive along ``edges``.

    ``judge(edge, candidates)`` finds a step that violates some of the target's candidates and says of each whether it holds
    after it; ``None``: there is no such step. As soon as the location ``last`` loses a candidate the answer is ``False``.
    """
    leaving: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for number, one in enumerate(edges):
        for source in one.edge.sources:
            leaving[source.location][number] = None
    pending = dict.fromkeys(range(len(edges)))
    while pending:
        number = next(iter(pending))
        del pending[number]
        target = edges[number].edge.target
        if _drop(edges[number], alive, judge):
            if target == last:
                return False
            pending |= leaving[target]
    return True


def _drop(edge: _E, alive: dict[int, list[C]], judge: Callable[[_E, list[C]], Sequence[object] | None]) -> bool:
    """Drop what does not hold after the edge; was there any?"""
    target = edge.edge.target
    before = len(alive[target])
    while found := alive[target]:
        truths = judge(edge, found)
        if truths is None:
            break
        kept = [candidate for candidate, holds in zip(found, truths, strict=True) if holds]
        alive[target] = kept if len(kept) < len(found) else []
    return len(alive[target]) < before
