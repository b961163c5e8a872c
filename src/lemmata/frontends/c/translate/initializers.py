"""Initialisers (C11 6.7.9): lists, strings, designators, braces that were left out.

A list is walked by the types alone, which gives what each item is for: members and indices that lead there, in the order in
which they are written. The object is zero before; what a later item says of the same part replaces what an earlier one said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lemmata.frontends.c.memory.lvalues import Lvalue
from lemmata.frontends.c.sequencing.operands import Operand
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.expressions import Expressions
from lemmata.frontends.c.types import PADDING, ArrayType, CType, Integer, Structure
from lemmata.frontends.c.types.constants import characters
from lemmata.frontends.c.types.values import CValue
from lemmata.values import dataclass

_FILLED_ELEMENTS = 100_000  # elements of an array that a string or a list may fill
SubObjectPath = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    """One initialiser, and the part of the object that it is for."""

    steps: SubObjectPath
    type: CType
    node: Node


@dataclass(slots=True)
class _Level:
    """A part of the object that items go through, one element after the other."""

    type: ArrayType | Structure
    steps: SubObjectPath
    position: int = 0

    def names(self) -> list[str]:
        """The members of a structure, in order."""
        assert isinstance(self.type, Structure)
        return self.type.initialized()

    def is_full(self) -> bool:
        """Is there no element left?"""
        if isinstance(self.type, ArrayType):
            return self.type.length is not None and self.position >= self.type.length
        return self.position >= len(self.names())

    def take(self) -> tuple[SubObjectPath, CType]:
        """The next element."""
        self.position += 1
        if isinstance(self.type, ArrayType):
            return (*self.steps, self.position - 1), self.type.element
        name = self.names()[self.position - 1]
        return (*self.steps, name), self.type.members[name]


class Initializers:
    """Initialises objects of one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions
        self._evaluated: dict[int, CValue] = {}  # initialisers of a list with calls, by node

    def completed(self, kind: CType, init: Node | None) -> CType:
        """The type of an array whose length its initialiser tells (6.7.9p22)."""
        if not (isinstance(kind, ArrayType) and kind.length is None and init is not None):
            return kind
        text = _string(kind, init)
        if text is not None:
            return ArrayType(kind.element, len(characters(text.value) or ()) + 1)
        if kind_of(init) != "InitList":
            return kind
        indices = [item.steps[0] for item in self._items(kind, init)]
        return ArrayType(kind.element, max([int(index) + 1 for index in indices], default=0))

    def initialize(self, place: Lvalue, init: Node, node: Node, is_zero: bool = False) -> None:
        """The whole object; ``is_zero`` where it is zero already."""
        e, at = self._e, self._e.unit.at.of(node)
        kind = place.type
        text = _string(kind, init)
        if text is not None:
            assert isinstance(kind, ArrayType)
            if not is_zero:
                e.places.zero(place, at)
            self._characters(place, kind, text, node)
        elif isinstance(kind, ArrayType | Structure) and kind_of(init) == "InitList":
            if not is_zero:
                e.places.zero(place, at)
                e.places.forget_padding(place, at)
            if e.operands.has_calls(init) and not self._evaluated:
                self._evaluate(init)
            self._list(place, kind, init)
        elif isinstance(kind, ArrayType):
            raise e.unit.error(node, "an array is initialised by a list or a string")
        else:
            while kind_of(init) == "InitList":  # a scalar in braces (6.7.9p11)
                if not init.exprs:
                    raise e.unit.error(node, "this list of initialisers is empty")
                init = init.exprs[0]
            known = self._evaluated.pop(id(init), None)
            e.store(place, e.value(init) if known is None else known, node)

    def _evaluate(self, init: Node) -> None:
        """The initialisers of a list, in any order (6.7.9p23)."""
        operands = [Operand(node, self._value_of(node)) for node in _initializers(init)]
        values = self._e.operands.values(init, operands)
        self._evaluated = {id(operand.node): value for operand, value in zip(operands, values, strict=True)}

    def _value_of(self, node: Node) -> Callable[[], CValue]:
        return lambda: self._e.value(node)

    def _characters(self, place: Lvalue, kind: ArrayType, init: Node, node: Node) -> None:
        e, at = self._e, self._e.unit.at.of(node)
        found = characters(init.value)
        if found is None or not (isinstance(kind.element, Integer) and kind.element.width == 8):
            raise e.unit.unsupported(init, "wide strings are not supported")
        for position, byte in enumerate(found[: kind.length]):
            value = e.unit.arithmetic.literal(byte, e.unit.data.long)
            index = e.unit.arithmetic.literal(position, e.unit.data.ptrdiff)
            e.store(e.places.element(place, index, at), value, node)

    def _list(self, place: Lvalue, kind: ArrayType | Structure, init: Node) -> None:
        e = self._e
        written: set[SubObjectPath] = set()
        for item in self._items(kind, init):
            part, at = place, e.unit.at.of(item.node)
            for depth, step in enumerate(item.steps):
                is_union = isinstance(part.type, Structure) and part.type.is_union
                if is_union and item.steps[:depth] in written and item.steps[: depth + 1] not in written:
                    e.places.zero_part(part, at)  # another member than before
                part = self._part(part, step, item.node)
            if item.steps in written and isinstance(item.type, ArrayType | Structure):
                e.places.zero_part(part, at)
            written |= {item.steps[:depth] for depth in range(len(item.steps) + 1)}
            self.initialize(part, item.node, item.node, is_zero=True)

    def _part(self, place: Lvalue, step: int | str, node: Node) -> Lvalue:
        e = self._e
        if isinstance(step, str):
            return e.places.member(place, step)
        index = e.unit.arithmetic.literal(step, e.unit.data.ptrdiff)
        return e.places.element(place, index, e.unit.at.of(node))

    # What items are for.

    def _items(self, kind: ArrayType | Structure, init: Node) -> list[_Item]:
        items = list(self._spread(init))
        if len(items) > _FILLED_ELEMENTS:
            raise self._e.unit.unsupported(init, f"lists of more than {_FILLED_ELEMENTS} initialisers are not supported")
        found: list[_Item] = []
        levels = [_Level(kind, ())]
        for item in items:
            value = item
            if kind_of(item) == "NamedInitializer":
                value = item.expr
                del levels[1:]
                part = self._designated(levels, item)
            else:
                part = self._following(levels, item)
            found.append(self._descended(levels, *part, value))
        return found

    def _spread(self, init: Node) -> Iterator[Node]:
        """The items of a list; one that is for a range of GNU C, ``[0 ... 3]``, is one for each index."""
        e, waiting = self._e, list(reversed(init.exprs or ()))
        while waiting:
            item = waiting.pop()
            names = item.name if kind_of(item) == "NamedInitializer" else []
            place = next((n for n, name in enumerate(names) if kind_of(name) == "CaseRange"), None)
            if place is None:
                yield item
                continue
            if e.operands.has_calls(init) or any(map(_has_effect, descendants(item.expr))):
                raise e.unit.unsupported(item, "a range of elements beside side effects is not supported")
            first, last = (e.constant(part, e.scope) for part in names[place].parts)
            if first is None or last is None or not 0 <= first <= last:
                raise e.unit.error(item, "this designator is no range of indices")
            if last - first >= _FILLED_ELEMENTS:
                raise e.unit.unsupported(item, f"ranges of more than {_FILLED_ELEMENTS} elements are not supported")
            waiting += [
                type(item)([*names[:place], index, *names[place + 1 :]], item.expr, item.coord)
                for index in range(last, first - 1, -1)
            ]

    def _following(self, levels: list[_Level], item: Node) -> tuple[SubObjectPath, CType]:
        """The part after the last one (6.7.9p17)."""
        while levels[-1].is_full() and len(levels) > 1:
            levels.pop()
        if levels[-1].is_full():
            raise self._e.unit.error(item, "there are more initialisers than elements")
        return levels[-1].take()

    def _designated(self, levels: list[_Level], item: Node) -> tuple[SubObjectPath, CType]:
        """The part that ``[3]`` or ``.name`` designate (6.7.9p6, p7)."""
        kind: CType = levels[-1].type
        steps: SubObjectPath = ()
        for designator in item.name:
            for step in self._steps(kind, designator, item):
                if steps:
                    assert isinstance(kind, ArrayType | Structure)
                    levels.append(_Level(kind, steps))
                level = levels[-1]
                if isinstance(step, int):
                    assert isinstance(kind, ArrayType)
                    level.position, kind = step + 1, kind.element
                else:
                    assert isinstance(kind, Structure)
                    names = [name for name in kind.members if not name.startswith(PADDING)]
                    level.position, kind = names.index(step) + 1, kind.members[step]
                steps = (*steps, step)
        return steps, kind

    def _steps(self, kind: CType, designator: Node, item: Node) -> SubObjectPath:
        e = self._e
        if isinstance(kind, ArrayType):
            index = designator if isinstance(designator, int) else e.constant(designator, e.scope)
            if index is None or index < 0 or (kind.length is not None and index >= kind.length):
                raise e.unit.error(item, "this designator is no index of the array")
            return (index,)
        name = getattr(designator, "name", None)
        path = kind.path(name) if isinstance(kind, Structure) and kind_of(designator) == "ID" and name else None
        if path is None:
            raise e.unit.error(item, f"there is no member '{name}' to initialise")
        return path

    def _descended(self, levels: list[_Level], steps: SubObjectPath, kind: CType, value: Node) -> _Item:
        """Where braces were left out, the first element of the part takes the item (6.7.9p20)."""
        while isinstance(kind, ArrayType | Structure):
            if isinstance(kind, ArrayType) and kind.length is None:
                raise self._e.unit.unsupported(value, "a flexible array member is initialised")
            if self._is_whole(kind, value):
                break
            levels.append(_Level(kind, steps))
            if levels[-1].is_full():
                raise self._e.unit.error(value, "there are more initialisers than elements")
            steps, kind = levels[-1].take()
        return _Item(steps, kind, value)

    def _is_whole(self, kind: ArrayType | Structure, value: Node) -> bool:
        if kind_of(value) == "InitList" or _string(kind, value) is not None:
            return True
        return isinstance(kind, Structure) and self._e.type_of(value) is kind


def _has_effect(node: Node) -> bool:
    is_step = kind_of(node) == "UnaryOp" and node.op in ("++", "--", "p++", "p--")
    return is_step or kind_of(node) in ("Assignment", "StatementExpression", "FuncCall")


def _initializers(init: Node) -> Iterator[Node]:
    """The expressions of a list, also those of lists in it, but for strings."""
    stack = [init]
    while stack:
        node = stack.pop()
        if kind_of(node) == "InitList":
            stack += reversed(node.exprs or ())
        elif kind_of(node) == "NamedInitializer":
            stack.append(node.expr)
        elif not (kind_of(node) == "Constant" and node.type == "string"):
            yield node


def _string(kind: CType, init: Node) -> Node | None:
    """The string that initialises an array of characters, perhaps in braces (6.7.9p14)."""
    if not (isinstance(kind, ArrayType) and isinstance(kind.element, Integer)):
        return None
    if kind_of(init) == "InitList" and init.exprs and len(init.exprs) == 1:
        init = init.exprs[0]
    return init if kind_of(init) == "Constant" and init.type == "string" else None
