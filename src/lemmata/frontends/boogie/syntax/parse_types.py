"""Types and lists of typed names. Types are nested a few levels only, so these are read by plain recursion, with a limit."""

from __future__ import annotations

import re
from collections.abc import Callable

from lemmata.frontends.boogie.syntax.cursor import Cursor
from lemmata.frontends.boogie.syntax.literals import MOST_BV_BITS
from lemmata.frontends.programs.tree import (
    Attributes,
    BitVecType,
    Expression,
    MapType,
    NamedType,
    PlainType,
    StructType,
    Type,
    Variable,
)

_TYPE_DEPTH = 60  # of types within types, as they are written

_WORD = re.compile(r"bv(0|[1-9][0-9]*)\Z")
_WIDTH_DIGITS = len(str(MOST_BV_BITS))
_PLAIN = ("int", "bool", "real")


def _nothing() -> Expression | None:
    return None


def _none() -> Attributes:
    return ()


class TypeParser:
    """Reads types at a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._depth = 0

    def type(self) -> Type:
        """A type with all its arguments."""
        cursor = self._cursor
        if cursor.kind != "name" or _WORD.match(cursor.text):
            return self._atom()
        name = cursor.name()
        arguments: list[Type] = []
        while cursor.kind in ("name", "(", *_PLAIN):
            arguments.append(self._atom())
        if cursor.kind == "[":
            arguments.append(self._atom())
        return NamedType(name.text, tuple(arguments), name.at)

    def _atom(self) -> Type:
        """A type that needs no parentheses as an argument of another."""
        cursor, at = self._cursor, self._cursor.at
        match cursor.kind:
            case "int" | "bool" | "real":
                return PlainType(cursor.take(), at)
            case "name":
                text = cursor.take()
                width = _WORD.match(text)
                return self._word(width[1], at) if width else NamedType(text, (), at)
            case "(" | "[" | "{":
                return self._nested()
            case "<":
                raise cursor.source.unsupported(at, "a map type with type parameters is not supported")
        raise cursor.unexpected("a type")

    def _word(self, digits: str, at: int) -> BitVecType:
        width = int(digits) if len(digits) <= _WIDTH_DIGITS else 0
        if not 0 < width <= MOST_BV_BITS:
            raise self._cursor.source.unsupported(at, f"bit-vectors have 1 to {MOST_BV_BITS} bits, not {digits[:40]}")
        return BitVecType(width, at)

    def _nested(self) -> Type:
        cursor = self._cursor
        if self._depth == _TYPE_DEPTH:
            raise cursor.source.unsupported(cursor.at, f"types nested more than {_TYPE_DEPTH} deep are not supported")
        self._depth += 1
        match cursor.kind:
            case "(":
                cursor.skip()
                found = self.type()
                cursor.expect(")")
            case "[":
                found = self._map()
            case _:
                found = self._struct()
        self._depth -= 1
        return found

    def _map(self) -> MapType:
        cursor = self._cursor
        at = cursor.expect("[")
        indices = [self.type()]
        while cursor.skip_if(","):
            indices.append(self.type())
        cursor.expect("]")
        return MapType(tuple(indices), self.type(), at)

    def _struct(self) -> StructType:
        cursor = self._cursor
        at = cursor.expect("{")
        fields: list[tuple[str, Type]] = []
        while True:
            names = cursor.names("the name of a field")
            cursor.expect(":")
            kind = self.type()
            fields += [(name.text, kind) for name in names]
            if not cursor.skip_if(","):
                break
        cursor.expect("}")
        return StructType(tuple(fields), at)

    def typed_names(
        self, kind: str, where: Callable[[], Expression | None] = _nothing, attributes: Callable[[], Attributes] = _none
    ) -> list[Variable]:
        """``{:note} x, y : int where …``."""
        notes = attributes()
        names = self._cursor.names()
        self._cursor.expect(":")
        found = self.type()
        condition = where()
        return [Variable(name.at, kind, name.text, found, condition, attributes=notes) for name in names]

    def typed_lists(
        self, kind: str, where: Callable[[], Expression | None] = _nothing, attributes: Callable[[], Attributes] = _none
    ) -> list[Variable]:
        """``x, y : int, z : bool``: one or more of them."""
        variables = self.typed_names(kind, where, attributes)
        while self._cursor.skip_if(","):
            variables += self.typed_names(kind, where, attributes)
        return variables

    def no_parameters(self, what: str) -> None:
        """Refuse ``<a>``."""
        if self._cursor.kind == "<":
            raise self._cursor.source.unsupported(self._cursor.at, f"{what} with type parameters is not supported")
