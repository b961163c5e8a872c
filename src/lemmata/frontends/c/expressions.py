"""Expressions of C (C11 6.5): side effects become statements, in order, and what is left is a value.

Operands are evaluated from left to right, a choice that C leaves open (6.5p3). What was computed before a side effect that
would change it is kept in a variable of its own. ``&&``, ``||`` and ``?:`` whose parts have effects become jumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lemmata.frontends.c.arithmetic import NoForm, from_formula
from lemmata.frontends.c.calls import CallTranslator
from lemmata.frontends.c.constants import characters, integer_constant
from lemmata.frontends.c.declarations import DeclarationReader, is_const
from lemmata.frontends.c.nodes import FALSITY, TRUTH, both, conditional, either, inverse, literal_value
from lemmata.frontends.c.places import Lvalue, MemoryPlace, Places, VariablePlace
from lemmata.frontends.c.sorts import sort_of_term
from lemmata.frontends.c.syntax import Node, descendants, kind_of
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
    common,
    promoted,
)
from lemmata.frontends.c.unit import Body, EnumConstant, FunctionName, GlobalObject, ObjectStorage, Scope, TranslationUnit
from lemmata.frontends.c.values import Address, AddressNumber, Aggregate, CValue, Designator, FloatValue, Nothing, Scalar
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    Assert,
    Assign,
    Assume,
    Call,
    Choice,
    Expression,
    Goto,
    Havoc,
    If,
    Inexact,
    Label,
    Name,
    Statement,
    Type,
    Variable,
    below,
)

if TYPE_CHECKING:
    from lemmata.frontends.c.statements import StatementTranslator

_EFFECTS = frozenset({"FuncCall", "Assignment", "CompoundLiteral"})
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_FREE = ("__BLAST_NONDET", "__NONDET__", "nondet", "NONDET")


class Expressions:
    """Translates the expressions of one body."""

    def __init__(self, unit: TranslationUnit, body: Body, declarations: DeclarationReader) -> None:
        self.unit = unit
        self.body = body
        self.declarations = declarations
        self.places = Places(unit, body)
        self.scope = Scope(unit.scope)
        self.calls = CallTranslator(self)
        self.objects: StatementTranslator  # set by it: makes objects of the block that is translated
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
        statements, outer = self.body.statements, self.scope
        self.body.statements, self.scope = [], scope
        try:
            yield
        finally:
            self.body.statements, self.scope = statements, outer

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
                return self._ternary(node)
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
        raise self.unit.unsupported(node, f"this kind of expression ({kind_of(node)}) is not supported")

    def scalar(self, node: Node) -> Scalar:
        """A value that has to be an integer; one of a floating type is arbitrary."""
        return self.as_scalar(self.value(node), node)

    def as_scalar(self, value: CValue, node: Node) -> Scalar:
        """The same for a value."""
        if isinstance(value, FloatValue):
            return self.guess(C_INT, node)
        if isinstance(value, AddressNumber):
            return self._spelled(value, node)
        if not isinstance(value, Scalar):
            raise self.unit.error(node, f"this needs an integer, not a value of type {value.type}")
        return value

    def _spelled(self, value: AddressNumber, node: Node) -> Scalar:
        """The integer of an address: bytes from the null pointer, and nobody knows which for others."""
        arithmetic = self.unit.arithmetic
        offset = arithmetic.convert(arithmetic.read(value.address.offset, self.unit.data.ptrdiff), value.type)
        if literal_value(value.address.base) == 0:  # as ``offsetof`` has it
            known = literal_value(value.address.offset)
            return offset if known is None else arithmetic.literal(known, value.type)
        guess = self.guess(value.type, node)
        term = conditional(self.is_null(value.address), offset.term, guess.term)
        return Scalar(value.type, term, value.type.least, value.type.most)

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
        storage = self.calls.program.string(found, content)
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
            case "Cast":
                raise unit.error(node, "a cast is no place to store something")
            case "Constant" if node.type == "string":
                value = self.value(node)
                assert isinstance(value, Address)
                return MemoryPlace(ArrayType(CHAR, None), value.base, value.offset)
            case "ExprList" | "TernaryOp" | "Assignment" | "FuncCall":
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
        array = self._array_place(node.name)
        if array is not None:
            mark = len(self.body.statements)
            index = self.scalar(node.subscript)
            if isinstance(array, VariablePlace):
                array = VariablePlace(
                    array.type, array.storage, array.path, tuple([self._kept(i, mark) for i in array.indices])
                )
            return self.places.element(array, index, at)
        left, right = self._operands(node.name, node.subscript)
        if isinstance(left, Scalar):
            left, right = right, left
        if not isinstance(left, Address):
            raise unit.error(node, f"a value of type {left.type} has no elements")
        moved = self._moved(left, self.as_scalar(right, node), "+", node)
        return self._pointed(moved, node)

    def _array_place(self, node: Node) -> Lvalue | None:
        """The array that is subscripted, where it is one and no pointer."""
        kind = kind_of(node)
        if kind == "ID":
            symbol = self.scope.find(node.name)
            if isinstance(symbol, ObjectStorage | GlobalObject) and isinstance(symbol.type, ArrayType):
                return self.place(node)
            return None
        if kind in ("ArrayRef", "StructRef") and isinstance(self.type_of(node), ArrayType):
            return self.place(node)
        return None

    def type_of(self, node: Node) -> CType:
        """The type of an expression; nothing happens (6.5.3.4p2)."""
        with self.aside(self.scope):
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

    def _operands(self, left: Node, right: Node) -> tuple[CValue, CValue]:
        first = self.value(left)
        mark = len(self.body.statements)
        second = self.value(right)
        return self.kept(first, mark), second

    def kept(self, value: CValue, mark: int) -> CValue:
        """A value that was computed before the statements from ``mark`` on; if they change it, a copy of it."""
        match value:
            case Scalar(kind, term, low, high, formula):
                if formula is not None:
                    kept = self._kept(formula, mark, is_formula=True)
                    if kept is not formula:
                        plain = from_formula(kept, self.unit.arithmetic)
                        return self.unit.arithmetic.convert(plain, kind)
                    return value
                return Scalar(kind, self._kept(term, mark), low, high)
            case Address(kind, base, offset):
                return Address(kind, self._kept(base, mark), self._kept(offset, mark))
            case AddressNumber(kind, address):
                kept_address = self.kept(address, mark)
                assert isinstance(kept_address, Address)
                return AddressNumber(kind, kept_address)
            case Aggregate(kind, leaves):
                return Aggregate(kind, {path: tuple([self._kept(t, mark) for t in terms]) for path, terms in leaves.items()})
        return value

    def frozen(self, value: CValue) -> CValue:
        """The value as it is now, whatever changes in memory."""
        match value:
            case Scalar(kind, term, low, high):
                return Scalar(kind, self._frozen(term), low, high)
            case Address(kind, base, offset):
                return Address(kind, self._frozen(base), self._frozen(offset))
            case Aggregate(kind, leaves):
                return Aggregate(kind, {path: tuple([self._frozen(t) for t in terms]) for path, terms in leaves.items()})
        return value

    def _frozen(self, term: Expression) -> Expression:
        unit = self.unit
        names = [unit.nodes.names[node] for node in below(term) if isinstance(node, Name)]
        if not any(variable.kind == "global" for variable in names):
            return term
        variable = unit.variable(names[0].at, "kept", sort_of_term(term, unit.nodes), self.body)
        self.emit(Assign(names[0].at, (unit.nodes.name(variable),), (term,)))
        return unit.nodes.name(variable)

    def _kept(self, term: Expression, mark: int, is_formula: bool = False) -> Expression:
        later = self.body.statements[mark:]
        if not later or not self._changes(term, later):
            return term
        unit = self.unit
        names = [node for node in below(term) if isinstance(node, Name)]
        at = names[0].at if names else 0
        sort = BOOL_TYPE if is_formula else sort_of_term(term, unit.nodes)
        variable = unit.variable(at, "kept", sort, self.body)
        self.body.statements.insert(mark, Assign(at, (unit.nodes.name(variable),), (term,)))
        return unit.nodes.name(variable)

    def _changes(self, term: Expression, later: Sequence[Statement]) -> bool:
        names = self.unit.nodes.names
        mentioned = {names[node] for node in below(term) if isinstance(node, Name)}
        for statement in later:
            match statement:
                case Assign(_, targets) | Havoc(_, targets):
                    if any(names[target] in mentioned for target in targets):
                        return True
                case Call(_, results):
                    if any(variable.kind == "global" for variable in mentioned):
                        return True
                    if any(names[result] in mentioned for result in results):
                        return True
        return False

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
            case "sizeof" | "_Alignof":
                kind = (
                    self.declarations.type(node.expr, self.scope)
                    if kind_of(node.expr) == "Typename"
                    else self.type_of(node.expr)
                )
                size = unit.data.size(kind) if node.op == "sizeof" else unit.data.alignment(kind)
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
        operand = self.as_scalar(value, node)
        operand = arithmetic.convert(operand, promoted(operand.type))
        match node.op:
            case "+":
                return operand
            case "-":
                zero = arithmetic.literal(0, operand.type)
                return self._arithmetic("-", zero, operand, node)
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
                return self.as_pointer(Designator(symbol.type, symbol.name))
        place = self.place(inner)
        return self.places.address(place, Pointer(place.type))

    def as_pointer(self, value: Designator) -> Address:
        """The address of a function."""
        unit = self.unit
        if value.name not in unit.pointed:  # by a name that the file does not declare as a function
            unit.pointed.append(value.name)
        self.calls.program.need(value.name)
        return Address(
            Pointer(value.type), self.places.known_base(-1 - unit.pointed.index(value.name)), self.places.zero_offset
        )

    def _step(self, node: Node, op: str, is_used: bool) -> CValue:
        """``++`` and ``--`` (6.5.2.4, 6.5.3.1)."""
        at = self.unit.at.of(node)
        self._must_be_modifiable(node.expr)
        place = self.place(node.expr)
        old = self.places.read(place, at)
        if isinstance(old, FloatValue):
            return old
        mark = len(self.body.statements)
        one = self.unit.arithmetic.literal(1, C_INT)
        is_prefix = node.op[0] != "p"
        new = self._stored(place, self._combined(op[0], old, one, node), node, is_used and is_prefix)
        return new if is_prefix or not is_used else self.kept(old, mark)

    def _must_be_modifiable(self, node: Node) -> None:
        """A variable that is declared ``const`` is not assigned, nor is an element or a member of it (6.5.16p2)."""
        target = node.name if kind_of(node) == "ArrayRef" or (kind_of(node) == "StructRef" and node.type == ".") else node
        symbol = self.scope.find(target.name) if kind_of(target) == "ID" else None
        if not isinstance(symbol, ObjectStorage | GlobalObject) or (target is not node and isinstance(symbol.type, Pointer)):
            return
        if symbol.is_const if isinstance(symbol, ObjectStorage) else is_const(symbol.node):
            raise self.unit.error(node, f"'{target.name}' is const: it cannot be assigned")

    def store(self, place: Lvalue, value: CValue, node: Node) -> None:
        """Convert and write (6.5.16.1p2)."""
        self.places.write(place, self.settled(value, place.type, node), self.unit.at.of(node))

    def settled(self, value: CValue, kind: CType, node: Node) -> CValue:
        """The value in a type, in a form that can be kept."""
        found = self.convert(value, kind, node)
        return self._spelled(found, node) if isinstance(found, AddressNumber) else found

    def _assignment(self, node: Node, is_used: bool = True) -> CValue:
        at = self.unit.at.of(node)
        value = self.value(node.rvalue)
        mark = len(self.body.statements)
        self._must_be_modifiable(node.lvalue)
        place = self.place(node.lvalue)
        value = self.kept(value, mark)
        if node.op != "=":
            value = self._combined(node.op[:-1], self.places.read(place, at), value, node)
        return self._stored(place, value, node, is_used)

    def _stored(self, place: Lvalue, value: CValue, node: Node, is_used: bool) -> CValue:
        """Write; what an assignment is worth is what is there then (6.5.16p3).

        Where the address may depend on what was written, as in ``a[a[0]] = 1``, nothing is read again.
        """
        at = self.unit.at.of(node)
        value = self.settled(value, place.type, node)
        mark = len(self.body.statements)
        self.places.write(place, value, at)
        if not is_used:
            return value
        if (isinstance(place, VariablePlace) and not place.indices) or isinstance(place.type, BitField):
            return self.places.read(place, at)
        return self.kept(value, mark)

    def _binary(self, node: Node) -> CValue:
        if node.op in ("&&", "||"):
            return self._connective(node)
        left, right = self._operands(node.left, node.right)
        return self._combined(node.op, left, right, node)

    def _connective(self, node: Node) -> CValue:
        arithmetic = self.unit.arithmetic
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

    def _combined(self, op: str, left: CValue, right: CValue, node: Node) -> CValue:
        """Any binary operator but ``&&`` and ``||``."""
        left, right = self._decayed(left), self._decayed(right)
        if isinstance(left, AddressNumber) or isinstance(right, AddressNumber):
            left, right = self._compared(op, left, right, node)
        if isinstance(left, Address) or isinstance(right, Address):
            return self._with_pointers(op, left, right, node)
        if isinstance(left, FloatValue) or isinstance(right, FloatValue):
            if op in _COMPARISONS:
                return self.unit.arithmetic.convert(self.guess(C_BOOL, node), C_INT)
            return FloatValue(_widest(left, right))
        return self._arithmetic(op, self.as_scalar(left, node), self.as_scalar(right, node), node)

    def _compared(self, op: str, left: CValue, right: CValue, node: Node) -> tuple[CValue, CValue]:
        """Addresses as integers are equal where the addresses are; anything else needs the integers."""
        pair = (left, right)
        if op in ("==", "!=") and all(
            isinstance(v, AddressNumber) or (isinstance(v, Scalar) and v.constant == 0) for v in pair
        ):
            kinds = [v.address.type for v in pair if isinstance(v, AddressNumber)]
            first, second = (v.address if isinstance(v, AddressNumber) else self.places.null(kinds[0]) for v in pair)
            return first, second
        spelled = [self.as_scalar(v, node) if isinstance(v, AddressNumber) else v for v in pair]
        return spelled[0], spelled[1]

    def _decayed(self, value: CValue) -> CValue:
        return self.as_pointer(value) if isinstance(value, Designator) else value

    def _arithmetic(self, op: str, left: Scalar, right: Scalar, node: Node) -> Scalar:
        arithmetic, at = self.unit.arithmetic, self.unit.at.of(node)
        if op in ("<<", ">>"):
            left, right = (arithmetic.convert(v, promoted(v.type)) for v in (left, right))
        else:
            kind = common(left.type, right.type, self.unit.data)
            left, right = arithmetic.convert(left, kind), arithmetic.convert(right, kind)
        if op in _COMPARISONS:
            return from_formula(arithmetic.compare(op, left, right), arithmetic)
        self._defined(op, left, right, at)
        try:
            if op in ("+", "-", "*"):
                return arithmetic.add(op, left, right)
            if op in ("/", "%"):
                return arithmetic.divide(op, left, right)
            if op in ("&", "|", "^"):
                return arithmetic.bits(op, left, right)
            if op in ("<<", ">>"):
                return arithmetic.shift(op, left, right)
        except NoForm:
            return self.guess(left.type, node)
        raise self.unit.unsupported(node, f"the operator {op} is not supported")

    def _defined(self, op: str, left: Scalar, right: Scalar, at: int) -> None:
        """Where the result is undefined (6.5.5p5, 6.5.7p3), what follows does not count; overflow is asserted if asked for."""
        arithmetic, unit = self.unit.arithmetic, self.unit
        if op in ("/", "%"):
            self.places.must(arithmetic.compare("!=", right, arithmetic.literal(0, right.type)), at, "division")
        elif op in ("<<", ">>") and right.constant is None:
            low = arithmetic.compare("<=", arithmetic.literal(0, right.type), right)
            high = arithmetic.compare("<", right, arithmetic.literal(left.type.width, right.type))
            self.places.must(both(low, high), at, "shift")
        if unit.is_exact and left.type.is_signed and op in ("+", "-", "*", "/", "%", "<<"):
            if unit.wanted.overflow:
                self._assert_range(op, left, right, at)
            elif op in ("/", "%"):
                self.places.must(inverse(arithmetic.overflows("/", left, right)), at, "division")

    def _assert_range(self, op: str, left: Scalar, right: Scalar, at: int) -> None:
        overflow = self.unit.arithmetic.overflows("/" if op == "%" else op, left, right)
        if op == "<<":
            overflow = either(overflow, self.unit.arithmetic.compare("<", left, self.unit.arithmetic.literal(0, left.type)))
        if overflow is not FALSITY:
            self.emit(Assert(at, inverse(overflow), (), "overflow"))

    def _with_pointers(self, op: str, left: CValue, right: CValue, node: Node) -> CValue:
        unit, nodes = self.unit, self.unit.nodes
        if op in ("+", "-") and isinstance(left, Address) and isinstance(right, Scalar):
            return self._moved(left, right, op, node)
        if op == "+" and isinstance(left, Scalar) and isinstance(right, Address):
            return self._moved(right, left, op, node)
        kind = left.type if isinstance(left, Address) else right.type
        if op in _COMPARISONS:
            left, right = (v if isinstance(v, Address) else self.convert(v, kind, node) for v in (left, right))
        if not (isinstance(left, Address) and isinstance(right, Address)):
            raise unit.error(node, f"values of type {left.type} and {right.type} have no operator {op}")
        ptrdiff, at = unit.data.ptrdiff, unit.at.of(node)
        if op in ("==", "!="):
            same_base = nodes.binary("==", left.base, right.base, BOOL_TYPE)
            same = both(same_base, nodes.binary("==", left.offset, right.offset, BOOL_TYPE))
            same = self._while_living(same, left, right, node)
            return from_formula(same if op == "==" else inverse(same), unit.arithmetic)
        a, b = unit.arithmetic.read(left.offset, ptrdiff), unit.arithmetic.read(right.offset, ptrdiff)
        if op in _COMPARISONS:
            order = unit.arithmetic.compare(op, a, b)
            return from_formula(self._within_one(left, right, order, BOOL_TYPE, at), unit.arithmetic)
        if op == "-":
            size = unit.data.size(left.type.target)
            if not size:
                raise unit.error(node, f"the size of {left.type.target} is not known")
            count = unit.arithmetic.divide("/", unit.arithmetic.add("-", a, b), unit.arithmetic.literal(size, ptrdiff))
            term = self._within_one(left, right, count.term, unit.offset_sort, at)
            return count if term is count.term else unit.arithmetic.read(term, ptrdiff)
        raise unit.error(node, f"pointers have no operator {op}")

    def _within_one(self, left: Address, right: Address, term: Expression, sort: Type, at: int) -> Expression:
        """What pointers to one object have; of two objects (6.5.6p9, 6.5.8p5) it is arbitrary and does not count."""
        unit, bases = self.unit, (left.base, right.base)
        known = [literal_value(base) for base in bases]
        same = unit.nodes.binary("==", *bases, BOOL_TYPE)
        if None not in known or left.base is right.base:
            same = TRUTH if known[0] == known[1] else FALSITY
        if same is TRUTH:
            return term
        self.places.must(same, at, "pointers")
        other = unit.variable(at, "unordered", sort, self.body)
        within = TRUTH if sort is BOOL_TYPE else unit.arithmetic.within(unit.nodes.name(other), unit.data.ptrdiff)
        self.emit(Havoc(at, (unit.nodes.name(other),), None if within is TRUTH else within))
        return conditional(same, term, unit.nodes.name(other))

    def _while_living(self, same: Expression, left: Address, right: Address, node: Node) -> Expression:
        """A pointer to an object that has ended may be equal to anything (6.2.4p2), but to null it is not.

        Two string literals may be one object (6.4.5p7).
        """
        unit, at = self.unit, self.unit.at.of(node)
        if literal_value(left.base) == 0 or literal_value(right.base) == 0:
            return same
        zero = unit.arithmetic.literal(0, C_INT)
        condition = self._of_strings(left, right)
        for base in (left.base, right.base) if unit.frees else ():
            if literal_value(base) is None:
                is_none = unit.arithmetic.compare("<=", unit.arithmetic.read(base, C_INT), zero)
                condition = both(condition, either(is_none, self.places.lives(base)))
        if condition is TRUTH:
            return same
        self.places.must(condition, at, "dangling")
        guess = unit.variable(at, "same", BOOL_TYPE, self.body)
        self.emit(Havoc(at, (unit.nodes.name(guess),)))
        return conditional(condition, same, unit.nodes.name(guess))

    def _of_strings(self, left: Address, right: Address) -> Expression:
        """Is one of two pointers none to a string literal, or is it the same literal?"""
        unit, last = self.unit, self.unit.demands.strings
        if last < 2 or left.base is right.base:
            return TRUTH
        a, b = (self._base_value(address.base) for address in (left, right))
        found = unit.arithmetic.compare("==", a, b)
        for base in (a, b):
            found = either(found, unit.arithmetic.compare("<", base, unit.arithmetic.literal(1, C_INT)))
            found = either(found, unit.arithmetic.compare("<", unit.arithmetic.literal(last, C_INT), base))
        return found

    def _base_value(self, base: Expression) -> Scalar:
        known = literal_value(base)
        return self.unit.arithmetic.read(base, C_INT) if known is None else self.unit.arithmetic.literal(known, C_INT)

    def _moved(self, address: Address, count: Scalar, op: str, node: Node) -> Address:
        """A pointer and an integer (6.5.6p8)."""
        unit = self.unit
        size = unit.data.size(address.type.target)
        if isinstance(address.type.target, Void):
            self.calls.program.aliasing.moved(node)
        if size is None:
            raise unit.error(node, f"the size of {address.type.target} is not known")
        wide = unit.arithmetic.convert(count, unit.data.ptrdiff) if count.type.width <= unit.data.ptrdiff.width else count
        offset = unit.arithmetic.moved(address.offset, wide, size if op == "+" else -size, unit.data.ptrdiff)
        return Address(address.type, address.base, offset)

    def _ternary(self, node: Node) -> CValue:
        """``c ? a : b`` (6.5.15)."""
        start = len(self.body.statements)
        decided = None if _has_calls(node.cond) else self.constant(node.cond, self.scope)
        if decided is not None:
            return self._decided(node, bool(decided))
        if not (self.has_effects(node.iftrue) or self.has_effects(node.iffalse)):
            condition = self.truth(node.cond)
            mark = len(self.body.statements)
            values = self._balanced(self.value(node.iftrue), self.value(node.iffalse), node)
            if len(self.body.statements) == mark:
                return self._chosen(condition, *values)
            del self.body.statements[start:]
        return self._jumping(node)

    def _decided(self, node: Node, is_true: bool) -> CValue:
        """One part alone, in the type of both: the condition is a constant."""
        part, other = (node.iftrue, node.iffalse) if is_true else (node.iffalse, node.iftrue)
        value = self._decayed(self.value(part))
        with self.aside(self.scope):
            kind = self._joint(value, self._decayed(self.value(other)))
        return self.settled(value, kind, node)

    def _balanced(self, a: CValue, b: CValue, node: Node) -> tuple[CValue, CValue]:
        """Both values in the type of the whole."""
        a, b = self._decayed(a), self._decayed(b)
        kind = self._joint(a, b)
        return self.settled(a, kind, node), self.settled(b, kind, node)

    def _joint(self, a: CValue, b: CValue) -> CType:
        if isinstance(a, AddressNumber) or isinstance(b, AddressNumber):
            return self.unit.data.ulong
        if isinstance(a, FloatValue) or isinstance(b, FloatValue):
            return _widest(a, b)
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return common(a.type, b.type, self.unit.data)
        if isinstance(a, Nothing) or isinstance(b, Nothing):
            return VOID
        if isinstance(a, Address) and not (isinstance(b, Address) and isinstance(a.type.target, Void)):
            return a.type
        return b.type

    def _chosen(self, condition: Expression, a: CValue, b: CValue) -> CValue:
        match a, b:
            case Scalar(), Scalar():
                if condition is TRUTH or condition is FALSITY:
                    return a if condition is TRUTH else b
                return Scalar(a.type, conditional(condition, a.term, b.term), min(a.low, b.low), max(a.high, b.high))
            case Address(), Address():
                return Address(a.type, conditional(condition, a.base, b.base), conditional(condition, a.offset, b.offset))
            case Aggregate(), Aggregate():
                leaves = {
                    path: tuple([conditional(condition, x, y) for x, y in zip(terms, b.leaves[path], strict=True)])
                    for path, terms in a.leaves.items()
                }
                return Aggregate(a.type, leaves)
        return a

    def _jumping(self, node: Node) -> CValue:
        at = self.unit.at.of(node)
        with self.aside(self.scope):
            kind = self._joint(self._decayed(self.value(node.iftrue)), self._decayed(self.value(node.iffalse)))
        yes, no, end = map(self.body.label, ("then", "else", "end"))
        storage = None
        if not isinstance(kind, Void):
            storage = self.unit.storage(at, 0, "chosen", kind, self.body)
        self.branch(node.cond, yes, no)
        for label, part in ((yes, node.iftrue), (no, node.iffalse)):
            self.mark(at, label)
            value = self._decayed(self.value(part))
            if storage is not None:
                self.store(self.places.of(storage), value, node)
            if label == yes:
                self.jump(at, end)
        self.mark(at, end)
        return Nothing(VOID) if storage is None else self.places.read(self.places.of(storage), at)

    # Conversions.

    def _cast(self, node: Node) -> CValue:
        kind = self.declarations.type(node.to_type, self.scope)
        if isinstance(kind, Void):
            self.effect(node.expr)
            return Nothing(VOID)
        return self.convert(self.value(node.expr), kind, node)

    def convert(self, value: CValue, kind: CType, node: Node) -> CValue:
        """The value in another type (6.3)."""
        value = self._decayed(value)
        match kind, value:
            case BitField(), _:
                return self.convert(value, kind.type, node)
            case Integer(), Scalar():
                return self.unit.arithmetic.convert(value, kind)
            case Integer(), FloatValue():
                return self.guess(kind, node)
            case Integer(), Address() if kind is C_BOOL:
                return self.unit.arithmetic.convert(from_formula(inverse(self.is_null(value)), self.unit.arithmetic), C_BOOL)
            case Integer(), Address() if literal_value(value.base) == 0 and literal_value(value.offset) == 0:
                return self.unit.arithmetic.literal(0, kind)
            case Integer(), Address() if kind.width >= self.unit.data.ptrdiff.width:
                return AddressNumber(kind, value)
            case Integer(), Address():
                return self.guess(kind, node)
            case Integer(), AddressNumber():
                is_whole = kind.width >= self.unit.data.ptrdiff.width
                return AddressNumber(kind, value.address) if is_whole else self.convert(self._spelled(value, node), kind, node)
            case Pointer(), AddressNumber():
                self.calls.program.aliasing.converted(value.address.type.target, kind.target, node)
                return Address(kind, value.address.base, value.address.offset)
            case Floating(), Scalar() | FloatValue():
                return FloatValue(kind)
            case Pointer(), Address() if literal_value(value.base) == 0:
                return Address(kind, value.base, value.offset)
            case Pointer(), Address():
                self.calls.program.aliasing.converted(value.type.target, kind.target, node)
                return Address(kind, value.base, value.offset)
            case Pointer(), Scalar() if value.constant == 0:
                return self.places.null(kind)
            case Pointer(), Scalar():
                self.emit(Inexact(self.unit.at.of(node)))
                return self.any_value(kind, node)
            case Structure(), Aggregate() if value.type is kind:
                return value
            case Void(), _:
                return Nothing(VOID)
        raise self.unit.error(node, f"a value of type {value.type} is not converted to {kind}")


def _widest(a: CValue, b: CValue) -> Floating:
    """The floating type of two operands, one of which has such a type (6.3.1.8p1)."""
    return max([value.type for value in (a, b) if isinstance(value, FloatValue)], key=lambda kind: kind.size)


def _has_calls(node: Node) -> bool:
    return any(kind_of(part) == "FuncCall" for part in descendants(node))
