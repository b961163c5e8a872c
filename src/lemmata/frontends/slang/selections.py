"""Parts that are selected at run time: may one begin where Yosys and the language differ?

Of a part that begins below the lowest index (``y[i -: 2] <= …``) the bits inside are written (IEEE 1800-2017, 11.5.1);
Yosys writes none. Outside of an inner dimension (``m[0][i]``) there is nothing to read or write (7.4.6); Yosys, which lays
the elements of an array side by side, takes its neighbour. So bounds of the index are computed, with those of the for loops
around, and where they are too wide the selection is refused. Of an index with a sign Yosys takes the bits for a number without
one, so that one below 0 must not be that of an element. Refused are also indices that vary in a concatenation that is assigned
(``{m, n[i]} = …``), and bits of a member that is a structure without a name: Yosys takes other bits.
"""

from __future__ import annotations

from typing import Any

from pyslang import SourceRange, SVInt, ast

from lemmata.frontends.slang.findings import Findings
from lemmata.frontends.slang.flow import key, targets_of

Interval = tuple[int, int]
_CAUSE = "an assignment to a part that may begin below the lowest index is not supported"
_REMEDY = "give the index no sign, and select so that the part begins inside"
_INNER = "an index that may be outside of an inner dimension of an array is not supported"
_SIGNED = "an index with a sign that may be negative, of an array that has an element at the same bits, is not supported"
_INDEXED = (ast.RangeSelectionKind.IndexedUp, ast.RangeSelectionKind.IndexedDown)
_STEPPING = ("Preincrement", "Predecrement", "Postincrement", "Postdecrement")
_FLIPPED = {
    "LessThan": "GreaterThan",
    "LessThanEqual": "GreaterThanEqual",
    "GreaterThan": "LessThan",
    "GreaterThanEqual": "LessThanEqual",
}


