"""Statements become edges: a location before each of them, an edge for each way through it.

The walk keeps its own stack, since blocks are nested as deep as the file likes; copies of called bodies go onto the same stack.
An assertion has an edge to its error, where it fails, and one that goes on, where it holds. A loop's head is one location; its
invariants are asserted there at every visit, or assumed if they are free. ``goto`` and ``break`` are edges to where they lead.
"""

from __future__ import annotations

from typing import assert_never

from lemmata.frontends.programs.translate.activations import Activation, Assertions
from lemmata.frontends.programs.translate.calls import Calls
from lemmata.frontends.programs.translate.context import TranslationContext
from lemmata.frontends.programs.translate.draft import Draft, VariableScope
from lemmata.frontends.programs.translate.effects import statements
from lemmata.frontends.programs.translate.procedures import Procedures
from lemmata.frontends.programs.tree import (
    Assert,
    Assign,
    Assume,
    Block,
    Break,
    Call,
    Expression,
    Goto,
    Havoc,
    If,
    Implementation,
    Inexact,
    Label,
    Return,
    SpecClause,
    Statement,
    While,
)
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Exits:
    """Where ``break`` leads: out of a loop, or of the statement after a label; ``outer`` are the statements around it."""

    labels: frozenset[str]
    is_loop: bool
    place: int
    outer: Exits | None

    def target(self, label: str | None) -> int:
        """Where a ``break`` goes on."""
        exits: Exits | None = self
        while exits is not None:
            if exits.is_loop if label is None else label in exits.labels:
                return exits.place
            exits = exits.outer
        raise AssertionError("a break leads nowhere")


@dataclass(frozen=True, slots=True)
class _Rest:
    """The statements of a block from ``position`` on; what comes after them is at ``end``."""

    activation: Activation
    block: Block
    position: int
    start: int
    end: int
    exits: Exits | None


