"""Polynomial equations that hold at the locations of a graph, by linear algebra alone.

``2·sum = i·(i - 1)`` is what keeps a loop that adds up its counter, and no solver guesses it. The polynomials of at most some
degree are a space with few dimensions; those that vanish on all reachable states are a subspace at each location. It is
approached from above: in the beginning everything vanishes, since nothing is reached; an edge leaves of its target's space what
becomes, with the updates in the place of variables, a combination of equations of the source and of the guard, times monomials.
Dimensions only go down, so this ends, and the result is inductive by construction (Müller-Olm, Seidl 2004; Rodríguez-Carbonell,
Kapur 2007; of bounded degree both are Karr's analysis 1976 over monomials). Guessing equations from runs (Sharma et al. 2013)
would only find the same ones: what an edge breaks is broken here, too. Inequalities of guards are not looked at.

Case distinctions make several edges of one; equations of the guard that define a letter are substituted. Numbers grow on the
way to equations that are short in the end, so all this happens modulo a prime first, and then once more, exactly, from there.
Where polynomials become too large, a lower degree has to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from lemmata.budgets import ALGEBRA_VISITS
from lemmata.engines.abstract.edge_equations import EquationalEdge, equational_edges
from lemmata.engines.abstract.polynomials import (
    Alphabet,
    Coefficient,
    Polynomial,
    Residue,
    Substitution,
    degree,
    equation,
    monomials,
    scaled,
    times_monomial,
)
from lemmata.engines.abstract.products import accumulates, has_products
from lemmata.engines.abstract.span import LinearSpan, kernel
from lemmata.logic.sorts import INT, REAL, Sort
from lemmata.logic.terms import Term
from lemmata.models.graph import Graph

_DIMENSIONS = 56  # monomials of a location
_DEGREE = 3  # degree
_PRODUCTS = 300  # multiples of equations that are looked at

Spaces = list[LinearSpan | None]  # per location; ``None``: nothing arrives


def polynomial_facts(graph: Graph) -> list[list[Term]]:
    """Equations per location, inductive together; none where all is linear and nothing is added up."""
    terms = [term for edge in graph.edges for term in (edge.guard, *edge.updates)]
    if has_products(terms) or accumulates(graph):
        return Algebra(graph).facts
    return [[] for _ in graph.locations]


class Algebra:
    """``spaces`` has what vanishes at every location, ``facts`` a few equations from which all of it follows."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._sort = _sort(graph)
        self._letters = [[i for i, v in enumerate(place.variables) if v.sort is self._sort] for place in graph.locations]
        self._degree = _fitting(max(map(len, self._letters), default=0))
        self.spaces: Spaces = [None] * len(graph.locations)
        while self._degree > 1:
            try:
                guessed = self._descent(Residue, self.spaces)
                self.spaces = self._descent(Fraction, [None if space is None else _rational(space) for space in guessed])
                break
            except ArithmeticError:  # too large, or divided by a multiple of the prime
                self._degree -= 1

    @property
    def facts(self) -> list[list[Term]]:
        """Per location; what is not reached has none."""
        return [self._told(number) for number in range(len(self._graph.locations))]

    def _descent(self, number: type[Coefficient], spaces: Spaces) -> Spaces:
        """The largest spaces within the given ones that no edge breaks."""
        errors = {question.location for question in self._graph.questions}
        images = [Image(way, self._sort, number) for way in equational_edges(self._graph) if way.target not in errors]
        spaces = list(spaces)
        waiting = dict.fromkeys(range(len(images)))
        while waiting:
            ready = (n for n in waiting if all(spaces[s] is not None for s in images[n].way.locations))
            next_one = next(ready, None)
            if next_one is None:
                break
            del waiting[next_one]
            target = images[next_one].way.target
            if self._pass(images[next_one], spaces, number):
                waiting |= {n: None for n, image in enumerate(images) if target in image.way.locations}
        return spaces

    def _pass(self, image: Image, spaces: Spaces, number: type[Coefficient]) -> bool:
        """Take from the target's space what one way breaks; was there anything?"""
        target = image.way.target
        space = spaces[target]
        if space is not None and not len(space):
            return False
        basis = _all(self._letters[target], self._degree, number) if space is None else space.rows
        image.visits += 1
        sources = [_rows(spaces[location]) for location in image.way.locations]
        left = [] if image.visits > ALGEBRA_VISITS else image.kept(basis, sources)
        if space is not None and len(left) == len(basis):
            return False
        spaces[target] = LinearSpan(left)
        return True

    def _told(self, location: int) -> list[Term]:
        """Rows that are no combination of multiples of the rows before."""
        known = LinearSpan()
        variables = self._graph.locations[location].variables
        result = []
        for row in _rows(self.spaces[location]):
            if known.add(row):
                result.append(equation(row, variables, self._sort))
                for m in monomials(self._letters[location], self._degree - degree(row)):
                    known.add(times_monomial(row, m))
        return result


