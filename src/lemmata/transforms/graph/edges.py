"""Simpler edges: terms in normal form, inputs that are names for terms put in place, free choices made, equal edges once.

Where a relation says ``x′ = t`` and the update is ``x′``, the update becomes t: relations turn into functions as far as they
are functions.

Way back: the claims hold as they are. An input that went has its value by the term that it stood for.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from lemmata.logic.build import conj
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph
from lemmata.transforms.graph.back import Adapted, GraphReduction, Recipe, RecipeStep, anything
from lemmata.transforms.graph.choices import rejoin
from lemmata.transforms.graph.equations import definitions
from lemmata.transforms.graph.naming import in_own_names
from lemmata.transforms.graph.tidy import assume, guard_conjuncts, normal_form, summed, tidied
from lemmata.transforms.graph.unconstrained_inputs import choose_unconstrained

_ROUNDS = 10  # in which equations for inputs are looked for

Meanings = dict[Term, Term]  # what each old input is: a term over the new edge


def simplify_edges(graph: Graph, simple: Set[Edge] = frozenset()) -> GraphReduction:
    """The same graph with every edge simplified unless it is ``simple`` already, without edges that cannot be taken."""
    edges: dict[tuple[object, ...], Edge] = {}
    recipes: list[Recipe] = []
    for number, edge in enumerate(graph.edges):
        smaller, meanings = _own(graph, edge) if edge in simple else _smaller(graph, edge)
        key = (smaller.sources, smaller.target, smaller.inputs, smaller.guard, smaller.updates)
        if smaller.guard is not FALSE and key not in edges:
            edges[key] = smaller
            inputs = tuple((v, meanings[v]) for v in edge.inputs)
            recipes.append((RecipeStep(number, tuple(~k for k in range(len(edge.sources))), inputs),))
    new = Graph(graph.locations, tuple(edges.values()), graph.questions, graph.origin, graph.file)
    places = tuple(range(len(graph.locations)))
    return GraphReduction(new, Adapted(graph, new, 0, places, tuple(recipes), {}))


def _own(graph: Graph, edge: Edge) -> tuple[Edge, Meanings]:
    renamed, names = in_own_names(graph, edge)
    return renamed, {v: names.get(v, v) for v in edge.inputs}


def _smaller(graph: Graph, edge: Edge) -> tuple[Edge, Meanings]:
    smaller, meanings = simplified(edge)
    renamed, names = in_own_names(graph, smaller)
    return renamed, dict(zip(meanings, substitute(list(meanings.values()), names), strict=True)) if names else meanings


def simplified(edge: Edge) -> tuple[Edge, Meanings]:
    """The edge with fewer inputs, and what the inputs are that went."""
    guard, *updates = normal_form([edge.guard, *edge.updates])
    parts, updates = assume(guard_conjuncts([guard]), updates)
    found: dict[Term, Term] = {}
    for _ in range(_ROUNDS):
        left = [v for v in edge.inputs if v not in found]
        parts = rejoin(parts, set(left))
        new = definitions(parts, left)
        if not new:
            parts, new = choose_unconstrained(parts, updates, left)
            if not new:
                break
        found = dict(zip(found, substitute(list(found.values()), new, tidied), strict=True)) | new
        changed = substitute([*parts, *updates], new, tidied)
        parts, updates = assume(guard_conjuncts(changed[: len(parts)]), [summed(term) for term in changed[len(parts) :]])
    used = set(variables([*parts, *updates]))
    rest = tuple(v for v in edge.inputs if v in used)
    smaller = Edge(edge.sources, edge.target, rest, conj(parts) if parts else TRUE, tuple(updates), edge.line)
    return smaller, _meanings(edge, used, found)


def _meanings(edge: Edge, used: Set[Term], found: Mapping[Term, Term]) -> Meanings:
    """Inputs that are used stay what they are, those that were found are terms, and the others may be anything."""
    free = {v: anything(v.sort) for v in edge.inputs if v not in used and v not in found}
    terms = dict(zip(found, substitute(list(found.values()), free), strict=True))
    return {v: terms.get(v, free.get(v, v)) for v in edge.inputs}
