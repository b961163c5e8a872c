"""The syntax of programs, which is that of Boogie, as values: types, expressions, statements, declarations.

Every node has ``at``, its offset in the text; ``SourceText`` turns it into line and column. Nodes are equal when they are the
same object, so tables may be keyed by them and depth is no matter; only types are compared by what they say. Nothing may walk
an expression or a block by recursion: both are nested as deep as the file likes (``parts`` gives the expressions right below
one, ``blocks`` the blocks right below a statement).

What a reader of a *checked* program (``checked.CheckedProgram``) can rely on: names are declared, sorts fit, and there
are no structs any more (Boogie's checker makes a variable of each field).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class PlainType:
    """``int``, ``bool`` or ``real``."""

    name: str
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BitVecType:
    """``bv32``."""

    width: int
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class NamedType:
    """A type of the program's own: uninterpreted, or (before checking) a synonym."""

    name: str
    arguments: tuple[Type, ...] = ()
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MapType:
    """``[int, bool]real``."""

    indices: tuple[Type, ...]
    element: Type
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class StructType:
    """``{ base : int, offset : int }``; gone after ``structs``."""

    fields: tuple[tuple[str, Type], ...]
    at: int = field(default=0, compare=False)


Type: TypeAlias = PlainType | BitVecType | NamedType | MapType | StructType

BOOL_TYPE = PlainType("bool")
INT_TYPE = PlainType("int")
REAL_TYPE = PlainType("real")


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A value: ``true``, ``12``, ``1.5``, ``7bv32``."""

    at: int
    value: bool | int | Fraction
    type: PlainType | BitVecType


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A variable or constant; ``Program.variable_of`` tells which."""

    at: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """``!e`` or ``-e``."""

    at: int
    op: str
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """``<==> ==> && || == != < <= > >= ++ + - * / div mod **``; ``%`` is read as ``mod``, ``a <== b`` as ``b ==> a``.

    ``/`` has reals or integers on each side and is real; in Ultimate's dialect it is ``div`` where both are integers.
    """

    at: int  # of the operator
    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """``if condition then left else right``."""

    at: int
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """``map[i, j]``."""

    at: int
    map: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """``map[i, j := value]``."""

    at: int
    map: Expression
    indices: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """The map of that type which holds ``value`` everywhere; Boogie has no text for it."""

    at: int
    type: MapType
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Extract:
    """``word[high : low]``: the bits low, …, high - 1."""

    at: int
    argument: Expression
    high: int
    low: int


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """``f(a, b)``."""

    at: int
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Convert:
    """``int(e)`` or ``real(e)``."""

    at: int
    type: PlainType
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Old:
    """``old(e)``: the globals in ``e`` as they were at entry."""

    at: int
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class TriggerPatterns:
    """``{ f(x), g(y) }``: terms whose occurrence tells a solver when to use a quantifier. It means nothing."""

    at: int
    patterns: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Quantified:
    """``(forall x : int :: body)``; triggers are checked, and then nobody looks at them."""

    at: int
    quantifier: str  # forall or exists
    variables: tuple[Variable, ...]
    body: Expression
    triggers: tuple[TriggerPatterns, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class StructValue:
    """``{ base: e, offset: f }``; gone after ``structs``."""

    at: int
    fields: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True, eq=False)
class WithField:
    """``struct`` with another value in one field, which ``s!base := e`` assigns; gone after ``structs``."""

    at: int
    struct: Expression
    name: str
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """``e!base``; gone after ``structs``."""

    at: int
    struct: Expression
    name: str


Expression: TypeAlias = (
    Literal
    | Name
    | Unary
    | Binary
    | Conditional
    | Select
    | Store
    | Filled
    | Extract
    | Apply
    | Convert
    | Old
    | Quantified
    | StructValue
    | Field
    | WithField
)


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """``{:name 1, "two"}``: arguments are strings (without quotes) or expressions."""

    at: int
    name: str
    arguments: tuple[str | Expression, ...] = ()


Attributes: TypeAlias = tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One name with its type, wherever it is declared.

    ``kind``: ``global``, ``const``, ``local``, ``parameter``, ``result``, ``bound``.
    """

    at: int
    kind: str
    name: str
    type: Type
    where: Expression | None = None
    is_unique: bool = False
    attributes: Attributes = ()


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions right below one, from left to right."""
    match expression:
        case Binary(_, _, left, right):
            return (left, right)
        case Literal() | Name():
            return ()
        case Unary(_, _, argument) | Convert(_, _, argument) | Old(_, argument) | Extract(_, argument, _, _):
            return (argument,)
        case Conditional(_, condition, then, otherwise):
            return (condition, then, otherwise)
        case Select(_, mapping, indices):
            return (mapping, *indices)
        case Store(_, mapping, indices, value):
            return (mapping, *indices, value)
        case Filled(_, _, value):
            return (value,)
        case Apply(_, _, arguments):
            return arguments
        case Quantified(_, _, _, body):
            return (body,)
        case StructValue(_, fields):
            return tuple([value for _, value in fields])
        case Field(_, struct, _):
            return (struct,)
        case WithField(_, struct, _, value):
            return (struct, value)


def below(expression: Expression) -> Iterator[Expression]:
    """The expression and all its parts."""
    stack = [expression]
    while stack:
        yield (top := stack.pop())
        stack += parts(top)


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """``assert e;``; ``what`` is what its property is called, before the line."""

    at: int
    condition: Expression
    attributes: Attributes = ()
    what: str = "assert"
    number: int = 0  # tells assertions apart that stand at one place


