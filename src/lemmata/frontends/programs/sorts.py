"""Every type of a program has a sort of ``logic``.

Maps with several indices are nested arrays. A type without a meaning is ``Int``: values of it are compared for equality only,
so that a run over any other set is one over the integers, too.
"""

from __future__ import annotations

from lemmata.frontends.programs.tree import BitVecType, MapType, NamedType, PlainType, StructType, Type
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort

_PLAIN = {"int": INT, "bool": BOOL, "real": REAL}


def sort_of_type(kind: Type) -> Sort:
    """The sort of an expanded type without structs."""
    match kind:
        case PlainType(name):
            return _PLAIN[name]
        case BitVecType(width):
            return BitVec(width)
        case NamedType():
            return INT
        case MapType(indices, element):
            sort = sort_of_type(element)
            for index in reversed(indices):
                sort = Array(sort_of_type(index), sort)
            return sort
        case StructType():
            raise TypeError("a struct has no sort")
