"""``Partition``: what is known about one location: a ``Cell`` for each valuation of its predicates that was seen.

Cells are disjoint, so a state is known if it is in the states of its own cell. A location without predicates has at most one
cell. Where every valuation of Booleans that encode a program counter is a cell, this is a control-flow graph found on the way
(state partitioning; Rival, Mauborgne 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.engines.abstract.cell import Cell, Point
from lemmata.engines.abstract.shape import Shape, View
from lemmata.logic.build import conj, disj, implies, negate
from lemmata.logic.linear import canonical
from lemmata.logic.terms import FALSE, TRUE, Term

Key = tuple[bool, ...]  # the truth of each predicate


class Partition:
    """The cells of a location; ``give_up`` makes it say nothing at all."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.cells: dict[Key, Cell] = {}
        self.is_top = False
        self._views: dict[tuple[Term, ...], View] = {}

    def give_up(self) -> None:
        """Claim nothing from now on."""
        self.is_top = True

    def forget_remainders(self) -> None:
        """Claim nothing modulo numbers from now on."""
        self.shape = replace(self.shape, remainders=False)
        for cell in self.cells.values():
            cell.forget_remainders()

    def join(self, key: Key, point: Point) -> bool:
        """Take a point in; does that change anything?"""
        cell = self.cells.get(key)
        if cell is None:
            self.cells[key] = Cell(self.shape, point)
            return True
        return cell.join(point)

    def view(self, terms: Sequence[Term]) -> View:
        """The shape over ``terms`` in the place of the variables."""
        key = tuple(terms)
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = View(self.shape, terms)
        return found

    def formula(self, terms: Sequence[Term]) -> Term:
        """Everything that is known, over ``terms``."""
        if self.is_top:
            return TRUE
        view = self.view(terms)
        return disj([conj([_condition(key, view.predicates), *cell.facts(view)]) for key, cell in self.cells.items()])

    def outside(self, key: Key, terms: Sequence[Term], modulo: bool) -> Term:
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


def _condition(key: Key, predicates: Sequence[Term]) -> Term:
    return conj([predicate if truth else negate(predicate) for truth, predicate in zip(key, predicates, strict=True)])