class Image:
    """What polynomials about the target are before one way."""

    def __init__(self, way: EquationalEdge, sort: Sort, number: type[Coefficient]) -> None:
        self.way = way
        self.visits = 0
        alphabet = Alphabet((v for source in way.sources for v in source), number)
        self._sources = [[alphabet.number(v) for v in source] for source in way.sources]
        updates = {i: alphabet.polynomial(u) for i, u in enumerate(way.updates) if u.sort is sort}
        given, self._definitions = _solved([alphabet.polynomial(a) for a in way.zeros if a.sort is sort])
        self._given = given
        self._updates = Substitution({i: self._definitions(p) for i, p in updates.items()})

    def kept(self, basis: Sequence[Polynomial], sources: Sequence[Sequence[Polynomial]]) -> list[Polynomial]:
        """The combinations of ``basis`` that vanish after the way if ``sources`` do before it."""
        images = [self._updates(p) for p in basis]
        letters = {letter for p in images for m in p for letter in m}
        zeros = self._zeros(sources, max(map(degree, images), default=0), sorted(letters))
        return kernel(basis, [zeros.remainder(p) for p in images])

    def _zeros(self, sources: Sequence[Sequence[Polynomial]], most: int, letters: Sequence[int]) -> LinearSpan:
        """What vanishes before the way, up to the degree that is needed, in the letters that are needed."""
        given = list(self._given)
        for numbers, rows in zip(self._sources, sources, strict=True):
            given += [self._definitions({tuple(sorted(numbers[i] for i in m)): c for m, c in row.items()}) for row in rows]
        zeros = LinearSpan()
        count = 0
        for p in sorted(given, key=degree):
            for m in monomials(letters, most - degree(p)):
                count += 1
                if count > _PRODUCTS:
                    return zeros
                zeros.add(times_monomial(p, m))
        return zeros


def _solved(zeros: Sequence[Polynomial]) -> tuple[list[Polynomial], Substitution]:
    """Equations that say what a letter is as a substitution, and the others after it."""
    found: dict[int, Polynomial] = {}
    rest: list[Polynomial] = []
    for zero in zeros:
        p = Substitution(found)(zero)
        letter = _defined(p)
        if letter is None:
            rest.append(p)
            continue
        value = scaled({m: c for m, c in p.items() if m != (letter,)}, type(p[(letter,)])(-1) / p[(letter,)])
        step = Substitution({letter: value})
        found = {n: step(q) for n, q in found.items()} | {letter: value}
    definitions = Substitution(found)
    return [q for q in map(definitions, rest) if q], definitions


def _defined(p: Polynomial) -> int | None:
    """A letter that ``p = 0`` defines: it occurs alone, and nowhere else. Late ones are preferred."""
    alone = [m[0] for m in p if len(m) == 1]
    return max((i for i in alone if sum(i in m for m in p) == 1), default=None)


def _all(letters: Sequence[int], most: int, number: type[Coefficient]) -> list[Polynomial]:
    return [{m: number(1)} for m in monomials(letters, most)]


def _rows(space: LinearSpan | None) -> Sequence[Polynomial]:
    return () if space is None else space.rows


def _rational(space: LinearSpan) -> LinearSpan:
    """The rows whose residues stand for short fractions."""
    rows = [{m: c.rational() for m, c in row.items()} for row in space.rows]
    return LinearSpan(row for row in rows if None not in row.values())


def _fitting(letters: int) -> int:
    """The highest degree of polynomials over so many letters that are not too many."""
    return max((d for d in range(1, _DEGREE + 1) if comb(letters + d, d) <= _DIMENSIONS), default=0)


def _sort(graph: Graph) -> Sort:
    return INT if any(v.sort is INT for place in graph.locations for v in place.variables) else REAL
