"""``Program``: a Boogie program whose names and sorts are in order, with a table of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lemmata.frontends.boogie.source import SourceText
from lemmata.frontends.boogie.syntax import Axiom, Expression, Function, Name, Procedure, Type, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """All declarations by name, each table in the order of the file."""

    text: SourceText
    variables: Mapping[str, Variable]  # globals
    constants: Mapping[str, Variable]
    axioms: tuple[Axiom, ...]
    functions: Mapping[str, Function]
    procedures: Mapping[str, Procedure]  # with all their implementations
    types: Mapping[Expression, Type]
    names: Mapping[Name, Variable]

    def type_of(self, expression: Expression) -> Type:
        """The type of an expression, synonyms expanded."""
        return self.types[expression]

    def variable_of(self, name: Name) -> Variable:
        """What a name in an expression or a target of an assignment, ``havoc``, ``call`` or ``modifies`` stands for."""
        return self.names[name]