class Statements:
    """Translates bodies."""

    def __init__(self, context: TranslationContext) -> None:
        self._context = context
        self._builder = context.builder
        self._stack: list[_Rest] = []
        self._label_offsets: dict[Implementation, dict[str, int]] = {}
        self.procedures = Procedures(context, self._begin)
        self._calls = Calls(context, self.procedures)

    def _begin(self, activation: Activation, first: int) -> None:
        body = activation.implementation.body
        self._stack.append(_Rest(activation, body, 0, first, activation.end, None))

    def run(self) -> None:
        """Translate all bodies that were begun, and those that they call."""
        while self._stack:
            self._go_on(self._stack.pop())

    def _go_on(self, rest: _Rest) -> None:
        """One statement; the others wait on the stack, below what is inside of it."""
        if rest.position == len(rest.block):
            at = rest.block[-1].at if rest.block else rest.activation.implementation.end
            self._skip(rest.activation, rest.start, rest.end, at)
            return
        statement, after = rest.block[rest.position], rest.position + 1
        if isinstance(statement, Label):
            self._push(rest, self._label(rest.activation, statement, rest.start))
        elif after == len(rest.block):
            self._statement(rest, statement, rest.end)
        else:
            target = self._before(rest.activation, rest.block[after])
            self._push(rest, target)
            self._statement(rest, statement, target)

    def _push(self, rest: _Rest, start: int) -> None:
        self._stack.append(_Rest(rest.activation, rest.block, rest.position + 1, start, rest.end, rest.exits))

    def _skip(self, activation: Activation, source: int, target: int, at: int) -> None:
        self._builder.step(source, target, Draft(activation.variables), at)

    def _label(self, activation: Activation, label: Label, here: int) -> int:
        """The location of a label, which is this one unless a ``goto`` has made it already."""
        place = activation.labels.setdefault(label.name, here)
        if place != here:
            self._skip(activation, here, place, label.at)
        if label.is_loop:
            self._builder.tell_loop(place, label.at)
        return place

    def _before(self, activation: Activation, statement: Statement) -> int:
        """The location before a statement; that of a label is the one that ``goto`` leads to."""
        if isinstance(statement, Label):
            return self._labelled(activation, statement.name)
        return self._builder.place(activation.path, statement.at, activation.variables)

    def _labelled(self, activation: Activation, name: str) -> int:
        if name not in activation.labels:
            at = self._offsets(activation.implementation)[name]
            activation.labels[name] = self._builder.place(activation.path, at, activation.variables)
        return activation.labels[name]

    def _offsets(self, body: Implementation) -> dict[str, int]:
        """Where the labels of a body are."""
        if body not in self._label_offsets:
            labels = [statement for statement in statements(body.body) if isinstance(statement, Label)]
            self._label_offsets[body] = {label.name: label.at for label in labels}
        return self._label_offsets[body]

    def _statement(self, rest: _Rest, statement: Statement, target: int) -> None:
        activation, source = rest.activation, rest.start
        match statement:
            case Assert() | Assume():
                self._condition(activation, statement, source, target)
            case Inexact(at):
                draft = Draft(activation.variables)
                draft.is_exact = False
                self._builder.step(source, target, draft, at)
            case Havoc() | Assign():
                self._change(activation, statement, source, target)
            case Call():
                self._calls.call(activation, statement, source, target)
            case Goto(at, labels):
                for name, _ in labels:
                    self._skip(activation, source, self._labelled(activation, name), at)
            case If():
                self._if(rest, statement, target)
            case While():
                self._while(rest, statement, target)
            case Break(at, label):
                assert rest.exits is not None
                self._skip(activation, source, rest.exits.target(label), at)
            case Return(at):
                self._skip(activation, source, activation.end, at)
            case Label():
                raise AssertionError("a label is no step")
            case _:
                assert_never(statement)

    def _condition(self, activation: Activation, statement: Assert | Assume, source: int, target: int) -> None:
        context, at = self._context, statement.at
        if isinstance(statement, Assert) and activation.assertions is Assertions.IGNORED:
            self._skip(activation, source, target, at)
            return
        if isinstance(statement, Assert) and activation.assertions is Assertions.CHECKED:
            clauses = (SpecClause(at, statement.condition),)
            name = f"{statement.what} at line {self._builder.line(at)}"
            context.assert_all(clauses, source, lambda _: activation.scope, lambda _: ((at, statement.number), name))
        self._guarded(activation, (), statement.condition, True, (source, target, at))

    def _guarded(
        self,
        activation: Activation,
        clauses: tuple[SpecClause, ...],
        condition: Expression | None,
        wanted: bool,
        way: tuple[int, int, int],
    ) -> None:
        """An edge for a condition that is as wanted; ``None`` is a free choice. The clauses hold before."""
        draft = Draft(activation.variables)
        self._context.assume_all(clauses, activation.scope, draft)
        if condition is not None:
            expressions = self._context.expressions
            assume = expressions.holds if wanted else expressions.fails
            draft.assume(assume(condition, activation.scope, draft))
        source, target, at = way
        self._builder.step(source, target, draft, at)

    def _change(self, activation: Activation, statement: Havoc | Assign, source: int, target: int) -> None:
        context, draft, now = self._context, Draft(activation.variables), activation.scope.now
        variables = [context.program.variable_of(name) for name in statement.targets]
        if isinstance(statement, Assign):
            values = [context.expressions.value(value, activation.scope, draft) for value in statement.values]
            new = dict(zip(variables, values, strict=True))
        else:
            new = context.havocked(list(dict.fromkeys(variables)), now, draft)
            context.assume_where(list(new), VariableScope({**now, **new}, activation.scope.before), draft)
            context.assume_where(*activation.promised(new), draft)
            if statement.such_that is not None:
                scope = VariableScope({**now, **new}, activation.scope.before)
                draft.assume(context.expressions.holds(statement.such_that, scope, draft))
        changes = {now[variable]: value for variable, value in new.items()}
        choices = [(new[choice.variable], choice) for choice in statement.choices] if isinstance(statement, Havoc) else []
        self._builder.step(source, target, draft, statement.at, changes, choices)

    def _if(self, rest: _Rest, statement: If, target: int) -> None:
        exits = self._exits(rest, target, is_loop=False)
        for block, wanted in ((statement.otherwise, False), (statement.then, True)):
            first = self._inside(rest.activation, block, target, exits)
            self._guarded(rest.activation, (), statement.condition, wanted, (rest.start, first, statement.at))

    def _while(self, rest: _Rest, statement: While, target: int) -> None:
        activation, head, invariants = rest.activation, rest.start, statement.invariants
        if activation.assertions is Assertions.IGNORED:
            invariants = tuple([clause for clause in invariants if clause.is_free])
        if activation.assertions is Assertions.CHECKED:
            line = self._builder.line
            self._context.assert_all(
                invariants,
                head,
                lambda _: activation.scope,
                lambda clause: ((clause.at, 0), f"invariant at line {line(clause.at)}"),
            )
        first = self._inside(activation, statement.body, head, self._exits(rest, target, is_loop=True))
        for place, wanted in ((first, True), (target, False)):
            way = (head, place, statement.at)
            self._guarded(activation, invariants, statement.condition, wanted, way)

    def _inside(self, activation: Activation, block: Block, end: int, exits: Exits) -> int:
        """Where a block starts; one without statements is passed over."""
        if not block:
            return end
        first = self._builder.place(activation.path, block[0].at, activation.variables)
        self._stack.append(_Rest(activation, block, 0, first, end, exits))
        return first

    def _exits(self, rest: _Rest, place: int, is_loop: bool) -> Exits:
        """With the labels right before the statement."""
        labels: list[str] = []
        for position in range(rest.position - 1, -1, -1):
            statement = rest.block[position]
            if not isinstance(statement, Label):
                break
            labels.append(statement.name)
        return Exits(frozenset(labels), is_loop, place, rest.exits)
