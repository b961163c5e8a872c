"""Text that is written out elsewhere must mean there what it means where it stands (IEEE 1800-2017, 6.21, 16.12).

Assertions are rewritten as text (``frontends/verilog/assertions.py``): a property that an assertion names, and the defaults of
its module, come to stand in the block of the assertion. A generate block may declare a name of theirs again; that is refused.
"""

from __future__ import annotations

from typing import Any

from pyslang import ast, syntax

from lemmata.frontends.slang.findings import Findings


class Captures:
    """Looks at the concurrent assertions of one instance."""

    def __init__(self, findings: Findings, body: ast.InstanceBodySymbol) -> None:
        self._findings, self._body = findings, body
        self._defaults: set[str] | None = None

    def look(self, block: ast.ProceduralBlockSymbol) -> None:
        """Is a name in what this process asserts another thing in its block?"""
        found: list[Any] = []

        def look(node: Any) -> ast.VisitAction:
            if isinstance(node, ast.ConcurrentAssertionStatement):
                found.append(node)
            return ast.VisitAction.Advance

        block.visit(look)
        for statement in found:
            self._look_at_statement(block.parentScope, statement)

    def _look_at_statement(self, scope: Any, statement: ast.ConcurrentAssertionStatement) -> None:
        meant: dict[str, str] = {}

        def name(node: Any) -> ast.VisitAction:
            if isinstance(node, ast.NamedValueExpression):
                meant[node.symbol.name] = _path(node.symbol)
            return ast.VisitAction.Advance

        statement.visit(name)
        meant |= {one: _path(self._body.lookupName(one)) for one in self._names_of_defaults()}
        for one, path in meant.items():  # names of packages and of other instances are written with theirs
            if path.startswith(f"{self._body.hierarchicalPath}.") and _path(scope.lookupName(one)) != path:
                cause = f"{one} is another signal in this block than where the property or the default is declared"
                self._findings.refuse(statement.sourceRange, cause, "rename one of them")

    def _names_of_defaults(self) -> set[str]:
        """Names in the default clocking and the default disable condition of the module."""
        if self._defaults is None:
            members = getattr(self._body.syntax, "members", ())
            kinds = (syntax.SyntaxKind.ClockingDeclaration, syntax.SyntaxKind.DefaultDisableDeclaration)
            self._defaults = set()
            for member in members:
                if member.kind in kinds:
                    member.visit(self._note)
        return self._defaults

    def _note(self, node: Any) -> ast.VisitAction:
        if isinstance(node, syntax.IdentifierNameSyntax) and self._defaults is not None:
            self._defaults.add(node.identifier.valueText)
        return ast.VisitAction.Advance


def _path(symbol: Any) -> str:
    return "" if symbol is None else str(symbol.hierarchicalPath)