@dataclass(frozen=True, slots=True, eq=False)
class Assume:
    """``assume e;``."""

    at: int
    condition: Expression
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Inexact:
    """From here on the program does more than its text says: what is reached does not count. Boogie has no text for it."""

    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Where the value of a ``havoc`` comes from in the source: a call of ``function``, or a declaration without a value."""

    at: int
    variable: Variable
    function: str = ""
    type: str = "int"
    is_signed: bool = True
    stride: int = 0  # where the value is that of all bytes of an object: how far its elements are apart
    text: str = ""  # how the source writes the variable, where ``variable`` is one of ours
    is_array: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Havoc:
    """``havoc x, y;``; the new values are ``such_that`` a formula holds, for which Boogie has no text.

    ``choices`` tell of some of them what they are in the source, in the order in which they are made.
    """

    at: int
    targets: tuple[Name, ...]
    such_that: Expression | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """``x, y := e, f;`` all at once. ``m[i] := v`` is read as ``m := m[i := v]``, ``m[i][j] := v`` likewise."""

    at: int
    targets: tuple[Name, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """``call x, y := p(e, f);``; ``is_free`` calls do not assert the callee's requires."""

    at: int
    results: tuple[Name, ...]
    procedure: str
    arguments: tuple[Expression, ...]
    is_free: bool = False
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """``here:``; ``is_loop`` where it is the head of a loop of the source."""

    at: int
    name: str
    is_loop: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    """``goto here, there;``: any of them."""

    at: int
    labels: tuple[tuple[str, int], ...]  # each with its offset


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """``if (condition) { … } else { … }``; no condition is ``*``.

    ``else if`` is an ``If`` as the only statement of ``otherwise``.
    """

    at: int
    condition: Expression | None
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while (condition) invariant … { … }``; no condition is ``*``."""

    at: int
    condition: Expression | None
    invariants: tuple[SpecClause, ...]
    body: Block
    end: int = 0  # of the closing brace


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """``break;`` of the innermost loop, or ``break name;`` of the loop or ``if`` right after that label."""

    at: int
    label: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """``return;``."""

    at: int


@dataclass(frozen=True, slots=True, eq=False)
class SpecClause:
    """``requires e;``, ``ensures e;`` or ``invariant e;``, perhaps ``free``."""

    at: int
    condition: Expression
    is_free: bool = False
    attributes: Attributes = ()


Statement: TypeAlias = Assert | Assume | Inexact | Havoc | Assign | Call | Label | Goto | If | While | Break | Return
Block: TypeAlias = tuple[Statement, ...]


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks right below a statement."""
    match statement:
        case If(_, _, then, otherwise):
            return (then, otherwise)
        case While(body=body):
            return (body,)
    return ()


__all__ = [
    "BOOL_TYPE",
    "INT_TYPE",
    "REAL_TYPE",
    "Apply",
    "Assert",
    "Assign",
    "Assume",
    "Attribute",
    "Attributes",
    "Axiom",
    "Binary",
    "BitVecType",
    "Block",
    "Break",
    "Call",
    "Conditional",
    "Convert",
    "Declarations",
    "Expression",
    "Extract",
    "Field",
    "Filled",
    "Function",
    "Goto",
    "Havoc",
    "If",
    "Implementation",
    "Inexact",
    "Label",
    "Literal",
    "MapType",
    "Name",
    "NamedType",
    "Old",
    "PlainType",
    "Procedure",
    "Quantified",
    "Return",
    "Select",
    "SpecClause",
    "Statement",
    "Store",
    "StructType",
    "StructValue",
    "Type",
    "TypeDeclaration",
    "Unary",
    "Variable",
    "While",
    "WithField",
    "below",
    "blocks",
    "parts",
]


@dataclass(frozen=True, slots=True, eq=False)
class TypeDeclaration:
    """``type t a b;`` or ``type t a b = …;``."""

    at: int
    name: str
    parameters: tuple[str, ...] = ()
    synonym: Type | None = None
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Axiom:
    """``axiom e;``."""

    at: int
    condition: Expression
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """``function f(x : int) returns (int) { e }``, or without body; parameters without a name have the name ''."""

    at: int
    name: str
    parameters: tuple[Variable, ...]
    result: Type
    body: Expression | None = None
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Implementation:
    """A body, with the names that it has for parameters and results; ``end`` is the offset of its closing brace."""

    at: int
    name: str
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    body: Block
    end: int = 0
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """A signature with its contract, which speaks of ``parameters`` and ``results``.

    ``implementations`` have names of their own for both; a body right in the procedure is an implementation with the same
    variables. There may be none: then only the contract counts.
    """

    at: int
    name: str
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    requires: tuple[SpecClause, ...] = ()
    ensures: tuple[SpecClause, ...] = ()
    modifies: tuple[Name, ...] = ()
    implementations: tuple[Implementation, ...] = ()
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Declarations:
    """Everything in a file, in the order in which it stands there; ``loose`` are implementations outside of procedures."""

    types: tuple[TypeDeclaration, ...] = ()
    variables: tuple[Variable, ...] = ()  # globals and constants
    axioms: tuple[Axiom, ...] = ()
    functions: tuple[Function, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    loose: tuple[Implementation, ...] = ()
