"""``Partition``: what is known about one location: a ``Cell`` for each valuation of its predicates that was seen.

Cells are disjoint, so a state is known if it is in the states of its own cell. A location without predicates has at most one
cell. Where every valuation of Booleans that encode a program counter is a cell, this is a control-flow graph found on the way
(state partitioning; Rival, Mauborgne 2007).
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.abstract.cell import Cell, Point
from lemmata.engines.abstract.shape import Shape
from lemmata.logic.build import conj, disj, implies, negate
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import substitute

Key = tuple[bool, ...]  # the truth of each predicate


class Partition:
    """The cells of a location; ``give_up`` makes it say nothing at all."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.cells: dict[Key, Cell] = {}
        self.is_top = False

    def give_up(self) -> None:
        """Claim nothing from now on."""
        self.is_top = True

    def join(self, key: Key, point: Point) -> bool:
        """Take a point in; does that change anything?"""
        cell = self.cells.get(key)
        if cell is None:
            self.cells[key] = Cell(self.shape, point)
            return True
        return cell.join(point)

    def predicates(self, terms: Sequence[Term]) -> list[Term]:
        """The predicates over ``terms`` in the place of the variables."""
        return substitute(self.shape.predicates, dict(zip(self.shape.variables, terms, strict=True)))

    def formula(self, terms: Sequence[Term]) -> Term:
        """Everything that is known, over ``terms``."""
        if self.is_top:
            return TRUE
        predicates = self.predicates(terms)
        return disj([conj([_condition(key, predicates), *cell.facts(terms)]) for key, cell in self.cells.items()])

    def outside(self, key: Key, terms: Sequence[Term]) -> Term:
        """``terms`` is no known state of the cell ``key``."""
        return negate(conj([_condition(key, self.predicates(terms)), *self.cells[key].facts(terms)]))

    def facts(self) -> list[Term]:
        """The same as ``formula``, as a list of small facts over the location's variables."""
        variables, predicates = self.shape.variables, self.shape.predicates
        if self.is_top:
            return []
        if not self.cells:
            return [FALSE]
        facts = [] if len(self.cells) == 1 << len(predicates) else [self._somewhere()]
        for key, cell in self.cells.items():
            condition = _condition(key, predicates)
            facts += [implies(condition, fact) for fact in cell.facts(variables)]
        return list(dict.fromkeys(fact for fact in facts if fact is not TRUE))

    def _somewhere(self) -> Term:
        return disj([_condition(key, self.shape.predicates) for key in self.cells])


def _condition(key: Key, predicates: Sequence[Term]) -> Term:
    return conj([predicate if truth else negate(predicate) for truth, predicate in zip(key, predicates, strict=True)])
