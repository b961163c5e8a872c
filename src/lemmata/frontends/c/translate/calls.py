"""Calls of functions (C11 6.5.2.2): of the program's own, of the library, of nobody's, and through pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c import library
from lemmata.frontends.c.library import libc
from lemmata.frontends.c.library.allocation import Allocation
from lemmata.frontends.c.library.blocks import Blocks
from lemmata.frontends.c.library.externals import Externals
from lemmata.frontends.c.memory.lvalues import Lvalue, MemoryPlace
from lemmata.frontends.c.sequencing.operands import Operand
from lemmata.frontends.c.syntax.parser import Node, kind_of
from lemmata.frontends.c.translate.tree_builder import FALSITY, inverse, literal_value, numeric
from lemmata.frontends.c.translate.unit import FunctionName
from lemmata.frontends.c.types import (
    C_BOOL,
    C_INT,
    VOID,
    ArrayType,
    CType,
    Floating,
    Integer,
    Pointer,
    Signature,
    Structure,
    Void,
)
from lemmata.frontends.c.types.values import Address, Aggregate, CValue, Designator, Nothing, Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, Assert, Assume, Call, Expression, Inexact

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions
    from lemmata.frontends.c.translate.program import CProgram

CArguments = list[tuple[CValue, Node]]


class CallTranslator:
    """Translates the calls of one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions
        self._blocks = Blocks(expressions)
        self._allocation = Allocation(expressions, self._blocks)
        self._externals = Externals(expressions)
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
        with self._e.aside(self._e.scope):
            value = self._e.value(node.name)
        if isinstance(value, Designator):
            return self._named(value.name, self._e.unit.functions.get(value.name), arguments, node, is_used)
        return self._through(arguments, node, is_used)

    def _named(self, name: str, symbol: FunctionName | None, arguments: list[Node], node: Node, is_used: bool) -> CValue:
        if name in self._e.unit.wanted.errors:
            return self._fail(name, node)
        if name in ("offsetof", "__builtin_offsetof") and len(arguments) == 2:
            return self._offset(arguments[0], arguments[1], node)
        if name == "__builtin_constant_p" and arguments:
            return self._is_constant(arguments[0], node)
        symbol = symbol or self._e.unit.functions.get(name)
        is_own = symbol is not None and symbol.definition is not None
        if name in library.ASSERTS and not is_own:
            arguments = arguments[:1]
        values = self._values(arguments, node, is_own or name in library.TOLD)
        return self._called(name, symbol, values, node, is_used)

    def _offset(self, kind: Node, member: Node, node: Node) -> Scalar:
        """``offsetof`` (7.19p3): the address of a member of an object at null."""
        e, unit = self._e, self._e.unit
        place: Lvalue = MemoryPlace(e.declarations.type(kind, e.scope), e.places.known_base(0), e.places.zero_offset)
        steps: list[Node] = []
        while kind_of(member) in ("StructRef", "ArrayRef"):
            steps.append(member.subscript if kind_of(member) == "ArrayRef" else member.field)
            member = member.name
        for step in (member, *reversed(steps)):
            path = place.type.path(step.name) if isinstance(place.type, Structure) and kind_of(step) == "ID" else None
            if isinstance(place.type, ArrayType):
                place = e.places.element(place, e.scalar(step), unit.at.of(node))
            elif path is None:
                raise unit.error(node, f"{place.type} has no such member")
            for name in path or ():
                place = e.places.member(place, name)
        assert isinstance(place, MemoryPlace)
        known = literal_value(place.offset)
        offset = unit.arithmetic.convert(unit.arithmetic.read(place.offset, unit.data.ptrdiff), unit.data.size_t)
        return offset if known is None else unit.arithmetic.literal(known, unit.data.size_t)

    def _is_constant(self, argument: Node, node: Node) -> Scalar:
        """``__builtin_constant_p``: 1 for constants; of anything else compilers may know it or not, so it does not count."""
        e, arithmetic = self._e, self._e.unit.arithmetic
        is_string = kind_of(argument) == "Constant" and argument.type == "string"
        if is_string or e.constant(argument, e.scope) is not None:
            return arithmetic.literal(1, C_INT)
        return arithmetic.convert(e.guess(C_BOOL, node), C_INT)

    def _called(self, name: str, symbol: FunctionName | None, values: CArguments, node: Node, is_used: bool) -> CValue:
        unit = self._e.unit
        if name in unit.wanted.errors:
            return self._fail(name, node)
        if symbol is not None and symbol.definition is not None:
            return self._own(symbol, values, node, is_used)
        known = self._library(name, self._judged(name, symbol, values), node)
        if known is not None:
            return known
        if name in unit.text.lexemes.never_return:
            unit.called.setdefault(name, "stub")
            return self._end(node)
        if name.startswith("__builtin_") and name not in library.PRINTS:
            raise unit.unsupported(node, f"the function {name} is not supported", "define another in the program")
        kind = library.nondet_type(name, unit.data) if symbol is None else symbol.type.result
        return self._externals.call(name, kind, symbol, values, node, is_used)

    def _judged(self, name: str, symbol: FunctionName | None, values: CArguments) -> CArguments:
        """What assertions and assumptions get: a prototype converts it (6.5.2.2p7); our macros have none."""
        parameters = symbol.type.parameters if symbol is not None else None
        if not (values and parameters and name in library.ASSERTS | library.ASSUMES):
            return values
        (value, argument), *others = values
        return [(self._e.conversions.settled(value, parameters[0], argument), argument), *others]

    # The library.

    def _library(self, name: str, values: CArguments, node: Node) -> CValue | None:
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        if name in library.ASSERTS and values:
            unit.called[name] = "assert" if unit.wanted.asserts else "assume"
            truth = e.as_truth(values[0][0], node)
            e.emit(Assert(at, truth) if unit.wanted.asserts else Assume(at, truth))
            return Nothing(VOID)
        if name in library.FAILS:
            if not unit.wanted.asserts:
                return self._end(node)
            e.emit(Assert(at, FALSITY, (), "assert"))
            return Nothing(VOID)
        if name in library.ASSUMES and values:
            unit.called[name] = "assume"
            e.emit(Assume(at, e.as_truth(values[0][0], node)))
            return Nothing(VOID)
        if name in library.ENDS:
            return self._end(node)
        if name == "__builtin_unreachable":
            e.emit(Inexact(at))
            return Nothing(VOID)
        if name == "__builtin_expect" and values:
            return values[0][0]
        if name == libc.SIGN:
            return self._externals.with_sign(e.conversions.as_scalar(values[0][0], node), node)
        if name in library.REFUSED:
            raise unit.unsupported(node, f"the function {name} is not supported")
        return self._in_memory(name, values, node)

    def _in_memory(self, name: str, values: CArguments, node: Node) -> CValue | None:
        """Functions of libc that have to do with whole objects."""
        e, count = self._e, len(values)
        if name in library.ALLOCATES and count == 1:
            size = e.conversions.as_scalar(values[0][0], node)
            return self._allocation.allocate(size, node, is_heap=name not in library.AUTOMATIC)
        if name == "calloc" and count == 2:
            number, size = (e.conversions.as_scalar(value, node) for value, _ in values)
            return self._allocation.zeroed(number, size, node)
        if name == "realloc" and count == 2:
            return self._allocation.moved(self._pointer(values[0][0], node), e.conversions.as_scalar(values[1][0], node), node)
        if name in library.RELEASES and count == 1:
            self._allocation.release(self._pointer(values[0][0], node), node)
            return Nothing(VOID)
        if name in (library.COPIES | library.FILLS) and count == 3:
            target = self._pointer(e.snapshots.frozen(values[0][0]), node)
            size = e.conversions.as_scalar(e.snapshots.frozen(values[2][0]), node)
            if name in library.FILLS:
                self._blocks.fill(target, e.conversions.as_scalar(e.snapshots.frozen(values[1][0]), node), size, node)
            else:
                source = self._pointer(e.snapshots.frozen(values[1][0]), node)
                self._blocks.copy(target, source, size, node, may_overlap="move" in name)
            return target
        return None

    def _pointer(self, value: CValue, node: Node) -> Address:
        if isinstance(value, Address):
            return value
        found = self._e.conversions.convert(value, Pointer(VOID), node)
        assert isinstance(found, Address)
        return found

    def _fail(self, what: str, node: Node) -> CValue:
        self._e.unit.called[what] = "error"
        self._e.emit(Assert(self._e.unit.at.of(node), FALSITY, (), what))
        return Nothing(VOID)

    def _end(self, node: Node) -> CValue:
        self._e.emit(Assume(self._e.unit.at.of(node), FALSITY))
        return Nothing(VOID)

    # The program's own.

    def _values(self, arguments: list[Node], node: Node, has_strings: bool) -> CArguments:
        """The arguments, in any order; of strings that nobody looks at no objects are made."""
        operands = [self._argument(argument, has_strings) for argument in arguments]
        return list(zip(self._e.operands.values(node, operands), arguments, strict=True))

    def _argument(self, argument: Node, has_strings: bool) -> Operand:
        is_skipped = not has_strings and kind_of(argument) == "Constant" and argument.type == "string"
        return Operand(argument, lambda: Nothing(VOID) if is_skipped else self._e.value(argument))

    def _own(self, symbol: FunctionName, values: CArguments, node: Node, is_used: bool) -> CValue:
        e, unit = self._e, self._e.unit
        function = self.program.signature(symbol)
        too_many = len(values) > len(function.parameters) and symbol.type.parameters is not None
        if len(values) < len(function.parameters) or too_many:
            raise unit.error(node, f"'{symbol.name}' takes {len(function.parameters)} arguments, not {len(values)}")
        terms: list[Expression] = []
        for (value, argument), kind in zip(values, function.parameters, strict=False):
            terms += self.terms(e.conversions.settled(value, kind, argument))
        self.program.need(symbol.name)
        return self._receive(symbol.name, function.result, terms, node, is_used)

    def terms(self, value: CValue) -> list[Expression]:
        """The terms of the variables that have the value."""
        match value:
            case Scalar():
                return [value.term]
            case Address():
                return [value.base, value.offset]
            case Aggregate():
                return [term for terms in value.leaves.values() for term in terms]
        return []

    def _receive(self, name: str, kind: CType, terms: list[Expression], node: Node, is_used: bool) -> CValue:
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        if isinstance(kind, Void):
            e.emit(Call(at, (), name, tuple(terms)))
            return Nothing(VOID)
        storage = unit.storage(at, 0, f"{name}.result", kind, e.body)
        results = [unit.nodes.name(v) for own in storage.leaves.values() for v in own]
        falls = unit.variable(at, f"{name}.falls", BOOL_TYPE, e.body) if name in unit.demands.falling else None
        if falls is not None:
            results.append(unit.nodes.name(falls))
        e.emit(Call(at, tuple(results), name, tuple(terms)))
        if falls is not None and is_used:
            e.places.must(inverse(unit.nodes.name(falls)), at, "value")
        return e.places.read(e.places.of(storage), at)

    # Through pointers.

    def _through(self, arguments: list[Node], node: Node, is_used: bool) -> CValue:
        """Any function whose address is taken and whose type fits; what else a pointer may be does not count."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        operands = [self._argument(argument, has_strings=True) for argument in arguments]
        value, *others = e.operands.values(node, [Operand(node.name, lambda: e.value(node.name)), *operands])
        if not (isinstance(value, Address) and isinstance(value.type.target, Signature)):
            raise unit.error(node, f"a value of type {value.type} cannot be called")
        values, kind = list(zip(others, arguments, strict=True)), value.type.target
        end = e.body.label("called")
        storage = None if isinstance(kind.result, Void) else unit.storage(at, 0, "result", kind.result, e.body)
        for name in self.program.targets():
            fits = _fits(kind, unit.functions[name].type, len(values))
            if not (fits or unit.demands.casts_functions):
                continue
            yes, no = e.body.label("call"), e.body.label("other")
            base = numeric(-1 - unit.pointed.index(name), unit.arithmetic.sort(C_INT))
            own, wanted = unit.arithmetic.read(value.base, C_INT), unit.arithmetic.read(base, C_INT)
            e.split(at, unit.arithmetic.compare("==", own, wanted), yes, no)
            e.mark(at, yes)
            result = self._called(name, unit.functions[name], values, node, is_used) if fits else self._misfit(name, node)
            if storage is not None and not isinstance(result, Nothing):
                e.store(e.places.of(storage), result, node)
            elif storage is not None:
                e.places.havoc(e.places.of(storage), at)
            e.jump(at, end)
            e.mark(at, no)
        e.emit(Assert(at, FALSITY, (), "memory") if unit.wanted.memory else Inexact(at))
        if storage is not None:
            e.places.havoc(e.places.of(storage), at)
        e.mark(at, end)
        return Nothing(VOID) if storage is None else e.places.read(e.places.of(storage), at)

    def _misfit(self, name: str, node: Node) -> CValue:
        """A call through a pointer of another type is undefined (6.5.2.2p9): the function gets anything."""
        e, symbol = self._e, self._e.unit.functions[name]
        e.emit(Inexact(e.unit.at.of(node)))
        values = [(e.any_value(kind, node), node) for kind in symbol.type.parameters or ()]
        self._called(name, symbol, values, node, False)
        return Nothing(VOID)


def _fits(pointer: Signature, own: Signature, count: int) -> bool:
    """Do the types of a pointer and of a function agree, as far as conversions cannot make up for it?"""
    if own.parameters is not None and not own.is_variadic and len(own.parameters) != count:
        return False
    pairs = list(zip(pointer.parameters or (), own.parameters or (), strict=False))
    return all(_alike(a, b) for a, b in [*pairs, (pointer.result, own.result)])


def _alike(a: CType, b: CType) -> bool:
    if isinstance(a, Structure) or isinstance(b, Structure):
        return a is b
    return any(isinstance(a, kind) and isinstance(b, kind) for kind in (Integer, Pointer, Floating, Void))
