"""``LocationShape``: what the facts about a location may speak of; ``ShapeView``: the same over the terms of an edge.

Numbers are tracked in affine equations and in ranges of directions, Booleans in constants and pairs. Predicates cut the states
of a location into cells; each cell has a ``Cell`` of its own. Variables of other sorts (arrays, words) are in no fact.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.abstract.ranges import Direction
from lemmata.logic.build import build
from lemmata.logic.sorts import BOOL, INT, REAL, Sort
from lemmata.logic.terms import Term, Value, const, make
from lemmata.logic.walk import substitute
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class LocationShape:
    """Positions are those of the location's variables."""

    variables: tuple[Term, ...]
    directions: tuple[Direction, ...] = ()
    predicates: tuple[Term, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()  # of Booleans
    delay: int = 3  # how often a bound may move before it is widened
    bounds: bool = True  # are directions bounded?
    remainders: bool = True  # are directions looked at modulo numbers?

    def positions(self, sort: Sort) -> list[int]:
        """Where variables of ``sort`` are."""
        return [i for i, v in enumerate(self.variables) if v.sort is sort]

    @property
    def tracked(self) -> list[int]:
        """Where variables are whose values matter."""
        return [i for i, v in enumerate(self.variables) if v.sort in (BOOL, INT, REAL)]


class ShapeView:
    """Directions and predicates of a shape, with ``terms`` in the place of the variables."""

    __slots__ = ("directions", "predicates", "terms")

    def __init__(self, shape: LocationShape, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.directions = [combination(direction.parts, terms) for direction in shape.directions]
        self.predicates = substitute(shape.predicates, dict(zip(shape.variables, terms, strict=True)))


def combination(parts: Sequence[tuple[int, int]], terms: Sequence[Term]) -> Term:
    """``Σ coefficient · terms[position]``; not empty."""
    products = []
    for i, coefficient in parts:
        term = terms[i]
        products.append(term if coefficient == 1 else build("*", (const(coefficient, term.sort), term)))
    return products[0] if len(products) == 1 else build("+", tuple(products))


def at_most_constant(term: Term, bound: Value) -> Term:
    """``term ≤ bound``."""
    return make("<=", (term, const(bound, term.sort)))


def at_least_constant(term: Term, bound: Value) -> Term:
    """``bound ≤ term``."""
    return make("<=", (const(bound, term.sort), term))
