"""What may stand around an expression: each bracket is asked, when the expression inside ends, what to make of it.

``accept`` reads the word after the expression and gives a new operand, or ``None`` when one more expression has to come.
"""

from __future__ import annotations

from typing import Any

from lemmata.frontends.boogie.cursor import Cursor
from lemmata.frontends.boogie.syntax import (
    Apply,
    Conditional,
    Convert,
    Expression,
    Old,
    PlainType,
    Quantified,
    Select,
    Store,
    StructValue,
    Variable,
)


class Bracket:
    """``outside`` are the operators that wait around it."""

    __slots__ = ("at", "outside")

    def __init__(self, at: int) -> None:
        self.at = at
        self.outside: list[Any] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """Take an expression, ``(e)`` as it is."""
        cursor.expect(")")
        return value


class Arguments(Bracket):
    """``f(e, …)``."""

    __slots__ = ("_function", "_values")

    def __init__(self, at: int, function: str) -> None:
        super().__init__(at)
        self._function = function
        self._values: list[Expression] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """One argument."""
        self._values.append(value)
        if cursor.skip_if(","):
            return None
        cursor.expect(")")
        return Apply(self.at, self._function, tuple(self._values))


class Remembered(Bracket):
    """``old(e)``."""

    __slots__ = ()

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The argument."""
        cursor.expect(")")
        return Old(self.at, value)


class Converted(Bracket):
    """``int(e)``, ``real(e)``."""

    __slots__ = ("_type",)

    def __init__(self, at: int, kind: PlainType) -> None:
        super().__init__(at)
        self._type = kind

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The argument."""
        cursor.expect(")")
        return Convert(self.at, self._type, value)


class Branches(Bracket):
    """``if e then e else e``."""

    __slots__ = ("_values",)

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self._values: list[Expression] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The condition, then both branches."""
        self._values.append(value)
        if len(self._values) == 3:
            condition, then, otherwise = self._values
            return Conditional(self.at, condition, then, otherwise)
        cursor.expect("then" if len(self._values) == 1 else "else")
        return None


class Index(Bracket):
    """``m[e, …]`` and ``m[e, … := e]``."""

    __slots__ = ("_indices", "_is_store", "_map")

    def __init__(self, at: int, mapping: Expression) -> None:
        super().__init__(at)
        self._map = mapping
        self._indices: list[Expression] = []
        self._is_store = False

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """An index, or the new value."""
        if self._is_store:
            cursor.expect("]")
            return Store(self.at, self._map, tuple(self._indices), value)
        self._indices.append(value)
        if cursor.skip_if(","):
            return None
        if cursor.skip_if(":="):
            self._is_store = True
            return None
        cursor.expect("]")
        return Select(self.at, self._map, tuple(self._indices))


class Quantifier(Bracket):
    """``(forall x : t :: e)``; the parentheses may be missing."""

    __slots__ = ("_quantifier", "_variables")

    def __init__(self, at: int, quantifier: str, variables: tuple[Variable, ...]) -> None:
        super().__init__(at)
        self._quantifier = quantifier
        self._variables = variables

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The body."""
        return Quantified(self.at, self._quantifier, self._variables, value)


class Struct(Bracket):
    """``{ field: e, … }``; the name of the first field is read by whoever opens this."""

    __slots__ = ("_fields", "_name")

    def __init__(self, at: int, name: str) -> None:
        super().__init__(at)
        self._name = name
        self._fields: list[tuple[str, Expression]] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The value of one field."""
        self._fields.append((self._name, value))
        if cursor.skip_if(","):
            self._name = cursor.name("the name of a field").text
            cursor.expect(":")
            return None
        cursor.expect("}")
        return StructValue(self.at, tuple(self._fields))
