"""What loops keep: combinations of directions that do not change along an edge.

An update is taken as one or several linear ones: each case of a case distinction gives its own. A direction that grows by the
same amount each time such an update is taken has an *increment*; two directions with increments k and l make l·d - k·e, which
is kept. (Kept linear forms are the simplest invariants of loops; Karr 1976, Müller-Olm and Seidl 2004 find them all, here only
those are wanted that combine two directions of interest.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TypeVar

from lemmata.engines.abstract.atoms import Place, conditions, localized
from lemmata.engines.abstract.collect import Parts
from lemmata.logic.linear import Linear, Number, linear, total
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph

_MOST_CASES = 3  # conditions that are taken apart

X = TypeVar("X")
Update = Mapping[Term, Linear]  # for target variables that become something linear over the source


def linear_updates(graph: Graph, edge: Edge, place: Place) -> Iterator[Update]:
    """The updates of an edge over the variables of a source, for each outcome of the conditions in them."""
    target = graph.locations[edge.target].variables
    cases = conditions(edge.updates)[:_MOST_CASES]
    seen: list[Update] = []
    for outcome in product((TRUE, FALSE), repeat=len(cases)):
        update: dict[Term, Linear] = {}
        for v, term in zip(target, substitute(edge.updates, dict(zip(cases, outcome, strict=True))), strict=True):
            inner = localized(term, place) if term.sort in (INT, REAL) else None
            form = None if inner is None else linear(inner)
            if form is not None:
                update[v] = form
        if update not in seen:
            seen.append(update)
            yield update


def increments(directions: Sequence[tuple[Parts, X]], update: Update) -> list[tuple[Linear, Number, X]]:
    """The directions that change by a constant other than 0, with it."""
    result = []
    for parts, extra in directions:
        if all(v in update for v, _ in parts):
            sort = parts[0][0].sort
            here = Linear(parts, 0, sort)
            change = total([(update[v], c) for v, c in parts], sort) - here
            if not change.terms and change.constant:
                result.append((here, change.constant, extra))
    return result


def kept(changing: Sequence[tuple[Linear, Number]]) -> list[Linear]:
    """Combinations of two that do not change."""
    pairs = combinations(changing, 2)
    return [a.scale(k) - b.scale(j) for (a, j), (b, k) in pairs]
