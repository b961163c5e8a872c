"""Polynomial equations that hold at the locations of a graph, by linear algebra alone.

``2·sum = i·(i - 1)`` is what keeps a loop that adds up its counter, and no solver guesses it. The polynomials of at most some
degree are a space with few dimensions; those that vanish on all reachable states are a subspace at each location. It is
approached from above: in the beginning everything vanishes, since nothing is reached; an edge leaves of its target's space what
becomes, with the updates in the place of variables, a combination of equations of the source and of the guard, times monomials.
Dimensions only go down, so this ends, and the result is inductive by construction (Müller-Olm, Seidl 2004; Rodríguez-Carbonell,
Kapur 2007; of bounded degree both are Karr's analysis 1976 over monomials). Guessing equations from runs (Sharma et al. 2013)
would only find the same ones: what an edge breaks is broken here, too. Inequalities of guards are not looked at.

Case distinctions make several edges of one; equations of the guard that define a letter are substituted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from lemmata.engines.abstract.polynomials import (
    Alphabet,
    Monomial,
    Polynomial,
    TooLarge,
    degree,
    equation,
    monomials,
    multiplied,
    substituted,
)
from lemmata.engines.abstract.products import adds_up, has_products
from lemmata.engines.abstract.span import Span, kernel
from lemmata.engines.abstract.ways import Way, ways
from lemmata.logic.sorts import INT, REAL, Sort
from lemmata.logic.terms import Term
from lemmata.models.graph import Graph

_DIMENSIONS = 56  # monomials of a location
_HIGHEST = 3  # degree
_PRODUCTS = 300  # multiples of equations that are looked at
_VISITS = 60  # per way


def polynomial_facts(graph: Graph) -> list[list[Term]]:
    """Equations per location, inductive together; none where all is linear and nothing is added up."""
    terms = [term for edge in graph.edges for term in (edge.guard, *edge.updates)]
    if has_products(terms) or adds_up(graph):
        return Algebra(graph).facts
    return [[] for _ in graph.locations]


class Algebra:
    """The equations of every location; ``facts`` has them as terms, a few from which the others follow."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._errors = {question.location for question in graph.questions}
        self._sort = _sort(graph)
        self._numbers = [[i for i, v in enumerate(place.variables) if v.sort is self._sort] for place in graph.locations]
        self._degree = _fitting(max(map(len, self._numbers), default=0))
        self._spaces: list[Span | None] = [None] * len(graph.locations)
        if self._degree > 1:
            self._run([_Image(graph, way, self._sort) for way in ways(graph) if way.target not in self._errors])

    @property
    def facts(self) -> list[list[Term]]:
        """Per location; what is not reached has none."""
        return [self._told(number) for number in range(len(self._graph.locations))]

    def _run(self, images: list[_Image]) -> None:
        waiting = dict.fromkeys(range(len(images)))
        while waiting:
            number = next((n for n in waiting if all(self._spaces[s] is not None for s in images[n].way.locations)), None)
            if number is None:
                return
            del waiting[number]
            target = images[number].way.target
            if self._pass(images[number]):
                waiting |= {n: None for n, image in enumerate(images) if target in image.way.locations}

    def _pass(self, image: _Image) -> bool:
        """What is left of the target's space after one way; has it changed?"""
        target = image.way.target
        space = self._spaces[target]
        basis: Sequence[Polynomial] = _all(self._numbers[target], self._degree) if space is None else space.rows
        if space is not None and not basis:
            return False
        image.visits += 1
        left = [] if image.visits > _VISITS else image.kept(basis, [self._space(s) for s in image.way.locations])
        if space is not None and len(left) == len(basis):
            return False
        self._spaces[target] = Span(left)
        return True

    def _space(self, location: int) -> Sequence[Polynomial]:
        found = self._spaces[location]
        return found.rows if found is not None else ()

    def _told(self, location: int) -> list[Term]:
        """Rows that are no combination of multiples of the rows before."""
        known = Span()
        letters = self._graph.locations[location].variables
        result = []
        for row in self._space(location):
            if known.add(row):
                result.append(equation(row, letters, self._sort))
                for m in monomials(self._numbers[location], self._degree - degree(row)):
                    known.add(multiplied(row, {m: Fraction(1)}))
        return result


