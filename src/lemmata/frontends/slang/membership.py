"""``x inside {…}`` and ``x ==? c`` as comparisons that Yosys reads (IEEE 1800-2017, 11.4.6 and 11.4.13).

Each item is compared by itself; bits of a constant that are x, z or ? are left out of the comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyslang import SourceRange, ast

from lemmata.frontends.slang.findings import Findings

_CAUSE = "membership (inside, ==?) is not supported here"
_REMEDY = "write it as comparisons"
_WILD = (ast.BinaryOperator.WildcardEquality, ast.BinaryOperator.WildcardInequality)


class Membership:
    """Turns memberships into comparisons, one by one."""

    def __init__(self, findings: Findings, sources: Callable[[Any], str]) -> None:
        self._findings = findings
        self._sources = sources
        self._done: set[tuple[int, int, int]] = set()

    def look(self, node: Any) -> None:
        """Judge one node; inner ones come after outer ones."""
        if isinstance(node, ast.InsideExpression):
            items = [self._item(node.left, one) for one in node.rangeList]
            self._replace(node, " || ".join(text or "" for text in items) if all(items) else None)
        elif isinstance(node, ast.BinaryExpression) and node.op in _WILD:
            text = self._item(node.left, node.right)
            sign = "!" if node.op == ast.BinaryOperator.WildcardInequality else ""
            self._replace(node, text and f"{sign}{text}")

    def _replace(self, node: ast.Expression, text: str | None) -> None:
        where = node.sourceRange
        place = where.start.buffer.id, where.start.offset, where.end.offset
        is_nested = any(one[0] == place[0] and one[1] <= place[1] < one[2] and one != place for one in self._done)
        self._done.add(place)
        if text is None or is_nested or "'(" in text:  # casts are edited themselves
            self._findings.refuse(where, _CAUSE, _REMEDY)
        else:
            self._findings.edit(where, f"({text})", _CAUSE, _REMEDY)

    def _item(self, left: ast.Expression, item: ast.Expression) -> str | None:
        """The comparison with one item; None where there is none that Yosys reads."""
        if not left.type.isIntegral:
            return None
        operand = f"({self._text(left.sourceRange)})"
        if isinstance(item, ast.ValueRangeExpression):
            ends = [(">=", item.left), ("<=", item.right)]
            known = [f"{operand} {sign} ({self._text(e.sourceRange)})" for sign, e in ends if not _is_open(e)]
            both = " && ".join(known) or "1'b1"
            return f"({both})"
        if not item.type.isIntegral:
            return None
        if not isinstance(literal := _inner(item), ast.IntegerLiteral) or not literal.value.hasUnknown:
            return f"({operand} == ({self._text(item.sourceRange)}))"
        width = literal.value.bitWidth
        if _inner(left).type.bitWidth != width:
            return None
        digits = [str(literal.value[k]) for k in reversed(range(width))]
        mask = "".join("1" if digit in "01" else "0" for digit in digits)
        value = "".join(digit if digit in "01" else "0" for digit in digits)
        return f"(({operand} & {width}'b{mask}) == {width}'b{value})"

    def _text(self, where: SourceRange) -> str:
        source = self._sources(where.start.buffer).encode()
        return " ".join(source[where.start.offset : where.end.offset].decode("utf-8", "replace").split())


def _inner(node: Any) -> Any:
    while isinstance(node, ast.ConversionExpression):
        node = node.operand
    return node


def _is_open(node: ast.Expression) -> bool:
    return isinstance(_inner(node), ast.UnboundedLiteral)
