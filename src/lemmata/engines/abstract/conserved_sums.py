"""What loops keep: combinations of directions that do not change along an edge.

An update is taken as one or several linear ones: each case of a case distinction gives its own, and so does each bound that the
guard sets to its inputs (time that passes by at most 10 passes like time that passes by 10). A direction that grows by the
same amount each time such an update is taken has an *increment*; two directions with increments k and l make l·d - k·e, which
is kept. The increments may also be those of two different turns of a loop together. (Kept linear forms are the simplest
invariants of loops; Karr 1976, Müller-Olm and Seidl 2004 find them all, here only those are wanted that combine two directions
of interest.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from lemmata.engines.abstract.atoms import ReadableAt, localized
from lemmata.engines.abstract.collect import Coefficients
from lemmata.logic.linear import Linear, Number, comparison, linear, total
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, const, topological
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph

_MOST_CASES = 16  # ways to decide the choices in updates

Update = Mapping[Term, Linear]  # for target variables that become something linear over the source


def linear_updates(graph: Graph, edge: Edge, place: ReadableAt) -> list[Update]:
    """The updates of an edge over the variables of a source, one for each case of the distinctions and bounds in them."""
    target = graph.locations[edge.target].variables
    result: list[Update] = []
    for terms in [case for updates in _extremes(edge) for case in _cases(updates)]:
        update = {v: form for v, term in zip(target, terms, strict=True) if (form := _linear_at(term, place)) is not None}
        if update not in result:
            result.append(update)
    return result


def _linear_at(term: Term, place: ReadableAt) -> Linear | None:
    inner = localized(term, place) if term.sort in (INT, REAL) else None
    return None if inner is None else linear(inner)


def _extremes(edge: Edge) -> list[Sequence[Term]]:
    """The updates where inputs are as large, and where they are as small, as the guard allows with constants."""
    inputs = {v for v in edge.inputs if v.sort in (INT, REAL)}
    if not any(v in inputs for v in variables(edge.updates)):
        return [edge.updates]
    bounds: tuple[dict[Term, Term], dict[Term, Term]] = ({}, {})
    for literal in edge.guard.args if edge.guard.op == "and" else (edge.guard,):
        atom = comparison(literal)
        if atom is not None and atom.kind in ("le", "lt") and len(atom.form.terms) == 1:
            ((v, factor),) = atom.form.terms
            if v in inputs and abs(factor) == 1:
                bounds[factor < 0].setdefault(v, const(-atom.form.constant * factor, v.sort))
    found = [substitute(edge.updates, bound) for bound in bounds if bound]
    return [*found] or [edge.updates]


def _cases(updates: Sequence[Term]) -> Iterator[list[Term]]:
    """The updates without case distinctions, for each way to decide them, outermost first."""
    waiting = [list(updates)]
    count = 0
    while waiting and count < _MOST_CASES:
        terms = waiting.pop()
        decisions = [term for term in topological(terms) if term.op == "ite"]
        if decisions:
            condition = decisions[-1].args[0]
            waiting += [substitute(terms, {condition: truth}) for truth in (FALSE, TRUE)]
        else:
            count += 1
            yield terms


def increments(directions: Sequence[Coefficients], update: Update) -> dict[Coefficients, Number]:
    """By how much directions change, where that is a constant."""
    result: dict[Coefficients, Number] = {}
    for parts in directions:
        if all(v in update for v, _ in parts):
            sort = parts[0][0].sort
            change = total([(update[v], c) for v, c in parts], sort) - Linear(parts, 0, sort)
            if not change.terms:
                result[parts] = change.constant
    return result


def conserved_sums(changes: Mapping[Coefficients, Number]) -> list[Linear]:
    """Combinations of two changing directions that do not change."""
    changing = [(Linear(parts, 0, parts[0][0].sort), change) for parts, change in changes.items() if change]
    return [a.scale(k) - b.scale(j) for (a, j), (b, k) in combinations(changing, 2) if a.sort is b.sort]


def composed(first: Mapping[Coefficients, Number], second: Mapping[Coefficients, Number]) -> dict[Coefficients, Number]:
    """The increments of two turns."""
    return {parts: change + second[parts] for parts, change in first.items() if parts in second}
