"""Expressions: operator precedence with a stack of its own, so that depth is no matter.

Operators that wait for their right side are on a list, weakest first. An opening word (a parenthesis, ``old(``, ``if`` …) sets
that list aside and leaves a ``Bracket``, which is asked when the expression inside of it ends: ``accept`` reads the word after
the expression and gives a new operand, or ``None`` when one more expression (the next argument, the ``then`` part) has to come.

Binding is that of Boogie 2 (Leino, "This is Boogie 2", 2008), from weak to strong: ``<==>``; ``==>`` (to the right) and
``<==``; ``&&`` and ``||``, which may not be mixed; comparisons, which may not follow each other; ``++``; ``+ -``;
``* / div mod %``; ``**`` (to the right); ``- !``; ``[…]``. So ``-a % 256`` is ``(-a) % 256``. Left out: lambda, the order of
constants ``<:``, code expressions, coercions ``e : t``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lemmata.frontends.boogie.syntax.cursor import Cursor, Item
from lemmata.frontends.boogie.syntax.lexer import KEYWORDS
from lemmata.frontends.boogie.syntax.literals import read_literal
from lemmata.frontends.boogie.syntax.parse_types import TypeParser
from lemmata.frontends.programs.tree import (
    Apply,
    Attribute,
    Binary,
    Conditional,
    Convert,
    Expression,
    Extract,
    Field,
    Name,
    Old,
    PlainType,
    Quantified,
    Select,
    Store,
    StructValue,
    TriggerPatterns,
    Unary,
    Variable,
)


class Bracket:
    """``outside`` are the operators that wait around it."""

    __slots__ = ("at", "outside")

    def __init__(self, at: int) -> None:
        self.at = at
        self.outside: list[Any] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """Take an expression, ``(e)`` as it is."""
        cursor.expect(")")
        return value


class Arguments(Bracket):
    """``f(e, …)``."""

    __slots__ = ("_function", "_values")

    def __init__(self, at: int, function: str) -> None:
        super().__init__(at)
        self._function = function
        self._values: list[Expression] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """One argument."""
        self._values.append(value)
        if cursor.skip_if(","):
            return None
        cursor.expect(")")
        return Apply(self.at, self._function, tuple(self._values))


class OldBracket(Bracket):
    """``old(e)``."""

    __slots__ = ()

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The argument."""
        cursor.expect(")")
        return Old(self.at, value)


class Converted(Bracket):
    """``int(e)``, ``real(e)``."""

    __slots__ = ("_type",)

    def __init__(self, at: int, kind: PlainType) -> None:
        super().__init__(at)
        self._type = kind

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The argument."""
        cursor.expect(")")
        return Convert(self.at, self._type, value)


class Branches(Bracket):
    """``if e then e else e``."""

    __slots__ = ("_values",)

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self._values: list[Expression] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The condition, then both branches."""
        self._values.append(value)
        if len(self._values) == 3:
            condition, then, otherwise = self._values
            return Conditional(self.at, condition, then, otherwise)
        cursor.expect("then" if len(self._values) == 1 else "else")
        return None


class _Index(Bracket):
    """``m[e, …]`` and ``m[e, … := e]``."""

    __slots__ = ("_indices", "_is_store", "_map")

    def __init__(self, at: int, mapping: Expression) -> None:
        super().__init__(at)
        self._map = mapping
        self._indices: list[Expression] = []
        self._is_store = False

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """An index, or the new value."""
        if self._is_store:
            cursor.expect("]")
            return Store(self.at, self._map, tuple(self._indices), value)
        self._indices.append(value)
        if cursor.skip_if(","):
            return None
        if cursor.skip_if(":="):
            self._is_store = True
            return None
        cursor.expect("]")
        return Select(self.at, self._map, tuple(self._indices))


