"""Which types an operator takes, and which it gives."""

from __future__ import annotations

from lemmata.frontends.boogie.literals import MOST_BITS
from lemmata.frontends.boogie.syntax import BOOL, INT, REAL, BitVecType, Type

_LOGIC = frozenset({"<==>", "==>", "&&", "||"})
_EQUAL = frozenset({"==", "!="})
_ORDER = frozenset({"<", "<=", ">", ">="})
_NUMBERS = frozenset({"+", "-", "*", "/"})
_INTEGERS = frozenset({"div", "mod"})


def binary_type(op: str, left: Type, right: Type) -> Type | None:
    """The type of ``left op right``, if there is one."""
    if op == "++":
        if isinstance(left, BitVecType) and isinstance(right, BitVecType) and left.width + right.width <= MOST_BITS:
            return BitVecType(left.width + right.width)
        return None
    if left != right:
        return None
    if op in _EQUAL:
        return BOOL
    if op in _LOGIC:
        return BOOL if left == BOOL else None
    if op in _INTEGERS:
        return INT if left == INT else None
    if op == "**":
        return REAL if left == REAL else None
    if left not in (INT, REAL):
        return None
    return BOOL if op in _ORDER else left


def unary_type(op: str, argument: Type) -> Type | None:
    """The type of ``op argument``, if there is one."""
    if op == "!":
        return BOOL if argument == BOOL else None
    return argument if argument in (INT, REAL) else None
