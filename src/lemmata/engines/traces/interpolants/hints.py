"""What the edges of a path program suggest as invariants.

An edge gives its target what follows from its guard and updates alone: after ``x < 10`` and ``x := x + 2`` it is x ≤ 11. And it
gives its sources the negations of its guard's literals: what does not hold if it is not to be taken. Nobody promises that
any of it holds at each visit (see ``houdini``).
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.traces.interpolants.fourier_motzkin import fourier_motzkin
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import equal, negate
from lemmata.logic.linear import canonical, comparison
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, name_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph

_HINTS = 40  # at a location


def hints(graph: Graph, edges: Sequence[Edge]) -> dict[int, list[Term]]:
    """Candidates by location."""
    found: dict[int, dict[Term, None]] = {edge.target: {} for edge in edges}
    for edge in edges:
        for formula in _after(graph, edge):
            found[edge.target][formula] = None
        for place, formula in _before(graph, edge):
            found.setdefault(place, {})[formula] = None
    return {place: list(formulas)[:_HINTS] for place, formulas in found.items()}


def _after(graph: Graph, edge: Edge) -> list[Term]:
    """Bounds that hold after the edge, wherever it came from."""
    own = graph.locations[edge.target].variables
    fresh = [var(f"{name_of(v)}⟨after⟩", v.sort) for v in own]
    equations = [equal(v, u) for v, u in zip(fresh, edge.updates, strict=True) if v.sort in (INT, REAL)]
    literals = [part for part in asserted_conjuncts([edge.guard]) if comparison(part) is not None]
    doomed = set(variables([edge.guard, *edge.updates]))
    names = dict(zip(fresh, own, strict=True))
    return [
        formula
        for formula in substitute(fourier_motzkin([*literals, *equations], doomed), names)
        if formula not in (TRUE, FALSE)
    ]


def _before(graph: Graph, edge: Edge) -> list[tuple[int, Term]]:
    """Literals of the guard, denied, where one source has all their variables."""
    found = []
    for part in asserted_conjuncts([edge.guard]):
        atom = comparison(part)
        if atom is None or atom.kind not in ("le", "lt", "eq", "ne"):
            continue
        spoken = set(variables([part]))
        for source in edge.sources:
            if spoken <= set(source.variables):
                names = dict(zip(source.variables, graph.locations[source.location].variables, strict=True))
                found.append((source.location, canonical(substitute([negate(part)], names)[0])))
    return found
