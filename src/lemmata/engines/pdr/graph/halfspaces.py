"""Half-spaces that contain an obligation and are never entered.

An obligation is an intersection of bounds. If one bound alone, or a positive combination of two, or a congruence that the
obligation satisfies, is inductive relative to what holds for ever, then its negation holds for ever as well: one lemma settles
what would otherwise be blocked point by point. The combinations are sums, and those multiples that cancel a variable (a step
of Fourier's elimination); the constant is first moved as far as the states known to be reached allow, then tried as it is.
Moduli are the greatest common divisors of the steps of a form that were seen. (Compare the polytopes of Welp, Kuehlmann 2013,
and the Farkas lemmas of Spacer.)

Guesses that ``observed_transitions`` refutes cost no question.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

from lemmata.budgets import HALFSPACE_QUERIES
from lemmata.engines.pdr.graph.cube import GraphCube, bound
from lemmata.engines.pdr.graph.oracle import SmtOracle
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.linear import Atom, Linear, combine, normal
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term

_UNKNOWNS = 4  # unknowns in a combination, at most
_OBLIGATION_BOUNDS = 12  # bounds of an obligation that are combined
_CORE_BOUNDS = 6  # bounds of a core that are combined


class Halfspaces:
    """Looks for half-spaces around obligations."""

    def __init__(self, oracle: SmtOracle) -> None:
        self._oracle = oracle
        self.open: list[GraphCube] = []  # guesses around the last obligation that are neither refuted nor proved
        self._asked: dict[tuple[int, Any], tuple[int, int]] = {}  # by location and form: lemmas for ever, questions

    def around(self, cube: GraphCube) -> GraphCube | None:
        """A larger cube of one literal whose negation holds for ever."""
        self.open.clear()
        observed = self._oracle.observed
        for guess in self._guesses(cube):
            for literal in self._placed(cube.location, guess):
                larger = GraphCube(cube.location, (literal,))
                if not observed.is_reached(larger) and self._is_patient(cube.location, guess):
                    found = self._forever(larger)
                    if found is not None:
                        return found
        return None

    def _forever(self, cube: GraphCube) -> GraphCube | None:
        """The core, if ¬cube holds for ever; otherwise the cube is a guess that somebody may look at more closely."""
        if not self._oracle.observed.refutes(cube):
            answer = self._oracle.transition(cube, INFINITY)
            if isinstance(answer, GraphCube):
                self.open.clear()
                return answer
        self.open.append(cube)
        return None

    def merge(self, core: GraphCube) -> GraphCube | None:
        """The core with two of its bounds replaced by a combination, if that holds for ever."""
        bounds = [(x, what) for x in core.literals if (what := bound(x)) is not None and self._counts(core, what)][
            :_CORE_BOUNDS
        ]
        for i, (x, a) in enumerate(bounds):
            for y, b in bounds[:i]:
                for c in _combinations(a, b):
                    if c.form.terms and len(c.form.terms) <= _UNKNOWNS and self._is_patient(core.location, c):
                        larger = core.without(x, y).joined(c.to_term())
                        found = None if self._oracle.observed.is_reached(larger) else self._forever(larger)
                        if found is not None:
                            return found
        return None

    def _counts(self, cube: GraphCube, what: Atom) -> bool:
        """Does the bound speak of numbers only?"""
        return self._oracle.symbolic_constants.names[cube.location].isdisjoint(what.form.unknowns)

    def _is_patient(self, location: int, guess: Atom) -> bool:
        """Count questions per form."""
        known = self._oracle.frames.eternal
        key = location, (guess.form.terms, guess.modulus)
        then, count = self._asked.get(key, (known, 0))
        if then != known:
            count = 0
        self._asked[key] = known, count + 1
        return count < HALFSPACE_QUERIES

    def _placed(self, location: int, guess: Atom) -> Iterator[Term]:
        """The guess moved as far as reached states allow, then as it is."""
        if guess.kind == "le" and guess.form.sort is INT:
            values = [guess.form.evaluate(fact.point) for fact in self._oracle.observed.reached[location]]
            room = min(values, default=0) - 1
            if room < 0:
                return
            if room > 0:
                yield normal("le", guess.form.shift(-room)).to_term()
        yield guess.to_term()

    def _guesses(self, cube: GraphCube) -> Iterator[Atom]:
        """Atoms that the cube implies."""
        bounds = [what for what in map(bound, cube.literals) if what is not None and self._counts(cube, what)][
            :_OBLIGATION_BOUNDS
        ]
        yield from bounds
        seen = {what.form.terms for what in bounds}
        for i, a in enumerate(bounds):
            for b in bounds[:i]:
                for c in _combinations(a, b):
                    if c.form.terms and c.form.terms not in seen and len(c.form.terms) <= _UNKNOWNS:
                        seen.add(c.form.terms)
                        yield c
        yield from self._congruences(cube.location, bounds)

    def _congruences(self, location: int, bounds: list[Atom]) -> Iterator[Atom]:
        """What forms that have one value in the cube are modulo their steps."""
        forms = {what.form: None for what in bounds if what.form.sort is INT}
        for form in forms:
            if form.scale(-1) in forms and form.terms[0][1] > 0:
                modulus = self._modulus(location, form)
                if modulus > 1:
                    yield normal("mod", form, modulus)

    def _modulus(self, location: int, form: Linear) -> int:
        """The greatest common divisor of the steps of a form that were seen."""
        result = 0
        for way in self._oracle.observed.ways(location):
            for place, state in way.before:
                if place == location:
                    result = gcd(result, int(form.evaluate(way.after) - form.evaluate(state)))
        return result


def _combinations(a: Atom, b: Atom) -> Iterator[Atom]:
    """Positive combinations: the sum, and those that cancel an unknown; integers and reals do not mix."""
    if a.form.sort is not b.form.sort:
        return
    yield combine(a, b, 1, 1)
    for unknown, factor in a.form.terms:
        other = b.form.coefficient(unknown)
        if factor * other < 0 and factor + other != 0:
            sign = 1 if factor > 0 else -1
            yield combine(a, b, -sign * other, sign * factor)
