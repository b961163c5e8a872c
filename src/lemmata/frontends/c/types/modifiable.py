"""``must_be_modifiable``: what is declared const is not assigned (C11 6.3.2.1p1, 6.5.16p2).

Seen are variables, their elements and members, and members that are const, by typedefs too; what a pointer to const
points to is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.syntax.parser import Node, kind_of
from lemmata.frontends.c.translate.unit import GlobalObject, ObjectStorage
from lemmata.frontends.c.types import ArrayType, CType, Pointer, Structure
from lemmata.frontends.c.types.declarations import is_const

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


def must_be_modifiable(e: Expressions, node: Node) -> None:
    """Something is assigned here."""
    has_constants = bool(e.unit.constant_members)
    if has_constants and _has_constants(e, kind := e.type_of(node)):
        raise e.unit.error(node, f"{kind} has a member that is const: it cannot be assigned")
    while True:
        match kind_of(node):
            case "ID":
                _variable(e, node)
                return
            case "StructRef":
                if has_constants and _is_constant(e, node):
                    raise e.unit.error(node, f"the member '{node.field.name}' is const: it cannot be assigned")
                if node.type != ".":
                    return
            case "ArrayRef" if not isinstance(e.type_of(node.name), ArrayType):
                return
            case "ArrayRef":
                pass
            case _:
                return
        node = node.name


def _variable(e: Expressions, node: Node) -> None:
    symbol = e.scope.find(node.name)
    if isinstance(symbol, GlobalObject):
        is_constant = is_const(symbol.node, symbol.scope or e.unit.scope)
    else:
        is_constant = isinstance(symbol, ObjectStorage) and symbol.is_const
    if is_constant:
        raise e.unit.error(node, f"'{node.name}' is const: it cannot be assigned")


def _is_constant(e: Expressions, node: Node) -> bool:
    kind = e.type_of(node.name)
    if isinstance(kind, Pointer):
        kind = kind.target
    for part in (kind.path(node.field.name) or ()) if isinstance(kind, Structure) else ():
        assert isinstance(kind, Structure)
        if (id(kind), part) in e.unit.constant_members:
            return True
        kind = kind.members[part]
    return False


def _has_constants(e: Expressions, kind: CType) -> bool:
    while isinstance(kind, ArrayType):
        kind = kind.element
    if not isinstance(kind, Structure):
        return False
    own = kind.members.items()
    return any((id(kind), name) in e.unit.constant_members or _has_constants(e, member) for name, member in own)
