"""Which types an operator takes, and which it gives.

``/`` is the division of reals; integers among its arguments are converted. In Ultimate's dialect ``/`` on integers is ``div``.
"""

from __future__ import annotations

from lemmata.frontends.boogie.literals import MOST_BITS
from lemmata.frontends.boogie.syntax import BOOL, INT, REAL, BitVecType, Type

_LOGIC = frozenset({"<==>", "==>", "&&", "||"})
_EQUAL = frozenset({"==", "!="})
_ORDER = frozenset({"<", "<=", ">", ">="})
_INTEGERS = frozenset({"div", "mod"})


def binary_type(op: str, left: Type, right: Type, is_ultimate: bool) -> Type | None:
    """The type of ``left op right``, if there is one."""
    if op == "/":
        return _quotient(left, right, is_ultimate)
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


def _quotient(left: Type, right: Type, is_ultimate: bool) -> Type | None:
    if is_ultimate:
        return left if left == right and left in (INT, REAL) else None
    return REAL if left in (INT, REAL) and right in (INT, REAL) else None


def unary_type(op: str, argument: Type) -> Type | None:
    """The type of ``op argument``, if there is one."""
    if op == "!":
        return BOOL if argument == BOOL else None
    return argument if argument in (INT, REAL) else None
