"""Expressions: every name is found, every operator gets what it takes, and every expression has its type in a table.

Sub-expressions are done before what they are part of, from left to right and without recursion. Integers and reals do not mix:
``int(e)`` and ``real(e)`` convert. The exception is ``/``, the division of reals, which converts integers among its arguments;
in Ultimate's dialect ``/`` on two integers is ``div``.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.errors import InputError
from lemmata.frontends.boogie.check.names import NameScope, counted
from lemmata.frontends.boogie.check.triggers import check_triggers
from lemmata.frontends.boogie.check.types import TypeTable, type_text
from lemmata.frontends.boogie.syntax.literals import MOST_BV_BITS
from lemmata.frontends.programs.assumptions import check_assumption
from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    INT_TYPE,
    REAL_TYPE,
    Apply,
    Binary,
    BitVecType,
    Conditional,
    Convert,
    Expression,
    Extract,
    Field,
    Function,
    Literal,
    MapType,
    Name,
    Old,
    Quantified,
    Select,
    Store,
    StructType,
    StructValue,
    Type,
    Unary,
    Variable,
    WithField,
    below,
    parts,
)

_LOGIC = frozenset({"<==>", "==>", "&&", "||"})
_EQUAL = frozenset({"==", "!="})
_ORDER = frozenset({"<", "<=", ">", ">="})
_INTEGERS = frozenset({"div", "mod"})


def binary_type(op: str, left: Type, right: Type, is_ultimate: bool) -> Type | None:
    """The type of ``left op right``, if there is one."""
    if op == "/":
        return _quotient(left, right, is_ultimate)
    if op == "++":
        if isinstance(left, BitVecType) and isinstance(right, BitVecType) and left.width + right.width <= MOST_BV_BITS:
            return BitVecType(left.width + right.width)
        return None
    if left != right:
        return None
    if op in _EQUAL:
        return BOOL_TYPE
    if op in _LOGIC:
        return BOOL_TYPE if left == BOOL_TYPE else None
    if op in _INTEGERS:
        return INT_TYPE if left == INT_TYPE else None
    if op == "**":
        return REAL_TYPE if left == REAL_TYPE else None
    if left not in (INT_TYPE, REAL_TYPE):
        return None
    return BOOL_TYPE if op in _ORDER else left


def _quotient(left: Type, right: Type, is_ultimate: bool) -> Type | None:
    if is_ultimate:
        return left if left == right and left in (INT_TYPE, REAL_TYPE) else None
    return REAL_TYPE if left in (INT_TYPE, REAL_TYPE) and right in (INT_TYPE, REAL_TYPE) else None


def unary_type(op: str, argument: Type) -> Type | None:
    """The type of ``op argument``, if there is one."""
    if op == "!":
        return BOOL_TYPE if argument == BOOL_TYPE else None
    return argument if argument in (INT_TYPE, REAL_TYPE) else None


Typed = Expression | Variable | Function


class ExpressionChecker:
    """Fills ``types`` and ``names`` as expressions are checked."""

    def __init__(self, source: SourceText, table: TypeTable, functions: dict[str, Function], is_ultimate: bool) -> None:
        self.types: dict[Typed, Type] = {}
        self.names: dict[Name, Variable] = {}
        self._source = source
        self._table = table
        self._functions = functions
        self._is_ultimate = is_ultimate

    def expect(self, expression: Expression, wanted: Type, scope: NameScope, what: str) -> None:
        """Check an expression, which must have a certain type."""
        self.check(expression, scope)
        self._compare(expression, wanted, what)

    def check(self, expression: Expression, scope: NameScope) -> Type:
        """The type of an expression."""
        order: list[tuple[Expression, NameScope]] = []
        stack = [(expression, scope)]
        while stack:
            item = stack.pop()
            order.append(item)
            node, around = item
            if isinstance(node, Quantified):
                inside = self._quantified(node, around)
                stack += [(part, inside) for part in (*[p for t in node.triggers for p in t.patterns], node.body)]
            else:
                stack += [(part, around) for part in parts(node)]
        types = self.types
        for node, around in reversed(order):
            types[node] = self._find(node, around) if isinstance(node, Name) else self._type(node, around)
        return types[expression]

    def declare(self, variable: Variable) -> None:
        """Note the type of a variable, and refuse marks that do not fit."""
        self.types[variable] = kind = self._table.expand(variable.type)
        check_assumption(self._source, variable, kind)

    def declare_result(self, function: Function) -> None:
        """Note the type of what a function gives."""
        self.types[function] = self._table.expand(function.result)

    def name(self, name: Name, scope: NameScope) -> Variable:
        """The variable of a name that is no expression: the target of an assignment."""
        self._find(name, scope)
        return self.names[name]

    def _quantified(self, node: Quantified, around: NameScope) -> NameScope:
        for variable in node.variables:
            self.declare(variable)
        return around.inside(self._source, around.what, node.variables, around.has_old)

    def _find(self, name: Name, scope: NameScope) -> Type:
        found = scope.find(name.text)
        if found is None:
            raise self._source.error(name.at, f"there is no variable '{name.text}'")
        if found.kind == "global" and not scope.has_globals:
            raise self._source.error(name.at, f"{scope.what} cannot speak of the variable '{name.text}'", "use constants")
        self.names[name] = found
        return self.types[found]

    def _type(self, node: Expression, scope: NameScope) -> Type:
        types = self.types
        match node:
            case Binary(_, op, left, right):
                found = binary_type(op, types[left], types[right], self._is_ultimate)
                if (
                    found is None
                    and op == "++"
                    and isinstance(types[left], BitVecType)
                    and isinstance(types[right], BitVecType)
                ):
                    raise self._source.unsupported(node.at, f"bit-vectors have at most {MOST_BV_BITS} bits")
                if found is None:
                    raise self._refused(node, f"'{op}'", left, right)
                return found
            case Literal():
                return node.type
            case Unary(_, op, argument):
                found = unary_type(op, types[argument])
                if found is None:
                    raise self._refused(node, f"'{op}'", argument)
                return found
            case Select(_, mapping, indices):
                return self._element(node, types[mapping], indices)
            case Store(_, mapping, indices, value):
                element = self._element(node, types[mapping], indices)
                self._compare(value, element, "the new value")
                return types[mapping]
            case Conditional(_, condition, then, otherwise):
                self._compare(condition, BOOL_TYPE, "the condition")
                if types[then] != types[otherwise]:
                    raise self._refused(node, "'if'", then, otherwise)
                return types[then]
            case Apply():
                return self._applied(node)
            case Old(_, argument):
                if not scope.has_old:
                    raise self._source.error(node.at, f"{scope.what} cannot speak of old values")
                return types[argument]
        return self._rare(node)

    def _rare(self, node: Expression) -> Type:
        types = self.types
        match node:
            case Convert(_, kind, argument):
                self._compare(argument, INT_TYPE if kind == REAL_TYPE else REAL_TYPE, f"the argument of '{kind.name}'")
                return kind
            case Extract():
                return self._extracted(node)
            case Quantified(_, quantifier, _, body) as node:
                self._compare(body, BOOL_TYPE, f"what '{quantifier}' says")
                if not self._is_ultimate:
                    check_triggers(self._source, node, self.names)
                return BOOL_TYPE
            case StructValue(at, fields):
                struct_type = StructType(tuple([(name, types[value]) for name, value in fields]), at)
                self._table.check_fields(struct_type)
                return struct_type
            case Field(at, struct, name):
                return self._field(at, types[struct], name)
            case WithField(at, struct, name, value):
                self._compare(value, self._field(at, types[struct], name), "the new value")
                return types[struct]
        raise AssertionError(node)

    def _element(self, node: Select | Store, kind: Type, indices: tuple[Expression, ...]) -> Type:
        if not isinstance(kind, MapType):
            raise self._source.error(node.at, f"{type_text(kind)} is no map")
        if len(indices) != len(kind.indices):
            raise self._source.error(
                node.at, f"{type_text(kind)} takes {counted(len(kind.indices), 'index')}, not {len(indices)}"
            )
        for index, wanted in zip(indices, kind.indices, strict=True):
            self._compare(index, wanted, "the index")
        return kind.element

    def _applied(self, node: Apply) -> Type:
        function = self._functions.get(node.function)
        if function is None:
            raise self._source.error(node.at, f"there is no function '{node.function}'")
        if len(function.parameters) != len(node.arguments):
            wanted = counted(len(function.parameters), "argument")
            raise self._source.error(node.at, f"the function '{node.function}' takes {wanted}, not {len(node.arguments)}")
        for parameter, argument in zip(function.parameters, node.arguments, strict=True):
            self._compare(argument, self.types[parameter], f"the argument of '{node.function}'")
        return self.types[function]

    def _extracted(self, node: Extract) -> Type:
        kind = self.types[node.argument]
        if not isinstance(kind, BitVecType):
            raise self._source.error(node.at, f"{type_text(kind)} has no bits")
        if not 0 <= node.low < node.high <= kind.width:
            raise self._source.error(node.at, f"{type_text(kind)} has no bits [{node.high}:{node.low}]")
        return BitVecType(node.high - node.low)

    def _field(self, at: int, kind: Type, name: str) -> Type:
        if isinstance(kind, StructType):
            for field, part in kind.fields:
                if field == name:
                    return part
        raise self._source.error(at, f"{type_text(kind)} has no field '{name}'")

    def _compare(self, expression: Expression, wanted: Type, what: str) -> None:
        found = self.types[expression]
        if found is not wanted and found != wanted:
            cause = f"{what} has type {type_text(found)}, expected {type_text(wanted)}"
            raise self._source.error(start_of(expression), cause, self._remedy((expression,)))

    def _refused(self, node: Expression, what: str, *arguments: Expression) -> InputError:
        kinds = " and ".join([type_text(self.types[argument]) for argument in arguments])
        return self._source.error(node.at, f"{what} does not take {kinds}", self._remedy(arguments))

    def _remedy(self, expressions: Sequence[Expression]) -> str:
        """Integers whose quotient is a real may be what an error is about."""
        is_quotient = any(
            isinstance(node, Binary) and node.op == "/" and self.types[node] == REAL_TYPE and self.types[node.left] == INT_TYPE
            for expression in expressions
            for node in below(expression)
        )
        return "'/' gives a real, 'div' divides integers; with --dialect ultimate '/' is 'div'" if is_quotient else ""


def start_of(expression: Expression) -> int:
    """Where an expression begins, apart from parentheses around it."""
    while True:
        match expression:
            case Binary(_, _, left, _):
                expression = left
            case Select(_, inner, _) | Store(_, inner, _, _) | Extract(_, inner, _, _) | Field(_, inner, _):
                expression = inner
            case _:
                return expression.at
