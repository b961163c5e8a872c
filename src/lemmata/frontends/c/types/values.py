"""What expressions of C are worth, as expressions of the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from lemmata.frontends.c.types import CType, Floating, Integer, Pointer, Signature, Structure
from lemmata.frontends.programs.tree import Expression
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Scalar:
    """An integer; ``term`` has the sort of its type, and its value is between ``low`` and ``high``.

    Where ``formula`` is given, the value is 1 if it holds and 0 if not; then ``term`` says the same.
    """

    type: Integer
    term: Expression
    low: int
    high: int
    formula: Expression | None = None

    @property
    def constant(self) -> int | None:
        """The value, if there is only one."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: an object by its number (0 is none, functions have negative ones), and the bytes from its start."""

    type: Pointer
    base: Expression
    offset: Expression


@dataclass(frozen=True, slots=True)
class AddressNumber:
    """An address as an integer (6.3.2.3p6): all that is known is which address it is."""

    type: Integer
    address: Address


@dataclass(frozen=True, slots=True)
class FloatValue:
    """A number with a fraction: nothing is known of it."""

    type: Floating


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A structure by value: the expressions of its leaves, by the members that lead there."""

    type: Structure
    leaves: Mapping[tuple[str, ...], tuple[Expression, ...]]


@dataclass(frozen=True, slots=True)
class Designator:
    """A function by its name (6.3.2.1p4)."""

    type: Signature
    name: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """Of type ``void``."""

    type: CType


CValue: TypeAlias = Scalar | Address | AddressNumber | FloatValue | Aggregate | Designator | Nothing


def widest(a: CValue, b: CValue) -> Floating:
    """The floating type of two operands, one of which has such a type (6.3.1.8p1)."""
    return max([value.type for value in (a, b) if isinstance(value, FloatValue)], key=lambda kind: kind.size)
