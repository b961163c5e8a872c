"""Predicates: the conjuncts of proofs, each with a number, so that a set of them is a bit mask.

A predicate is about every location where all of its variables live; in a program they have the same names everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph


class Predicates:
    """All predicates of a run, by number."""

    def __init__(self, graph: Graph) -> None:
        self.terms: list[Term] = []
        self._numbers: dict[Term, int] = {}
        self._variables: list[frozenset[Term]] = []
        self._alive = [frozenset(place.variables) for place in graph.locations]

    def __len__(self) -> int:
        return len(self.terms)

    def number(self, term: Term) -> int:
        """The number of a predicate, a new one if need be."""
        found = self._numbers.get(term)
        if found is None:
            found = self._numbers[term] = len(self.terms)
            self.terms.append(term)
            self._variables.append(frozenset(variables([term])))
        return found

    def at(self, location: int, numbers: Iterable[int]) -> list[int]:
        """Those that are about a location."""
        alive = self._alive[location]
        return [number for number in numbers if self._variables[number] <= alive]

    def of(self, formulas: Iterable[Term]) -> list[int]:
        """The numbers of all conjuncts, in order, each once; *true* and *false* are no predicates."""
        return [self.number(part) for part in asserted_conjuncts(formulas) if part is not FALSE]

    def terms_of(self, mask: int) -> list[Term]:
        """The predicates of a mask."""
        return [self.terms[number] for number in numbers_in(mask)]


def numbers_in(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