class Quantifier(Bracket):
    """``(forall x : t :: e)``; the parentheses may be missing."""

    __slots__ = ("_quantifier", "_triggers", "_variables")

    def __init__(
        self, at: int, quantifier: str, variables: tuple[Variable, ...], triggers: tuple[TriggerPatterns, ...]
    ) -> None:
        super().__init__(at)
        self._quantifier = quantifier
        self._variables = variables
        self._triggers = triggers

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The body."""
        return Quantified(self.at, self._quantifier, self._variables, value, self._triggers)


class Struct(Bracket):
    """``{ field: e, … }``; the name of the first field is read by whoever opens this."""

    __slots__ = ("_fields", "_name")

    def __init__(self, at: int, name: str) -> None:
        super().__init__(at)
        self._name = name
        self._fields: list[tuple[str, Expression]] = []

    def accept(self, cursor: Cursor, value: Expression) -> Expression | None:
        """The value of one field."""
        self._fields.append((self._name, value))
        if cursor.skip_if(","):
            self._name = cursor.name("the name of a field").text
            cursor.expect(":")
            return None
        cursor.expect("}")
        return StructValue(self.at, tuple(self._fields))


_RANKS = {
    "<==>": 1,
    **dict.fromkeys(("==>", "<=="), 2),
    **dict.fromkeys(("&&", "||"), 3),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "<:"), 4),
    "++": 5,
    **dict.fromkeys(("+", "-"), 6),
    **dict.fromkeys(("*", "/", "div", "mod", "%"), 7),
    "**": 8,
}
_COMPARISON = 4
_UNARY = 9
_RIGHT = frozenset({"==>", "**"})  # a op b op c is a op (b op c)
_APART = frozenset({"==>", "<==", "&&", "||"})  # do not stand beside the other operator of their rank

Waiting = tuple[int, str, int, Expression | None]  # rank, operator, its offset, what stands to the left of it


class ExpressionParser:
    """Reads expressions and attributes at a cursor."""

    def __init__(self, cursor: Cursor, types: TypeParser) -> None:
        self._cursor = cursor
        self._types = types
        self._is_aside = False  # in a trigger or an attribute, where quantifiers are not supported

    def expression(self, first: Expression | None = None) -> Expression:
        """The longest expression from here, whose first operand may be read already."""
        cursor = self._cursor
        brackets: list[Bracket] = []
        waiting: list[Waiting] = []
        while True:
            found: Bracket | Expression | None = self._operand(waiting) if first is None else first
            first = None
            while found is not None and not isinstance(found, Bracket):
                kind = cursor.kind
                if kind in _RANKS:
                    self._wait(found, waiting)
                    found = None
                elif kind == "[":
                    found = self._index(found)
                elif kind == "!":
                    found = self._field(found)
                else:
                    value = self._joined(found, waiting)
                    if not brackets:
                        return value
                    found = brackets[-1].accept(cursor, value)
                    if found is not None:
                        waiting = brackets.pop().outside
            if found is not None:
                found.outside = waiting
                brackets.append(found)
                waiting = []

    # Operators

    def _wait(self, left: Expression, waiting: list[Waiting]) -> None:
        """A binary operator comes: join what binds stronger, and wait for its right side."""
        cursor = self._cursor
        op = cursor.kind
        at = cursor.at
        rank = _RANKS[op]
        while waiting and (waiting[-1][0] > rank or (waiting[-1][0] == rank and op not in _RIGHT)):
            self._check_mixed(waiting[-1], op, rank)
            left = _join(waiting.pop(), left)
        if waiting and waiting[-1][0] == rank:
            self._check_mixed(waiting[-1], op, rank)
        if op == "<:":
            raise cursor.source.unsupported(at, "the order of constants, '<:', is not supported")
        waiting.append((rank, "mod" if op == "%" else op, at, left))
        cursor.skip()

    def _check_mixed(self, last: Waiting, op: str, rank: int) -> None:
        if last[0] != rank:
            return
        if rank == _COMPARISON or (op in _APART and op != last[1]):
            cause = f"'{op}' cannot follow '{last[1]}' without parentheses"
            raise self._cursor.source.error(self._cursor.at, cause)

    def _joined(self, value: Expression, waiting: list[Waiting]) -> Expression:
        while waiting:
            value = _join(waiting.pop(), value)
        return value

    # Operands

    def _operand(self, waiting: list[Waiting]) -> Expression | Bracket:
        cursor = self._cursor
        while cursor.kind in ("-", "!"):
            waiting.append((_UNARY, cursor.kind, cursor.at, None))
            cursor.skip()
        at = cursor.at
        if cursor.kind == "name":
            text = cursor.take()
            return self._applied(at, text) if cursor.kind == "(" else Name(at, text)
        literal = read_literal(cursor)
        return self._opened() if literal is None else literal

    def _applied(self, at: int, function: str) -> Expression | Bracket:
        self._cursor.skip()
        return Apply(at, function, ()) if self._cursor.skip_if(")") else Arguments(at, function)

    def _opened(self) -> Bracket:
        cursor, at = self._cursor, self._cursor.at
        match cursor.kind:
            case "(":
                cursor.skip()
                return Bracket(at)
            case "if":
                cursor.skip()
                return Branches(at)
            case "old":
                cursor.skip()
                cursor.expect("(")
                return OldBracket(at)
            case "int" | "real":
                kind = PlainType(cursor.take())
                cursor.expect("(")
                return Converted(at, kind)
            case "forall" | "exists":
                return self._quantifier()
            case "lambda":
                raise cursor.source.unsupported(at, "lambda expressions are not supported")
            case "{":
                cursor.skip()
                name = cursor.name("the name of a field").text
                cursor.expect(":")
                return Struct(at, name)
        raise cursor.unexpected("an expression")

    def _index(self, left: Expression) -> Expression | Bracket:
        cursor = self._cursor
        at = cursor.expect("[")
        if not (cursor.kind == "number" and cursor.ahead() == ":"):
            return _Index(at, left)
        high = cursor.number()
        cursor.skip()
        low = cursor.number()
        cursor.expect("]")
        return Extract(at, left, high, low)

    def _field(self, struct: Expression) -> Expression:
        at = self._cursor.expect("!")
        return Field(at, struct, self._cursor.name("the name of a field").text)

    def _quantifier(self) -> Bracket:
        cursor, at = self._cursor, self._cursor.at
        if self._is_aside:
            raise cursor.source.unsupported(at, "a quantifier in a trigger or an attribute is not supported")
        quantifier = cursor.take()
        self._types.no_parameters("a quantifier")
        variables = self._types.typed_lists("bound", attributes=self.attributes)
        cursor.expect("::")
        triggers = []
        while cursor.kind == "{" and (cursor.ahead() == ":" or not self._is_struct()):
            if cursor.ahead() == ":":
                self.attribute()
            else:
                triggers.append(self._trigger())
        return Quantifier(at, quantifier, tuple(variables), tuple(triggers))

    def _is_struct(self) -> bool:
        return self._cursor.ahead() == "name" and self._cursor.ahead(2) == ":"

    def _trigger(self) -> TriggerPatterns:
        at = self._cursor.expect("{")
        if self._cursor.kind == "}":
            raise self._cursor.unexpected("an expression")
        return TriggerPatterns(at, tuple(self._aside(self.expression)))

    def _aside(self, read: Callable[[], Item]) -> list[Item]:
        """Things aside of the program, up to the closing brace."""
        was_aside, self._is_aside = self._is_aside, True
        values = self._cursor.listed("}", read)
        self._is_aside = was_aside
        return values

    def _argument(self) -> str | Expression:
        return self._cursor.take()[1:-1] if self._cursor.kind == "string" else self.expression()

    # Attributes

    def attributes(self) -> tuple[Attribute, ...]:
        """Any number of ``{:name …}``."""
        cursor = self._cursor
        if cursor.kind != "{":
            return ()
        found: list[Attribute] = []
        while cursor.kind == "{" and cursor.ahead() == ":":
            found.append(self.attribute())
        return tuple(found)

    def attribute(self) -> Attribute:
        """One ``{:name …}``."""
        cursor = self._cursor
        at = cursor.expect("{")
        cursor.expect(":")
        is_keyword = cursor.kind in KEYWORDS
        name = cursor.take() if is_keyword else cursor.name("the name of an attribute").text
        return Attribute(at, name, tuple(self._aside(self._argument)))


def _join(waits: Waiting, right: Expression) -> Expression:
    _, op, at, left = waits
    if left is None:
        return Unary(at, op, right)
    return Binary(at, "==>", right, left) if op == "<==" else Binary(at, op, left, right)
