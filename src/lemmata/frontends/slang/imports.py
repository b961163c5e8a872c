"""``import p::*`` for Yosys, which reads ``p::name`` but no imports: each use of an imported name gets its package.

An import belongs to a module, a package or all files. What the module declares itself goes before a ``*``, and so does an
import by name (IEEE 1800-2017, 26.3). A name that two packages have, or that a block or function declares again, could mean
either: then the imports stay, and ``spelling`` refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pyslang import SourceRange, parsing, syntax

Edit = Callable[[SourceRange, str], None]  # the text of a range; no text: blanks
_PLAIN = (syntax.IdentifierNameSyntax, syntax.IdentifierSelectNameSyntax)
_NAMED = (syntax.NamedParamAssignmentSyntax, syntax.NamedArgumentSyntax, syntax.MemberAccessExpressionSyntax)
_DECLARING = (
    syntax.ModuleHeaderSyntax, syntax.ParameterDeclarationStatementSyntax, syntax.DataDeclarationSyntax,
    syntax.NetDeclarationSyntax, syntax.PortDeclarationSyntax,
)  # fmt: skip
_PACKAGE = syntax.SyntaxKind.PackageDeclaration


def qualify_imports(root: Any, edit: Edit) -> None:
    """Edit all files, or none of a scope whose names are not clear."""
    packages = {str(node.header.name.valueText): node for node in _nodes(root) if node.kind == _PACKAGE}
    members = {name: frozenset(_members(node)) for name, node in packages.items()}
    for scope, imports in _scopes(root).items():
        _Scope(scope, imports, members, packages).edit(edit)


def _nodes(root: Any) -> Iterator[Any]:
    """All nodes, outer ones first."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for child in reversed(list(node)) if isinstance(child, syntax.SyntaxNode))


def _items(one: Any) -> list[Any]:
    return [item for item in one.items if isinstance(item, syntax.PackageImportItemSyntax)]


def _members(package: Any) -> Iterator[str]:
    """The names that a package declares."""
    for item in package.members:
        for node in _nodes(item):
            is_inner = any(
                isinstance(one, syntax.FunctionDeclarationSyntax | syntax.StructUnionTypeSyntax) for one in _above(node, item)
            )
            if (isinstance(node, syntax.DeclaratorSyntax) and not is_inner) or isinstance(
                node, syntax.TypedefDeclarationSyntax
            ):
                yield node.name.valueText
            elif isinstance(node, syntax.FunctionDeclarationSyntax):
                yield str(node.prototype.name).strip()


def _above(node: Any, end: Any) -> Iterator[Any]:
    while node != end and node.parent is not None:
        node = node.parent
        yield node


def _scopes(root: Any) -> dict[Any, list[Any]]:
    """Modules, packages and the whole, each with the imports that stand directly in it."""
    found: dict[Any, list[Any]] = {}
    for node in _nodes(root):
        if isinstance(node, syntax.PackageImportDeclarationSyntax):
            above = node.parent
            if isinstance(above, syntax.ModuleHeaderSyntax):
                above = above.parent
            if isinstance(above, syntax.ModuleDeclarationSyntax | syntax.CompilationUnitSyntax):
                found.setdefault(above, []).append(node)
    return found


def _start(node: Any) -> tuple[int, int]:
    return node.sourceRange.start.buffer.id, node.sourceRange.start.offset


def _declared(scope: Any) -> Iterator[str]:
    """The names of ports, parameters, signals, types and functions that stand directly in a module."""
    if not isinstance(scope, syntax.ModuleDeclarationSyntax):
        return
    for item in [scope.header, *scope.members]:
        if isinstance(item, syntax.FunctionDeclarationSyntax):
            yield str(item.prototype.name).strip()
        elif isinstance(item, syntax.TypedefDeclarationSyntax):
            yield item.name.valueText
        elif isinstance(item, _DECLARING):
            for node in _nodes(item):
                is_field = isinstance(node.parent, syntax.StructUnionMemberSyntax)
                if isinstance(node, syntax.DeclaratorSyntax) and not is_field:
                    yield node.name.valueText


class _Scope:
    """One scope with imports."""

    def __init__(self, scope: Any, imports: list[Any], members: dict[str, frozenset[str]], packages: dict[str, Any]) -> None:
        self._scope, self._imports = scope, imports
        items = [(str(item.package.valueText), str(item.item.valueText)) for one in imports for item in _items(one)]
        self._own = {_start(packages[name]) for name, _ in items if name in packages}
        self._is_clear = all(name in members and (item == "*" or item in members[name]) for name, item in items)
        self._uses: list[tuple[SourceRange, str]] = []
        self._from: dict[str, set[str]] = {}
        own = frozenset(_declared(scope))  # nothing with such a name is imported by a *
        for package, item in items:
            if item == "*" and package in members:
                for name in members[package] - own:
                    self._from.setdefault(name, set()).add(package)
        explicit = [(package, item) for package, item in items if item != "*"]
        for _, item in explicit:
            self._from[item] = set()
        for package, item in explicit:
            self._from[item].add(package)

    def edit(self, edit: Edit) -> None:
        """Qualify every use, and take the imports out."""
        self._look(self._scope)
        if not self._is_clear:
            return
        for where, package in self._uses:
            edit(where, f"{package}::")
        for one in self._imports:
            edit(one.sourceRange, "")

    def _look(self, node: Any) -> None:
        if node in self._imports or self._is_own(node):
            return
        if isinstance(node, syntax.ScopedNameSyntax):
            if node.separator.valueText != "::":
                self._look(node.left)
                self._select(node.right)
            return
        outside = self._from
        if isinstance(node, syntax.ModuleDeclarationSyntax) and node != self._scope:
            own = frozenset(_declared(node))
            self._from = {name: found for name, found in outside.items() if name not in own}
        self._children(node)
        self._from = outside

    def _children(self, node: Any) -> None:
        for child in node:
            if isinstance(child, syntax.SyntaxNode):
                self._look(child)
            elif isinstance(child, parsing.Token) and child.kind == parsing.TokenKind.Identifier:
                self._token(node, child)

    def _select(self, node: Any) -> None:
        """``s.A[i]``: A belongs to s."""
        for child in node:
            if isinstance(child, syntax.SyntaxNode):
                self._look(child)

    def _is_own(self, node: Any) -> bool:
        return node.kind == _PACKAGE and node != self._scope and _start(node) in self._own

    def _token(self, above: Any, name: parsing.Token) -> None:
        found = self._from.get(name.valueText)
        if not found or isinstance(above, _NAMED):
            return
        if isinstance(above, syntax.NamedPortConnectionSyntax) and above.openParen:
            return
        is_key = isinstance(above.parent, syntax.AssignmentPatternItemSyntax) and above.parent.key == above
        if not isinstance(above, _PLAIN) or is_key or len(found) > 1:
            self._is_clear = False
        else:
            self._uses.append((SourceRange(name.range.start, name.range.start), min(found)))
