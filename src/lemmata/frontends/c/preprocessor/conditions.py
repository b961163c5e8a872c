"""The conditions of ``#if`` and ``#elif`` (C11 6.10.1): integer constant expressions of the widest integer types.

A value is a number and whether its type is unsigned. What C leaves undefined, or forbids in a constant expression (6.6), is an
error, unless it is not evaluated.
"""

from __future__ import annotations

from lemmata.frontends.c.preprocessor.literals import LiteralError, character_value, integer_parts
from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import CHARACTER, NAME, NUMBER, PUNCTUATOR, CToken

_INTMAX_BITS = 64  # bits of the widest integer types, in which conditions are computed
_RANGE = 1 << _INTMAX_BITS
_LEAST, _MOST = -(_RANGE // 2), _RANGE // 2 - 1
_NESTED_OPERATORS = 1_000  # operators inside of operators
_POWERS = {
    **dict.fromkeys(("*", "/", "%"), 10),
    **dict.fromkeys(("+", "-"), 9),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("<", ">", "<=", ">="), 7),
    **dict.fromkeys(("==", "!="), 6),
    "&": 5,
    "^": 4,
    "|": 3,
    "&&": 2,
    "||": 1,
}
_Value = tuple[int, bool]


def condition_holds(tokens: list[CToken], sources: Sources, at: int) -> bool:
    """Is the expression, whose macros are replaced already, other than zero? ``at`` is the directive."""
    reader = _Condition(tokens, sources, at)
    value, _ = reader.conditional(True)
    reader.end()
    return value != 0


class _Condition:
    """Reads and evaluates at once; ``is_used`` says whether a part is evaluated."""

    def __init__(self, tokens: list[CToken], sources: Sources, at: int) -> None:
        self._tokens = tokens
        self._position = 0
        self._sources = sources
        self._at = at
        self._depth = 0

    def _peek(self) -> str:
        return self._tokens[self._position].text if self._position < len(self._tokens) else ""

    def _here(self) -> int:
        return self._tokens[self._position].at if self._position < len(self._tokens) else self._at

    def end(self) -> None:
        """Nothing may follow."""
        if self._position < len(self._tokens):
            raise self._sources.error(self._here(), f"'{self._peek()[:40]}' does not belong to the condition")

    def conditional(self, is_used: bool) -> _Value:
        """``a ? b : c`` (6.5.15)."""
        self._depth += 1
        if self._depth > _NESTED_OPERATORS:
            raise self._sources.error(self._here(), "the condition is nested too deeply")
        condition = self._binary(1, is_used)
        if self._peek() == "?":
            self._position += 1
            yes = self.conditional(is_used and condition[0] != 0)
            self._expect(":")
            no = self.conditional(is_used and condition[0] == 0)
            chosen = yes if condition[0] else no
            condition = _converted(chosen, yes[1] or no[1])
        self._depth -= 1
        return condition

    def _expect(self, text: str) -> None:
        if self._peek() != text:
            raise self._sources.error(self._here(), f"the condition lacks a '{text}' here")
        self._position += 1

    def _binary(self, power: int, is_used: bool) -> _Value:
        """Operators that bind at least as strongly as ``power``."""
        left = self._unary(is_used)
        while (own := _POWERS.get(self._peek(), 0)) >= power:
            operator, at = self._peek(), self._here()
            self._position += 1
            if operator in ("&&", "||"):
                decided = (left[0] != 0) == (operator == "||")
                right = self._binary(own + 1, is_used and not decided)
                left = (int(left[0] != 0 and right[0] != 0) if operator == "&&" else int(left[0] != 0 or right[0] != 0)), False
            else:
                right = self._binary(own + 1, is_used)
                left = self._applied(operator, left, right, at, is_used)
        return left

    def _applied(self, operator: str, left: _Value, right: _Value, at: int, is_used: bool) -> _Value:
        if operator in ("<<", ">>"):
            return self._shifted(operator, left, right, at, is_used)
        is_unsigned = left[1] or right[1]  # 6.3.1.8
        a, b = _converted(left, is_unsigned)[0], _converted(right, is_unsigned)[0]
        if operator in ("/", "%"):
            if b == 0:
                if is_used:
                    raise self._sources.error(at, "the condition divides by zero")
                return 0, is_unsigned
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)  # 6.5.5p6
            result = quotient if operator == "/" else a - quotient * b
            return self._fitting(result if _fits(quotient, is_unsigned) else quotient, is_unsigned, at, is_used)
        compared = {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "!=": a != b}
        if operator in compared:
            return int(compared[operator]), False
        sums = {"+": a + b, "-": a - b, "&": a & b, "^": a ^ b, "|": a | b}
        return self._fitting(sums[operator] if operator in sums else a * b, is_unsigned, at, is_used)

    def _shifted(self, operator: str, left: _Value, right: _Value, at: int, is_used: bool) -> _Value:
        """6.5.7: the type is that of the left operand."""
        if not 0 <= right[0] < _INTMAX_BITS:
            if is_used:
                raise self._sources.error(at, f"the condition shifts by {right[0]}")
            return 0, left[1]
        return self._fitting(left[0] << right[0] if operator == "<<" else left[0] >> right[0], left[1], at, is_used)

    def _fitting(self, value: int, is_unsigned: bool, at: int, is_used: bool) -> _Value:
        if not is_unsigned and not _fits(value, False):
            if is_used:
                raise self._sources.error(at, "the condition overflows")
            return 0, False
        return value % _RANGE if is_unsigned else value, is_unsigned

    def _unary(self, is_used: bool) -> _Value:
        signs: list[tuple[str, int]] = []
        while self._peek() in ("+", "-", "!", "~") and self._tokens[self._position].kind is PUNCTUATOR:
            signs.append((self._peek(), self._here()))
            self._position += 1
        value = self._primary(is_used)
        for sign, at in reversed(signs):
            if sign == "!":
                value = int(value[0] == 0), False
            elif sign == "-":
                value = self._fitting(-value[0], value[1], at, is_used)
            elif sign == "~":
                value = self._fitting(~value[0], value[1], at, is_used)
        return value

    def _primary(self, is_used: bool) -> _Value:
        if self._position == len(self._tokens):
            cause = "the condition ends where a value should be" if self._tokens else "there is no condition"
            raise self._sources.error(self._at, cause)
        token = self._tokens[self._position]
        self._position += 1
        if token.text == "(":
            value = self.conditional(is_used)
            self._expect(")")
            return value
        try:
            if token.kind is NAME:
                return 0, False  # 6.10.1p4
            if token.kind is CHARACTER:
                return character_value(token.text), False
            if token.kind is NUMBER:
                return _number(token.text)
        except LiteralError as error:
            raise self._sources.error(token.at, str(error)) from None
        raise self._sources.error(token.at, f"'{token.text[:40]}' is no part of a condition")


def _number(text: str) -> _Value:
    """6.10.1p4: all integers have the widest types."""
    value, is_decimal, suffix = integer_parts(text)
    if value >= _RANGE or (value > _MOST and is_decimal and "u" not in suffix):
        raise LiteralError(f"no integer type has the constant {text[:40]}")
    return value, "u" in suffix or value > _MOST


def _converted(value: _Value, is_unsigned: bool) -> _Value:
    return (value[0] % _RANGE, True) if is_unsigned else value


def _fits(value: int, is_unsigned: bool) -> bool:
    return is_unsigned or _LEAST <= value <= _MOST
