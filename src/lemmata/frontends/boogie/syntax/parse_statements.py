"""Statements. Blocks that are still open are on a stack, so that depth is no matter, nor the length of ``else if`` chains."""

from __future__ import annotations

from dataclasses import field

from lemmata.frontends.boogie.check.names import counted
from lemmata.frontends.boogie.syntax.attributes import refuse_meanings
from lemmata.frontends.boogie.syntax.cursor import Cursor
from lemmata.frontends.boogie.syntax.parse_expressions import ExpressionParser
from lemmata.frontends.programs.tree import (
    Assert,
    Assign,
    Assume,
    Block,
    Break,
    Call,
    Expression,
    Field,
    Goto,
    Havoc,
    If,
    Label,
    Name,
    Return,
    Select,
    SpecClause,
    Statement,
    Store,
    While,
    WithField,
)
from lemmata.values import dataclass

_THREADS = frozenset({"fork", "join", "atomic", "async", "par", "yield"})


@dataclass(slots=True)
class _Open:
    """An ``if`` or ``while`` whose block is being read into ``statements``."""

    at: int
    kind: str
    condition: Expression | None = None
    invariants: tuple[SpecClause, ...] = ()
    then: Block | None = None  # when its else part is being read
    is_chained: bool = False  # as the ``if`` of an ``else if``
    statements: list[Statement] = field(default_factory=list)


