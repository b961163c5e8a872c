"""Operators with pointers (C11 6.5.6, 6.5.8, 6.5.9): moving, subtracting, comparing.

A pointer is the number of an object and a byte in it; what C leaves undefined between two objects does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.operators.arithmetic import COMPARISONS, from_formula
from lemmata.frontends.c.syntax.parser import Node
from lemmata.frontends.c.translate.tree_builder import FALSITY, TRUTH, both, conditional, either, inverse, literal_value
from lemmata.frontends.c.types import C_INT, Void
from lemmata.frontends.c.types.values import Address, CValue, Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, Expression, Havoc, Type

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


class PointerOperators:
    """What operators do that have a pointer for an operand."""

    def __init__(self, expressions: Expressions) -> None:
        self._e, self.unit, self.body, self.places = expressions, expressions.unit, expressions.body, expressions.places

    def combined(self, op: str, left: CValue, right: CValue, node: Node) -> CValue:
        """A binary operator, one of whose operands is a pointer."""
        unit, nodes = self.unit, self.unit.nodes
        if op in ("+", "-") and isinstance(left, Address) and isinstance(right, Scalar):
            return self.moved(left, right, op, node)
        if op == "+" and isinstance(left, Scalar) and isinstance(right, Address):
            return self.moved(right, left, op, node)
        kind = left.type if isinstance(left, Address) else right.type
        if op in COMPARISONS:
            left, right = (v if isinstance(v, Address) else self._e.conversions.convert(v, kind, node) for v in (left, right))
        if not (isinstance(left, Address) and isinstance(right, Address)):
            raise unit.error(node, f"values of type {left.type} and {right.type} have no operator {op}")
        ptrdiff, at = unit.data.ptrdiff, unit.at.of(node)
        if op in ("==", "!="):
            same_base = nodes.binary("==", left.base, right.base, BOOL_TYPE)
            same = both(same_base, nodes.binary("==", left.offset, right.offset, BOOL_TYPE))
            same = self._while_living(same, left, right, node)
            return from_formula(same if op == "==" else inverse(same), unit.arithmetic)
        a, b = unit.arithmetic.read(left.offset, ptrdiff), unit.arithmetic.read(right.offset, ptrdiff)
        if op in COMPARISONS:
            order = unit.arithmetic.compare(op, a, b)
            return from_formula(self._within_one(left, right, order, BOOL_TYPE, at), unit.arithmetic)
        if op == "-":
            size = unit.data.size(left.type.target)
            if not size:
                raise unit.error(node, f"the size of {left.type.target} is not known")
            count = unit.arithmetic.divide("/", unit.arithmetic.add("-", a, b), unit.arithmetic.literal(size, ptrdiff))
            term = self._within_one(left, right, count.term, unit.offset_sort, at)
            return count if term is count.term else unit.arithmetic.read(term, ptrdiff)
        raise unit.error(node, f"pointers have no operator {op}")

    def _within_one(self, left: Address, right: Address, term: Expression, sort: Type, at: int) -> Expression:
        """What pointers to one object have; of two objects (6.5.6p9, 6.5.8p5) it is arbitrary and does not count."""
        unit, bases = self.unit, (left.base, right.base)
        known = [literal_value(base) for base in bases]
        same = unit.nodes.binary("==", *bases, BOOL_TYPE)
        if None not in known or left.base is right.base:
            same = TRUTH if known[0] == known[1] else FALSITY
        if same is TRUTH:
            return term
        self.places.must(same, at, "pointers")
        other = unit.variable(at, "unordered", sort, self.body)
        within = TRUTH if sort is BOOL_TYPE else unit.arithmetic.within(unit.nodes.name(other), unit.data.ptrdiff)
        self._e.emit(Havoc(at, (unit.nodes.name(other),), None if within is TRUTH else within))
        return conditional(same, term, unit.nodes.name(other))

    def _while_living(self, same: Expression, left: Address, right: Address, node: Node) -> Expression:
        """A pointer to an object that has ended may be equal to anything (6.2.4p2), but to null it is not.

        Two string literals may be one object (6.4.5p7).
        """
        unit, at = self.unit, self.unit.at.of(node)
        if literal_value(left.base) == 0 or literal_value(right.base) == 0:
            return same
        zero = unit.arithmetic.literal(0, C_INT)
        condition = self._of_strings(left, right)
        for base in (left.base, right.base) if unit.frees else ():
            if literal_value(base) is None:
                is_none = unit.arithmetic.compare("<=", unit.arithmetic.read(base, C_INT), zero)
                condition = both(condition, either(is_none, self.places.lives(base)))
        if condition is TRUTH:
            return same
        self.places.must(condition, at, "dangling")
        guess = unit.variable(at, "same", BOOL_TYPE, self.body)
        self._e.emit(Havoc(at, (unit.nodes.name(guess),)))
        return conditional(condition, same, unit.nodes.name(guess))

    def _of_strings(self, left: Address, right: Address) -> Expression:
        """Is one of two pointers none to a string literal, or is it the same literal?"""
        unit, last = self.unit, self.unit.demands.strings
        if last < 2 or left.base is right.base:
            return TRUTH
        a, b = (self._base_value(address.base) for address in (left, right))
        found = unit.arithmetic.compare("==", a, b)
        for base in (a, b):
            found = either(found, unit.arithmetic.compare("<", base, unit.arithmetic.literal(1, C_INT)))
            found = either(found, unit.arithmetic.compare("<", unit.arithmetic.literal(last, C_INT), base))
        return found

    def _base_value(self, base: Expression) -> Scalar:
        known = literal_value(base)
        return self.unit.arithmetic.read(base, C_INT) if known is None else self.unit.arithmetic.literal(known, C_INT)

    def moved(self, address: Address, count: Scalar, op: str, node: Node) -> Address:
        """A pointer and an integer (6.5.6p8)."""
        unit = self.unit
        size = unit.data.size(address.type.target)
        if isinstance(address.type.target, Void):
            self._e.calls.program.aliasing.moved(node)
        if size is None:
            raise unit.error(node, f"the size of {address.type.target} is not known")
        wide = unit.arithmetic.convert(count, unit.data.ptrdiff) if count.type.width <= unit.data.ptrdiff.width else count
        offset = unit.arithmetic.moved(address.offset, wide, size if op == "+" else -size, unit.data.ptrdiff)
        return Address(address.type, address.base, offset)
