"""Lvalues (C11 6.3.2.1): where values are read from and written to.

A place is a part of an object that lives in variables, or an address in memory. Memory is one map per class of leaves (integers
by width and sign, pointers), from the number of an object and a byte in it to a value, or one of bytes (``cells``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from lemmata.frontends.c.memory.cells import MemoryCells
from lemmata.frontends.c.translate.sorts import sort_of_term
from lemmata.frontends.c.translate.tree_builder import TRUTH, both, numeric
from lemmata.frontends.c.translate.unit import Body, ObjectStorage, Path, SubObject, TranslationUnit
from lemmata.frontends.c.types import (
    C_INT,
    ArrayType,
    BitField,
    CType,
    Floating,
    Integer,
    Pointer,
    Signature,
    Structure,
    Void,
)
from lemmata.frontends.c.types.padding import padding
from lemmata.frontends.c.types.values import Address, Aggregate, CValue, FloatValue, Nothing, Scalar
from lemmata.frontends.programs.tree import (
    Assert,
    Assign,
    Assume,
    Choice,
    Expression,
    Filled,
    Havoc,
    If,
    Inexact,
    MapType,
    Name,
    Type,
    Variable,
)
from lemmata.values import dataclass

_PADDED_BYTES = 2048  # bytes of padding in an object that a list initialises
DEAD = -1  # the length of an object that does not live


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """A part of an object in variables: the members and indices that lead there."""

    type: CType
    storage: ObjectStorage
    path: Path = ()
    indices: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """An address; ``is_sure`` where nobody can doubt that it is inside of its object.

    Of an element of an array in the object (``is_part``), ``within`` says that its index is one of the array (6.5.6p8).
    """

    type: CType
    base: Expression
    offset: Expression
    is_sure: bool = False
    within: Expression = TRUTH
    is_part: bool = True  # of an object, perhaps


Lvalue: TypeAlias = VariablePlace | MemoryPlace


class Places:
    """Reads and writes."""

    def __init__(self, unit: TranslationUnit, body: Body) -> None:
        self._unit = unit
        self._body = body
        self.cells = MemoryCells(unit, body, self.must)

    # Parts.

    def of(self, storage: ObjectStorage) -> Lvalue:
        """The whole object."""
        if storage.base is not None:
            return MemoryPlace(storage.type, storage.base, self.zero_offset, True, is_part=False)
        return VariablePlace(storage.type, storage)

    @property
    def zero_offset(self) -> Expression:
        """The start of an object."""
        sort = self._unit.arithmetic.sort(self._unit.data.ptrdiff)
        return numeric(0, sort)

    def member(self, place: Lvalue, name: str) -> Lvalue:
        """``place.name``."""
        struct = place.type
        assert isinstance(struct, Structure)
        unit = self._unit
        kind = unit.data.member(struct, name)
        if isinstance(place, VariablePlace) and not struct.is_union:
            return replace(place, type=kind, path=(*place.path, name))
        if isinstance(place, VariablePlace):
            place = self._in_memory(place)
        by = unit.arithmetic.literal(1, unit.data.ptrdiff)
        offset = unit.arithmetic.moved(place.offset, by, unit.data.offset(struct, name), unit.data.ptrdiff)
        return MemoryPlace(kind, place.base, offset, place.is_sure, place.within)

    def _in_memory(self, place: VariablePlace) -> MemoryPlace:
        """A copy of a union that a function returned, to look at its members."""
        unit, at = self._unit, self._unit.at.of(None)
        number = unit.next_base()
        unit.spelling.object(number, "value", place.type)
        copy = MemoryPlace(place.type, self.known_base(number), self.zero_offset, True)
        self.set_length(copy.base, unit.arithmetic.literal(unit.data.size(place.type) or 0, unit.data.ptrdiff).term, at)
        self.write(copy, self.read(place, at), at)
        return copy

    def element(self, place: Lvalue, index: Scalar, at: int) -> Lvalue:
        """``place[index]`` of an array."""
        array = place.type
        assert isinstance(array, ArrayType)
        unit, arithmetic = self._unit, self._unit.arithmetic
        wide = (
            arithmetic.convert(index, unit.data.ptrdiff)
            if index.type.width < unit.data.ptrdiff.width or unit.is_exact
            else index
        )
        if isinstance(place, VariablePlace):
            bound = self._bound(place, array)
            if bound is not None:
                self.must(self._is_index(wide, bound), at)
            return replace(place, type=array.element, indices=(*place.indices, wide.term))
        size = unit.data.size(array.element)
        if size is None:
            raise unit.unsupported(at, "arrays of arrays of variable length are supported only where no address is taken")
        is_sure = place.is_sure and array.length is not None and index.low >= 0 and index.high < array.length
        within = place.within
        if place.is_part and array.length:  # one of no length is as long as its object, as in GNU C
            within = both(within, self._is_index(wide, arithmetic.literal(array.length, unit.data.ptrdiff)))
        offset = arithmetic.moved(place.offset, wide, size, unit.data.ptrdiff)
        return MemoryPlace(array.element, place.base, offset, is_sure, within)

    def _is_index(self, index: Scalar, bound: Scalar) -> Expression:
        arithmetic = self._unit.arithmetic
        zero = arithmetic.literal(0, self._unit.data.ptrdiff)
        return both(arithmetic.compare("<=", zero, index), arithmetic.compare("<", index, bound))

    def _bound(self, place: VariablePlace, array: ArrayType) -> Scalar | None:
        unit = self._unit
        if array.length is not None:
            return unit.arithmetic.literal(array.length, unit.data.ptrdiff)
        dimension = len(place.indices)
        if not place.path and dimension < len(place.storage.bounds):
            return unit.arithmetic.read(place.storage.bounds[dimension], unit.data.ptrdiff)
        return unit.arithmetic.literal(0, unit.data.ptrdiff) if place.path else None  # a flexible array member (6.7.2.1p18)

    def must(self, condition: Expression, at: int, what: str = "memory") -> None:
        """What has to hold, or behaviour is undefined from here on: that does not count, unless it was asked for."""
        if condition is TRUTH:
            return
        if what == "memory" and self._unit.wanted.memory:
            self._body.statements.append(Assert(at, condition, (), what))
        else:
            self._body.statements.append(If(at, condition, (), (Inexact(at),)))

    def address(self, place: Lvalue, kind: Pointer) -> Address:
        """``&place``; an object in variables has to be in memory for that, so the file is translated again."""
        if isinstance(place, MemoryPlace):
            return Address(kind, place.base, place.offset)
        self._unit.demands.addressed.add(place.storage.key)
        return self.null(kind)

    def null(self, kind: Pointer) -> Address:
        """The null pointer."""
        return Address(kind, numeric(0, self._unit.arithmetic.sort(C_INT)), self.zero_offset)

    def known_base(self, value: int) -> Expression:
        """The number of an object."""
        return numeric(value, self._unit.arithmetic.sort(C_INT))

    # Reading.

    def read(self, place: Lvalue, at: int) -> CValue:
        """The value there (6.3.2.1p2)."""
        match place.type:
            case Integer() | Pointer() | BitField() as kind:
                return self._scalar(place, kind, at)
            case Floating() as kind:
                if isinstance(place, MemoryPlace):
                    self.check(place, at)
                return FloatValue(kind)
            case Structure() as kind:
                return Aggregate(kind, self._leaves(place, kind, at))
            case ArrayType(element):
                return self.address(place, Pointer(element))
            case Signature() | Void() as kind:
                return Nothing(kind)

    def _scalar(self, place: Lvalue, kind: Integer | Pointer | BitField, at: int) -> Scalar | Address:
        if isinstance(place, MemoryPlace):
            self.check(place, at)
            return self.cells.read(place.base, place.offset, kind, at)
        nodes, unit = self._unit.nodes, self._unit
        terms = [nodes.select(nodes.name(v), place.indices) for v in place.storage.leaves[place.path]]
        if isinstance(kind, Pointer):
            return Address(kind, *terms)
        if place.indices:
            within = unit.within(terms[0], kind)
            if within is not TRUTH:
                self._body.statements.append(Assume(unit.at.of(None), within))
        return self.cells.field(terms[0], kind) if isinstance(kind, BitField) else unit.arithmetic.read(terms[0], kind)

    def check(self, place: MemoryPlace, at: int, *, is_written: bool = False) -> None:
        """Is the place inside of an object that lives?"""
        if place.is_sure:
            return
        unit = self._unit
        size = unit.arithmetic.literal(unit.data.size(place.type) or 1, unit.data.ptrdiff)
        self.must(both(place.within, self.inside(place.base, place.offset, size, is_written=is_written)), at)

    def inside(self, base: Expression, offset: Expression, size: Scalar, *, is_written: bool = False) -> Expression:
        """Are so many bytes from there on bytes of an object that lives, and may be written (6.4.5p7, 6.7.3p6) if they are?"""
        arithmetic, ptrdiff = self._unit.arithmetic, self._unit.data.ptrdiff
        start = arithmetic.read(offset, ptrdiff)
        end = arithmetic.read(arithmetic.moved(offset, size, 1, ptrdiff), ptrdiff)
        last = self._unit.demands.read_only if is_written else 0
        is_object = arithmetic.compare("<", arithmetic.literal(last, C_INT), arithmetic.read(base, C_INT))
        inside = both(
            arithmetic.compare("<=", arithmetic.literal(0, ptrdiff), start), arithmetic.compare("<=", end, self.length(base))
        )
        if not size.low > 0:
            inside = both(inside, arithmetic.compare("<=", start, end))
        return both(is_object, inside)

    def length(self, base: Expression) -> Scalar:
        """How many bytes the object has; fewer than none where it does not live."""
        unit = self._unit
        return unit.arithmetic.read(unit.nodes.select(unit.nodes.name(unit.lengths()), (base,)), unit.data.ptrdiff)

    def lives(self, base: Expression) -> Expression:
        """Is there an object of that number?"""
        return self._unit.arithmetic.compare("<=", self._unit.arithmetic.literal(0, self._unit.data.ptrdiff), self.length(base))

    def _leaves(self, place: Lvalue, kind: Structure, at: int) -> dict[Path, tuple[Expression, ...]]:
        """What is at the leaves of a structure: maps, where there are arrays on the way."""
        nodes, unit = self._unit.nodes, self._unit
        if isinstance(place, VariablePlace):
            own = place.storage.leaves
            return {
                path: tuple([nodes.select(nodes.name(v), place.indices) for v in own[(*place.path, *path)]])
                for path, _, _ in unit.leaves(kind)
            }
        self.check(place, at)
        found: dict[Path, tuple[Expression, ...]] = {}
        for path, depth, leaf in unit.leaves(kind):
            found[path] = tuple([self._filled(sort, depth) for sort in unit.sorts(leaf)])
        for part in unit.parts(kind, at):
            if not isinstance(part.type, Integer | Pointer | BitField):
                continue
            terms = self.cells.read_part(place.base, self._within(place, part), part, at)
            indices = [self._index(n) for n in part.indices]
            found[part.path] = tuple(
                [nodes.store(old, indices, term) for old, term in zip(found[part.path], terms, strict=True)]
            )
        return found

    def _within(self, place: MemoryPlace, part: SubObject) -> Expression:
        """The first byte of a part of an object."""
        arithmetic, ptrdiff = self._unit.arithmetic, self._unit.data.ptrdiff
        return arithmetic.moved(place.offset, arithmetic.literal(1, ptrdiff), part.offset, ptrdiff)

    def _index(self, number: int) -> Expression:
        return self._unit.arithmetic.literal(number, self._unit.data.ptrdiff).term

    # Writing.

    def write(self, place: Lvalue, value: CValue, at: int) -> None:
        """Store a value of the type of the place."""
        match value:
            case Scalar():
                if isinstance(place.type, BitField):
                    value = self.cells.reduced(value, place.type)
                self._store(place, (value.term,), at)
            case Address():
                self._store(place, (value.base, value.offset), at)
            case FloatValue(kind) if isinstance(place, MemoryPlace):
                self.check(place, at, is_written=True)
                self.cells.forget(place.base, place.offset, kind.size, at)
            case Aggregate(_, leaves):
                self._copy(place, dict(leaves), at)

    def _store(self, place: Lvalue, terms: tuple[Expression, ...], at: int) -> None:
        nodes = self._unit.nodes
        if isinstance(place, VariablePlace):
            variables, indices = place.storage.leaves[place.path], place.indices
            stored = [nodes.store(nodes.name(v), indices, t) for v, t in zip(variables, terms, strict=True)]
            self.assign(variables, stored, at)
            return
        self.check(place, at, is_written=True)
        assert isinstance(place.type, Integer | Pointer | BitField)
        self.cells.write(place.base, place.offset, place.type, terms, at)

    def assign(self, variables: tuple[Variable, ...], terms: list[Expression], at: int) -> None:
        """All at once."""
        names = tuple([self._unit.nodes.name(variable) for variable in variables])
        if names:
            self._body.statements.append(Assign(at, names, tuple(terms)))

    def _copy(self, place: Lvalue, leaves: dict[Path, tuple[Expression, ...]], at: int) -> None:
        nodes, unit = self._unit.nodes, self._unit
        if isinstance(place, MemoryPlace):
            self.check(place, at, is_written=True)
            kept = {path: tuple([self._fixed(term, at) for term in terms]) for path, terms in leaves.items()}
            for part in unit.parts(place.type, at):
                if isinstance(part.type, Integer | Pointer | BitField):
                    indices = [self._index(n) for n in part.indices]
                    terms = tuple([nodes.select(term, indices) for term in kept[part.path]])
                    self.cells.write_part(place.base, self._within(place, part), part, terms, at)
                elif isinstance(part.type, Floating):
                    self.cells.forget(place.base, self._within(place, part), part.type.size, at)
            return
        variables: list[Variable] = []
        values: list[Expression] = []
        for path, terms in leaves.items():
            own = place.storage.leaves[(*place.path, *path)]
            variables += own
            values += [nodes.store(nodes.name(v), place.indices, t) for v, t in zip(own, terms, strict=True)]
        self.assign(tuple(variables), values, at)

    def _fixed(self, term: Expression, at: int) -> Expression:
        """A map in a variable of its own, since it is read again and again."""
        sort = sort_of_term(term, self._unit.nodes)
        if not isinstance(sort, MapType) or isinstance(term, Name):
            return term
        variable = self._unit.variable(at, "copy", sort, self._body)
        self.assign((variable,), [term], at)
        return self._unit.nodes.name(variable)

    def havoc(self, place: Lvalue, at: int, text: str = "") -> None:
        """The value is arbitrary from now on; ``text`` is how the source writes the place, where it declares it."""
        if isinstance(place, VariablePlace) and not place.indices and not place.path:
            statement = self._unit.havoc(at, place.storage)
            if statement is not None:
                self._body.statements.append(statement)
        elif isinstance(place, MemoryPlace):
            if self._unit.demands.has_bytes:
                self.cells.havoc_row(place.base, at)
                return
            for memory in self.memories(place.type):
                kind = memory.type
                assert isinstance(kind, MapType)
                row = self._unit.variable(at, f"{memory.name}.row", MapType(kind.indices[1:], kind.element), self._body)
                nodes = self._unit.nodes
                self._body.statements.append(Havoc(at, (nodes.name(row),), None, self._row_choice(row, place.type, text, at)))
                self.assign((memory,), [nodes.store(nodes.name(memory), (place.base,), nodes.name(row))], at)

    def _row_choice(self, row: Variable, kind: CType, text: str, at: int) -> tuple[Choice, ...]:
        """An integer, or an array of integers, that is declared without a value."""
        element = kind.element if isinstance(kind, ArrayType) else kind
        if not (text and isinstance(element, Integer)):
            return ()
        stride = self._unit.data.size(element) or 1
        return (Choice(at, row, "", element.name, element.is_signed, stride, text, element is not kind),)

    def memories(self, kind: CType) -> Iterator[Variable]:
        """The memories of the leaves of a type."""
        yield from dict.fromkeys(m for _, _, leaf in self._unit.leaves(kind) for m in self._unit.memory(leaf))

    def zero(self, place: Lvalue, at: int) -> None:
        """The whole object is zero or null (6.7.9p10)."""
        if isinstance(place, VariablePlace):
            self.zero_part(place, at)
        elif self._unit.demands.has_bytes:
            self.cells.fill_row(place.base, self._unit.all_memories(), at)
        else:
            self.cells.fill_row(place.base, list(self.memories(place.type)), at)

    def forget_padding(self, place: Lvalue, at: int) -> None:
        """Bits between the members have any values, whatever the members get."""
        unit, masks = self._unit, dict[int, int]()
        if isinstance(place, VariablePlace) or not unit.demands.has_bytes:
            return
        for byte, mask in padding(place.type, unit.data):
            masks[byte] = masks.get(byte, 0) | mask
            if len(masks) > _PADDED_BYTES:
                raise unit.unsupported(at, f"an object with more than {_PADDED_BYTES} bytes of padding is initialised")
        self.cells.scatter(place.base, place.offset, masks, at)

    def zero_part(self, place: Lvalue, at: int) -> None:
        """All leaves of a part of an object are zero or null."""
        nodes, unit = self._unit.nodes, self._unit
        if isinstance(place, MemoryPlace):
            for part in unit.parts(place.type, at):
                if isinstance(part.type, Integer | Pointer | BitField):
                    nothing = tuple([numeric(0, sort) for sort in unit.sorts(part.type)])  # type: ignore[arg-type]
                    self.cells.write_part(place.base, self._within(place, part), part, nothing, at)
            return
        variables: list[Variable] = []
        values: list[Expression] = []
        for path, depth, leaf in unit.leaves(place.type):
            for variable, sort in zip(place.storage.leaves[(*place.path, *path)], unit.sorts(leaf), strict=True):
                variables.append(variable)
                values.append(nodes.store(nodes.name(variable), place.indices, self._filled(sort, depth)))
        self.assign(tuple(variables), values, at)

    def _filled(self, sort: Type, depth: int) -> Expression:
        assert not isinstance(sort, MapType)
        nothing = numeric(0, sort)  # type: ignore[arg-type]
        return Filled(0, MapType((self._unit.offset_sort,) * depth, sort), nothing) if depth else nothing

    def set_length(self, base: Expression, length: Expression, at: int) -> None:
        """From now on the object has so many bytes."""
        lengths, nodes = self._unit.lengths(), self._unit.nodes
        self.assign((lengths,), [nodes.store(nodes.name(lengths), (base,), length)], at)

    def end(self, base: Expression, at: int) -> None:
        """From now on there is no such object."""
        self.set_length(base, self._unit.arithmetic.literal(DEAD, self._unit.data.ptrdiff).term, at)
