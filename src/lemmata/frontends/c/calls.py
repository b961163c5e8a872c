"""Calls of functions (C11 6.5.2.2): of the program's own, of the library, of nobody's, and through pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c import library
from lemmata.frontends.c.nodes import FALSITY, numeric
from lemmata.frontends.c.syntax import Node, kind_of
from lemmata.frontends.c.types import C_INT, VOID, CType, Integer, Pointer, Signature, Structure, Void
from lemmata.frontends.c.unit import FunctionName
from lemmata.frontends.c.values import Address, Aggregate, CValue, Designator, Nothing, Scalar
from lemmata.frontends.programs.tree import Assert, Assume, Call, Expression, Inexact

if TYPE_CHECKING:
    from lemmata.frontends.c.expressions import Expressions
    from lemmata.frontends.c.program import CProgram


class CallTranslator:
    """Translates the calls of one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions
        self.program: CProgram  # set by the program itself

    def call(self, node: Node, is_used: bool) -> CValue:
        """The value of a call."""
        arguments = [] if node.args is None else list(node.args.exprs)
        callee = node.name
        while kind_of(callee) == "UnaryOp" and callee.op in ("*", "&"):
            callee = callee.expr
        if kind_of(callee) == "ID":
            symbol = self._e.scope.find(callee.name)
            if symbol is None or isinstance(symbol, FunctionName):
                return self._named(callee.name, symbol, arguments, node, is_used)
        value = self._e.value(node.name)
        if isinstance(value, Designator):
            return self._named(value.name, self._e.unit.functions.get(value.name), arguments, node, is_used)
        return self._through(value, arguments, node)

    def _named(self, name: str, symbol: FunctionName | None, arguments: list[Node], node: Node, is_used: bool) -> CValue:
        unit = self._e.unit
        if name in unit.wanted.errors:
            unit.called[name] = "error"
            return self._fail(name, node)
        if symbol is not None and symbol.definition is not None:
            return self._own(symbol, self._values(symbol.type, arguments), node)
        known = self._library(name, symbol, arguments, node)
        if known is not None:
            return known
        kind = library.nondet_type(name, unit.data) if symbol is None else symbol.type.result
        return self._nobody(name, kind, symbol, arguments, node, is_used)

    # The library.

    def _library(self, name: str, symbol: FunctionName | None, arguments: list[Node], node: Node) -> CValue | None:
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        if name in library.ASSERTS and arguments:
            unit.called[name] = "assert" if unit.wanted.asserts else "assume"
            if unit.wanted.asserts:
                e.emit(Assert(at, e.truth(arguments[0])))
            else:
                e.emit(Assume(at, e.truth(arguments[0])))
            return Nothing(VOID)
        if name in library.FAILS:
            return self._fail("assert", node) if unit.wanted.asserts else self._end(node)
        if name in library.ASSUMES and arguments:
            unit.called[name] = "assume"
            e.emit(Assume(at, e.truth(arguments[0])))
            return Nothing(VOID)
        if name in library.ENDS:
            for argument in arguments:
                e.effect(argument)
            return self._end(node)
        if name in library.ALLOCATES and len(arguments) == 1:
            return self._allocate(e.scalar(arguments[0]), node, is_zero=False)
        if name == "calloc" and len(arguments) == 2:
            first, second = (unit.arithmetic.convert(e.scalar(argument), unit.data.size_t) for argument in arguments)
            return self._allocate(unit.arithmetic.add("*", first, second), node, is_zero=True)
        if name in library.RELEASES and len(arguments) == 1:
            return self._release(e.value(arguments[0]), node)
        if name == "__builtin_expect" and arguments:
            return e.value(arguments[0])
        if name in library.WRITES:
            raise unit.unsupported(node, f"the function {name} is not supported", "define it in the program")
        return None

    def _fail(self, what: str, node: Node) -> CValue:
        self._e.emit(Assert(self._e.unit.at.of(node), FALSITY, (), what))
        return Nothing(VOID)

    def _end(self, node: Node) -> CValue:
        self._e.emit(Assume(self._e.unit.at.of(node), FALSITY))
        return Nothing(VOID)

    def _allocate(self, size: Scalar, node: Node, is_zero: bool) -> CValue:
        """Another object, which is always to be had; nothing is known of what is in it."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        base = self.program.new_base(e, at)
        length = unit.arithmetic.convert(size, unit.data.ptrdiff)
        e.places.set_length(base, length.term, at)
        pointer = Address(Pointer(VOID), base, e.places.zero_offset)
        if is_zero:
            self.program.zeroed(e, base, at)
        self.program.casts.allocations.add(id(node))
        return pointer

    def _release(self, value: CValue, node: Node) -> CValue:
        """The object has no bytes any more (7.22.3.3); ``free(0)`` does nothing."""
        e, at = self._e, self._e.unit.at.of(node)
        if isinstance(value, Address):
            zero = numeric(0, e.unit.arithmetic.sort(e.unit.data.ptrdiff))
            e.places.set_length(value.base, zero, at)
        return Nothing(VOID)

    # Functions that nobody defines.

    def _nobody(
        self, name: str, kind: CType, symbol: FunctionName | None, arguments: list[Node], node: Node, is_used: bool
    ) -> CValue:
        """It returns anything and changes nothing; a known meaning makes that inexact."""
        e = self._e
        for argument in arguments:
            if kind_of(argument) == "Constant" and argument.type == "string":
                continue
            e.effect(argument)
        e.unit.undefined[name] = e.unit.undefined.get(name, False) or is_used
        is_chosen = (is_used or library.is_nondet(name)) and isinstance(kind, Integer)
        if is_chosen or name not in e.unit.called:
            e.unit.called[name] = "nondet" if is_chosen else "stub"
        if not is_used and not isinstance(kind, Structure) and not library.is_nondet(name):
            return Nothing(VOID)
        if name in library.MEANT:
            e.emit(Inexact(e.unit.at.of(node)))
        if isinstance(kind, Pointer):
            e.emit(Inexact(e.unit.at.of(node)))
        return e.any_value(kind, node, name)

    # The program's own.

    def _values(self, kind: Signature, arguments: list[Node]) -> list[tuple[CValue, Node]]:
        values: list[tuple[CValue, Node]] = []
        marks: list[int] = []
        for argument in arguments:
            values.append((self._e.value(argument), argument))
            marks.append(len(self._e.body.statements))
        for n in range(len(values) - 2, -1, -1):
            before = len(self._e.body.statements)
            values[n] = (self._e.kept(values[n][0], marks[n]), values[n][1])
            grown = len(self._e.body.statements) - before
            marks = [mark + grown if later > n else mark for later, mark in enumerate(marks)]
        return values

    def _own(self, symbol: FunctionName, values: list[tuple[CValue, Node]], node: Node) -> CValue:
        e, unit = self._e, self._e.unit
        function = self.program.signature(symbol)
        too_many = len(values) > len(function.parameters) and symbol.type.parameters is not None
        if len(values) < len(function.parameters) or too_many:
            raise unit.error(node, f"'{symbol.name}' takes {len(function.parameters)} arguments, not {len(values)}")
        terms: list[Expression] = []
        for (value, argument), kind in zip(values, function.parameters, strict=False):
            terms += self._terms(e.settled(value, kind, argument))
        self.program.need(symbol.name)
        return self._receive(symbol.name, function.result, terms, node)

    def _terms(self, value: CValue) -> list[Expression]:
        match value:
            case Scalar():
                return [value.term]
            case Address():
                return [value.base, value.offset]
            case Aggregate():
                return [term for terms in value.leaves.values() for term in terms]
        return []

    def _receive(self, name: str, kind: CType, terms: list[Expression], node: Node) -> CValue:
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        if isinstance(kind, Void):
            e.emit(Call(at, (), name, tuple(terms)))
            return Nothing(VOID)
        storage = unit.storage(at, 0, f"{name}.result", kind, e.body)
        results = tuple([unit.nodes.name(v) for own in storage.leaves.values() for v in own])
        e.emit(Call(at, results, name, tuple(terms)))
        return e.places.read(e.places.of(storage), at)

    # Through pointers.

    def _through(self, value: CValue, arguments: list[Node], node: Node) -> CValue:
        """Any function whose address is taken and whose type fits; what else a pointer may be does not count."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        if not (isinstance(value, Address) and isinstance(value.type.target, Signature)):
            raise unit.error(node, f"a value of type {value.type} cannot be called")
        kind = value.type.target
        values = self._values(kind, arguments)
        candidates = self.program.targets(kind)
        end = e.body.label("called")
        storage = None if isinstance(kind.result, Void) else unit.storage(at, 0, "result", kind.result, e.body)
        for name in candidates:
            yes, no = e.body.label("call"), e.body.label("other")
            base = numeric(-1 - unit.pointed.index(name), unit.arithmetic.sort(C_INT))
            e.split(
                at,
                unit.arithmetic.compare("==", unit.arithmetic.read(value.base, C_INT), unit.arithmetic.read(base, C_INT)),
                yes,
                no,
            )
            e.mark(at, yes)
            result = self._own(unit.functions[name], values, node)
            if storage is not None:
                e.store(e.places.of(storage), result, node)
            e.jump(at, end)
            e.mark(at, no)
        e.emit(Inexact(at))
        if storage is not None:
            e.places.havoc(e.places.of(storage), at)
        e.mark(at, end)
        return Nothing(VOID) if storage is None else e.places.read(e.places.of(storage), at)
