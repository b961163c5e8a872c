"""Two edges in a row as one: ``compose(outer, position, inner)``.

The outer edge reads, at the given source, what the inner edge writes: the inner updates take the place of the source's
variables, both guards hold, and the inner sources stand where the source stood. A ``Made`` edge remembers the recipe of old
edges by which it was made, so that derivations find back.
"""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.logic.build import conj
from lemmata.logic.terms import Term, name_of
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Source
from lemmata.transforms.graph.back import Recipe, RecipeStep
from lemmata.transforms.graph.edges import simplified
from lemmata.transforms.graph.naming import take_name
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Made:
    """An edge and how it was made."""

    edge: Edge
    recipe: Recipe


def compose(outer: Made, position: int, inner: Made) -> Made:
    """The inner edge, and then the outer one from its target; simplified."""
    over, under = outer.edge, inner.edge
    names = _apart(under, {name_of(v) for v in (*over.inputs, *(v for s in over.sources for v in s.variables))})
    guard, *updates = substitute([under.guard, *under.updates], names)
    values = dict(zip(over.sources[position].variables, updates, strict=True))
    after, *updates = substitute([over.guard, *over.updates], values)
    sources = tuple(Source(s.location, tuple(names[v] for v in s.variables)) for s in under.sources)
    edge, meanings = simplified(
        Edge(
            (*over.sources[:position], *sources, *over.sources[position + 1 :]),
            over.target,
            (*(names[v] for v in under.inputs), *over.inputs),
            conj((guard, after)),
            tuple(updates),
            over.line,
        )
    )
    first = _told(inner.recipe, names)
    then = _told(outer.recipe, values)
    return Made(edge, _told(_joined(first, then, position, len(sources)), meanings))


def _apart(edge: Edge, taken: set[str]) -> dict[Term, Term]:
    """Names for the variables and inputs of ``edge`` that are not taken."""
    return {v: take_name(v, taken) for v in [*(v for s in edge.sources for v in s.variables), *edge.inputs]}


def _told(recipe: Recipe, names: Mapping[Term, Term]) -> Recipe:
    """The recipe in terms of another edge."""
    terms = iter(substitute([term for step in recipe for _, term in step.inputs], names))
    return tuple(RecipeStep(step.edge, step.premises, tuple((v, next(terms)) for v, _ in step.inputs)) for step in recipe)


def _joined(first: Recipe, then: Recipe, position: int, arity: int) -> Recipe:
    """``first`` gives the premise that ``then`` has at ``position``; it has ``arity`` sources of its own."""

    def inner(premise: int) -> int:
        return premise if premise >= 0 else ~(position + ~premise)

    def outer(premise: int) -> int:
        if premise >= 0:
            return premise + len(first)
        source = ~premise
        if source == position:
            return len(first) - 1
        return ~source if source < position else ~(source + arity - 1)

    return (
        *(RecipeStep(step.edge, tuple(map(inner, step.premises)), step.inputs) for step in first),
        *(RecipeStep(step.edge, tuple(map(outer, step.premises)), step.inputs) for step in then),
    )
