"""Types that a text leaves out and Yosys supplies in another way: written out, wherever they stand.

The base of an enumeration is ``int``, which is signed (IEEE 1800-2017, 6.19); Yosys takes it for unsigned. A number without a
size has 32 bits, or as many as it needs (5.7.1); Yosys extends one whose highest bit is set by its own rule.
"""

from __future__ import annotations

from typing import Any

from pyslang import SourceLocation, SourceRange, syntax

from lemmata.frontends.slang.elaborate import Elaborated

_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}


def spell_out(design: Elaborated) -> None:
    """Edit all files of the design."""
    findings, sources = design.findings, design.driver.sourceManager

    def look(node: Any) -> None:
        if isinstance(node, syntax.PackageImportDeclarationSyntax):  # one that imports.py left
            cause = "an import is not supported where a block declares a name of the package again, or a macro has one"
            findings.refuse(node.sourceRange, cause, "write package::name")
        elif isinstance(node, syntax.EnumTypeSyntax) and node.baseType is None:
            end = sources.getFullyOriginalLoc(node.keyword.range.end)
            cause = "an enumeration without a type of its own is not supported here"
            findings.edit(SourceRange(end, end), " int", cause, "declare it as enum int")
        elif isinstance(node, syntax.IntegerVectorExpressionSyntax) and not node.size:
            value = _value(str(node.base).strip(), str(node.value).strip())
            if value is not None and value >> 31:
                start = sources.getFullyOriginalLoc(node.base.range.start)
                cause = "a number without a size that needs 32 bits or more is not supported here"
                is_signed = "s" in str(node.base).lower()
                if (value >> 32 and is_signed) or not _starts_with_quote(sources.getSourceText(start.buffer), start):
                    findings.refuse(node.base.range, cause, "give the number a size")
                else:
                    findings.edit(SourceRange(start, start), str(value.bit_length()), cause, "give the number a size")

    for tree in design.driver.syntaxTrees:
        tree.root.visit(look)


def _value(base: str, digits: str) -> int | None:
    """The number; None where digits are x or z, which both readers extend in the same way."""
    digits = digits.replace("_", "").lower()
    return None if set(digits) & set("xz?") else int(digits, _BASES[base[-1].lower()])


def _starts_with_quote(text: str, where: SourceLocation) -> bool:
    return text.encode()[where.offset : where.offset + 1] == b"'"
