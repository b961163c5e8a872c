"""Returns from functions for Yosys, which has none: where nothing follows, they are assignments to the name of the function.

What follows ``if (c) return x;`` becomes its else, as long as every branch of the if returns. A return in a loop, or in a
branch beside one that goes on, stays as it is, and Yosys refuses it with its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyslang import SourceRange, syntax

from lemmata.frontends.slang.imports import Edit


class _Unclear(Exception):
    """A return that something follows."""


def without_returns(routine: Any, edit: Edit) -> None:
    """Edit one function or task, or leave it."""
    edits: list[tuple[SourceRange, str]] = []
    try:
        _Routine(str(routine.prototype.name).strip(), edits).last(list(routine.items))
    except _Unclear:
        return
    for where, text in edits:
        edit(where, text)


class _Routine:
    def __init__(self, name: str, edits: list[tuple[SourceRange, str]]) -> None:
        self._name = name
        self._edits = edits

    def last(self, items: Sequence[Any]) -> None:
        """Statements that nothing follows."""
        for position, item in enumerate(items):
            rest = items[position + 1 :]
            if not _returns(item):
                continue
            if not rest:
                self._tail(item)
                return
            if not isinstance(item, syntax.ConditionalStatementSyntax):
                raise _Unclear
            self._branches(item)
            end, behind = item.sourceRange.end, rest[-1].sourceRange.end
            self.last(rest)
            self._edits.append((SourceRange(end, end), " else begin"))
            self._edits.append((SourceRange(behind, behind), " end"))
            return

    def _branches(self, item: Any) -> None:
        """All of them return, and there is no last else."""
        while True:
            if not _always_returns(item.statement):
                raise _Unclear
            self._tail(item.statement)
            if item.elseClause is None:
                return
            item = item.elseClause.clause
            if not isinstance(item, syntax.ConditionalStatementSyntax):
                raise _Unclear

    def _tail(self, item: Any) -> None:
        if not _returns(item):
            return
        if isinstance(item, syntax.ReturnStatementSyntax):
            where = item.returnKeyword.range
            self._edits.append((where, f"{self._name} =" if item.returnValue is not None else ""))
        elif isinstance(item, syntax.BlockStatementSyntax):
            self.last(list(item.items))
        elif isinstance(item, syntax.ConditionalStatementSyntax):
            self._tail(item.statement)
            if item.elseClause is not None:
                self._tail(item.elseClause.clause)
        elif isinstance(item, syntax.CaseStatementSyntax):
            for one in item.items:
                self._tail(one.clause)
        else:
            raise _Unclear


def _returns(item: Any) -> bool:
    """Is there a return in it?"""
    found = False

    def look(node: Any) -> None:
        nonlocal found
        found = found or isinstance(node, syntax.ReturnStatementSyntax)

    item.visit(look)
    return found


def _always_returns(item: Any) -> bool:
    if isinstance(item, syntax.ReturnStatementSyntax):
        return True
    if isinstance(item, syntax.BlockStatementSyntax):
        items = list(item.items)
        return bool(items) and _always_returns(items[-1])
    if isinstance(item, syntax.ConditionalStatementSyntax) and item.elseClause is not None:
        return _always_returns(item.statement) and _always_returns(item.elseClause.clause)
    return False
