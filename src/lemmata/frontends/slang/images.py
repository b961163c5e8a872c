"""Memories that ``$readmemh`` and ``$readmemb`` fill: what is assigned before them is overwritten where the file has words.

Yosys lets every assignment of an initial block win over the file, whichever comes first. So a memory that is assigned anywhere
but behind the call, in the same block, is refused.
"""

from __future__ import annotations

from typing import Any

from pyslang import ast

from lemmata.frontends.slang.findings import Findings
from lemmata.frontends.slang.flow import key, targets_of

_READING = ("$readmemh", "$readmemb")
_LOOPS = (ast.ForLoopStatement, ast.RepeatLoopStatement, ast.WhileLoopStatement, ast.DoWhileLoopStatement)


class Images:
    """The initial blocks of one instance."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._blocks = 0
        self._loads: list[tuple[int, ast.CallExpression, Any, bool]] = []  # block, call, memory, in a loop?
        self._assigned: dict[str, list[tuple[int, int]]] = {}  # block and offset

    def look(self, block: ast.ProceduralBlockSymbol) -> None:
        """Note what a block loads and assigns, in the order of its text."""
        if block.procedureKind != ast.ProceduralBlockKind.Initial:
            return
        self._blocks += 1
        loops: list[tuple[int, int]] = []

        def look(node: Any) -> None:
            if isinstance(node, _LOOPS):
                loops.append((node.sourceRange.start.offset, node.sourceRange.end.offset))
            elif isinstance(node, ast.AssignmentExpression):
                at = node.sourceRange.start.offset
                for target in targets_of(node.left):
                    self._assigned.setdefault(key(target.symbol), []).append((self._blocks, at))
            elif isinstance(node, ast.CallExpression) and node.isSystemCall and node.subroutineName in _READING:
                at = node.sourceRange.start.offset
                in_loop = any(start <= at < end for start, end in loops)
                for memory in targets_of(_target(node.arguments[1])):
                    self._loads.append((self._blocks, node, memory.symbol, in_loop))

        block.body.visit(look)

    def look_between(self) -> None:
        """Refuse memories of which assignments and files disagree."""
        for block, call, memory, in_loop in self._loads:
            assigned = self._assigned.get(key(memory), ())
            is_behind = all(other == block and at > call.sourceRange.start.offset for other, at in assigned)
            if memory.initializer is not None or (assigned and (in_loop or not is_behind)):
                self._findings.refuse(
                    call.sourceRange,
                    f"{call.subroutineName} of {memory.name}, which is assigned elsewhere in initial blocks, is not supported",
                    "assign it behind the call, in the same block, or put all words into the file",
                )


def _target(node: Any) -> Any:
    return node.left if isinstance(node, ast.AssignmentExpression) else node
