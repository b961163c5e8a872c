"""``check_program``: names, types and contracts of a whole file; what passes has no errors left for later stages to find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.config import DialectName
from lemmata.frontends.boogie.check.definitions import check_definitions
from lemmata.frontends.boogie.check.expressions import ExpressionChecker
from lemmata.frontends.boogie.check.names import NameScope, by_name, counted
from lemmata.frontends.boogie.check.statements import StatementChecker
from lemmata.frontends.boogie.check.types import TypeTable, type_text
from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    Declarations,
    Implementation,
    Procedure,
    Variable,
)

ULTIMATE = "ULTIMATE.start"  # who has this procedure is written in Ultimate's dialect, unless one is named


def check_program(source: SourceText, declarations: Declarations, dialect: DialectName | None = None) -> CheckedProgram:
    """The program, or an ``InputError`` at the first thing that is wrong with it."""
    return _Checker(source, declarations, dialect).program()


class _Checker:
    """The tables of one file."""

    def __init__(self, source: SourceText, declarations: Declarations, dialect: DialectName | None) -> None:
        self._source = source
        self._declarations = declarations
        self._table = table = TypeTable(source, declarations.types)
        self._globals = by_name(source, "name", declarations.variables)
        self._functions = by_name(source, "function", declarations.functions)
        self._procedures = by_name(source, "procedure", declarations.procedures)
        is_ultimate = ULTIMATE in self._procedures if dialect is None else dialect == "ultimate"
        self._expressions = ExpressionChecker(source, table, self._functions, is_ultimate)
        self._statements = StatementChecker(source, self._expressions, self._procedures)
        self._constants = NameScope("an axiom", self._globals, has_globals=False)
        self._states = NameScope("a where clause", self._globals)

    def program(self) -> CheckedProgram:
        """Check everything: declarations first, since they may follow their uses."""
        self._attach_loose()
        self._declare_all()
        for axiom in self._declarations.axioms:
            self._expressions.expect(axiom.condition, BOOL_TYPE, self._constants, "the axiom")
        self._check_functions()
        self._check_where(tuple(self._globals.values()), self._states)
        for procedure in self._procedures.values():
            self._check_contract(procedure)
            for implementation in procedure.implementations:
                self._check_body(procedure, implementation)
        return CheckedProgram(
            self._source,
            {name: variable for name, variable in self._globals.items() if variable.kind == "global"},
            {name: variable for name, variable in self._globals.items() if variable.kind == "const"},
            self._declarations.axioms,
            self._functions,
            self._procedures,
            self._expressions.types,
            self._expressions.names,
            self._table.has_structs,
        )

    def _attach_loose(self) -> None:
        """Implementations belong to their procedures, which may stand before or after them."""
        for loose in self._declarations.loose:
            procedure = self._procedures.get(loose.name)
            if procedure is None:
                raise self._source.error(loose.at, f"there is no procedure '{loose.name}' for this implementation")
            bodies = (*procedure.implementations, loose)
            self._procedures[loose.name] = replace(procedure, implementations=bodies)

    def _declare_all(self) -> None:
        declare = self._expressions.declare
        for variable in self._globals.values():
            declare(variable)
        for function in self._functions.values():
            for parameter in function.parameters:
                declare(parameter)
            self._expressions.declare_result(function)
        for procedure in self._procedures.values():
            for variable in (*procedure.parameters, *procedure.results):
                declare(variable)
            for body in procedure.implementations:
                for variable in (*body.parameters, *body.results, *body.variables):
                    declare(variable)
                self._compare_signatures(procedure, body)

    def _check_functions(self) -> None:
        for function in self._functions.values():
            scope = self._constants.inside(self._source, "a function", function.parameters)
            if function.body is not None:
                wanted = self._expressions.types[function]
                self._expressions.expect(function.body, wanted, scope, f"the body of '{function.name}'")
        check_definitions(self._source, self._functions)

    def _check_where(self, variables: Sequence[Variable], scope: NameScope) -> None:
        for variable in variables:
            if variable.where is not None:
                self._expressions.expect(variable.where, BOOL_TYPE, scope, "the where clause")

    def _check_contract(self, procedure: Procedure) -> None:
        source = self._source
        before = self._states.inside(source, "a precondition", procedure.parameters)
        both = (*procedure.parameters, *procedure.results)
        self._check_where(procedure.parameters, self._states.inside(source, "a where clause", procedure.parameters))
        self._check_where(procedure.results, self._states.inside(source, "a where clause", both))
        for clause in procedure.requires:
            self._expressions.expect(clause.condition, BOOL_TYPE, before, "the precondition")
        after = self._states.inside(source, "a postcondition", both, has_old=True)
        for clause in procedure.ensures:
            self._expressions.expect(clause.condition, BOOL_TYPE, after, "the postcondition")
        for name in procedure.modifies:
            if self._expressions.name(name, self._states).kind != "global":
                raise source.error(name.at, f"the constant '{name.text}' cannot be changed")

    def _check_body(self, procedure: Procedure, body: Implementation) -> None:
        names = (*body.parameters, *body.results, *body.variables)
        scope = self._states.inside(self._source, "a body", names, has_old=True)
        self._check_where(body.variables, self._states.inside(self._source, "a where clause", names))
        self._statements.check(procedure, body.body, scope)

    def _compare_signatures(self, procedure: Procedure, body: Implementation) -> None:
        self._compare("parameter", procedure, procedure.parameters, body, body.parameters)
        self._compare("result", procedure, procedure.results, body, body.results)

    def _compare(
        self,
        what: str,
        procedure: Procedure,
        wanted: Sequence[Variable],
        body: Implementation,
        found: Sequence[Variable],
    ) -> None:
        types = self._expressions.types
        if len(wanted) != len(found):
            cause = f"the procedure '{procedure.name}' has {counted(len(wanted), what)}, its implementation {len(found)}"
            raise self._source.error(body.at, cause)
        for want, have in zip(wanted, found, strict=True):
            if types[want] != types[have]:
                cause = f"the {what} '{have.name}' has type {type_text(types[have])}, in the procedure {type_text(types[want])}"
                raise self._source.error(have.at, cause)
            if have is not want and have.where is not None:
                raise self._source.error(have.at, "a where clause belongs to the procedure, not to its implementation")
