"""``Partition``: what is known about one location: a ``PartitionCell`` for each valuation of its predicates that was seen.

Cells are disjoint, so a state is known if it is in the states of its own cell. A location without predicates has at most one
cell. Where every valuation of Booleans that encode a program counter is a cell, this is a control-flow graph found on the way
(state partitioning; Rival, Mauborgne 2007).

A cell is the join of the points seen there, in the product of three domains: affine equations, ranges of directions, and
Booleans (constants, and pairs of Booleans with the combinations that occur). The solver sees them together, so each domain
profits from the others without a reduction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.engines.abstract.ranges import Range
from lemmata.engines.abstract.shape import LocationShape, ShapeView, at_least_constant, at_most_constant, combination
from lemmata.logic.build import build, conj, disj, equal, implies, negate
from lemmata.logic.linear import canonical
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, Value, const
from lemmata.oracles.affine_hull import AffineHull

_Point = Sequence[Value]  # a value per variable of the location; anything for those that are not tracked


class PartitionCell:
    """Begins with one point and grows."""

    __slots__ = ("_hulls", "_known", "_pairs", "_ranges", "_truths")

    def __init__(self, shape: LocationShape, point: _Point) -> None:
        self._hulls = [AffineHull(where, point) for sort in (INT, REAL) if (where := shape.positions(sort))]
        self._ranges = [
            Range(direction, direction.at(point), shape.delay, shape.bounds, shape.remainders) for direction in shape.directions
        ]
        self._truths = {i: point[i] for i in shape.positions(BOOL)}
        self._pairs = {(i, j): {(point[i], point[j])} for i, j in shape.pairs}
        self._known: dict[ShapeView, list[Term]] = {}  # plain facts, until a point changes them

    def join(self, point: _Point) -> bool:
        """Take a point in; does that change what ``facts`` says?"""
        changed = [hull.join(point) for hull in self._hulls]
        changed += [found.join(point) for found in self._ranges]
        for i, truth in list(self._truths.items()):
            if truth != point[i]:
                del self._truths[i]
                changed.append(True)
        for (i, j), seen in self._pairs.items():
            changed.append((point[i], point[j]) not in seen)
            seen.add((point[i], point[j]))
        self._known.clear()
        return any(changed)

    def facts(self, view: ShapeView) -> list[Term]:
        """What all points have in common."""
        return self.plain_facts(view) + self.remainders(view)

    @property
    def has_remainders(self) -> bool:
        """Is anything known modulo numbers?"""
        return any(found.remainder for found in self._ranges)

    def forget_remainders(self) -> None:
        """Nothing is known modulo numbers any more."""
        for found in self._ranges:
            found.step = 1

    def remainders(self, view: ShapeView) -> list[Term]:
        """The facts modulo numbers, which are harder for solvers than all others."""
        return [
            _congruence(term, found.remainder)
            for term, found in zip(view.directions, self._ranges, strict=True)
            if found.remainder
        ]

    def plain_facts(self, view: ShapeView) -> list[Term]:
        """All other facts."""
        known = self._known.get(view)
        if known is None:
            known = self._known[view] = [*self._truth_facts(view.terms), *self._equations(view.terms), *self._bounds(view)]
        return known

    def _truth_facts(self, terms: Sequence[Term]) -> list[Term]:
        facts = [terms[i] if truth else negate(terms[i]) for i, truth in self._truths.items()]
        for (i, j), seen in self._pairs.items():
            if len(seen) < 4 and i not in self._truths and j not in self._truths:
                facts += [_other(terms[i], x, terms[j], y) for x in (False, True) for y in (False, True) if (x, y) not in seen]
        return facts

    def _equations(self, terms: Sequence[Term]) -> list[Term]:
        facts = []
        for hull in self._hulls:
            for equation in hull.equations:
                left = combination(equation.parts, terms)
                facts.append(equal(left, const(equation.constant, left.sort)))
        return facts

    def _bounds(self, view: ShapeView) -> list[Term]:
        facts = []
        for term, found in zip(view.directions, self._ranges, strict=True):
            if found.is_constant:  # then it is among the equations
                continue
            if found.low is not None:
                facts.append(at_least_constant(term, found.low))
            if found.high is not None:
                facts.append(at_most_constant(term, found.high))
        return facts


def _other(a: Term, x: bool, b: Term, y: bool) -> Term:
    """Not both: a is x, and b is y."""
    return disj([negate(a) if x else a, negate(b) if y else b])


def _congruence(term: Term, remainder: tuple[int, int]) -> Term:
    modulus, rest = remainder
    return equal(build("mod", (term, const(modulus, INT))), const(rest, INT))


_PredicateValues = tuple[bool, ...]  # the truth of each predicate


class Partition:
    """The cells of a location; ``give_up`` makes it say nothing at all."""

    def __init__(self, shape: LocationShape) -> None:
        self.shape = shape
        self.cells: dict[_PredicateValues, PartitionCell] = {}
        self.is_top = False
        self._views: dict[tuple[Term, ...], ShapeView] = {}

    def give_up(self) -> None:
        """Claim nothing from now on."""
        self.is_top = True

    def forget_remainders(self) -> None:
        """Claim nothing modulo numbers from now on."""
        self.shape = replace(self.shape, remainders=False)
        for cell in self.cells.values():
            cell.forget_remainders()

    def join(self, key: _PredicateValues, point: _Point) -> bool:
        """Take a point in; does that change anything?"""
        cell = self.cells.get(key)
        if cell is None:
            self.cells[key] = PartitionCell(self.shape, point)
            return True
        return cell.join(point)

    def view(self, terms: Sequence[Term]) -> ShapeView:
        """The shape over ``terms`` in the place of the variables."""
        key = tuple(terms)
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = ShapeView(self.shape, terms)
        return found

    def formula(self, terms: Sequence[Term]) -> Term:
        """Everything that is known, over ``terms``."""
        if self.is_top:
            return TRUE
        view = self.view(terms)
        return disj([conj([_condition(key, view.predicates), *cell.facts(view)]) for key, cell in self.cells.items()])

    def outside(self, key: _PredicateValues, terms: Sequence[Term], modulo: bool) -> Term:
        """``terms`` is no state of the cell ``key``, by its remainders if ``modulo``, else by its other facts."""
        cell, view = self.cells[key], self.view(terms)
        facts = cell.remainders(view) if modulo else cell.plain_facts(view)
        return negate(conj([_condition(key, view.predicates), *facts]))

    @property
    def has_remainders(self) -> bool:
        """Does any cell know something modulo numbers?"""
        return self.shape.remainders and any(cell.has_remainders for cell in self.cells.values())

    def facts(self) -> list[Term]:
        """The same as ``formula``, as a list of small facts over the location's variables."""
        view, predicates = self.view(self.shape.variables), self.shape.predicates
        if self.is_top:
            return []
        if not self.cells:
            return [FALSE]
        facts = [] if len(self.cells) == 1 << len(predicates) else [self._somewhere()]
        for key, cell in self.cells.items():
            condition = _condition(key, predicates)
            facts += [implies(condition, canonical(fact)) for fact in cell.facts(view)]
        return list(dict.fromkeys(fact for fact in facts if fact is not TRUE))

    def _somewhere(self) -> Term:
        return disj([_condition(key, self.shape.predicates) for key in self.cells])


def _condition(key: _PredicateValues, predicates: Sequence[Term]) -> Term:
    return conj([predicate if truth else negate(predicate) for truth, predicate in zip(key, predicates, strict=True)])
