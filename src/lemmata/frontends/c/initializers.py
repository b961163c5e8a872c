"""Initialisers (C11 6.7.9): lists, strings, designators, braces that were left out."""

from __future__ import annotations

from lemmata.frontends.c.constants import characters
from lemmata.frontends.c.expressions import Expressions
from lemmata.frontends.c.places import Lvalue
from lemmata.frontends.c.syntax import Node, kind_of
from lemmata.frontends.c.types import ArrayType, CType, Integer, Structure
from lemmata.frontends.c.values import Aggregate

_MOST = 100_000  # elements of an array that a string or a list may fill


class _Cursor:
    """The items of a list that were not used yet."""

    def __init__(self, items: list[Node]) -> None:
        self._items = items
        self._next = 0

    def peek(self) -> Node | None:
        """The next item."""
        return self._items[self._next] if self._next < len(self._items) else None

    def take(self) -> Node:
        """The same, which is used now."""
        self._next += 1
        return self._items[self._next - 1]


class Initializers:
    """Initialises objects of one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions

    def completed(self, kind: CType, init: Node | None) -> CType:
        """The type of an array whose length its initialiser tells (6.7.9p22)."""
        if not (isinstance(kind, ArrayType) and kind.length is None and init is not None):
            return kind
        if kind_of(init) == "Constant" and init.type == "string":
            return ArrayType(kind.element, len(characters(init.value) or ()) + 1)
        if kind_of(init) != "InitList":
            return kind
        length = position = 0
        for item in init.exprs or ():
            if kind_of(item) == "NamedInitializer":
                index = self._e.constant(item.name[0], self._e.scope)
                position = position if index is None else index
            position += 1
            length = max(length, position)
        if isinstance(kind.element, ArrayType | Structure) and not any(
            kind_of(i) in ("InitList", "NamedInitializer") for i in init.exprs
        ):
            each = sum(1 for _ in self._e.unit.leaves(kind.element)) * _count(kind.element)
            length = -(-length // max(1, each))
        return ArrayType(kind.element, length)

    def initialize(self, place: Lvalue, init: Node, node: Node, is_zero: bool = False) -> None:
        """The whole object; ``is_zero`` where it is zero already."""
        e, at = self._e, self._e.unit.at.of(node)
        kind = place.type
        if isinstance(kind, ArrayType) and kind_of(init) == "Constant" and init.type == "string":
            self._string(place, kind, init, node, is_zero)
        elif isinstance(kind, ArrayType | Structure) and kind_of(init) == "InitList":
            if not is_zero:
                e.places.zero(place, at)
            self._list(place, kind, init)
        elif isinstance(kind, ArrayType):
            raise e.unit.error(node, "an array is initialised by a list or a string")
        else:
            while kind_of(init) == "InitList":  # a scalar in braces (6.7.9p11)
                if not init.exprs:
                    raise e.unit.error(node, "this list of initialisers is empty")
                init = init.exprs[0]
            e.store(place, e.value(init), node)

    def _string(self, place: Lvalue, kind: ArrayType, init: Node, node: Node, is_zero: bool) -> None:
        e, at = self._e, self._e.unit.at.of(node)
        found = characters(init.value)
        if found is None or not (isinstance(kind.element, Integer) and kind.element.width == 8):
            raise e.unit.unsupported(init, "wide strings are not supported")
        if not is_zero:
            e.places.zero(place, at)
        for position, byte in enumerate(found[: kind.length]):
            value = e.unit.arithmetic.literal(byte, e.unit.data.long)
            index = e.unit.arithmetic.literal(position, e.unit.data.ptrdiff)
            e.store(e.places.element(place, index, at), value, node)

    def _list(self, place: Lvalue, kind: ArrayType | Structure, init: Node) -> None:
        items = list(init.exprs or ())
        if len(items) > _MOST:
            raise self._e.unit.unsupported(init, f"lists of more than {_MOST} initialisers are not supported")
        position = 0
        cursor = _Cursor(items)
        while (item := cursor.peek()) is not None:
            if kind_of(item) == "NamedInitializer":
                cursor.take()
                target, position = self._designated(place, kind, item)
                self.initialize(target, item.expr, item, is_zero=True)
                position += 1
                continue
            part = self._part(place, kind, position, item)
            if part is None:
                raise self._e.unit.error(item, "there are more initialisers than elements")
            self._fill(part, cursor)
            position += 1

    def _designated(self, place: Lvalue, kind: CType, item: Node) -> tuple[Lvalue, int]:
        """The part that ``[3]`` or ``.name`` designate, and its position (6.7.9p17)."""
        e = self._e
        first = -1
        for designator in item.name:
            if isinstance(kind, ArrayType):
                index = e.constant(designator, e.scope)
                if index is None or index < 0 or (kind.length is not None and index >= kind.length):
                    raise e.unit.error(item, "this designator is no index of the array")
                position = index
            else:
                name = getattr(designator, "name", None)
                if not isinstance(kind, Structure) or name not in kind.members:
                    raise e.unit.error(item, f"there is no member '{name}' to initialise")
                position = list(kind.members).index(name)
            first = position if first < 0 else first
            part = self._part(place, kind, position, item)
            assert part is not None
            place, kind = part, part.type
        return place, first

    def _part(self, place: Lvalue, kind: CType, position: int, node: Node) -> Lvalue | None:
        e = self._e
        if isinstance(kind, ArrayType):
            if kind.length is not None and position >= kind.length:
                return None
            index = e.unit.arithmetic.literal(position, e.unit.data.ptrdiff)
            return e.places.element(place, index, e.unit.at.of(node))
        assert isinstance(kind, Structure)
        names = list(kind.members)
        return e.places.member(place, names[position]) if position < len(names) else None

    def _fill(self, place: Lvalue, cursor: _Cursor) -> None:
        """One part; where braces were left out it takes as many items as it needs (6.7.9p20)."""
        e, kind, item = self._e, place.type, cursor.peek()
        assert item is not None
        is_string = kind_of(item) == "Constant" and item.type == "string" and isinstance(kind, ArrayType)
        if kind_of(item) == "InitList" or is_string or not isinstance(kind, ArrayType | Structure):
            self.initialize(place, cursor.take(), item, is_zero=True)
            return
        if isinstance(kind, Structure) and isinstance(e.type_of(item), Structure):
            value = e.value(cursor.take())
            assert isinstance(value, Aggregate)
            e.store(place, value, item)
            return
        count = len(kind.members) if isinstance(kind, Structure) else kind.length or 0
        for position in range(count):
            if cursor.peek() is None or kind_of(cursor.peek()) == "NamedInitializer":
                return
            part = self._part(place, kind, position, item)
            assert part is not None
            self._fill(part, cursor)


def _count(kind: CType) -> int:
    count = 1
    while isinstance(kind, ArrayType):
        count *= kind.length or 1
        kind = kind.element
    return count
