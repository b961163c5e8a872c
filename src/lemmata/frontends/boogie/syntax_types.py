"""Types as values; ``syntax`` has the whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PlainType:
    """``int``, ``bool`` or ``real``."""

    name: str
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BitVecType:
    """``bv32``."""

    width: int
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class NamedType:
    """A type of the program's own: uninterpreted, or (before checking) a synonym."""

    name: str
    arguments: tuple[Type, ...] = ()
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MapType:
    """``[int, bool]real``."""

    indices: tuple[Type, ...]
    element: Type
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class StructType:
    """``{ base : int, offset : int }``; gone after ``structs``."""

    fields: tuple[tuple[str, Type], ...]
    at: int = field(default=0, compare=False)


Type: TypeAlias = PlainType | BitVecType | NamedType | MapType | StructType

BOOL = PlainType("bool")
INT = PlainType("int")
REAL = PlainType("real")
