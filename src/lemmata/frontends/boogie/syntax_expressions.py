"""Expressions, variables and attributes as values; ``syntax`` has the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from lemmata.frontends.boogie.syntax_types import (
    BitVecType,
    PlainType,
    Type,
)


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A value: ``true``, ``12``, ``1.5``, ``7bv32``."""

    at: int
    value: bool | int | Fraction
    type: PlainType | BitVecType


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A variable or constant; ``Program.variable_of`` tells which."""

    at: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """``!e`` or ``-e``."""

    at: int
    op: str
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """``<==> ==> && || == != < <= > >= ++ + - * / div mod **``; ``%`` is read as ``mod``, ``a <== b`` as ``b ==> a``.

    ``/`` has reals or integers on each side and is real; in Ultimate's dialect it is ``div`` where both are integers.
    """

    at: int  # of the operator
    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """``if condition then left else right``."""

    at: int
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """``map[i, j]``."""

    at: int
    map: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """``map[i, j := value]``."""

    at: int
    map: Expression
    indices: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Extract:
    """``word[high : low]``: the bits low, …, high - 1."""

    at: int
    argument: Expression
    high: int
    low: int


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """``f(a, b)``."""

    at: int
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Convert:
    """``int(e)`` or ``real(e)``."""

    at: int
    type: PlainType
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Old:
    """``old(e)``: the globals in ``e`` as they were at entry."""

    at: int
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Quantified:
    """``(forall x : int :: body)``; triggers are read and dropped."""

    at: int
    quantifier: str  # forall or exists
    variables: tuple[Variable, ...]
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class StructValue:
    """``{ base: e, offset: f }``; gone after ``structs``."""

    at: int
    fields: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True, eq=False)
class WithField:
    """``struct`` with another value in one field, which ``s!base := e`` assigns; gone after ``structs``."""

    at: int
    struct: Expression
    name: str
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """``e!base``; gone after ``structs``."""

    at: int
    struct: Expression
    name: str


Expression: TypeAlias = (
    Literal
    | Name
    | Unary
    | Binary
    | Conditional
    | Select
    | Store
    | Extract
    | Apply
    | Convert
    | Old
    | Quantified
    | StructValue
    | Field
    | WithField
)


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """``{:name 1, "two"}``: arguments are strings (without quotes) or expressions."""

    at: int
    name: str
    arguments: tuple[str | Expression, ...] = ()


Attributes: TypeAlias = tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One name with its type, wherever it is declared.

    ``kind``: ``global``, ``const``, ``local``, ``parameter``, ``result``, ``bound``.
    """

    at: int
    kind: str
    name: str
    type: Type
    where: Expression | None = None
    is_unique: bool = False
    attributes: Attributes = ()


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions right below one, from left to right."""
    match expression:
        case Binary(_, _, left, right):
            return (left, right)
        case Literal() | Name():
            return ()
        case Unary(_, _, argument) | Convert(_, _, argument) | Old(_, argument) | Extract(_, argument, _, _):
            return (argument,)
        case Conditional(_, condition, then, otherwise):
            return (condition, then, otherwise)
        case Select(_, mapping, indices):
            return (mapping, *indices)
        case Store(_, mapping, indices, value):
            return (mapping, *indices, value)
        case Apply(_, _, arguments):
            return arguments
        case Quantified(_, _, _, body):
            return (body,)
        case StructValue(_, fields):
            return tuple([value for _, value in fields])
        case Field(_, struct, _):
            return (struct,)
        case WithField(_, struct, _, value):
            return (struct, value)


def below(expression: Expression) -> Iterator[Expression]:
    """The expression and all its parts."""
    stack = [expression]
    while stack:
        yield (top := stack.pop())
        stack += parts(top)
