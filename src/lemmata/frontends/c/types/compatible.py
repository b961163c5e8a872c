"""``compatible``: may two declarations of a name have these types (C11 6.2.7, 6.7.6)? Qualifiers are not looked at."""

from __future__ import annotations

from lemmata.frontends.c.types import ArrayType, CType, Pointer, Signature


def compatible(a: CType, b: CType) -> bool:
    """Are the types compatible?"""
    match a, b:
        case Pointer(), Pointer():
            return compatible(a.target, b.target)
        case ArrayType(), ArrayType():
            return compatible(a.element, b.element) and (a.length is None or b.length is None or a.length == b.length)
        case Signature(), Signature():
            if a.parameters is None or b.parameters is None:
                return compatible(a.result, b.result)
            is_same = len(a.parameters) == len(b.parameters) and a.is_variadic == b.is_variadic
            return is_same and all(map(compatible, (a.result, *a.parameters), (b.result, *b.parameters)))
    return a == b
