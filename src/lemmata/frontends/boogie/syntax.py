"""The syntax of Boogie programs as values: types, expressions, statements, declarations.

Every node has ``at``, its offset in the text; ``SourceText`` turns it into line and column. Nodes are equal when they are the
same object, so tables may be keyed by them and depth is no matter; only types are compared by what they say. Nothing may walk
an expression or a block by recursion: both are nested as deep as the file likes (``parts`` gives the expressions right below
one, ``blocks`` the blocks right below a statement).

What a reader of a *checked* program (``checked.Program``) can rely on: names are declared, sorts fit, and there are no structs
any more (``structs`` makes a variable of each field).
"""

from __future__ import annotations

from dataclasses import dataclass

from lemmata.frontends.boogie.syntax_expressions import (
    Apply,
    Attribute,
    Attributes,
    Binary,
    Conditional,
    Convert,
    Expression,
    Extract,
    Field,
    Literal,
    Name,
    Old,
    Quantified,
    Select,
    Store,
    StructValue,
    Unary,
    Variable,
    WithField,
    below,
    parts,
)
from lemmata.frontends.boogie.syntax_statements import (
    Assert,
    Assign,
    Assume,
    Block,
    Break,
    Call,
    Clause,
    Goto,
    Havoc,
    If,
    Label,
    Return,
    Statement,
    While,
    blocks,
)
from lemmata.frontends.boogie.syntax_types import (
    BOOL,
    INT,
    REAL,
    BitVecType,
    MapType,
    NamedType,
    PlainType,
    StructType,
    Type,
)

__all__ = [
    "BOOL",
    "INT",
    "REAL",
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
    "Clause",
    "Conditional",
    "Convert",
    "Declarations",
    "Expression",
    "Extract",
    "Field",
    "Function",
    "Goto",
    "Havoc",
    "If",
    "Implementation",
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
    requires: tuple[Clause, ...] = ()
    ensures: tuple[Clause, ...] = ()
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
