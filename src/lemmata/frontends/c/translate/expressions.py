"""Expressions of C (C11 6.5): side effects become statements, in order, and what is left is a value.

Operands are evaluated from left to right, a choice that C leaves open (6.5p3). What was computed before a side effect that
would change it is kept in a variable of its own. ``&&``, ``||`` and ``?:`` whose parts have effects become jumps.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lemmata.frontends.c.memory.lvalues import Lvalue, MemoryPlace, Places, VariablePlace
from lemmata.frontends.c.operators.arithmetic import from_formula
from lemmata.frontends.c.operators.binary import Operators
from lemmata.frontends.c.operators.conditional import Conditionals
from lemmata.frontends.c.operators.conversions import Conversions
from lemmata.frontends.c.operators.pointers import PointerOperators
from lemmata.frontends.c.sequencing.operands import Operand, OperandOrder
from lemmata.frontends.c.sequencing.snapshots import Snapshots
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of, leaving
from lemmata.frontends.c.translate.calls import CallTranslator
from lemmata.frontends.c.translate.tree_builder import FALSITY, TRUTH, both, either, inverse
from lemmata.frontends.c.translate.unit import (
    Body,
    EnumConstant,
    FunctionName,
    GlobalObject,
    ObjectStorage,
    Scope,
    TranslationUnit,
)
from lemmata.frontends.c.types import (
    C_BOOL,
    C_INT,
    CHAR,
    DOUBLE,
    FLOAT,
    VOID,
    ArrayType,
    BitField,
    CType,
    Floating,
    Integer,
    Pointer,
    Signature,
    Structure,
    Void,
    promoted,
)
from lemmata.frontends.c.types.constants import characters, integer_constant
from lemmata.frontends.c.types.declarations import DeclarationReader
from lemmata.frontends.c.types.modifiable import must_be_modifiable
from lemmata.frontends.c.types.values import Address, AddressNumber, Aggregate, CValue, Designator, FloatValue, Nothing, Scalar
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    Assign,
    Assume,
    Choice,
    Expression,
    Goto,
    Havoc,
    If,
    Inexact,
    Label,
    Statement,
    Variable,
)

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.statements import StatementTranslator

_EFFECTS = frozenset({"FuncCall", "Assignment", "CompoundLiteral", "OmittedOperand", "StatementExpression"})
_FREE = ("__BLAST_NONDET", "__NONDET__", "nondet", "NONDET")


class Expressions:
    """Translates the expressions of one body."""

    def __init__(self, unit: TranslationUnit, body: Body, declarations: DeclarationReader) -> None:
        self.unit = unit
        self.body = body
        self.declarations = declarations
        self.places = Places(unit, body)
        self.scope = Scope(unit.scope)
        self.conversions = Conversions(self)
        self.snapshots = Snapshots(self)
        self.pointers = PointerOperators(self)
        self.operators = Operators(self)
        self.conditionals = Conditionals(self)
        self.calls = CallTranslator(self)
        self.operands = OperandOrder(self)
        self.objects: StatementTranslator  # set by it: makes objects of the block that is translated
        self.is_aside = False  # what is made now is forgotten
        self._effects: dict[int, bool] = {}

    # Statements that are made on the way.

    def emit(self, statement: Statement) -> None:
        """Another statement."""
        self.body.statements.append(statement)

    def jump(self, at: int, label: str) -> None:
        """``goto label``."""
        self.emit(Goto(at, ((label, at),)))

    def mark(self, at: int, label: str) -> None:
        """``label:``."""
        self.emit(Label(at, label))

    def split(self, at: int, formula: Expression, yes: str, no: str) -> None:
        """Go on at one label or the other."""
        if formula is TRUTH or formula is FALSITY:
            self.jump(at, yes if formula is TRUTH else no)
            return
        self.emit(If(at, formula, (Goto(at, ((yes, at),)),), (Goto(at, ((no, at),)),)))

    # What can be asked of an expression.

    def truth(self, node: Node) -> Expression:
        """Is it unequal to 0 (6.8.4.1p2)?"""
        return self.as_truth(self.value(node), node)

    def as_truth(self, value: CValue, node: Node) -> Expression:
        """Is the value unequal to 0?"""
        match value:
            case Scalar():
                return self.unit.arithmetic.truth(value)
            case Address():
                return inverse(self.is_null(value))
            case AddressNumber(_, address):
                return inverse(self.is_null(address))
            case FloatValue():
                return self.guess(C_BOOL, node).formula or TRUTH
            case Designator():
                return TRUTH
        raise self.unit.error(node, f"a value of type {value.type} is no condition")

    def is_null(self, address: Address) -> Expression:
        """Is it the null pointer?"""
        return self.unit.nodes.binary("==", address.base, self.places.known_base(0), BOOL_TYPE)

    def branch(self, node: Node, yes: str, no: str) -> None:
        """Jump to a label, as the condition says."""
        at = self.unit.at.of(node)
        if kind_of(node) == "UnaryOp" and node.op == "!":
            self.branch(node.expr, no, yes)
        elif kind_of(node) == "BinaryOp" and node.op in ("&&", "||") and self.has_effects(node.right):
            middle = self.body.label("and" if node.op == "&&" else "or")
            if node.op == "&&":
                self.branch(node.left, middle, no)
            else:
                self.branch(node.left, yes, middle)
            self.mark(at, middle)
            self.branch(node.right, yes, no)
        elif kind_of(node) == "ExprList":
            for part in node.exprs[:-1]:
                self.effect(part)
            self.branch(node.exprs[-1], yes, no)
        else:
            self.split(at, self.truth(node), yes, no)

    def has_effects(self, node: Node) -> bool:
        """May it need statements? Accesses that may be out of bounds and divisions need them as well."""
        known = self._effects.get(id(node))
        if known is None:
            kind = kind_of(node)
            known = kind in _EFFECTS
            if kind == "UnaryOp":
                known = node.op in ("++", "--", "p++", "p--", "*")
            elif kind == "BinaryOp":
                known = node.op in ("/", "%", "<<", ">>")
                known |= self.unit.wanted.overflow and node.op in ("+", "-", "*")
            elif kind == "StructRef":
                known = node.type == "->"
            elif kind == "ArrayRef":
                known = not self._is_inside(node)
            known = known or any(self.has_effects(child) for _, child in node.children())
            self._effects[id(node)] = known
        return known

    def _is_inside(self, node: Node) -> bool:
        """Is this an element of an array, by a constant index within its bounds?"""
        if kind_of(node.name) != "ID" or kind_of(node.subscript) != "Constant":
            return False
        symbol, index = self.scope.find(node.name.name), integer_constant(node.subscript.value, self.unit.data)
        if index is None or not isinstance(symbol, ObjectStorage | GlobalObject) or not isinstance(symbol.type, ArrayType):
            return False
        return symbol.type.length is not None and index[0] < symbol.type.length

    def constant(self, node: Node, scope: Scope) -> int | None:
        """The value of a constant expression (6.6), or ``None``."""
        with self.aside(scope):
            value = self.value(node)
            return value.constant if isinstance(value, Scalar) and not self.body.statements else None

    @contextmanager
    def aside(self, scope: Scope) -> Iterator[None]:
        """Whatever is made meanwhile is forgotten."""
        statements, outer, is_aside = self.body.statements, self.scope, self.is_aside
        self.body.statements, self.scope, self.is_aside = [], scope, True
        try:
            yield
        finally:
            self.body.statements, self.scope, self.is_aside = statements, outer, is_aside

    def effect(self, node: Node) -> None:
        """For its side effects only."""
        kind = kind_of(node)
        if kind == "UnaryOp" and node.op in ("p++", "p--"):
            self._step(node, node.op[1:], is_used=False)
        elif kind == "ExprList":
            for part in node.exprs:
                self.effect(part)
        elif kind == "FuncCall":
            self.calls.call(node, is_used=False)
        elif kind == "Cast" and isinstance(self.declarations.type(node.to_type, self.scope), Void):
            self.effect(node.expr)
        elif kind == "TernaryOp" and self.has_effects(node):
            at = self.unit.at.of(node)
            yes, no, end = map(self.body.label, ("then", "else", "end"))
            self.branch(node.cond, yes, no)
            self.mark(at, yes)
            self.effect(node.iftrue)
            self.jump(at, end)
            self.mark(at, no)
            self.effect(node.iffalse)
            self.mark(at, end)
        elif kind == "BinaryOp" and node.op in ("&&", "||"):
            at = self.unit.at.of(node)
            end = self.body.label("end")
            self.branch(node, end, end)
            self.mark(at, end)
        elif kind == "Assignment" and not self.unit.sequencing.conflicts(node):
            self._assignment(node, is_used=False)
        else:
            self.value(node)

    # Values.

    def value(self, node: Node) -> CValue:
        """The value of any expression; arrays and functions are pointers (6.3.2.1p3)."""
        wrong = self.unit.sequencing.conflicts(node)
        return self._unsequenced(node, sorted(wrong)) if wrong else self._sequenced(node)

    def _unsequenced(self, node: Node, names: list[str]) -> CValue:
        """Side effects without an order (6.5p2): value and variables are arbitrary, and what follows does not count."""
        at, value = self.unit.at.of(node), self._sequenced(node)
        found = [symbol for name in names if isinstance(symbol := self.scope.find(name), ObjectStorage | GlobalObject)]
        if not found:
            return value
        self.emit(Inexact(at))
        for symbol in found:
            self.places.havoc(
                self.places.of(symbol if isinstance(symbol, ObjectStorage) else self.calls.program.object(symbol)), at
            )
        return self.any_value(value.type, node) if isinstance(value, Scalar | Address) else value

    def _sequenced(self, node: Node) -> CValue:
        match kind_of(node):
            case "Constant":
                return self._constant(node)
            case "ID":
                return self._named(node)
            case "UnaryOp":
                return self._unary(node)
            case "BinaryOp":
                return self._binary(node)
            case "Assignment":
                return self._assignment(node)
            case "TernaryOp":
                return self.conditionals.value(node)
            case "Cast":
                return self._cast(node)
            case "FuncCall":
                return self.calls.call(node, is_used=True)
            case "ArrayRef" | "StructRef":
                return self.places.read(self.place(node), self.unit.at.of(node))
            case "ExprList":
                for part in node.exprs[:-1]:
                    self.effect(part)
                return self.value(node.exprs[-1])
            case "CompoundLiteral":
                return self.places.read(self.place(node), self.unit.at.of(node))
            case "GenericSelection":
                return self.value(self.selected(node))
            case "OmittedOperand":
                return self.conditionals.omitted(node)
            case "StatementExpression":
                return self._statements(node)
        raise self.unit.unsupported(node, f"this kind of expression ({kind_of(node)}) is not supported")

    def scalar(self, node: Node) -> Scalar:
        """A value that has to be an integer; one of a floating type is arbitrary."""
        return self.conversions.as_scalar(self.value(node), node)

    def guess(self, kind: Integer, node: Node) -> Scalar:
        """Any value of the type: nobody knows which, so what comes of it does not count."""
        self.emit(Inexact(self.unit.at.of(node)))
        return self.anything(kind, node)

    def anything(self, kind: Integer, node: Node, function: str = "") -> Scalar:
        """Any value of the type: the result of a call, if a function is named."""
        at, unit, name = self.unit.at.of(node), self.unit, function or "nondet"
        if kind is C_BOOL:
            flag = unit.variable(at, name, BOOL_TYPE, self.body)
            self.emit(Havoc(at, (unit.nodes.name(flag),), None, self._chosen_by(function, flag, kind, at)))
            return unit.arithmetic.convert(from_formula(unit.nodes.name(flag), unit.arithmetic), C_BOOL)
        variable = unit.variable(at, name, unit.arithmetic.sort(kind), self.body)
        within = unit.arithmetic.within(unit.nodes.name(variable), kind)
        choices = self._chosen_by(function, variable, kind, at)
        self.emit(Havoc(at, (unit.nodes.name(variable),), None if within is TRUTH else within, choices))
        return unit.arithmetic.read(unit.nodes.name(variable), kind)

    def _chosen_by(self, function: str, variable: Variable, kind: Integer, at: int) -> tuple[Choice, ...]:
        return (Choice(at, variable, function, kind.name, kind.is_signed),) if function else ()

    def any_value(self, kind: CType, node: Node, function: str = "") -> CValue:
        """Any value of any type: the result of a call, if a function is named."""
        name = function or "nondet"
        match kind:
            case Integer():
                return self.anything(kind, node, function)
            case Floating():
                return FloatValue(kind)
            case Pointer():
                at, unit = self.unit.at.of(node), self.unit
                base = unit.variable(at, f"{name}.base", unit.base_sort, self.body)
                offset = unit.variable(at, f"{name}.offset", unit.offset_sort, self.body)
                self.emit(Havoc(at, (unit.nodes.name(base), unit.nodes.name(offset))))
                return Address(kind, unit.nodes.name(base), unit.nodes.name(offset))
            case Structure():
                storage = self.unit.storage(self.unit.at.of(node), 0, name, kind, self.body)
                self.places.havoc(self.places.of(storage), self.unit.at.of(node))
                return self.places.read(self.places.of(storage), self.unit.at.of(node))
        return Nothing(kind)

    def _constant(self, node: Node) -> CValue:
        unit = self.unit
        if node.type == "string":
            found = characters(node.value)
            if found is None:
                raise unit.unsupported(node, "wide strings are not supported")
            return self._string([*found, 0], node)
        if node.value.endswith("'"):
            found = characters(node.value)
            if not found or len(found) > 1:
                raise unit.unsupported(node, f"the character constant {node.value} is not supported")
            return unit.arithmetic.literal(found[0] - 256 if found[0] > 127 else found[0], C_INT)
        if node.type in ("float", "double", "long double"):
            kinds = {"float": FLOAT, "double": DOUBLE, "long double": unit.data.long_double}
            return FloatValue(kinds[node.type])
        number = integer_constant(node.value, unit.data)
        if number is None:
            raise unit.error(node, f"no integer type has the constant {node.value[:40]}")
        return unit.arithmetic.literal(*number)

    def _string(self, content: list[int], node: Node) -> CValue:
        kind = ArrayType(CHAR, len(content))
        found = GlobalObject(f"string.{id(node)}", kind, node)
        storage = self.calls.program.string(found)
        return self.places.read(self.places.of(storage), self.unit.at.of(node))

    def _named(self, node: Node) -> CValue:
        symbol = self.scope.find(node.name)
        match symbol:
            case EnumConstant(value, kind):
                return self.unit.arithmetic.literal(value, kind)
            case FunctionName(name, kind):
                return Designator(kind, name)
            case None if any(node.name.startswith(word) for word in _FREE):
                self.unit.free_names[node.name] = None
                return self.anything(C_INT, node, node.name)
            case None if node.name in self.unit.functions:
                return Designator(self.unit.functions[node.name].type, node.name)
        return self.places.read(self.place(node), self.unit.at.of(node))

    def selected(self, node: Node) -> Node:
        """The expression that ``_Generic`` chooses by the type of a value that is not computed (6.5.1.1)."""
        unit = self.unit
        with self.aside(self.scope):
            kind = self.conversions.decayed(self.value(node.control)).type
        named = [None if part is None else self.declarations.type(part, self.scope) for part in node.types]
        fitting = [number for number, other in enumerate(named) if other is not None and other == kind]
        if fitting and isinstance(kind, Pointer):
            raise unit.unsupported(node, "_Generic that chooses by a pointer is not supported")
        if isinstance(kind, Pointer) and any(isinstance(other, Pointer) for other in named):
            raise unit.unsupported(node, "_Generic that chooses by a pointer is not supported")
        if len(fitting) > 1 or named.count(None) > 1:
            raise unit.error(node, "two types of this _Generic are the same")
        if not fitting and None not in named:
            raise unit.error(node, f"this _Generic has nothing for {kind}")
        chosen: Node = node.expressions[fitting[0] if fitting else named.index(None)]
        return chosen

    def _statements(self, node: Node) -> CValue:
        """``({ … })``: the value of the last expression, kept before the objects of the block end."""
        if self.calls.program.is_outside(self) and not self.is_aside:
            raise self.unit.error(node, "statements in expressions are for functions")
        for part in leaving(node.parts[0]):
            raise self.unit.unsupported(part, "a jump out of statements in an expression is not supported")
        found: list[CValue] = [Nothing(VOID)]

        def last(expression: Node) -> None:
            at, value = self.unit.at.of(expression), self.conversions.decayed(self.value(expression))
            if not isinstance(value, Nothing | FloatValue):
                value = self.conversions.settled(value, value.type, expression)
                storage = self.unit.storage(at, 0, "value", value.type, self.body)
                self.places.write(self.places.of(storage), value, at)
                value = self.places.read(self.places.of(storage), at)
            found[0] = value

        self.objects.block_with_value(node.parts[0], last)
        return found[0]

    # Places.

    def place(self, node: Node) -> Lvalue:
        """An lvalue."""
        unit, at = self.unit, self.unit.at.of(node)
        match kind_of(node):
            case "ID":
                symbol = self.scope.find(node.name)
                if symbol is None:
                    raise unit.error(node, f"'{node.name}' is not declared")
                if isinstance(symbol, GlobalObject):
                    return self.places.of(self.calls.program.object(symbol))
                if not isinstance(symbol, ObjectStorage):
                    raise unit.error(node, f"'{node.name}' is no variable")
                return self.places.of(symbol)
            case "ArrayRef":
                return self._subscript(node)
            case "StructRef":
                return self._member(node)
            case "UnaryOp" if node.op == "*":
                return self._pointed(self.value(node.expr), node)
            case "CompoundLiteral":
                return self.calls.program.compound_literal(self, node)
            case "GenericSelection":
                return self.place(self.selected(node))
            case "Cast":
                raise unit.error(node, "a cast is no place to store something")
            case "Constant" if node.type == "string":
                value = self.value(node)
                assert isinstance(value, Address)
                return MemoryPlace(ArrayType(CHAR, None), value.base, value.offset)
            case "ExprList" | "TernaryOp" | "Assignment" | "FuncCall" | "StatementExpression" | "OmittedOperand":
                value = self.value(node)
                if isinstance(value, Aggregate):
                    storage = unit.storage(at, 0, "value", value.type, self.body)
                    self.places.write(self.places.of(storage), value, at)
                    return self.places.of(storage)
        raise unit.error(node, "this is no place to store something")

    def _pointed(self, value: CValue, node: Node) -> Lvalue:
        if not isinstance(value, Address):
            raise self.unit.error(node, f"a value of type {value.type} points to nothing")
        return MemoryPlace(value.type.target, value.base, value.offset)

    def _subscript(self, node: Node) -> Lvalue:
        """``a[i]`` (6.5.2.1)."""
        unit, at = self.unit, self.unit.at.of(node)
        if self._is_array(node.name):
            array, index = self.operands.results(
                node,
                [
                    Operand(node.name, lambda: self.place(node.name), is_place=True),
                    Operand(node.subscript, lambda: self.scalar(node.subscript)),
                ],
            )
            assert isinstance(array, VariablePlace | MemoryPlace) and isinstance(index, Scalar)
            return self.places.element(array, index, at)
        left, right = self._operands(node, node.name, node.subscript)
        if isinstance(left, Scalar):
            left, right = right, left
        if not isinstance(left, Address):
            raise unit.error(node, f"a value of type {left.type} has no elements")
        moved = self.pointers.moved(left, self.conversions.as_scalar(right, node), "+", node)
        return self._pointed(moved, node)

    def _is_array(self, node: Node) -> bool:
        """Is an array subscripted, and no pointer?"""
        kind = kind_of(node)
        if kind == "ID":
            symbol = self.scope.find(node.name)
            return isinstance(symbol, ObjectStorage | GlobalObject) and isinstance(symbol.type, ArrayType)
        return kind in ("ArrayRef", "StructRef") and isinstance(self.type_of(node), ArrayType)

    def type_of(self, node: Node) -> CType:
        """The type of an expression; nothing happens (6.5.3.4p2)."""
        with self.aside(self.scope):
            while kind_of(node) == "GenericSelection":
                node = self.selected(node)
            if self._is_place(node):
                return self.place(node).type
            if kind_of(node) == "Constant" and node.type == "string":
                return ArrayType(CHAR, len(characters(node.value) or ()) + 1)
            if kind_of(node) == "CompoundLiteral":
                return self.calls.program.literal_type(self, node)
            return self.value(node).type

    def _is_place(self, node: Node) -> bool:
        if kind_of(node) == "ID":
            return isinstance(self.scope.find(node.name), ObjectStorage | GlobalObject)
        return kind_of(node) in ("ArrayRef", "StructRef") or (kind_of(node) == "UnaryOp" and node.op == "*")

    def _member(self, node: Node) -> Lvalue:
        """Members by ``.`` and by ``->`` (6.5.2.3)."""
        unit, name = self.unit, node.field.name
        place = self._pointed(self.value(node.name), node) if node.type == "->" else self.place(node.name)
        if not isinstance(place.type, Structure):
            raise unit.error(node, f"a value of type {place.type} has no members")
        path = place.type.path(name)
        if path is None:
            what = "has no member" if place.type.is_complete else "is not complete: it has no member"
            raise unit.error(node, f"{place.type} {what} '{name}'")
        for part in path:
            place = self.places.member(place, part)
        return place

    # Operators.

    def _operands(self, node: Node, left: Node, right: Node) -> tuple[CValue, CValue]:
        operands = [Operand(left, lambda: self.value(left)), Operand(right, lambda: self.value(right))]
        first, second = self.operands.values(node, operands)
        return first, second

    def _unary(self, node: Node) -> CValue:
        unit, arithmetic, at = self.unit, self.unit.arithmetic, self.unit.at.of(node)
        match node.op:
            case "&":
                return self._address(node)
            case "*":
                value = self.value(node.expr)
                if isinstance(value, Designator):
                    return value
                if isinstance(value, Address) and isinstance(value.type.target, Signature):
                    return value
                return self.places.read(self._pointed(value, node), at)
            case "sizeof" | "_Alignof" | "__alignof__":
                kind = (
                    self.declarations.type(node.expr, self.scope)
                    if kind_of(node.expr) == "Typename"
                    else self.type_of(node.expr)
                )
                size = unit.data.size(kind) if node.op == "sizeof" else unit.data.alignment(kind, node.op != "_Alignof")
                if size is None:
                    computed = self._computed_size(node.expr, kind)
                    if computed is not None:
                        return computed
                    raise unit.unsupported(node, f"the size of {kind} is not known")
                return arithmetic.literal(size, unit.data.size_t)
            case "++" | "--" | "p++" | "p--":
                return self._step(node, node.op[-2:], is_used=True)
            case "!":
                return from_formula(inverse(self.truth(node.expr)), arithmetic)
        value = self.value(node.expr)
        if isinstance(value, FloatValue):
            return value
        operand = self.conversions.as_scalar(value, node)
        operand = arithmetic.convert(operand, promoted(operand.type))
        match node.op:
            case "+":
                return operand
            case "-":
                zero = arithmetic.literal(0, operand.type)
                return self.operators.arithmetic("-", zero, operand, node)
            case "~":
                return arithmetic.complement(operand)
        raise unit.unsupported(node, f"the operator {node.op} is not supported")

    def _computed_size(self, node: Node, kind: CType) -> Scalar | None:
        """The size of an array of variable length (6.5.3.4p2)."""
        arithmetic, size_t, used = self.unit.arithmetic, self.unit.data.size_t, 0
        if kind_of(node) == "Typename":
            bounds = self.objects.bounds(node, kind)
        else:
            while kind_of(node) == "ArrayRef":
                node, used = node.name, used + 1
            symbol = self.scope.find(node.name) if kind_of(node) == "ID" else None
            bounds = symbol.bounds[used:] if isinstance(symbol, ObjectStorage) else ()
        while isinstance(kind, ArrayType):
            kind = kind.element
        each = self.unit.data.size(kind)
        if each is None or not bounds:
            return None
        size = arithmetic.literal(each, size_t)
        for bound in bounds:
            size = arithmetic.add("*", size, arithmetic.convert(arithmetic.read(bound, self.unit.data.ptrdiff), size_t))
        return size

    def _address(self, node: Node) -> CValue:
        inner = node.expr
        if kind_of(inner) == "UnaryOp" and inner.op == "*":
            return self.value(inner.expr)
        if kind_of(inner) == "ID":
            symbol = self.scope.find(inner.name)
            if isinstance(symbol, FunctionName):
                return self.conversions.as_pointer(Designator(symbol.type, symbol.name))
        place = self.place(inner)
        if isinstance(place.type, BitField):  # 6.5.3.2p1
            raise self.unit.error(node, "a bit-field has no address")
        return self.places.address(place, Pointer(place.type))

    def _step(self, node: Node, op: str, is_used: bool) -> CValue:
        """``++`` and ``--`` (6.5.2.4, 6.5.3.1)."""
        at = self.unit.at.of(node)
        must_be_modifiable(self, node.expr)
        place = self.place(node.expr)
        old = self.places.read(place, at)
        if isinstance(old, FloatValue):
            return old
        mark = len(self.body.statements)
        one = self.unit.arithmetic.literal(1, C_INT)
        is_prefix = node.op[0] != "p"
        new = self._stored(place, self.operators.combined(op[0], old, one, node), node, is_used and is_prefix)
        return new if is_prefix or not is_used else self.snapshots.kept(old, mark)

    def store(self, place: Lvalue, value: CValue, node: Node) -> None:
        """Convert and write (6.5.16.1p2)."""
        self.places.write(place, self.conversions.settled(value, place.type, node), self.unit.at.of(node))

    def _assignment(self, node: Node, is_used: bool = True) -> CValue:
        at = self.unit.at.of(node)
        value, place = self.operands.results(
            node,
            [
                Operand(node.rvalue, lambda: self.value(node.rvalue)),
                Operand(node.lvalue, lambda: self.place(node.lvalue), is_place=True),
            ],
        )
        must_be_modifiable(self, node.lvalue)
        assert isinstance(place, VariablePlace | MemoryPlace) and not isinstance(value, VariablePlace | MemoryPlace)
        if node.op != "=":
            value = self.operators.combined(node.op[:-1], self.places.read(place, at), value, node)
        return self._stored(place, value, node, is_used)

    def _stored(self, place: Lvalue, value: CValue, node: Node, is_used: bool) -> CValue:
        """Write; what an assignment is worth is what is there then (6.5.16p3).

        Where the address may depend on what was written, as in ``a[a[0]] = 1``, nothing is read again.
        """
        at = self.unit.at.of(node)
        value = self.conversions.settled(value, place.type, node)
        mark = len(self.body.statements)
        self.places.write(place, value, at)
        if not is_used:
            return value
        if (isinstance(place, VariablePlace) and not place.indices) or isinstance(place.type, BitField):
            return self.places.read(place, at)
        return self.snapshots.kept(value, mark)

    def _binary(self, node: Node) -> CValue:
        if node.op in ("&&", "||"):
            return self._connective(node)
        left, right = self._operands(node, node.left, node.right)
        return self.operators.combined(node.op, left, right, node)

    def _connective(self, node: Node) -> CValue:
        arithmetic = self.unit.arithmetic
        decided = self._decided(node) if self.has_effects(node.right) and self._names_no_objects(node) else None
        if decided is not None:
            return arithmetic.literal(int(decided), C_INT)
        start = len(self.body.statements)
        if not self.has_effects(node.right):
            left = self.truth(node.left)
            mark = len(self.body.statements)
            right = self.truth(node.right)
            if all(isinstance(statement, Assume) for statement in self.body.statements[mark:]):
                return from_formula(both(left, right) if node.op == "&&" else either(left, right), arithmetic)
            self._effects[id(node.right)] = True
            del self.body.statements[start:]
        at = self.unit.at.of(node)
        flag = self.unit.variable(at, "truth", BOOL_TYPE, self.body)
        name = self.unit.nodes.name
        yes, no, end = map(self.body.label, ("yes", "no", "end"))
        self.branch(node, yes, no)
        self.mark(at, yes)
        self.emit(Assign(at, (name(flag),), (TRUTH,)))
        self.jump(at, end)
        self.mark(at, no)
        self.emit(Assign(at, (name(flag),), (FALSITY,)))
        self.mark(at, end)
        return from_formula(name(flag), arithmetic)

    def _names_no_objects(self, node: Node) -> bool:
        names = (part.name for part in descendants(node) if kind_of(part) == "ID")
        return all(isinstance(self.scope.find(name), EnumConstant) for name in names)

    def _decided(self, node: Node) -> bool | None:
        """What ``&&`` or ``||`` is in a constant expression (6.6)."""
        left = self.constant(node.left, self.scope)
        if left is None or bool(left) == (node.op == "||"):
            return None if left is None else bool(left)
        right = self.constant(node.right, self.scope)
        return None if right is None else bool(right)

    # Conversions.

    def _cast(self, node: Node) -> CValue:
        kind = self.declarations.type(node.to_type, self.scope)
        if isinstance(kind, Void):
            self.effect(node.expr)
            return Nothing(VOID)
        return self.conversions.convert(self.value(node.expr), kind, node)
