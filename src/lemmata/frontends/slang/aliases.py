"""Packed arrays of several dimensions that come from a typedef: for Yosys they have one, and ``q[1]`` is a bit.

Where an element of such a signal, argument or member is selected, its declaration gets the dimensions themselves:
``word_t q`` becomes ``logic [1:0][7:0] q``. Of an array of packed structures Yosys takes other bits for an element, so
``pair_t m [0:3]`` becomes ``logic [15:0] m [0:3]``; members of elements are refused elsewhere (``constructs``). Where the
declaration cannot be edited in this way, it is refused, or the selection is.
"""

from __future__ import annotations

from typing import Any

from pyslang import ast, syntax

from lemmata.frontends.slang.findings import Findings

_CAUSE = "a selection from a type that is a packed array of several dimensions is not supported here"
_REMEDY = "declare it with its dimensions instead of the name of the type"
_ELEMENTS = "an array of structures is not supported here"
_NAMED = "declare the structure by a typedef"
_QUERIES = {"$size", "$high", "$low", "$left", "$right", "$increment", "$dimensions"}
_Select = ast.ElementSelectExpression | ast.RangeSelectExpression


class Aliases:
    """The selections of one instance."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings

    def look(self, node: Any) -> None:
        """Judge one node."""
        if isinstance(node, _Select):
            self._judge(node.value, node)
        elif isinstance(node, ast.CallExpression) and node.isSystemCall and node.subroutineName in _QUERIES:
            self._judge(node.arguments[0], node)
        elif isinstance(node, ast.VariableSymbol | ast.NetSymbol) and node.type.isUnpackedArray:
            self._elements(node)

    def _elements(self, owner: Any) -> None:
        """Elements that are packed structures, as words of their width."""
        kind = owner.type
        while kind.isUnpackedArray and kind.hasFixedRange:
            kind = kind.arrayElementType
        if not isinstance(own := kind.canonicalType, ast.PackedStructType | ast.PackedUnionType):
            return
        if (named := _named_type(owner)) is None:
            self._findings.refuse(owner.location, _ELEMENTS, _NAMED)
        else:
            text = f"{_word(own)} [{own.bitWidth - 1}:0]"
            self._findings.edit(named.sourceRange, text, _ELEMENTS, "declare it as an array of words")

    def _judge(self, value: Any, node: Any) -> None:
        if not value.type.isAlias or not _has_dimensions(value.type.canonicalType):
            return
        while isinstance(value, _Select):
            value = value.value
        owner: Any = value.member if isinstance(value, ast.MemberAccessExpression) else getattr(value, "symbol", None)
        named = _named_type(owner) if isinstance(owner, ast.ValueSymbol) else None
        kind = owner.type if owner is not None and named is not None else None
        while kind is not None and kind.isUnpackedArray:
            kind = kind.arrayElementType
        text = _spelled(kind.canonicalType) if kind is not None else ""
        if named is None or not text:
            self._findings.refuse(node.sourceRange, _CAUSE, _REMEDY)
        else:
            self._findings.edit(named.sourceRange, text, _CAUSE, _REMEDY)


def _has_dimensions(kind: Any) -> bool:
    return isinstance(kind, ast.PackedArrayType) and kind.elementType.bitWidth > 1


def _named_type(owner: ast.ValueSymbol) -> Any:
    """The name of a type in a declaration, without dimensions behind it; not that of what a function returns."""
    if owner.hierarchicalPath.endswith(f"{owner.name}.{owner.name}"):
        return None
    declaration: Any = owner.syntax.parent if owner.syntax is not None else None
    named: Any = declaration.type if isinstance(owner, ast.FieldSymbol) else owner.declaredType.typeSyntax
    if not isinstance(named, syntax.NamedTypeSyntax):
        return None
    name = named.name.right if isinstance(named.name, syntax.ScopedNameSyntax) else named.name
    return named if isinstance(name, syntax.IdentifierNameSyntax) else None


def _word(kind: Any) -> str:
    return ("logic" if kind.isFourState else "bit") + (" signed" if kind.isSigned else "")


def _spelled(kind: Any) -> str:
    """The type with all of its dimensions; nothing where its elements are no bits."""
    text = f"{_word(kind)} "
    while isinstance(kind, ast.PackedArrayType):
        text += f"[{kind.fixedRange.left}:{kind.fixedRange.right}]"
        kind = kind.elementType.canonicalType
    return text if isinstance(kind, ast.ScalarType) else ""
