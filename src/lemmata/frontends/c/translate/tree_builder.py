"""``TreeBuilder``: makes the tree of ``frontends.programs`` with its tables of names and types; no checker goes through it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    INT_TYPE,
    Apply,
    Attribute,
    Binary,
    BitVecType,
    Conditional,
    Expression,
    Function,
    Literal,
    MapType,
    Name,
    PlainType,
    Select,
    Store,
    Type,
    Unary,
    Variable,
)

ENTRY = "entry"  # how assertions of claims about the program begin: they are none of its own
TRUTH, FALSITY = Literal(0, True, BOOL_TYPE), Literal(0, False, BOOL_TYPE)


class TreeBuilder:
    """Tables of one program in the making. Expressions have no offsets of their own: nothing can be wrong with them."""

    def __init__(self) -> None:
        self.names: dict[Name, Variable] = {}
        self.types: dict[Expression | Variable | Function, Type] = {}
        self.functions: dict[str, Function] = {}

    def variable(self, at: int, kind: str, name: str, type_: Type) -> Variable:
        """A variable of the tree."""
        variable = Variable(at, kind, name, type_)
        self.types[variable] = type_
        return variable

    def name(self, variable: Variable) -> Name:
        """A use of a variable."""
        node = Name(variable.at, variable.name)
        self.names[node] = variable
        self.types[node] = self.types[variable]
        return node

    def apply(self, operator: str, arguments: Sequence[Expression], sorts: Sequence[Type], result: Type) -> Expression:
        """An operator of SMT-LIB on words."""
        widths = ",".join(str(sort.width) if isinstance(sort, BitVecType) else "" for sort in sorts)
        name = f"{operator} {widths}"
        if name not in self.functions:
            parameters = tuple([self.variable(0, "parameter", f"p{n}", sort) for n, sort in enumerate(sorts)])
            function = Function(0, name, parameters, result, None, (Attribute(0, "bvbuiltin", (operator,)),))
            self.functions[name] = function
            self.types[function] = result
        return Apply(0, name, tuple(arguments))

    def binary(self, op: str, left: Expression, right: Expression, type_: Type = INT_TYPE) -> Expression:
        """``left op right``."""
        node = Binary(0, op, left, right)
        self.types[node] = type_
        return node

    def select(self, table: Expression, indices: Sequence[Expression]) -> Expression:
        """``table[i, j]``."""
        return Select(0, table, tuple(indices)) if indices else table

    def store(self, table: Expression, indices: Sequence[Expression], value: Expression) -> Expression:
        """``table[i, j := value]``."""
        return Store(0, table, tuple(indices), value) if indices else value


def numeric(value: int, type_: PlainType | BitVecType = INT_TYPE) -> Literal:
    """A literal."""
    if isinstance(type_, BitVecType):
        value &= (1 << type_.width) - 1
    return Literal(0, value, type_)


def literal_value(expression: Expression) -> int | None:
    """The number that an expression is, if it is a literal."""
    if isinstance(expression, Literal) and not isinstance(expression.value, bool | Fraction):
        return expression.value
    return None


def inverse(formula: Expression) -> Expression:
    """``!formula``."""
    if isinstance(formula, Literal):
        return FALSITY if formula.value else TRUTH
    if isinstance(formula, Unary) and formula.op == "!":
        return formula.argument
    return Unary(0, "!", formula)


def both(a: Expression, b: Expression) -> Expression:
    """``a && b``."""
    if isinstance(a, Literal):
        return b if a.value else FALSITY
    if isinstance(b, Literal):
        return a if b.value else FALSITY
    return Binary(0, "&&", a, b)


def either(a: Expression, b: Expression) -> Expression:
    """``a || b``."""
    return inverse(both(inverse(a), inverse(b))) if isinstance(a, Literal) or isinstance(b, Literal) else Binary(0, "||", a, b)


def conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """``if condition then … else …``."""
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    return Conditional(0, condition, then, otherwise)


def map_type(indices: Sequence[Type], element: Type) -> Type:
    """A map, or the element where there are no indices."""
    return MapType(tuple(indices), element) if indices else element
