"""Lvalues (C11 6.3.2.1): where values are read from and written to.

A place is a part of an object that lives in variables, or an address in memory. Memory is one map per class of leaves (integers
by width and sign, pointers), from the number of an object and a byte in it to a value: leaves of different classes never
overlap in a program that respects effective types (6.5p7), except through pointers to characters, which are refused where they
are made from others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from lemmata.frontends.c.nodes import TRUTH, both, numeric
from lemmata.frontends.c.types import C_INT, ArrayType, CType, Floating, Integer, Pointer, Signature, Structure, Void
from lemmata.frontends.c.unit import Body, ObjectStorage, Path, TranslationUnit
from lemmata.frontends.c.values import Address, Aggregate, CValue, FloatValue, Nothing, Scalar
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
    Type,
    Variable,
)
from lemmata.values import dataclass

_UNROLLED = 64  # elements of an array in memory that are copied or filled one by one


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """A part of an object in variables: the members and indices that lead there."""

    type: CType
    storage: ObjectStorage
    path: Path = ()
    indices: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """An address; ``is_sure`` where nobody can doubt that it is inside of its object."""

    type: CType
    base: Expression
    offset: Expression
    is_sure: bool = False


Lvalue: TypeAlias = VariablePlace | MemoryPlace


class Places:
    """Reads and writes."""

    def __init__(self, unit: TranslationUnit, body: Body) -> None:
        self._unit = unit
        self._body = body

    # Parts.

    def of(self, storage: ObjectStorage) -> Lvalue:
        """The whole object."""
        if storage.base is not None:
            return MemoryPlace(storage.type, storage.base, self.zero_offset, True)
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
        kind = struct.members[name]
        if isinstance(place, VariablePlace):
            return replace(place, type=kind, path=(*place.path, name))
        unit = self._unit
        by = unit.arithmetic.literal(1, unit.data.ptrdiff)
        offset = unit.arithmetic.moved(place.offset, by, unit.data.offset(struct, name), unit.data.ptrdiff)
        return MemoryPlace(kind, place.base, offset, place.is_sure)

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
                inside = both(
                    arithmetic.compare("<=", arithmetic.literal(0, unit.data.ptrdiff), wide),
                    arithmetic.compare("<", wide, bound),
                )
                self.must(inside, at)
            return replace(place, type=array.element, indices=(*place.indices, wide.term))
        size = unit.data.size(array.element)
        if size is None:
            raise unit.unsupported(at, "arrays of arrays of variable length are supported only where no address is taken")
        is_sure = place.is_sure and array.length is not None and index.low >= 0 and index.high < array.length
        return MemoryPlace(array.element, place.base, arithmetic.moved(place.offset, wide, size, unit.data.ptrdiff), is_sure)

    def _bound(self, place: VariablePlace, array: ArrayType) -> Scalar | None:
        unit = self._unit
        if array.length is not None:
            return unit.arithmetic.literal(array.length, unit.data.ptrdiff)
        dimension = len(place.indices)
        if not place.path and dimension < len(place.storage.bounds):
            return unit.arithmetic.read(place.storage.bounds[dimension], unit.data.ptrdiff)
        return None

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
            case Integer() | Pointer() as kind:
                terms = self._terms(place, kind, at)
                return self._value(kind, terms, is_checked=isinstance(place, MemoryPlace) or bool(place.indices))
            case Floating() as kind:
                return FloatValue(kind)
            case Structure() as kind:
                return Aggregate(
                    kind, {path: self._leaf(place, path, depth, leaf, at) for path, depth, leaf in self._unit.leaves(kind)}
                )
            case ArrayType(element):
                return self.address(place, Pointer(element))
            case Signature() | Void() as kind:
                return Nothing(kind)

    def _value(self, kind: Integer | Pointer, terms: tuple[Expression, ...], is_checked: bool) -> CValue:
        if isinstance(kind, Pointer):
            return Address(kind, *terms)
        arithmetic = self._unit.arithmetic
        if is_checked:
            within = arithmetic.within(terms[0], kind)
            if within is not TRUTH:
                self._body.statements.append(Assume(self._unit.at.of(None), within))
        return arithmetic.read(terms[0], kind)

    def _terms(self, place: Lvalue, kind: Integer | Pointer, at: int) -> tuple[Expression, ...]:
        nodes = self._unit.nodes
        if isinstance(place, VariablePlace):
            variables = place.storage.leaves[place.path]
            return tuple([nodes.select(nodes.name(v), place.indices) for v in variables])
        self.check(place, at)
        terms = tuple([nodes.select(nodes.name(v), (place.base, place.offset)) for v in self._unit.memory(kind)])
        return (self._signed(terms[0], kind),) if self._is_merged(kind) else terms

    def _is_merged(self, kind: CType) -> bool:
        return self._unit.demands.merges_signs and isinstance(kind, Integer) and not kind.is_signed and kind.width > 1

    def _signed(self, term: Expression, kind: CType) -> Expression:
        """A cell has the signed value: the unsigned one is the same modulo 2ⁿ."""
        assert isinstance(kind, Integer)
        signed = Integer("", kind.width, True, kind.rank)
        return self._unit.arithmetic.convert(self._unit.arithmetic.read(term, signed), kind).term

    def check(self, place: MemoryPlace, at: int) -> None:
        """Is the place inside of an object that lives?"""
        if place.is_sure:
            return
        unit, arithmetic, ptrdiff = self._unit, self._unit.arithmetic, self._unit.data.ptrdiff
        size = unit.data.size(place.type) or 1
        offset = arithmetic.read(place.offset, ptrdiff)
        length = arithmetic.read(unit.nodes.select(unit.nodes.name(unit.lengths()), (place.base,)), ptrdiff)
        end = arithmetic.read(arithmetic.moved(place.offset, arithmetic.literal(1, ptrdiff), size, ptrdiff), ptrdiff)
        is_object = arithmetic.compare("<", arithmetic.literal(0, C_INT), arithmetic.read(place.base, C_INT))
        inside = both(arithmetic.compare("<=", arithmetic.literal(0, ptrdiff), offset), arithmetic.compare("<=", end, length))
        self.must(both(is_object, inside), at)

    def _leaf(self, place: Lvalue, path: Path, depth: int, kind: CType, at: int) -> tuple[Expression, ...]:
        """What is at a leaf of a structure: a map, if there are arrays on the way."""
        nodes = self._unit.nodes
        if isinstance(place, VariablePlace):
            variables = place.storage.leaves[(*place.path, *path)]
            return tuple([nodes.select(nodes.name(v), place.indices) for v in variables])
        if depth:
            raise self._unit.unsupported(at, "a struct with arrays in it is copied in memory", "copy its members")
        if not isinstance(kind, Integer | Pointer):
            return ()
        return self._terms(self._down(place, path), kind, at)

    def _down(self, place: Lvalue, path: Path) -> MemoryPlace:
        for name in path:
            place = self.member(place, name)
        assert isinstance(place, MemoryPlace)
        return place

    # Writing.

    def write(self, place: Lvalue, value: CValue, at: int) -> None:
        """Store a value of the type of the place."""
        match value:
            case Scalar():
                self._store(place, (value.term,), at)
            case Address():
                self._store(place, (value.base, value.offset), at)
            case Aggregate(_, leaves):
                self._copy(place, leaves, at)

    def _store(self, place: Lvalue, terms: tuple[Expression, ...], at: int) -> None:
        nodes, unit = self._unit.nodes, self._unit
        variables: tuple[Variable, ...]
        indices: tuple[Expression, ...]
        if isinstance(place, VariablePlace):
            variables, indices = place.storage.leaves[place.path], place.indices
        else:
            self.check(place, at)
            variables, indices = unit.memory(place.type), (place.base, place.offset)
            if self._is_merged(place.type):
                assert isinstance(place.type, Integer)
                signed = Integer("", place.type.width, True, place.type.rank)
                terms = (unit.arithmetic.convert(unit.arithmetic.read(terms[0], place.type), signed).term,)
        self.assign(variables, [nodes.store(nodes.name(v), indices, t) for v, t in zip(variables, terms, strict=True)], at)

    def assign(self, variables: tuple[Variable, ...], terms: list[Expression], at: int) -> None:
        """All at once."""
        names = tuple([self._unit.nodes.name(variable) for variable in variables])
        if names:
            self._body.statements.append(Assign(at, names, tuple(terms)))

    def _copy(self, place: Lvalue, leaves: dict[Path, tuple[Expression, ...]] | object, at: int) -> None:
        assert isinstance(leaves, dict)
        nodes = self._unit.nodes
        if isinstance(place, MemoryPlace):
            for path, terms in leaves.items():
                if terms:
                    self._store(self._down(place, path), terms, at)
            return
        variables: list[Variable] = []
        values: list[Expression] = []
        for path, terms in leaves.items():
            own = place.storage.leaves[(*place.path, *path)]
            variables += own
            values += [nodes.store(nodes.name(v), place.indices, t) for v, t in zip(own, terms, strict=True)]
        self.assign(tuple(variables), values, at)

    def havoc(self, place: Lvalue, at: int, text: str = "") -> None:
        """The value is arbitrary from now on; ``text`` is how the source writes the place, where it declares it."""
        if isinstance(place, VariablePlace) and not place.indices and not place.path:
            statement = self._unit.havoc(at, place.storage)
            if statement is not None:
                self._body.statements.append(statement)
        elif isinstance(place, MemoryPlace):
            for memory in self._memories(place.type):
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
        return (Choice(at, row, "", element.name, element.is_signed, stride, text),)

    def _memories(self, kind: CType) -> Iterator[Variable]:
        yield from dict.fromkeys(m for _, _, leaf in self._unit.leaves(kind) for m in self._unit.memory(leaf))

    def zero(self, place: Lvalue, at: int) -> None:
        """All leaves are zero or null (6.7.9p10)."""
        nodes = self._unit.nodes
        if isinstance(place, MemoryPlace):
            self._zero_memory(place, at)
            return
        variables: list[Variable] = []
        values: list[Expression] = []
        for path, depth, leaf in self._unit.leaves(place.type):
            for variable, sort in zip(place.storage.leaves[(*place.path, *path)], self._unit.sorts(leaf), strict=True):
                variables.append(variable)
                values.append(nodes.store(nodes.name(variable), place.indices, self._filled(sort, depth)))
        self.assign(tuple(variables), values, at)

    def _filled(self, sort: Type, depth: int) -> Expression:
        assert not isinstance(sort, MapType)
        nothing = numeric(0, sort)  # type: ignore[arg-type]
        return Filled(0, MapType((self._unit.offset_sort,) * depth, sort), nothing) if depth else nothing

    def _zero_memory(self, place: MemoryPlace, at: int) -> None:
        """The whole object, of which only the classes of its leaves are ever read."""
        nodes = self._unit.nodes
        for memory in self._memories(place.type):
            kind = memory.type
            assert isinstance(kind, MapType)
            row = Filled(0, MapType(kind.indices[1:], kind.element), numeric(0, kind.element))  # type: ignore[arg-type]
            self.assign((memory,), [nodes.store(nodes.name(memory), (place.base,), row)], at)

    def set_length(self, base: Expression, length: Expression, at: int) -> None:
        """From now on the object has so many bytes."""
        lengths, nodes = self._unit.lengths(), self._unit.nodes
        self.assign((lengths,), [nodes.store(nodes.name(lengths), (base,), length)], at)