class Selections:
    """The assignments of one instance; loops are shown before what is in them."""

    def __init__(self, findings: Findings, body: Any) -> None:
        self._findings = findings
        self._context = ast.EvalContext(ast.ASTContext(body, ast.LookupLocation.max))
        self._loops: dict[str, list[tuple[SourceRange, Interval]]] = {}

    def look(self, node: Any) -> None:
        """Judge one node."""
        if isinstance(node, ast.AssignmentExpression):
            self._target(node.left)
        elif isinstance(node, ast.UnaryExpression) and node.op.name in _STEPPING:
            self._target(node.operand)
        elif isinstance(node, ast.ForLoopStatement):
            self._loop(node)
        elif isinstance(node, ast.ElementSelectExpression | ast.RangeSelectExpression):
            self._inner_dimension(node)
            self._signed_index(node)
            self._member(node)
        elif isinstance(node, ast.VariableSymbol | ast.NetSymbol) and _has_negative_indices(node.type):
            self._findings.refuse(node.location, "an array with negative indices is not supported", "let it begin with 0")

    def _signed_index(self, node: ast.ElementSelectExpression | ast.RangeSelectExpression) -> None:
        """A negative index of a memory writes nothing (IEEE 1800-2017, 7.4.6)."""
        if not isinstance(node, ast.ElementSelectExpression) or not node.value.type.isUnpackedArray:
            return
        low, bits = self._interval(node.selector)[0], node.value.type.fixedRange
        if low < 0 and low + (1 << node.selector.type.bitWidth) <= max(bits.left, bits.right):
            self._findings.refuse(node.sourceRange, _SIGNED, "give the index no sign, or more bits")

    def _member(self, node: ast.ElementSelectExpression | ast.RangeSelectExpression) -> None:
        """Bits of a member that is a structure without a name of its own: Yosys takes other ones."""
        above: Any = node.value
        if isinstance(above, ast.MemberAccessExpression) and isinstance(above.type, ast.PackedStructType | ast.PackedUnionType):
            cause = "a selection from a member that is a structure declared in place is not supported"
            self._findings.refuse(node.sourceRange, cause, "declare the structure by a typedef")

    def _inner_dimension(self, node: ast.ElementSelectExpression | ast.RangeSelectExpression) -> None:
        above: Any = node.value
        if not isinstance(above, ast.ElementSelectExpression | ast.RangeSelectExpression):
            return
        if above.type.isUnpackedArray != above.value.type.isUnpackedArray:
            return  # bits of a word of a memory
        if isinstance(node, ast.ElementSelectExpression):
            low, high = self._interval(node.selector)
        elif node.selectionKind in _INDEXED:
            low, high = self._interval(node.left)
            more = self._interval(node.right)[1] - 1
            low, high = (low, high + more) if node.selectionKind == ast.RangeSelectionKind.IndexedUp else (low - more, high)
        else:
            return
        bounds = above.type.fixedRange
        if low < min(bounds.left, bounds.right) or high > max(bounds.left, bounds.right):
            self._findings.refuse(node.sourceRange, _INNER, "make it as long as the index reaches")

    def _target(self, node: Any) -> None:
        if isinstance(node, ast.ConcatenationExpression):
            for one in node.operands:
                self._target(one)
                self._in_concatenation(one)
        elif isinstance(node, ast.RangeSelectExpression):
            if node.selectionKind in _INDEXED and not self._begins_inside(node):
                self._findings.refuse(node.sourceRange, _CAUSE, _REMEDY)
            self._target(node.value)
        elif isinstance(node, ast.ElementSelectExpression | ast.MemberAccessExpression):
            self._target(node.value)
        elif isinstance(node, ast.ConversionExpression):
            self._target(node.operand)

    def _in_concatenation(self, node: Any) -> None:
        """Of ``{m, n[i]} = …`` Yosys writes other bits, unless the index is one that it knows when it has unrolled loops."""
        if isinstance(node, ast.ElementSelectExpression | ast.RangeSelectExpression):
            index = node.selector if isinstance(node, ast.ElementSelectExpression) else node.left
            if not self._is_known(index):
                cause = "an index that varies, in a concatenation that is assigned, is not supported"
                self._findings.refuse(node.sourceRange, cause, "assign the parts one by one")
        if isinstance(node, ast.ElementSelectExpression | ast.RangeSelectExpression | ast.MemberAccessExpression):
            self._in_concatenation(node.value)

    def _is_known(self, index: Any) -> bool:
        if _constant(index.constant) or _constant(index.eval(self._context)):
            return True
        known = True

        def look(node: Any) -> None:
            nonlocal known
            if isinstance(node, ast.CallExpression):
                known = False
            elif isinstance(node, ast.ValueExpressionBase) and not isinstance(node.symbol, ast.ParameterSymbol):
                known = known and self._variable(node) is not None

        index.visit(look)
        return known

    def _begins_inside(self, node: ast.RangeSelectExpression) -> bool:
        lowest = self._interval(node.left)[0]
        if node.selectionKind == ast.RangeSelectionKind.IndexedDown:
            lowest -= self._interval(node.right)[1] - 1
        bits = node.value.type.fixedRange
        return lowest >= min(bits.left, bits.right)

    # Bounds of expressions.

    def _interval(self, node: Any) -> Interval:
        """Values that the expression may have, or would have without its width: too many rather than too few."""
        low, high = _of_type(node.type)
        found = _constant(node.constant) or _constant(node.eval(self._context)) or self._inner(node)
        if found is None:
            return low, high
        return found if low <= found[0] and found[1] <= high else (min(low, found[0]), max(high, found[1]))

    def _inner(self, node: Any) -> Interval | None:
        if isinstance(node, ast.ConversionExpression):
            return self._interval(node.operand)
        if isinstance(node, ast.ValueExpressionBase):
            return self._variable(node)
        if isinstance(node, ast.BinaryExpression) and node.op.name in ("Add", "Subtract", "Multiply"):
            (a, b), (c, d) = self._interval(node.left), self._interval(node.right)
            if node.op.name == "Add":
                return a + c, b + d
            if node.op.name == "Subtract":
                return a - d, b - c
            products = [x * y for x in (a, b) for y in (c, d)]
            return min(products), max(products)
        return None

    def _variable(self, node: ast.ValueExpressionBase) -> Interval | None:
        if isinstance(node.symbol, ast.ParameterSymbol):
            return _constant(node.symbol.value)
        at = node.sourceRange.start
        for where, interval in reversed(self._loops.get(key(node.symbol), ())):
            if where.start.buffer == at.buffer and where.start.offset <= at.offset < where.end.offset:
                return interval
        return None

    # Bounds of loops.

    def _loop(self, node: ast.ForLoopStatement) -> None:
        """A variable that only the loop steps, by a constant, up to a bound or down to one."""
        starts = [(one, one.initializer) for one in node.loopVars]
        starts += [(one.left.symbol, one.right) for one in node.initializers if _is_plain(one)]
        if len(starts) != 1 or len(node.steps) != 1 or starts[0][1] is None:
            return
        symbol, start = starts[0]
        bound, step = self._bound(node.stopExpr, symbol), self._step(node.steps[0], symbol)
        if bound is None or step == 0 or _is_assigned(node.body, symbol):
            return
        first = self._interval(start)
        interval = (first[0], max(first[0], bound[1])) if step > 0 else (min(first[1], bound[0]), first[1])
        self._loops.setdefault(key(symbol), []).append((node.sourceRange, interval))

    def _bound(self, node: Any, symbol: ast.ValueSymbol) -> Interval | None:
        """What the condition allows the variable to be."""
        if not isinstance(node, ast.BinaryExpression) or node.op.name not in _FLIPPED:
            return None
        left, right, sign = node.left, node.right, node.op.name
        if not _is(left, symbol):
            left, right, sign = right, left, _FLIPPED[sign]
        if not _is(left, symbol):
            return None
        low, high = _of_type(symbol.type)
        limit = self._interval(right)
        past = 0 if sign.endswith("Equal") else 1
        return (low, min(high, limit[1] - past)) if sign.startswith("Less") else (max(low, limit[0] + past), high)

    def _step(self, node: Any, symbol: ast.ValueSymbol) -> int:
        """By how much the variable grows, 0 where that is not known."""
        if isinstance(node, ast.UnaryExpression) and node.op.name in _STEPPING and _is(node.operand, symbol):
            return 1 if node.op.name.endswith("increment") else -1
        if not _is_plain(node) or not _is(node.left, symbol):
            return 0
        right = node.right
        while isinstance(right, ast.ConversionExpression):
            right = right.operand
        if not isinstance(right, ast.BinaryExpression) or right.op.name not in ("Add", "Subtract"):
            return 0
        if not _is(right.left, symbol) and not isinstance(right.left, ast.LValueReferenceExpression):
            return 0
        low, high = self._interval(right.right)
        return 0 if low != high else low if right.op.name == "Add" else -low