class StatementParser:
    """Reads blocks at a cursor."""

    def __init__(self, cursor: Cursor, expressions: ExpressionParser) -> None:
        self._cursor = cursor
        self._expressions = expressions
        self._open: list[_Open] = []

    def block(self) -> tuple[Block, int]:
        """The statements up to the closing brace (the opening one is read already), and the offset of that brace."""
        cursor = self._cursor
        outermost = _Open(cursor.at, "body")
        self._open = [outermost]
        while True:
            match cursor.kind:
                case "}":
                    end = cursor.at
                    cursor.skip()
                    if len(self._open) == 1:
                        return tuple(outermost.statements), end
                    self._close(end)
                case "if":
                    self._begin_if(is_chained=False)
                case "while":
                    self._begin_while()
                case _:
                    self._open[-1].statements.append(self._simple())

    # Structure

    def _begin_if(self, is_chained: bool) -> None:
        at = self._cursor.expect("if")
        self._open.append(_Open(at, "if", self._condition(), is_chained=is_chained))
        self._cursor.expect("{")

    def _begin_while(self) -> None:
        cursor = self._cursor
        at = cursor.expect("while")
        condition = self._condition()
        invariants: list[SpecClause] = []
        while cursor.kind in ("invariant", "free"):
            invariants.append(self._invariant())
        self._open.append(_Open(at, "while", condition, tuple(invariants)))
        cursor.expect("{")

    def _invariant(self) -> SpecClause:
        cursor, at = self._cursor, self._cursor.at
        is_free = cursor.skip_if("free")
        cursor.expect("invariant")
        attributes = self._expressions.attributes()
        condition = self._expressions.expression()
        cursor.expect(";")
        return SpecClause(at, condition, is_free, attributes)

    def _condition(self) -> Expression | None:
        cursor = self._cursor
        cursor.expect("(")
        condition = None if cursor.skip_if("*") else self._expressions.expression()
        cursor.expect(")")
        return condition

    def _close(self, end: int) -> None:
        """A closing brace of a block within the body."""
        done = self._open[-1]
        if done.kind == "if" and done.then is None and self._cursor.skip_if("else"):
            done.then = tuple(done.statements)
            done.statements = []
            if self._cursor.kind == "if":
                self._begin_if(is_chained=True)
            else:
                self._cursor.expect("{")
            return
        while True:
            done = self._open.pop()
            self._open[-1].statements.append(_finished(done, end))
            if not done.is_chained:
                return

    # One statement

    def _simple(self) -> Statement:
        cursor, at = self._cursor, self._cursor.at
        kind = cursor.kind
        if kind == "name":
            return self._named()
        if kind in _THREADS:
            raise cursor.source.unsupported(at, f"'{kind}' is not supported: there are no threads here")
        if kind == "var":
            raise cursor.source.error(at, "a variable is declared within statements", "declare it at the start of the body")
        statement = self._keyword(kind, at)
        cursor.expect(";")
        return statement

    def _keyword(self, kind: str, at: int) -> Statement:
        cursor = self._cursor
        match kind:
            case "assert" | "assume":
                cursor.skip()
                attributes = self._expressions.attributes()
                refuse_meanings("statement", attributes, cursor.source)
                condition = self._expressions.expression()
                return Assert(at, condition, attributes) if kind == "assert" else Assume(at, condition, attributes)
            case "havoc":
                cursor.skip()
                return Havoc(at, tuple(cursor.names("a variable")))
            case "goto":
                cursor.skip()
                return Goto(at, tuple([(label.text, label.at) for label in cursor.names("a label")]))
            case "break":
                cursor.skip()
                return Break(at, cursor.take() if cursor.kind == "name" else None)
            case "return":
                cursor.skip()
                if cursor.kind != ";":
                    raise cursor.source.error(cursor.at, "'return' takes no value", "assign to the results, then return")
                return Return(at)
            case "free" | "call":
                return self._call()
        raise cursor.unexpected("a statement")

    def _named(self) -> Statement:
        """A label or an assignment."""
        cursor = self._cursor
        name = cursor.name()
        if cursor.skip_if(":"):
            return Label(name.at, name.text)
        targets = [self._target(name)]
        while cursor.skip_if(","):
            targets.append(self._target(cursor.name("a variable")))
        at = cursor.expect(":=")
        values = [self._expressions.expression()]
        while cursor.skip_if(","):
            values.append(self._expressions.expression())
        if len(values) != len(targets):
            raise cursor.source.error(at, f"{counted(len(targets), 'variable')} cannot take {counted(len(values), 'value')}")
        cursor.expect(";")
        return Assign(
            name.at,
            tuple([target for target, _ in targets]),
            tuple([_stored(path, value) for (_, path), value in zip(targets, values, strict=True)]),
        )

    def _target(self, name: Name) -> tuple[Name, list[Select | Field]]:
        """A variable, and the accesses to a part of it from the outermost to the innermost."""
        if self._cursor.kind not in ("[", "!"):
            return name, []
        accesses: list[Select | Field] = []
        part = self._expressions.expression(name)
        while part is not name:
            if not isinstance(part, Select | Field):
                raise self._cursor.source.error(name.at, "this cannot be assigned to", "expected x, m[i] or s!f")
            accesses.append(part)
            part = part.map if isinstance(part, Select) else part.struct
        return name, accesses

    def _call(self) -> Call:
        cursor, at = self._cursor, self._cursor.at
        is_free = cursor.skip_if("free")
        cursor.expect("call")
        if cursor.kind == "forall":
            raise cursor.source.unsupported(at, "'call forall' is not supported")
        attributes = self._expressions.attributes()
        results: tuple[Name, ...] = ()
        name = cursor.name("a procedure")
        if cursor.kind in (",", ":="):
            results = (name, *(cursor.names("a variable") if cursor.skip_if(",") else ()))
            cursor.expect(":=")
            name = cursor.name("a procedure")
        cursor.expect("(")
        arguments = cursor.listed(")", self._expressions.expression)
        return Call(at, results, name.text, tuple(arguments), is_free, attributes)


def _finished(done: _Open, end: int) -> Statement:
    if done.kind == "while":
        return While(done.at, done.condition, done.invariants, tuple(done.statements), end)
    if done.then is None:
        return If(done.at, done.condition, tuple(done.statements), ())
    return If(done.at, done.condition, done.then, tuple(done.statements))


def _stored(accesses: list[Select | Field], value: Expression) -> Expression:
    """``m[i][j] := v`` gives ``m`` the value ``m[i := m[i][j := v]]``."""
    for access in accesses:
        if isinstance(access, Select):
            value = Store(access.at, access.map, access.indices, value)
        else:
            value = WithField(access.at, access.struct, access.name, value)
    return value
