"""Statements: sorts of conditions and assignments, calls, labels, loops, and that only what ``modifies`` lists is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lemmata.frontends.boogie.check.expressions import ExpressionChecker
from lemmata.frontends.boogie.check.names import NameScope, counted
from lemmata.frontends.boogie.check.types import type_text
from lemmata.frontends.programs.assumptions import is_assumption, strengthens
from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    Assert,
    Assign,
    Assume,
    Block,
    Break,
    Call,
    Goto,
    Havoc,
    If,
    Label,
    Name,
    Procedure,
    Return,
    Statement,
    While,
    blocks,
)
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class _Around:
    """An ``if`` or ``while``, the labels right before it, and what is around it."""

    labels: frozenset[str]
    is_in_loop: bool
    outer: _Around | None


_NOTHING = _Around(frozenset(), False, None)


class StatementChecker:
    """Checks one body after the other."""

    def __init__(self, source: SourceText, expressions: ExpressionChecker, procedures: Mapping[str, Procedure]) -> None:
        self._source = source
        self._expressions = expressions
        self._procedures = procedures
        self._scope = NameScope("", {})
        self._changed: frozenset[str] = frozenset()
        self._name = ""

    def check(self, procedure: Procedure, body: Block, scope: NameScope) -> None:
        """All statements of a body of ``procedure``."""
        self._scope = scope
        self._changed = frozenset([name.text for name in procedure.modifies])
        self._name = procedure.name
        labels = self._labels(body)
        for statement, around in _walk(body):
            match statement:
                case Goto(_, targets):
                    for label, at in targets:
                        if label not in labels:
                            raise self._source.error(at, f"there is no label '{label}' in '{self._name}'")
                case Break():
                    self._break(statement, around)
                case Label() | Return():
                    pass
                case _:
                    self._statement(statement)

    def _labels(self, body: Block) -> set[str]:
        first: dict[str, int] = {}
        for statement, _ in _walk(body):
            if isinstance(statement, Label) and first.setdefault(statement.name, statement.at) != statement.at:
                line = self._source.line(first[statement.name])
                raise self._source.error(
                    statement.at, f"the label '{statement.name}' is declared twice", f"first in line {line}"
                )
        return set(first)

    def _break(self, statement: Break, around: _Around) -> None:
        label = statement.label
        if label is None:
            if not around.is_in_loop:
                raise self._source.error(statement.at, "'break' outside of a loop")
            return
        outer: _Around | None = around
        while outer is not None and label not in outer.labels:
            outer = outer.outer
        if outer is None:
            raise self._source.error(statement.at, f"there is no loop '{label}' around this 'break'")

    def _statement(self, statement: Statement) -> None:
        expect = self._expressions.expect
        match statement:
            case Assert(_, condition) | Assume(_, condition):
                expect(condition, BOOL_TYPE, self._scope, "the condition")
            case Assign():
                self._assign(statement)
            case Havoc(_, targets):
                for target in targets:
                    self._change((target,))
            case Call():
                self._call(statement)
            case If(_, condition) if condition is not None:
                expect(condition, BOOL_TYPE, self._scope, "the condition")
            case While(_, condition, invariants):
                if condition is not None:
                    expect(condition, BOOL_TYPE, self._scope, "the condition")
                for invariant in invariants:
                    expect(invariant.condition, BOOL_TYPE, self._scope, "the invariant")

    def _assign(self, statement: Assign) -> None:
        self._change(statement.targets)
        for target, value in zip(statement.targets, statement.values, strict=True):
            wanted = self._expressions.types[self._expressions.names[target]]
            self._expressions.expect(value, wanted, self._scope, f"the value for '{target.text}'")
            if is_assumption(self._expressions.names[target]) and not strengthens(target, value):
                cause = f"the assumption variable '{target.text}' can only get stronger"
                raise self._source.error(target.at, cause, f"write '{target.text} := {target.text} && …'")

    def _change(self, targets: tuple[Name, ...]) -> None:
        """These variables get new values."""
        seen: set[str] = set()
        for target in targets:
            variable = self._expressions.name(target, self._scope)
            if target.text in seen:
                raise self._source.error(target.at, f"'{target.text}' is changed twice at once")
            seen.add(target.text)
            if variable.kind in ("const", "parameter"):
                what = "constant" if variable.kind == "const" else "parameter"
                raise self._source.error(target.at, f"the {what} '{target.text}' cannot be changed")
            if variable.kind == "global":
                self._need_modifies(target.at, target.text)

    def _need_modifies(self, at: int, name: str) -> None:
        if name not in self._changed:
            cause = f"'{self._name}' changes the variable '{name}', which it does not list"
            raise self._source.error(at, cause, f"add 'modifies {name};'")

    def _call(self, call: Call) -> None:
        callee = self._procedures.get(call.procedure)
        if callee is None:
            raise self._source.error(call.at, f"there is no procedure '{call.procedure}'")
        if len(call.arguments) != len(callee.parameters):
            wanted = counted(len(callee.parameters), "argument")
            raise self._source.error(call.at, f"'{callee.name}' takes {wanted}, not {len(call.arguments)}")
        if len(call.results) != len(callee.results):
            wanted = counted(len(callee.results), "result")
            raise self._source.error(call.at, f"'{callee.name}' gives {wanted}, not {len(call.results)}")
        types = self._expressions.types
        for argument, parameter in zip(call.arguments, callee.parameters, strict=True):
            self._expressions.expect(argument, types[parameter], self._scope, f"the argument for '{parameter.name}'")
        self._change(call.results)
        for target, result in zip(call.results, callee.results, strict=True):
            variable = self._expressions.names[target]
            if is_assumption(variable):
                raise self._source.error(target.at, f"the assumption variable '{target.text}' cannot take a result")
            found, given = types[variable], types[result]
            if found != given:
                cause = f"the result '{result.name}' has type {type_text(given)}, but '{target.text}' has {type_text(found)}"
                raise self._source.error(target.at, cause)
        for name in callee.modifies:
            if name.text not in self._changed:
                cause = f"'{self._name}' calls '{callee.name}', which changes '{name.text}'"
                raise self._source.error(call.at, cause, f"add 'modifies {name.text};' to '{self._name}'")


def _walk(body: Block) -> Iterator[tuple[Statement, _Around]]:
    """All statements in the order of the text, each with what is around it."""
    stack = [(iter(body), _NOTHING)]
    labels: list[str] = []
    while stack:
        statements, around = stack[-1]
        statement = next(statements, None)
        if statement is None:
            stack.pop()
            labels = []
            continue
        yield statement, around
        if isinstance(statement, Label):
            labels.append(statement.name)
            continue
        inner = _Around(frozenset(labels), around.is_in_loop or isinstance(statement, While), around)
        stack += [(iter(block), inner) for block in reversed(blocks(statement))]
        labels = []