class _Image:
    """What polynomials about the target are before one way."""

    def __init__(self, graph: Graph, way: Way, sort: Sort) -> None:
        self.way = way
        self.visits = 0
        alphabet = Alphabet(v for source in way.sources for v in source)
        self._sources = [[alphabet.number(v) for v in source] for source in way.sources]
        updates = {i: alphabet.polynomial(u) for i, u in enumerate(way.updates) if u.sort is sort}
        self._given = [alphabet.polynomial(a) for a in way.zeros if a.sort is sort]
        self._definitions: dict[int, Polynomial] = {}
        self._known: dict[Monomial, Polynomial] = {}
        self._updates = updates
        self._define()
        self._images: dict[Monomial, Polynomial] = {}

    def _define(self) -> None:
        """Equations that say what a letter is, as substitutions."""
        waiting, self._given = self._given, []
        for p in waiting:
            p = substituted(p, self._definitions, {})
            letter = _defined(p)
            if letter is None:
                if p:
                    self._given.append(p)
                continue
            c = p[(letter,)]
            value = {m: -d / c for m, d in p.items() if m != (letter,)}
            self._definitions = {n: substituted(q, {letter: value}, {}) for n, q in self._definitions.items()}
            self._definitions[letter] = value
        self._given = [substituted(p, self._definitions, {}) for p in self._given]
        self._updates = {i: substituted(p, self._definitions, {}) for i, p in self._updates.items()}

    def kept(self, basis: Sequence[Polynomial], sources: Sequence[Sequence[Polynomial]]) -> list[Polynomial]:
        """The combinations of ``basis`` that vanish after the way if ``sources`` do before it; none if that is too much."""
        try:
            images = [substituted(p, self._updates, self._images) for p in basis]
            zeros = self._zeros(sources, max(map(degree, images), default=0), {i for p in images for m in p for i in m})
            return kernel(basis, [zeros.remainder(p) for p in images])
        except TooLarge:
            return []

    def _zeros(self, sources: Sequence[Sequence[Polynomial]], most: int, letters: set[int]) -> Span:
        """What vanishes before the way, up to the degree that is needed, in the letters that are needed."""
        given = list(self._given)
        for numbers, rows in zip(self._sources, sources, strict=True):
            renamed = [{tuple(sorted(numbers[i] for i in m)): c for m, c in row.items()} for row in rows]
            given += [substituted(p, self._definitions, self._known) for p in renamed]
        zeros = Span()
        count = 0
        for p in sorted(given, key=degree):
            for m in monomials(sorted(letters), most - degree(p)):
                count += 1
                if count > _PRODUCTS:
                    return zeros
                zeros.add(multiplied(p, {m: Fraction(1)}))
        return zeros


def _defined(p: Polynomial) -> int | None:
    """A letter that ``p = 0`` defines: it occurs alone, and nowhere else. Late ones are preferred."""
    alone = [m[0] for m in p if len(m) == 1]
    return max((i for i in alone if sum(i in m for m in p) == 1), default=None)


def _all(letters: Sequence[int], most: int) -> list[Polynomial]:
    return [{m: Fraction(1)} for m in monomials(letters, most)]


def _fitting(letters: int) -> int:
    """The highest degree of polynomials over so many letters that are not too many."""
    return max((d for d in range(1, _HIGHEST + 1) if comb(letters + d, d) <= _DIMENSIONS), default=0)


def _sort(graph: Graph) -> Sort:
    return INT if any(v.sort is INT for place in graph.locations for v in place.variables) else REAL
