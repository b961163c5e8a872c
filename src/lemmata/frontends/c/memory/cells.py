"""``MemoryCells``: how values are in memory.

As long as every object is read with the types that it was written with, a memory has whole values: one map per class of leaves.
Where a program looks at an object with several types (``aliasing`` finds that), all integers are in one map, byte by byte, the
lowest first as on x86. A pointer is no number and has no bytes: where bytes may be parts of pointers or of floating-point
numbers, each has a tag that says so, and what is read across such a border does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lemmata.frontends.c.translate.tree_builder import TRUTH, both, conditional, either, numeric
from lemmata.frontends.c.translate.unit import BYTES, POINTERS, TAGS, Body, SubObject, TranslationUnit
from lemmata.frontends.c.types import (
    C_BOOL,
    C_INT,
    CHAR_BITS,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    BitField,
    Integer,
    Pointer,
    promoted_field,
)
from lemmata.frontends.c.types.values import Address, Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, Assign, Assume, Expression, Filled, Havoc, MapType, Variable

UNKNOWN_BYTE = 255  # the tag of a byte of which nothing is known
Must = Callable[[Expression, int, str], None]


class MemoryCells:
    """Reads and writes leaves at addresses; whether they are inside of an object was asked before."""

    def __init__(self, unit: TranslationUnit, body: Body, must: Must) -> None:
        self._unit = unit
        self._body = body
        self._must = must

    def read(self, base: Expression, offset: Expression, kind: Integer | Pointer | BitField, at: int) -> Scalar | Address:
        """The value of a type at an address."""
        unit = self._unit
        if isinstance(kind, Pointer):
            return self._pointer(base, offset, kind, at)
        if unit.demands.has_bytes:
            return self._from_bytes(base, offset, kind, at)
        cell = unit.nodes.select(unit.nodes.name(unit.memory(kind)[0]), (base, offset))
        if isinstance(kind, BitField):
            self._assume(unit.within(cell, kind))
            return self.field(cell, kind)
        if not self._is_merged(kind):
            self._assume(unit.arithmetic.within(cell, kind))
            return unit.arithmetic.read(cell, kind)
        signed = _signed(kind)
        self._assume(unit.arithmetic.within(cell, signed))
        return unit.arithmetic.read(unit.arithmetic.convert(unit.arithmetic.read(cell, signed), kind).term, kind)

    def field(self, cell: Expression, kind: BitField) -> Scalar:
        """The value of a bit-field, promoted (6.3.1.1p2)."""
        arithmetic = self._unit.arithmetic
        if kind.type is C_BOOL:
            return arithmetic.convert(arithmetic.read(cell, C_BOOL), C_INT)
        return arithmetic.convert(Scalar(kind.type, cell, kind.least, kind.most), promoted_field(kind))

    def reduced(self, value: Scalar, kind: BitField) -> Scalar:
        """A value of the declared type in the range of a bit-field, modulo 2ⁿ."""
        arithmetic, spare = self._unit.arithmetic, kind.type.width - kind.width
        if kind.type is C_BOOL or spare == 0 or not self._unit.is_exact:
            return value
        if kind.least <= value.low and value.high <= kind.most:
            return value
        by = arithmetic.literal(spare, C_INT)
        return arithmetic.shift(">>", arithmetic.shift("<<", value, by), by)

    def write(
        self, base: Expression, offset: Expression, kind: Integer | Pointer | BitField, terms: tuple[Expression, ...], at: int
    ) -> None:
        """Store a value of a type at an address."""
        unit = self._unit
        if isinstance(kind, Pointer):
            self._store(unit.memory(kind), base, offset, terms, at)
            if unit.demands.has_tags:
                self._tag(base, offset, [n + 1 for n in range(unit.data.size(kind) or 0)], at)
            return
        if unit.demands.has_bytes:
            self._to_bytes(base, offset, kind, terms[0], at)
            return
        if isinstance(kind, Integer) and self._is_merged(kind):
            terms = (unit.arithmetic.convert(unit.arithmetic.read(terms[0], kind), _signed(kind)).term,)
        self._store(unit.memory(kind), base, offset, terms, at)

    def read_part(self, base: Expression, offset: Expression, part: SubObject, at: int) -> tuple[Expression, ...]:
        """The terms of a leaf of a structure; those of unions are taken as they are."""
        unit = self._unit
        if part.path and part.path[-1] in (BYTES, TAGS, POINTERS):
            return tuple([unit.nodes.select(unit.nodes.name(m), (base, offset)) for m in unit.raw(part.path[-1])])
        assert isinstance(part.type, Integer | Pointer | BitField)
        value = self.read(base, offset, part.type, at)
        if isinstance(value, Address):
            return (value.base, value.offset)
        return ((unit.arithmetic.convert(value, part.type.type) if isinstance(part.type, BitField) else value).term,)

    def write_part(self, base: Expression, offset: Expression, part: SubObject, terms: tuple[Expression, ...], at: int) -> None:
        """The same for writing."""
        if part.path and part.path[-1] in (BYTES, TAGS, POINTERS):
            self._store(self._unit.raw(part.path[-1]), base, offset, terms, at)
        elif isinstance(part.type, Integer | Pointer | BitField):
            self.write(base, offset, part.type, terms, at)

    def forget(self, base: Expression, offset: Expression, size: int, at: int) -> None:
        """A number with a fraction is written: nobody knows its bytes."""
        if self._unit.demands.has_tags:
            self._tag(base, offset, [UNKNOWN_BYTE] * size, at)

    def scatter(self, base: Expression, offset: Expression, masks: Mapping[int, int], at: int) -> None:
        """Some bits of bytes have any values, the others of these bytes are zero."""
        unit, nodes, arithmetic = self._unit, self._unit.nodes, self._unit.arithmetic
        memory = unit.memory(UCHAR)[0]
        for byte, mask in masks.items():
            some = unit.variable(at, "padding", arithmetic.sort(UCHAR), self._body)
            within = arithmetic.within(nodes.name(some), UCHAR)
            self._body.statements.append(Havoc(at, (nodes.name(some),), None if within is TRUTH else within))
            value = arithmetic.read(nodes.name(some), UCHAR)
            bits = arithmetic.bits("&", arithmetic.convert(value, C_INT), arithmetic.literal(mask, C_INT))
            table = nodes.store(nodes.name(memory), (base, self._moved(offset, byte)), arithmetic.convert(bits, UCHAR).term)
            self._body.statements.append(Assign(at, (nodes.name(memory),), (table,)))

    # Whole values.

    def _is_merged(self, kind: Integer) -> bool:
        return self._unit.demands.merges_signs and not kind.is_signed and kind.width > 1

    def _store(
        self, memories: tuple[Variable, ...], base: Expression, offset: Expression, terms: tuple[Expression, ...], at: int
    ) -> None:
        nodes = self._unit.nodes
        names = tuple([nodes.name(memory) for memory in memories])
        values = [nodes.store(nodes.name(m), (base, offset), term) for m, term in zip(memories, terms, strict=True)]
        self._body.statements.append(Assign(at, names, tuple(values)))

    def _assume(self, condition: Expression) -> None:
        if condition is not TRUTH:
            self._body.statements.append(Assume(self._unit.at.of(None), condition))

    # Bytes.

    def _moved(self, offset: Expression, by: int) -> Expression:
        ptrdiff = self._unit.data.ptrdiff
        return self._unit.arithmetic.moved(offset, self._unit.arithmetic.literal(1, ptrdiff), by, ptrdiff)

    def _cell(self, memory: Variable, base: Expression, offset: Expression, by: int) -> Expression:
        return self._unit.nodes.select(self._unit.nodes.name(memory), (base, self._moved(offset, by)))

    def _from_bytes(self, base: Expression, offset: Expression, kind: Integer | BitField, at: int) -> Scalar:
        arithmetic, size = self._unit.arithmetic, self._unit.data.size(kind) or 1
        self._must_be(base, offset, [0] * size, at)
        whole, wide = self._joined(base, offset, size)
        if isinstance(kind, Integer):
            if kind is C_BOOL:
                self._must(arithmetic.compare("<=", whole, arithmetic.literal(1, wide)), at, "bool")
            return arithmetic.convert(whole, kind)
        shift = arithmetic.literal(kind.shift, C_INT)
        value = arithmetic.convert(arithmetic.shift(">>", whole, shift) if kind.shift else whole, kind.type)
        reduced = self.reduced(Scalar(kind.type, value.term, value.low, value.high), kind)
        return self.field(reduced.term, kind)

    def _joined(self, base: Expression, offset: Expression, size: int) -> tuple[Scalar, Integer]:
        """The unsigned number that bytes are, lowest first."""
        arithmetic, memory, wide = self._unit.arithmetic, self._unit.memory(UCHAR)[0], _wide(size)
        whole: Scalar | None = None
        for n in range(size):
            cell = self._cell(memory, base, offset, n)
            self._assume(arithmetic.within(cell, UCHAR))
            byte = arithmetic.convert(arithmetic.read(cell, UCHAR), wide)
            moved = arithmetic.shift("<<", byte, arithmetic.literal(n * CHAR_BITS, C_INT)) if n else byte
            whole = moved if whole is None else arithmetic.add("+", whole, moved)
        assert whole is not None
        return whole, wide

    def _to_bytes(self, base: Expression, offset: Expression, kind: Integer | BitField, term: Expression, at: int) -> None:
        arithmetic, size = self._unit.arithmetic, self._unit.data.size(kind) or 1
        wide = _wide(size)
        if isinstance(kind, Integer):
            whole = arithmetic.convert(arithmetic.read(term, kind), wide)
        else:
            whole = self._with_field(base, offset, size, kind, term)
        nodes, memory = self._unit.nodes, self._unit.memory(UCHAR)[0]
        kept = self._unit.variable(at, "whole", arithmetic.sort(wide), self._body)
        self._body.statements.append(Assign(at, (nodes.name(kept),), (whole.term,)))
        whole = Scalar(wide, nodes.name(kept), whole.low, whole.high)
        table: Expression = nodes.name(memory)
        for n in range(size):
            moved = arithmetic.shift(">>", whole, arithmetic.literal(n * CHAR_BITS, C_INT)) if n else whole
            table = nodes.store(table, (base, self._moved(offset, n)), arithmetic.convert(moved, UCHAR).term)
        self._body.statements.append(Assign(at, (nodes.name(memory),), (table,)))
        if self._unit.demands.has_tags:
            self._tag(base, offset, [0] * size, at)

    def _with_field(self, base: Expression, offset: Expression, size: int, kind: BitField, term: Expression) -> Scalar:
        """The bytes around a bit-field, with another value in it."""
        arithmetic = self._unit.arithmetic
        whole, wide = self._joined(base, offset, size)
        ones, by = ((1 << kind.width) - 1) << kind.shift, arithmetic.literal(kind.shift, C_INT)
        every = (1 << wide.width) - 1
        around = arithmetic.bits("&", whole, arithmetic.literal(every & ~ones, wide))
        value = arithmetic.convert(arithmetic.read(term, kind.type), wide)
        inside = arithmetic.bits("&", value, arithmetic.literal(ones >> kind.shift, wide))
        return arithmetic.add("+", around, arithmetic.shift("<<", inside, by) if kind.shift else inside)

    # Pointers, and what bytes are.

    def _pointer(self, base: Expression, offset: Expression, kind: Pointer, at: int) -> Address:
        unit, nodes = self._unit, self._unit.nodes
        own = [nodes.select(nodes.name(memory), (base, offset)) for memory in unit.memory(kind)]
        if not unit.demands.has_tags:
            return Address(kind, *own)
        size = unit.data.size(kind) or 0
        is_pointer = self._has_tags(base, offset, [n + 1 for n in range(size)])
        memory, is_null = unit.memory(UCHAR)[0], self._has_tags(base, offset, [0] * size)
        for n in range(size):
            cell = unit.arithmetic.read(self._cell(memory, base, offset, n), UCHAR)
            is_null = both(is_null, unit.arithmetic.compare("==", cell, unit.arithmetic.literal(0, UCHAR)))
        known = unit.variable(at, "is_pointer", BOOL_TYPE, self._body)
        null = unit.variable(at, "is_null", BOOL_TYPE, self._body)
        target = (nodes.name(known), nodes.name(null))
        self._body.statements.append(Assign(at, target, (is_pointer, is_null)))
        self._must(either(nodes.name(known), nodes.name(null)), at, "tag")
        found = []
        for term, sort in zip(own, unit.sorts(kind), strict=True):
            other = unit.variable(at, "pointer", sort, self._body)
            self._body.statements.append(Havoc(at, (nodes.name(other),)))
            zero = numeric(0, sort)  # type: ignore[arg-type]
            rest = conditional(nodes.name(null), zero, nodes.name(other))
            found.append(conditional(nodes.name(known), term, rest))
        return Address(kind, *found)

    def _has_tags(self, base: Expression, offset: Expression, tags: list[int]) -> Expression:
        arithmetic, memory = self._unit.arithmetic, self._unit.tags()
        condition: Expression = TRUTH
        for n, tag in enumerate(tags):
            cell = arithmetic.read(self._cell(memory, base, offset, n), UCHAR)
            condition = both(condition, arithmetic.compare("==", cell, arithmetic.literal(tag, UCHAR)))
        return condition

    def _must_be(self, base: Expression, offset: Expression, tags: list[int], at: int) -> None:
        if self._unit.demands.has_tags:
            self._must(self._has_tags(base, offset, tags), at, "tag")

    def _tag(self, base: Expression, offset: Expression, tags: list[int], at: int) -> None:
        unit, nodes = self._unit, self._unit.nodes
        memory = unit.tags()
        table: Expression = nodes.name(memory)
        for n, tag in enumerate(tags):
            value = unit.arithmetic.literal(tag, UCHAR).term
            table = nodes.store(table, (base, self._moved(offset, n)), value)
        self._body.statements.append(Assign(at, (nodes.name(memory),), (table,)))

    # Everything that an object has.

    def fill_row(self, base: Expression, memories: list[Variable], at: int) -> None:
        """All bytes of an object are zero, as far as these memories have them."""
        nodes = self._unit.nodes
        for memory in memories:
            kind = memory.type
            assert isinstance(kind, MapType)
            row = Filled(0, MapType(kind.indices[1:], kind.element), numeric(0, kind.element))  # type: ignore[arg-type]
            self._body.statements.append(Assign(at, (nodes.name(memory),), (nodes.store(nodes.name(memory), (base,), row),)))

    def havoc_row(self, base: Expression, at: int, memories: list[Variable] | None = None) -> None:
        """Nothing is known any more of an object, as far as these memories have it: by default all."""
        unit, nodes = self._unit, self._unit.nodes
        for memory in unit.all_memories() if memories is None else memories:
            kind = memory.type
            assert isinstance(kind, MapType)
            row = unit.variable(at, f"{memory.name}.row", MapType(kind.indices[1:], kind.element), self._body)
            self._body.statements.append(Havoc(at, (nodes.name(row),)))
            changed = nodes.store(nodes.name(memory), (base,), nodes.name(row))
            self._body.statements.append(Assign(at, (nodes.name(memory),), (changed,)))

    def havoc_all(self, at: int) -> None:
        """Nothing is known any more of anything in memory."""
        names = tuple([self._unit.nodes.name(memory) for memory in self._unit.all_memories()])
        if names:
            self._body.statements.append(Havoc(at, names))


def _signed(kind: Integer) -> Integer:
    return Integer("", kind.width, True, kind.rank)


def _wide(size: int) -> Integer:
    """An unsigned type that has so many bytes, and is not promoted."""
    return UCHAR if size == 1 else UINT if size <= 4 else ULLONG if size <= 8 else UINT128
