"""Conversions between types (C11 6.3): what a value is in another type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.operators.arithmetic import from_formula
from lemmata.frontends.c.syntax.parser import Node
from lemmata.frontends.c.translate.tree_builder import conditional, inverse, literal_value
from lemmata.frontends.c.types import C_BOOL, C_INT, VOID, BitField, CType, Floating, Integer, Pointer, Structure, Void
from lemmata.frontends.c.types.values import Address, AddressNumber, Aggregate, CValue, Designator, FloatValue, Nothing, Scalar
from lemmata.frontends.programs.tree import If, Inexact

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


class Conversions:
    """Converts values of one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e, self.unit, self.body, self.places = expressions, expressions.unit, expressions.body, expressions.places

    def as_scalar(self, value: CValue, node: Node) -> Scalar:
        """The same for a value."""
        if isinstance(value, FloatValue):
            return self._e.guess(C_INT, node)
        if isinstance(value, AddressNumber):
            return self.spelled(value, node)
        if not isinstance(value, Scalar):
            raise self.unit.error(node, f"this needs an integer, not a value of type {value.type}")
        return value

    def spelled(self, value: AddressNumber, node: Node) -> Scalar:
        """The integer of an address: bytes from the null pointer, and nobody knows which for others."""
        arithmetic = self.unit.arithmetic
        offset = arithmetic.convert(arithmetic.read(value.address.offset, self.unit.data.ptrdiff), value.type)
        if literal_value(value.address.base) == 0:  # as ``offsetof`` has it
            known = literal_value(value.address.offset)
            return offset if known is None else arithmetic.literal(known, value.type)
        at, is_null = self.unit.at.of(node), self._e.is_null(value.address)
        self._e.emit(If(at, is_null, (), (Inexact(at),)))
        term = conditional(is_null, offset.term, self._e.anything(value.type, node).term)
        return Scalar(value.type, term, value.type.least, value.type.most)

    def as_pointer(self, value: Designator) -> Address:
        """The address of a function."""
        unit = self.unit
        if value.name not in unit.pointed:  # by a name that the file does not declare as a function
            unit.pointed.append(value.name)
        self._e.calls.program.need(value.name)
        return Address(
            Pointer(value.type), self.places.known_base(-1 - unit.pointed.index(value.name)), self.places.zero_offset
        )

    def settled(self, value: CValue, kind: CType, node: Node) -> CValue:
        """The value in a type, in a form that can be kept."""
        found = self.convert(value, kind, node)
        return self.spelled(found, node) if isinstance(found, AddressNumber) else found

    def decayed(self, value: CValue) -> CValue:
        """A function is a pointer to it (6.3.2.1p4)."""
        return self.as_pointer(value) if isinstance(value, Designator) else value

    def convert(self, value: CValue, kind: CType, node: Node) -> CValue:
        """The value in another type (6.3)."""
        value = self.decayed(value)
        match kind, value:
            case BitField(), _:
                return self.convert(value, kind.type, node)
            case Integer(), Scalar():
                return self.unit.arithmetic.convert(value, kind)
            case Integer(), FloatValue():
                return self._e.guess(kind, node)
            case Integer(), Address() if kind is C_BOOL:
                return self.unit.arithmetic.convert(from_formula(inverse(self._e.is_null(value)), self.unit.arithmetic), C_BOOL)
            case Integer(), Address() if literal_value(value.base) == 0 and literal_value(value.offset) == 0:
                return self.unit.arithmetic.literal(0, kind)
            case Integer(), Address() if kind.width >= self.unit.data.ptrdiff.width:
                return AddressNumber(kind, value)
            case Integer(), Address():
                return self._e.guess(kind, node)
            case Integer(), AddressNumber():
                is_whole = kind.width >= self.unit.data.ptrdiff.width
                return AddressNumber(kind, value.address) if is_whole else self.convert(self.spelled(value, node), kind, node)
            case Pointer(), AddressNumber():
                self._e.calls.program.aliasing.converted(value.address.type.target, kind.target, node)
                return Address(kind, value.address.base, value.address.offset)
            case Floating(), Scalar() | FloatValue():
                return FloatValue(kind)
            case Pointer(), Address() if literal_value(value.base) == 0:
                return Address(kind, value.base, value.offset)
            case Pointer(), Address():
                self._e.calls.program.aliasing.converted(value.type.target, kind.target, node)
                return Address(kind, value.base, value.offset)
            case Pointer(), Scalar() if value.constant == 0:
                return self.places.null(kind)
            case Pointer(), Scalar():
                self._e.emit(Inexact(self.unit.at.of(node)))
                return self._e.any_value(kind, node)
            case Structure(), Aggregate() if value.type is kind:
                return value
            case Void(), _:
                return Nothing(VOID)
        raise self.unit.error(node, f"a value of type {value.type} is not converted to {kind}")