def _has_negative_indices(kind: Any) -> bool:
    while kind.isUnpackedArray and kind.hasFixedRange:
        if min(kind.fixedRange.left, kind.fixedRange.right) < 0:
            return True
        kind = kind.arrayElementType
    return False


def _constant(value: Any) -> Interval | None:
    number = value.value if value is not None else None
    return (int(number), int(number)) if isinstance(number, SVInt) and not number.hasUnknown else None


def _of_type(kind: ast.Type) -> Interval:
    width = int(kind.bitWidth)
    return (-(1 << width - 1), (1 << width - 1) - 1) if kind.isSigned else (0, (1 << width) - 1)


def _is(node: Any, symbol: ast.ValueSymbol) -> bool:
    while isinstance(node, ast.ConversionExpression):
        node = node.operand
    return isinstance(node, ast.ValueExpressionBase) and key(node.symbol) == key(symbol)


def _is_plain(node: Any) -> bool:
    return isinstance(node, ast.AssignmentExpression) and isinstance(node.left, ast.ValueExpressionBase)


def _is_assigned(body: Any, symbol: ast.ValueSymbol) -> bool:
    found = False

    def look(node: Any) -> None:
        nonlocal found
        if isinstance(node, ast.AssignmentExpression):
            found = found or any(_is(one, symbol) for one in targets_of(node.left))
        elif isinstance(node, ast.UnaryExpression) and node.op.name in _STEPPING:
            found = found or _is(node.operand, symbol)

    body.visit(look)
    return found
