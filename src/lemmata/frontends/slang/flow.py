"""Which variables does a process or function read before it has assigned them?

A walk over the statements in their order; at a branch the sets of assigned variables are intersected. An assignment to a part
counts as one to the whole, and loops, which Yosys unrolls, are taken to run: nothing is reported that is assigned piecewise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyslang import ast

Assigned = frozenset[str]
EarlyReads = dict[str, tuple[ast.ValueSymbol, ast.Expression]]


class DefiniteAssignment:
    """``reads``: for each variable that is read early the place where; ``writes``: those assigned, true where by ``=``."""

    def __init__(self, with_assertions: bool = True) -> None:
        self._with_assertions = with_assertions
        self.reads: EarlyReads = {}
        self.writes: dict[str, tuple[ast.ValueSymbol, bool]] = {}
        self._rules: dict[type, Callable[[Any, Assigned], Assigned]] = {
            ast.StatementList: self._list,
            ast.BlockStatement: lambda node, now: self.run(node.body, now),
            ast.ConditionalStatement: self._conditional,
            ast.CaseStatement: self._case,
            ast.ForLoopStatement: self._for,
            ast.RepeatLoopStatement: lambda node, now: self.run(node.body, self._read(node.count, now)),
            ast.WhileLoopStatement: lambda node, now: self.run(node.body, self._read(node.cond, now)),
            ast.TimedStatement: lambda node, now: self.run(node.stmt, now),
            ast.ExpressionStatement: lambda node, now: self._read(node.expr, now),
            ast.VariableDeclStatement: self._declared,
        }

    def run(self, node: Any, now: Assigned = frozenset()) -> Assigned:
        """What is assigned after the statement."""
        if node is None:
            return now
        rule = self._rules.get(type(node))
        if rule is None:
            if self._with_assertions or not isinstance(node, ast.ImmediateAssertionStatement):
                self._uses(node, now)
            return now
        return rule(node, now)

    def run_expression(self, node: ast.Expression) -> None:
        """An expression by itself."""
        self._read(node, frozenset())

    def _list(self, node: ast.StatementList, now: Assigned) -> Assigned:
        for one in node.list:
            now = self.run(one, now)
        return now

    def _conditional(self, node: ast.ConditionalStatement, now: Assigned) -> Assigned:
        for condition in node.conditions:
            now = self._read(condition.expr, now)
        return self.run(node.ifTrue, now) & self.run(node.ifFalse, now)

    def _case(self, node: ast.CaseStatement, now: Assigned) -> Assigned:
        now = self._read(node.expr, now)
        for group in node.items:
            for one in group.expressions:
                now = self._read(one, now)
        ends = [self.run(group.stmt, now) for group in node.items]
        if node.defaultCase is not None:
            ends.append(self.run(node.defaultCase, now))
        elif not _is_full(node):
            ends.append(now)
        return frozenset.intersection(*ends) if ends else now

    def _for(self, node: ast.ForLoopStatement, now: Assigned) -> Assigned:
        for variable in node.loopVars:
            now |= {key(variable)}
        for one in node.initializers:
            now = self._read(one, now)
        now = self._read(node.stopExpr, now) if node.stopExpr is not None else now
        now = self.run(node.body, now)
        for one in node.steps:
            now = self._read(one, now)
        return now

    def _declared(self, node: ast.VariableDeclStatement, now: Assigned) -> Assigned:
        if node.symbol.initializer is None:
            return now
        return self._read(node.symbol.initializer, now) | {key(node.symbol)}

    def _read(self, node: Any, now: Assigned) -> Assigned:
        """An expression, which may be an assignment."""
        if not isinstance(node, ast.AssignmentExpression):
            self._uses(node, now)
            return now
        self._uses(node.right, now)
        targets = list(targets_of(node.left))
        if node.isCompound:
            for target in targets:
                self._use(target, now)
        for target in targets:
            _, was_blocking = self.writes.get(key(target.symbol), (target.symbol, False))
            self.writes[key(target.symbol)] = target.symbol, was_blocking or not node.isNonBlocking
        return now if node.isNonBlocking else now | {key(target.symbol) for target in targets}

    def _uses(self, node: Any, now: Assigned) -> None:
        def look(inner: Any) -> None:
            if isinstance(inner, ast.ValueExpressionBase):
                self._use(inner, now)

        node.visit(look)

    def _use(self, node: ast.ValueExpressionBase, now: Assigned) -> None:
        if key(node.symbol) not in now:
            self.reads.setdefault(key(node.symbol), (node.symbol, node))


def key(symbol: ast.Symbol) -> str:
    """What tells symbols apart."""
    return f"{symbol.hierarchicalPath}@{symbol.location.offset}"


def targets_of(left: Any) -> list[ast.ValueExpressionBase]:
    """The variables that an assignment assigns, wholly or in part."""
    if isinstance(left, ast.ConcatenationExpression):
        return [target for one in left.operands for target in targets_of(one)]
    while not isinstance(left, ast.ValueExpressionBase):
        inner = getattr(left, "value", None) or getattr(left, "operand", None)
        if inner is None:
            return []
        left = inner
    return [left]


def _is_full(node: ast.CaseStatement) -> bool:
    """Are all values of the expression listed?"""
    values = {str(one.constant) for group in node.items for one in group.expressions}
    return len(values) >= 1 << min(node.expr.type.bitWidth, 20)
