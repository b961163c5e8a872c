"""``Allocation``: objects that a program makes and ends while it runs (C11 7.22.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.syntax.parser import Node
from lemmata.frontends.c.translate.tree_builder import both, conditional, either, inverse, literal_value
from lemmata.frontends.c.types import C_INT, Pointer, Untyped
from lemmata.frontends.c.types.values import Address, Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, Expression

if TYPE_CHECKING:
    from lemmata.frontends.c.library.blocks import Blocks
    from lemmata.frontends.c.translate.expressions import Expressions


class Allocation:
    """Translates ``malloc`` and its kind in one body; an object is always to be had."""

    def __init__(self, expressions: Expressions, blocks: Blocks) -> None:
        self._e = expressions
        self._blocks = blocks

    def allocate(self, size: Scalar, node: Node, *, is_heap: bool = True) -> Address:
        """Another object; nothing is known of what is in it. One that is too large for any machine does not count."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        wide = unit.arithmetic.convert(size, unit.data.size_t)
        most = unit.arithmetic.literal(unit.data.ptrdiff.most, unit.data.size_t)
        if unit.is_exact:
            e.places.must(unit.arithmetic.compare("<=", wide, most), at, "size")
        base = e.calls.program.new_base(e, at, is_heap=is_heap)
        e.places.set_length(base, unit.arithmetic.convert(wide, unit.data.ptrdiff).term, at)
        return Address(Pointer(Untyped()), base, e.places.zero_offset)

    def zeroed(self, count: Scalar, size: Scalar, node: Node) -> Address:
        """``calloc``: all bytes are zero, whatever the object will be used for."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        first, second = (unit.arithmetic.convert(number, unit.data.size_t) for number in (count, size))
        whole = unit.arithmetic.add("*", first, second)
        if unit.is_exact and first.high * second.high > unit.data.size_t.most:
            zero = unit.arithmetic.literal(0, unit.data.size_t)
            fits = unit.arithmetic.compare("==", unit.arithmetic.divide("/", whole, second), first)
            e.places.must(either(unit.arithmetic.compare("==", second, zero), fits), at, "size")
        pointer = self.allocate(whole, node)
        e.places.cells.fill_row(pointer.base, unit.all_memories(), at)
        return pointer

    def release(self, pointer: Address, node: Node) -> None:
        """``free``: null, or a pointer to the start of an object from ``malloc`` that lives (7.22.3.3)."""
        e, at = self._e, self._e.unit.at.of(node)
        is_null = e.is_null(pointer)
        if literal_value(pointer.base) == 0:
            return
        start = e.unit.nodes.binary("==", pointer.offset, e.places.zero_offset, BOOL_TYPE)
        whole = both(start, both(self._is_heap(pointer.base), e.places.lives(pointer.base)))
        e.places.must(either(is_null, whole), at)
        e.places.end(pointer.base, at)

    def _is_heap(self, base: Expression) -> Expression:
        """Objects from ``malloc`` have numbers after those that are always there, every other one if blocks have some."""
        unit, arithmetic = self._e.unit, self._e.unit.arithmetic
        number = arithmetic.read(base, C_INT)
        known = unit.demands.objects
        is_late = arithmetic.compare("<", arithmetic.literal(known, C_INT), number)
        if not unit.demands.has_automatic:
            return is_late
        first = arithmetic.literal((known + 1) % 2, C_INT)
        parity = arithmetic.divide("%", number, arithmetic.literal(2, C_INT))
        return both(is_late, arithmetic.compare("==", parity, first))

    def moved(self, pointer: Address, size: Scalar, node: Node) -> Address:
        """``realloc``: a new object with as many bytes of the old one as fit (7.22.3.5)."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        old = e.snapshots.frozen(pointer)
        assert isinstance(old, Address)
        frozen = e.snapshots.frozen(unit.arithmetic.convert(size, unit.data.size_t))
        assert isinstance(frozen, Scalar)
        new = self.allocate(frozen, node)
        copy, done = e.body.label("copy"), e.body.label("moved")
        e.split(at, inverse(e.is_null(old)), copy, done)
        e.mark(at, copy)
        length, wanted = e.places.length(old.base), unit.arithmetic.convert(frozen, unit.data.ptrdiff)
        fewer = unit.arithmetic.compare("<", length, wanted)
        count = Scalar(
            unit.data.ptrdiff, conditional(fewer, length.term, wanted.term), unit.data.ptrdiff.least, unit.data.ptrdiff.most
        )
        kept = e.snapshots.frozen(count)
        assert isinstance(kept, Scalar)
        self._blocks.copy(Address(old.type, new.base, new.offset), old, kept, node, may_overlap=False)
        self.release(old, node)
        e.mark(at, done)
        return Address(old.type, new.base, new.offset)
