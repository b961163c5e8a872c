"""Parameters with a small range become cases: one for each value.

``i := i + k`` with an unchanged k between 0 and 10, and a loop that ends at ``1000000·k``: no linear invariant says that i is a
multiple of k, but for each k it is easy. A *parameter* is a variable that every edge passes on as it is, or chooses between two
constants that are near each other. It is worth cases where it makes things hard: it multiplies or divides something that is not
constant, or it is a step by which another variable grows. Then each edge that chooses it becomes one edge per value; what
holds a few constants only is made a part of the locations by ``states``.

Way back: the claims hold as they are, for an old edge is the union of the new ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from lemmata.logic.build import conj, equal
from lemmata.logic.linear import comparison, linearize
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, Term, const, topological
from lemmata.models.graph import Edge, Graph
from lemmata.transforms import Chain
from lemmata.transforms.graph.back import Adapted, GraphReduction, Recipe, RecipeStep, unchanged_edge
from lemmata.transforms.graph.edges import simplified
from lemmata.transforms.graph.states import split_on
from lemmata.transforms.graph.tidy import guard_conjuncts

_PARAMETER_VALUES = 16  # values of a parameter


def split_cases(graph: Graph) -> GraphReduction:
    """The graph with locations for the values of one parameter; the same graph if there is none."""
    for name in _hard(graph):
        ranges = _ranges(graph, name)
        if ranges is not None:
            several = _enumerated(graph, name, ranges)
            split = split_on(several.model, {name})
            if split is not None:
                return GraphReduction(split.model, Chain((several.back, split.back)))
    return GraphReduction(graph, Chain())


def _hard(graph: Graph) -> list[Term]:
    """Variables that multiply, divide, or are the step of another one, in the order of their locations."""
    found: set[Term] = set()
    for edge in graph.edges:
        back = {v: u for s in edge.sources for v, u in zip(s.variables, graph.locations[s.location].variables, strict=True)}
        here = set(_factors([edge.guard, *edge.updates])) | set(_strides(edge))
        found |= {back[v] for v in here if v in back}
    return list(dict.fromkeys(v for place in graph.locations for v in place.variables if v in found and v.sort is INT))


def _factors(terms: list[Term]) -> Iterator[Term]:
    """Variables that are multiplied with something, or that something is divided by."""
    for term in topological(terms):
        if term.op == "*" and sum(not arg.is_const for arg in term.args) > 1:
            yield from term.args
        elif term.op in ("div", "mod"):
            yield term.args[1]


def _strides(edge: Edge) -> Iterator[Term]:
    """What variables grow by in one turn of a loop."""
    for source in edge.sources:
        if source.location == edge.target:
            for v, update in zip(source.variables, edge.updates, strict=True):
                if v is not update and v.sort is INT:
                    unknowns = linearize(update).unknowns
                    if v in unknowns:
                        yield from (u for u in unknowns if u is not v)


def _ranges(graph: Graph, name: Term) -> dict[int, tuple[int, int]] | None:
    """The edges that choose the parameter, and between which constants; ``None`` if it is no parameter."""
    found: dict[int, tuple[int, int]] = {}
    for number, edge in enumerate(graph.edges):
        update = _update(graph, edge, name)
        if update is None or update.is_const or any(_passes(graph, edge, k, name, update) for k in range(len(edge.sources))):
            continue
        bounds = _bounds(edge, update) if update in edge.inputs else None
        if bounds is None or bounds[1] - bounds[0] >= _PARAMETER_VALUES:
            return None
        found[number] = bounds
    return found


def _update(graph: Graph, edge: Edge, name: Term) -> Term | None:
    """What the variable becomes along an edge; ``None`` if the target does not have it."""
    return dict(zip(graph.locations[edge.target].variables, edge.updates, strict=True)).get(name)


def _passes(graph: Graph, edge: Edge, source: int, name: Term, update: Term) -> bool:
    own = graph.locations[edge.sources[source].location].variables
    return name in own and edge.sources[source].variables[own.index(name)] is update


def _bounds(edge: Edge, choice: Term) -> tuple[int, int] | None:
    """Constants that the guard keeps the input between."""
    low, high = None, None
    for part in guard_conjuncts([edge.guard]):
        atom = comparison(part)
        if atom is None or atom.kind != "le" or atom.form.unknowns != (choice,):
            continue
        bound = -Fraction(atom.form.constant) / atom.form.coefficient(choice)
        if atom.form.coefficient(choice) > 0:
            high = floor(bound) if high is None else min(high, floor(bound))
        else:
            low = ceil(bound) if low is None else max(low, ceil(bound))
    return None if low is None or high is None else (low, high)


def _enumerated(graph: Graph, name: Term, ranges: Mapping[int, tuple[int, int]]) -> GraphReduction:
    """One edge per value where the parameter is chosen."""
    edges: list[Edge] = []
    recipes: list[Recipe] = []
    for number, edge in enumerate(graph.edges):
        if number not in ranges:
            edges.append(edge)
            recipes.append(unchanged_edge(number, edge))
            continue
        choice = _update(graph, edge, name)
        assert choice is not None
        low, high = ranges[number]
        for value in range(low, high + 1):
            one = replace(edge, guard=conj((edge.guard, equal(choice, const(value, INT)))))
            smaller, meanings = simplified(one)
            if smaller.guard is not FALSE:
                edges.append(smaller)
                premises = tuple(~k for k in range(len(edge.sources)))
                recipes.append((RecipeStep(number, premises, tuple((v, meanings[v]) for v in edge.inputs)),))
    new = Graph(graph.locations, tuple(edges), graph.questions, graph.origin, graph.file)
    return GraphReduction(new, Adapted(graph, new, 0, tuple(range(len(graph.locations))), tuple(recipes), {}))
