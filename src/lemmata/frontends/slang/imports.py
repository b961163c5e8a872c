"""``import p::*`` for Yosys, which reads ``p::name`` but no imports: each use of an imported name gets its package.

An import of a module, of a package or of all files counts from where it stands to the end of that scope. A name that is in two
imported packages, or that something else in the scope has, too, could mean either: then the imports stay, and Yosys refuses
them with their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pyslang import SourceRange, parsing, syntax

Edit = Callable[[SourceRange, str], None]  # the text of a range; no text: blanks
_PLAIN = (syntax.IdentifierNameSyntax, syntax.IdentifierSelectNameSyntax)
_NAMED = (syntax.NamedParamAssignmentSyntax, syntax.NamedArgumentSyntax, syntax.MemberAccessExpressionSyntax)
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
            is_inner = any(isinstance(one, syntax.FunctionDeclarationSyntax | syntax.StructUnionTypeSyntax) for one in _above(node, item))
            if isinstance(node, syntax.DeclaratorSyntax) and not is_inner:
                yield node.name.valueText
            elif isinstance(node, syntax.TypedefDeclarationSyntax):
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


class _Scope:
    """One scope with imports."""

    def __init__(self, scope: Any, imports: list[Any], members: dict[str, frozenset[str]], packages: dict[str, Any]) -> None:
        self._scope, self._imports = scope, imports
        self._from: dict[str, str] = {}
        self._is_clear = True
        self._uses: list[tuple[SourceRange, str]] = []
        own = [packages[name] for one in imports for item in _items(one) if (name := item.package.valueText) in packages]
        self._own = {(node.sourceRange.start.buffer.id, node.sourceRange.start.offset) for node in own}
        for one in imports:
            for item in _items(one):
                package = str(item.package.valueText)
                names = members.get(package, frozenset())
                wanted = names if item.item.valueText == "*" else names & {str(item.item.valueText)}
                self._is_clear = self._is_clear and bool(wanted)
                for name in wanted:
                    self._is_clear = self._is_clear and self._from.setdefault(name, package) == package

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
        start = node.sourceRange.start
        return node.kind == _PACKAGE and node != self._scope and (start.buffer.id, start.offset) in self._own

    def _token(self, above: Any, name: parsing.Token) -> None:
        package = self._from.get(name.valueText)
        if package is None or isinstance(above, _NAMED):
            return
        if isinstance(above, syntax.NamedPortConnectionSyntax) and above.openParen:
            return
        is_key = isinstance(above.parent, syntax.AssignmentPatternItemSyntax) and above.parent.key == above
        if not isinstance(above, _PLAIN) or is_key:
            self._is_clear = False
        else:
            self._uses.append((SourceRange(name.range.start, name.range.start), package))
