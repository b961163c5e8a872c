"""Binary operators on values (C11 6.5.5–6.5.14 but ``&&`` and ``||``), and where they are undefined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.operators.arithmetic import COMPARISONS, NoForm, from_formula
from lemmata.frontends.c.syntax.parser import Node
from lemmata.frontends.c.translate.tree_builder import FALSITY, both, either, inverse
from lemmata.frontends.c.types import C_BOOL, C_INT, common, promoted
from lemmata.frontends.c.types.values import Address, AddressNumber, CValue, FloatValue, Scalar, widest
from lemmata.frontends.programs.tree import Assert

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


class Operators:
    """Combines two values by an operator."""

    def __init__(self, expressions: Expressions) -> None:
        self._e, self.unit, self.body, self.places = expressions, expressions.unit, expressions.body, expressions.places

    def combined(self, op: str, left: CValue, right: CValue, node: Node) -> CValue:
        """Any binary operator but ``&&`` and ``||``."""
        left, right = self._e.conversions.decayed(left), self._e.conversions.decayed(right)
        if isinstance(left, AddressNumber) or isinstance(right, AddressNumber):
            left, right = self._compared(op, left, right, node)
        if isinstance(left, Address) or isinstance(right, Address):
            return self._e.pointers.combined(op, left, right, node)
        if isinstance(left, FloatValue) or isinstance(right, FloatValue):
            if op in COMPARISONS:
                return self.unit.arithmetic.convert(self._e.guess(C_BOOL, node), C_INT)
            return FloatValue(widest(left, right))
        return self.arithmetic(op, self._e.conversions.as_scalar(left, node), self._e.conversions.as_scalar(right, node), node)

    def _compared(self, op: str, left: CValue, right: CValue, node: Node) -> tuple[CValue, CValue]:
        """Addresses as integers are equal where the addresses are; anything else needs the integers."""
        pair = (left, right)
        if op in ("==", "!=") and all(
            isinstance(v, AddressNumber) or (isinstance(v, Scalar) and v.constant == 0) for v in pair
        ):
            kinds = [v.address.type for v in pair if isinstance(v, AddressNumber)]
            first, second = (v.address if isinstance(v, AddressNumber) else self.places.null(kinds[0]) for v in pair)
            return first, second
        spelled = [self._e.conversions.as_scalar(v, node) if isinstance(v, AddressNumber) else v for v in pair]
        return spelled[0], spelled[1]

    def arithmetic(self, op: str, left: Scalar, right: Scalar, node: Node) -> Scalar:
        """Integers, after the usual arithmetic conversions (6.3.1.8)."""
        arithmetic, at = self.unit.arithmetic, self.unit.at.of(node)
        if op in ("<<", ">>"):
            left, right = (arithmetic.convert(v, promoted(v.type)) for v in (left, right))
        else:
            kind = common(left.type, right.type, self.unit.data)
            left, right = arithmetic.convert(left, kind), arithmetic.convert(right, kind)
        if op in COMPARISONS:
            return from_formula(arithmetic.compare(op, left, right), arithmetic)
        self._defined(op, left, right, at)
        try:
            if op in ("+", "-", "*"):
                return arithmetic.add(op, left, right)
            if op in ("/", "%"):
                return arithmetic.divide(op, left, right)
            if op in ("&", "|", "^"):
                return arithmetic.bits(op, left, right)
            if op in ("<<", ">>"):
                return arithmetic.shift(op, left, right)
        except NoForm:
            return self._e.guess(left.type, node)
        raise self.unit.unsupported(node, f"the operator {op} is not supported")

    def _defined(self, op: str, left: Scalar, right: Scalar, at: int) -> None:
        """Where the result is undefined (6.5.5p5, 6.5.7p3), what follows does not count; overflow is asserted if asked for."""
        arithmetic, unit = self.unit.arithmetic, self.unit
        if op in ("/", "%"):
            self.places.must(arithmetic.compare("!=", right, arithmetic.literal(0, right.type)), at, "division")
        elif op in ("<<", ">>") and right.constant is None:
            low = arithmetic.compare("<=", arithmetic.literal(0, right.type), right)
            high = arithmetic.compare("<", right, arithmetic.literal(left.type.width, right.type))
            self.places.must(both(low, high), at, "shift")
        if unit.is_exact and left.type.is_signed and op in ("+", "-", "*", "/", "%", "<<"):
            if unit.wanted.overflow:
                self._assert_range(op, left, right, at)
            elif op in ("/", "%"):
                self.places.must(inverse(arithmetic.overflows("/", left, right)), at, "division")

    def _assert_range(self, op: str, left: Scalar, right: Scalar, at: int) -> None:
        overflow = self.unit.arithmetic.overflows("/" if op == "%" else op, left, right)
        if op == "<<":
            overflow = either(overflow, self.unit.arithmetic.compare("<", left, self.unit.arithmetic.literal(0, left.type)))
        if overflow is not FALSITY:
            self._e.emit(Assert(at, inverse(overflow), (), "overflow"))
