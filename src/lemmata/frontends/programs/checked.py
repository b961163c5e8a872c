"""``CheckedProgram``: a Boogie program whose names and sorts are in order, with a table of both."""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.frontends.programs.sorts import sort_of_type
from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.spelling import Spelling
from lemmata.frontends.programs.tree import Axiom, Expression, Function, Name, Procedure, Type, Variable
from lemmata.logic.sorts import Sort
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class CheckedProgram:
    """All declarations by name, each table in the order of the file.

    ``Variable.type`` and ``Function.result`` are as the file writes them; ``type_of`` gives them without synonyms.
    """

    text: SourceText
    variables: Mapping[str, Variable]  # globals
    constants: Mapping[str, Variable]
    axioms: tuple[Axiom, ...]
    functions: Mapping[str, Function]
    procedures: Mapping[str, Procedure]  # with all their implementations
    types: Mapping[Expression | Variable | Function, Type]
    names: Mapping[Name, Variable]
    has_structs: bool = False
    spelling: Spelling | None = None  # of a source that answers are told in

    def type_of(self, node: Expression | Variable | Function) -> Type:
        """The type of an expression, a variable, or the result of a function, synonyms expanded."""
        return self.types[node]

    def sort_of(self, node: Expression | Variable | Function) -> Sort:
        """The same as a sort: maps are nested arrays, types without a meaning are Int."""
        return sort_of_type(self.types[node])

    def sort_of_type(self, kind: Type) -> Sort:
        """The sort of a type that stands in the tree."""
        return sort_of_type(kind)

    def variable_of(self, name: Name) -> Variable:
        """What a name in an expression or a target of an assignment, ``havoc``, ``call`` or ``modifies`` stands for."""
        return self.names[name]
