"""``Blocks``: what ``memcpy()``, ``memmove()``, ``memset()`` and ``realloc()`` do with many bytes at once (C11 7.24).

Where both pointers have the same type, whole elements are copied; else memory is bytes (``aliasing``). A length that is known
and short is unrolled, any other is a loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.memory.lvalues import MemoryPlace
from lemmata.frontends.c.syntax.parser import Node
from lemmata.frontends.c.translate.tree_builder import both, inverse
from lemmata.frontends.c.types import (
    C_INT,
    CHAR_BITS,
    UCHAR,
    ArrayType,
    BitField,
    CType,
    Floating,
    Integer,
    Pointer,
    unsigned_of,
)
from lemmata.frontends.c.types.values import Address, CValue, Scalar
from lemmata.frontends.programs.tree import Assign, Expression, Inexact, MapType, Variable

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions

_UNROLLED_LEAVES = 64  # leaves that are copied or filled without a loop


class Blocks:
    """Copies and fills memory in one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions
        self._unit = expressions.unit

    def copy(self, target: Address, source: Address, size: Scalar, node: Node, *, may_overlap: bool) -> None:
        """``size`` bytes from ``source`` to ``target``."""
        at, aliasing = self._unit.at.of(node), self._e.calls.program.aliasing
        kinds = [_element(pointer.type.target) for pointer in (target, source)]
        known = [kind for kind in kinds if not aliasing.is_opaque(kind)]
        if not known or any(kind != known[0] for kind in known):
            aliasing.punned((UCHAR, *known), node)
        if len(known) == 1:  # an object that some pointer to anything points to is used with this type
            aliasing.comes_out(known[0], node)
        length = self._checked(size, (target, source), at)
        if not may_overlap:
            self._must_be_apart(target, source, length, at)
        element = UCHAR if self._unit.demands.has_bytes or not known else known[0]
        each = self._unit.data.size(element) or 1
        if size.constant is not None and size.constant % each:
            aliasing.punned(tuple(known), node)
            return
        if size.constant is not None and size.constant // each * self._leaves(element, at) <= _UNROLLED_LEAVES:
            self._copy_all(target, source, element, size.constant // each, at)
        else:
            self._copy_loop(target, source, element, self._count(length, each, target, at), may_overlap, at)

    def fill(self, target: Address, byte: Scalar, size: Scalar, node: Node) -> None:
        """``size`` bytes with the same value."""
        at, aliasing = self._unit.at.of(node), self._e.calls.program.aliasing
        kind = _element(target.type.target)
        if aliasing.is_opaque(kind) or (byte.constant != 0 and not self._is_integers(kind)):
            aliasing.punned((UCHAR, kind), node)
        length = self._checked(size, (target,), at)
        element = UCHAR if self._unit.demands.has_bytes else kind
        each = self._unit.data.size(element) or 1
        if size.constant is not None and size.constant % each:
            aliasing.punned((kind,), node)
            return
        value = self._unit.arithmetic.convert(byte, UCHAR)
        if size.constant is not None and size.constant // each * self._leaves(element, at) <= _UNROLLED_LEAVES:
            for number in range(size.constant // each):
                self._fill_element(self._at(target, element, self._literal(number)), value, at)
            return
        count = self._count(length, each, target, at)
        index = self._index(at)
        with _Loop(self._e, index, count, at, is_down=False):
            self._fill_element(self._at(target, element, self._read(index)), value, at)

    # What is asked first.

    def _checked(self, size: Scalar, pointers: tuple[Address, ...], at: int) -> Scalar:
        """The length in bytes, where all of it is inside of objects; else behaviour is undefined."""
        arithmetic, places = self._unit.arithmetic, self._e.places
        wide = arithmetic.convert(size, self._unit.data.size_t)
        length = arithmetic.convert(wide, self._unit.data.ptrdiff)
        for pointer in pointers:
            places.must(places.inside(pointer.base, pointer.offset, length, is_written=pointer is pointers[0]), at)
        return length

    def _must_be_apart(self, target: Address, source: Address, length: Scalar, at: int) -> None:
        """Objects that overlap make it undefined (7.24.2.1p2)."""
        unit, ptrdiff = self._unit, self._unit.data.ptrdiff
        same = unit.arithmetic.compare("==", unit.arithmetic.read(target.base, C_INT), unit.arithmetic.read(source.base, C_INT))
        a, b = (unit.arithmetic.read(pointer.offset, ptrdiff) for pointer in (target, source))
        ends = [unit.arithmetic.read(unit.arithmetic.moved(x.term, length, 1, ptrdiff), ptrdiff) for x in (a, b)]
        meet = [unit.arithmetic.compare("<", a, ends[1]), unit.arithmetic.compare("<", b, ends[0])]
        self._e.places.must(inverse(both(same, both(*meet))), at, "overlap")

    def _count(self, length: Scalar, each: int, target: Address, at: int) -> Scalar:
        """How many elements; a part of one makes that inexact, and nothing is known of the object any more."""
        if each == 1:
            return length
        arithmetic, ptrdiff = self._unit.arithmetic, self._unit.data.ptrdiff
        size = arithmetic.literal(each, ptrdiff)
        rest = arithmetic.compare("!=", arithmetic.divide("%", length, size), arithmetic.literal(0, ptrdiff))
        torn, end = self._e.body.label("torn"), self._e.body.label("whole")
        self._e.split(at, rest, torn, end)
        self._e.mark(at, torn)
        self._e.emit(Inexact(at))
        self._e.places.cells.havoc_row(target.base, at)
        self._e.mark(at, end)
        return arithmetic.divide("/", length, size)

    # Elements.

    def _is_integers(self, kind: CType) -> bool:
        return all(isinstance(leaf, Integer) and leaf.width > 1 for _, _, leaf in self._unit.leaves(kind))

    def _leaves(self, kind: CType, at: int) -> int:
        return max(1, len(self._unit.parts(kind, at)))

    def _literal(self, number: int) -> Scalar:
        return self._unit.arithmetic.literal(number, self._unit.data.ptrdiff)

    def _index(self, at: int) -> Variable:
        return self._unit.variable(at, "index", self._unit.offset_sort, self._e.body)

    def _read(self, index: Variable) -> Scalar:
        return self._unit.arithmetic.read(self._unit.nodes.name(index), self._unit.data.ptrdiff)

    def _at(self, pointer: Address, kind: CType, index: Scalar) -> MemoryPlace:
        unit, size = self._unit, self._unit.data.size(kind) or 1
        offset = unit.arithmetic.moved(pointer.offset, index, size, unit.data.ptrdiff)
        return MemoryPlace(kind, pointer.base, offset, is_sure=True)

    def _copy_all(self, target: Address, source: Address, kind: CType, count: int, at: int) -> None:
        """Everything is read before anything is written."""
        places = [(self._at(target, kind, self._literal(n)), self._at(source, kind, self._literal(n))) for n in range(count)]
        if self._unit.demands.has_bytes:
            cells = [self._cells_at(origin) for _, origin in places]
            kept = [[self._keep(term, memory, at) for memory, term in found] for found in cells]
            for (place, _), values in zip(places, kept, strict=True):
                self._write_cells(place, values, at)
            return
        values_read: list[CValue] = []
        for _, origin in places:
            values_read.append(self._e.snapshots.frozen(self._e.places.read(origin, at)))
        for (place, _), value in zip(places, values_read, strict=True):
            self._e.places.write(place, value, at)

    def _keep(self, term: Expression, memory: Variable, at: int) -> Expression:
        assert isinstance(memory.type, MapType)
        variable = self._unit.variable(at, "byte", memory.type.element, self._e.body)
        self._e.emit(Assign(at, (self._unit.nodes.name(variable),), (term,)))
        return self._unit.nodes.name(variable)

    def _cells_at(self, place: MemoryPlace) -> list[tuple[Variable, Expression]]:
        """All that is at one byte: its value, and what it is a part of."""
        nodes = self._unit.nodes
        return [(m, nodes.select(nodes.name(m), (place.base, place.offset))) for m in self._unit.all_memories()]

    def _write_cells(self, place: MemoryPlace, values: list[Expression], at: int) -> None:
        nodes, memories = self._unit.nodes, self._unit.all_memories()
        terms = [
            nodes.store(nodes.name(m), (place.base, place.offset), value) for m, value in zip(memories, values, strict=True)
        ]
        self._e.places.assign(tuple(memories), terms, at)

    def _copy_loop(self, target: Address, source: Address, kind: CType, count: Scalar, may_overlap: bool, at: int) -> None:
        e, unit = self._e, self._unit
        if not may_overlap:
            self._copy_one_way(target, source, kind, count, at, is_down=False)
            return
        ptrdiff = unit.data.ptrdiff
        up, down, end = map(e.body.label, ("up", "down", "moved"))
        ahead = unit.arithmetic.compare(
            "<=", unit.arithmetic.read(target.offset, ptrdiff), unit.arithmetic.read(source.offset, ptrdiff)
        )
        e.split(at, ahead, up, down)
        for label, is_down in ((up, False), (down, True)):
            e.mark(at, label)
            self._copy_one_way(target, source, kind, count, at, is_down=is_down)
            e.jump(at, end)
        e.mark(at, end)

    def _copy_one_way(self, target: Address, source: Address, kind: CType, count: Scalar, at: int, *, is_down: bool) -> None:
        index = self._index(at)
        with _Loop(self._e, index, count, at, is_down=is_down):
            place, origin = (self._at(pointer, kind, self._read(index)) for pointer in (target, source))
            if self._unit.demands.has_bytes:
                self._write_cells(place, [term for _, term in self._cells_at(origin)], at)
            else:
                self._e.places.write(place, self._e.places.read(origin, at), at)

    def _fill_element(self, place: MemoryPlace, byte: Scalar, at: int) -> None:
        """Every byte of an element gets the value."""
        unit, arithmetic = self._unit, self._unit.arithmetic
        for part in unit.parts(place.type, at):
            offset = arithmetic.moved(place.offset, self._literal(1), part.offset, unit.data.ptrdiff)
            spot = MemoryPlace(part.type, place.base, offset, is_sure=True)
            match part.type:
                case Integer(width=width) as kind if width > 1:
                    ones = sum(1 << n for n in range(0, width, CHAR_BITS))
                    wide = arithmetic.convert(byte, unsigned_of(kind, unit.data))
                    whole = arithmetic.add("*", wide, arithmetic.literal(ones, wide.type)) if ones > 1 else wide
                    self._e.places.write(spot, arithmetic.convert(whole, kind), at)
                case Integer() | BitField():
                    value = arithmetic.literal(0, part.type.type if isinstance(part.type, BitField) else part.type)
                    self._e.places.write(spot, value, at)
                case Pointer() as pointer:
                    self._e.places.write(spot, self._e.places.null(pointer), at)
                case Floating():
                    pass


class _Loop:
    """``for (index = 0; index < count; index++)``, or down from ``count - 1``."""

    def __init__(self, e: Expressions, index: Variable, count: Scalar, at: int, *, is_down: bool) -> None:
        self._e, self._index, self._count, self._at, self._is_down = e, index, count, at, is_down
        self._head, self._body, self._end = map(e.body.label, ("head", "body", "end"))

    def __enter__(self) -> None:
        e, at, arithmetic = self._e, self._at, self._e.unit.arithmetic
        ptrdiff = e.unit.data.ptrdiff
        start = self._count if self._is_down else arithmetic.literal(0, ptrdiff)
        e.places.assign((self._index,), [start.term], at)
        e.mark(at, self._head)
        index = arithmetic.read(e.unit.nodes.name(self._index), ptrdiff)
        bound = arithmetic.literal(0, ptrdiff) if self._is_down else self._count
        e.split(at, arithmetic.compare(">" if self._is_down else "<", index, bound), self._body, self._end)
        e.mark(at, self._body)
        if self._is_down:
            self._step(-1)

    def __exit__(self, *error: object) -> None:
        if not self._is_down:
            self._step(1)
        self._e.jump(self._at, self._head)
        self._e.mark(self._at, self._end)

    def _step(self, by: int) -> None:
        unit = self._e.unit
        one = unit.arithmetic.literal(1, unit.data.ptrdiff)
        moved = unit.arithmetic.moved(unit.nodes.name(self._index), one, by, unit.data.ptrdiff)
        self._e.places.assign((self._index,), [moved], self._at)


def _element(kind: CType) -> CType:
    while isinstance(kind, ArrayType):
        kind = kind.element
    return kind
