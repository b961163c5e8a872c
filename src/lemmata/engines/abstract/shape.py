"""``Shape``: what the facts about a location may speak of.

Numbers are tracked in affine equations and in ranges of directions, Booleans in constants and pairs. Predicates cut the states
of a location into cells; each cell has a ``Cell`` of its own. Variables of other sorts (arrays, words) are in no fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lemmata.engines.abstract.ranges import Direction
from lemmata.logic.build import build
from lemmata.logic.sorts import BOOL, INT, REAL, Sort
from lemmata.logic.terms import Term, Value, const


@dataclass(frozen=True, slots=True)
class Shape:
    """Positions are those of the location's variables."""

    variables: tuple[Term, ...]
    directions: tuple[Direction, ...] = ()
    predicates: tuple[Term, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()  # of Booleans
    delay: int = 3  # how often a bound may move before it is widened

    def positions(self, sort: Sort) -> list[int]:
        """Where variables of ``sort`` are."""
        return [i for i, v in enumerate(self.variables) if v.sort is sort]

    @property
    def tracked(self) -> list[int]:
        """Where variables are whose values matter."""
        return [i for i, v in enumerate(self.variables) if v.sort in (BOOL, INT, REAL)]


def combination(parts: Sequence[tuple[int, int]], terms: Sequence[Term]) -> Term:
    """``Σ coefficient · terms[position]``; not empty."""
    products = []
    for i, coefficient in parts:
        term = terms[i]
        products.append(term if coefficient == 1 else build("*", (const(coefficient, term.sort), term)))
    return products[0] if len(products) == 1 else build("+", tuple(products))


def number(value: Value, terms: Sequence[Term], position: int) -> Term:
    """A constant of the sort of the term at ``position``."""
    return const(value, terms[position].sort)
