"""Expressions: operator precedence with a stack of its own, so that depth is no matter.

Operators that wait for their right side are on a list, weakest first. An opening word (a parenthesis, ``old(``, ``if`` …) sets
that list aside and leaves a *bracket*, which is asked when the expression inside of it ends: it either makes a new operand of
what it has, or wants one more expression (the next argument, the ``then`` part).

Binding is that of Boogie 2 (Leino, "This is Boogie 2", 2008), from weak to strong: ``<==>``; ``==>`` (to the right) and
``<==``; ``&&`` and ``||``, which may not be mixed; comparisons, which may not follow each other; ``++``; ``+ -``;
``* / div mod %``; ``**`` (to the right); ``- !``; ``[…]``. So ``-a % 256`` is ``(-a) % 256``. Left out: lambda, the order of
constants ``<:``, code expressions, coercions ``e : t``.
"""

from __future__ import annotations

from lemmata.frontends.boogie.brackets import Arguments, Bracket, Branches, Converted, Index, Quantifier, Remembered, Struct
from lemmata.frontends.boogie.cursor import Cursor
from lemmata.frontends.boogie.lexer import KEYWORDS
from lemmata.frontends.boogie.literals import read_literal
from lemmata.frontends.boogie.parse_types import TypeParser
from lemmata.frontends.boogie.syntax import Apply, Attribute, Binary, Expression, Extract, Field, Name, PlainType, Unary

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
                return Remembered(at)
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
            return Index(at, left)
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
        while cursor.kind == "{" and (cursor.ahead() == ":" or not self._is_struct()):
            if cursor.ahead() == ":":
                self.attribute()
            else:
                self._trigger()
        return Quantifier(at, quantifier, tuple(variables))

    def _is_struct(self) -> bool:
        return self._cursor.ahead() == "name" and self._cursor.ahead(2) == ":"

    def _trigger(self) -> None:
        self._cursor.skip()
        self._aside()

    def _aside(self) -> list[str | Expression]:
        """Strings and expressions aside of the program, up to the closing brace."""
        was_aside, self._is_aside = self._is_aside, True
        values = self._cursor.listed("}", self._argument)
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
        return Attribute(at, name, tuple(self._aside()))


def _join(waits: Waiting, right: Expression) -> Expression:
    _, op, at, left = waits
    if left is None:
        return Unary(at, op, right)
    return Binary(at, "==>", right, left) if op == "<==" else Binary(at, op, left, right)
