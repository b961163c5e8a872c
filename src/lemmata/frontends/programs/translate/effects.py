"""What procedures do to the rest of the program: which symbols they need, which globals they change, whom they call.

``needs`` are globals, constants and tables that a procedure, or one that it calls, speaks of, and globals that a ``where``
clause ties to these; ``changes`` the globals that it may assign. Both are the least sets that fit, so ``changes`` is within
what ``modifies`` allows. A procedure without body changes what it ``modifies``. ``looks_back`` are the globals that its own
body or contract reads below ``old``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.functions import Functions
from lemmata.frontends.programs.tree import (
    Apply,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Expression,
    Havoc,
    If,
    Name,
    Old,
    Procedure,
    Statement,
    Variable,
    While,
    below,
    blocks,
    parts,
)
from lemmata.logic.terms import Term
from lemmata.values import dataclass

Symbols = dict[Variable | Term, None]  # an ordered set: globals are variables, constants and tables are terms


@dataclass(slots=True)
class Effects:
    """Of one procedure."""

    needs: Symbols = field(default_factory=dict)
    changes: dict[Variable, None] = field(default_factory=dict)
    looks_back: dict[Variable, None] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)  # one per call
    size: int = 0  # statements


def statements(body: Block) -> Iterator[Statement]:
    """All statements, also those in other statements."""
    stack = list(reversed(body))
    while stack:
        yield (top := stack.pop())
        for block in reversed(blocks(top)):
            stack += reversed(block)


def expressions(statement: Statement) -> tuple[Expression, ...]:
    """The expressions right in a statement."""
    match statement:
        case Assert(_, condition) | Assume(_, condition):
            return (condition,)
        case Assign(_, _, values):
            return values
        case Havoc(_, _, such_that) if such_that is not None:
            return (such_that,)
        case Call(arguments=arguments):
            return arguments
        case If(_, condition) if condition is not None:
            return (condition,)
        case While(_, condition, invariants):
            given = (condition,) if condition is not None else ()
            return (*given, *(clause.condition for clause in invariants))
    return ()


def targets(statement: Statement) -> tuple[Name, ...]:
    """The variables that a statement changes itself."""
    match statement:
        case Assign(_, names) | Havoc(_, names) | Call(_, names):
            return names
    return ()


def effects_of(program: CheckedProgram, functions: Functions) -> dict[str, Effects]:
    """The effects of all procedures, by name."""
    ties = _Ties(program)
    effects = {name: _Own(program, functions, procedure, ties).effects for name, procedure in program.procedures.items()}
    callers: dict[str, list[str]] = {name: [] for name in effects}
    for name, own in effects.items():
        for callee in dict.fromkeys(own.calls):
            callers[callee].append(name)
    waiting = dict.fromkeys(effects)
    while waiting:
        name = next(iter(waiting))
        del waiting[name]
        for caller in callers[name]:
            if _join(effects[caller], effects[name]):
                waiting[caller] = None
    return effects


def _join(caller: Effects, callee: Effects) -> bool:
    """Add what the callee does; has that changed anything?"""
    size = len(caller.needs) + len(caller.changes)
    caller.needs |= callee.needs
    caller.changes |= callee.changes
    return len(caller.needs) + len(caller.changes) > size


class _Ties:
    """Globals that a ``where`` clause ties together: what it says of one of them, it says of the others."""

    def __init__(self, program: CheckedProgram) -> None:
        self._beside: dict[Variable, dict[Variable, None]] = {v: {} for v in program.variables.values()}
        for variable in program.variables.values():
            for expression in below(variable.where) if variable.where is not None else ():
                if isinstance(expression, Name) and (other := program.variable_of(expression)) in self._beside:
                    self._beside[variable][other] = self._beside[other][variable] = None

    def of(self, variable: Variable) -> Sequence[Variable]:
        """The variable, and those that it is tied to, perhaps through others."""
        found = {variable: None}
        order = [variable]
        for member in order:
            order += [other for other in self._beside[member] if other not in found]
            found |= dict.fromkeys(order)
        return list(found)


class _Own:
    """What stands in one procedure itself."""

    def __init__(self, program: CheckedProgram, functions: Functions, procedure: Procedure, ties: _Ties) -> None:
        self._program = program
        self._functions = functions
        self._ties = ties
        self.effects = Effects()
        self._contract(procedure)
        for implementation in procedure.implementations:
            self._wheres((*implementation.parameters, *implementation.results, *implementation.variables))
            for statement in statements(implementation.body):
                self._statement(statement)
        if not procedure.implementations:
            self._change(procedure.modifies)

    def _contract(self, procedure: Procedure) -> None:
        self._wheres((*procedure.parameters, *procedure.results))
        for clause in (*procedure.requires, *procedure.ensures):
            self._expression(clause.condition)

    def _statement(self, statement: Statement) -> None:
        self.effects.size += 1
        for expression in expressions(statement):
            self._expression(expression)
        self._change(targets(statement))
        if isinstance(statement, Call):
            self.effects.calls.append(statement.procedure)

    def _change(self, names: Iterable[Name]) -> None:
        for name in names:
            variable = self._program.variable_of(name)
            if variable.kind == "global":
                self._need(variable)
                self.effects.changes[variable] = None

    def _need(self, variable: Variable) -> None:
        """A global, and all that ``where`` clauses tie it to."""
        if variable not in self.effects.needs:
            tied = self._ties.of(variable)
            self.effects.needs |= dict.fromkeys(tied)
            self._wheres(tied)

    def _wheres(self, variables: Sequence[Variable]) -> None:
        for variable in variables:
            if variable.where is not None:
                self._expression(variable.where)

    def _expression(self, root: Expression) -> None:
        stack = [(root, False)]
        while stack:
            expression, is_old = stack.pop()
            match expression:
                case Name():
                    self._named(self._program.variable_of(expression), is_old)
                case Apply(_, name):
                    self.effects.needs |= self._functions.needs(name)
                    stack += [(argument, is_old) for argument in expression.arguments]
                case Old(_, argument):
                    stack.append((argument, True))
                case _:
                    stack += [(part, is_old) for part in parts(expression)]

    def _named(self, variable: Variable, is_old: bool) -> None:
        match variable.kind:
            case "global":
                self._need(variable)
                if is_old:
                    self.effects.looks_back[variable] = None
            case "const":
                self.effects.needs[self._functions.constant(variable)] = None
