"""``evaluations_of``: calls in an expression, and accesses to objects, each of which nothing comes between (C11 6.5p3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lemmata.frontends.c import library
from lemmata.frontends.c.sequencing.ordering import Evaluation
from lemmata.frontends.c.syntax.parser import SIZES, Node, kind_of
from lemmata.frontends.c.translate.unit import GlobalObject, ObjectStorage
from lemmata.frontends.c.types import ArrayType

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions

_IN_MEMORY = Evaluation(in_memory=True)


def is_free(e: Expressions, call: Node) -> bool:
    """Is it a call of a function that returns anything, and does no more?"""
    if kind_of(call.name) != "ID" or not library.is_nondet(call.name.name):
        return False
    function = e.unit.functions.get(call.name.name)
    return function is None or function.definition is None


def evaluations_of(e: Expressions, node: Node, is_place: bool = False) -> Iterator[Evaluation]:
    """Rather too many than too few; the place itself is no access where it is written to later (``is_place``)."""
    match kind_of(node):
        case "ID":
            if not is_place:
                yield from _named(e, node)
        case "FuncCall":
            yield from _call(e, node)
        case "UnaryOp" if node.op in SIZES:
            return
        case "Typename" | "TypeOf":
            return
        case "GenericSelection":
            for part in node.expressions:
                yield from evaluations_of(e, part, is_place)
        case "UnaryOp" if node.op == "&":
            yield from evaluations_of(e, node.expr, is_place=True)
        case "UnaryOp" if node.op == "*":
            yield from evaluations_of(e, node.expr)
            if not is_place:
                yield _IN_MEMORY
        case "StructRef":
            yield from evaluations_of(e, node.name, is_place or node.type == "->")
            yield from _pointer(e, node.name) if node.type == "->" else ()
            if node.type == "->" and not is_place:
                yield _IN_MEMORY
        case "ArrayRef":
            yield from _element(e, node, is_place)
        case _:
            for _, child in node.children():
                yield from evaluations_of(e, child)


def _pointer(e: Expressions, node: Node) -> Iterator[Evaluation]:
    """What is read to get at a pointer."""
    if kind_of(node) == "ID":
        yield from _named(e, node)
    elif kind_of(node) in ("StructRef", "ArrayRef") or (kind_of(node) == "UnaryOp" and node.op == "*"):
        yield _IN_MEMORY


def _element(e: Expressions, node: Node, is_place: bool) -> Iterator[Evaluation]:
    yield from evaluations_of(e, node.subscript)
    inner, depth = node.name, 1
    while kind_of(inner) == "ArrayRef":
        inner, depth = inner.name, depth + 1
    symbol = e.scope.find(inner.name) if kind_of(inner) == "ID" else None
    kind = symbol.type if isinstance(symbol, GlobalObject | ObjectStorage) else None
    while isinstance(kind, ArrayType) and depth:
        kind, depth = kind.element, depth - 1
    if depth:  # by a pointer somewhere
        yield from evaluations_of(e, node.name)
        yield from () if is_place else (_IN_MEMORY,)
    else:
        yield from evaluations_of(e, node.name, is_place)


def _named(e: Expressions, node: Node) -> Iterator[Evaluation]:
    symbol = e.scope.find(node.name)
    storage = symbol.storage if isinstance(symbol, GlobalObject) else symbol
    if isinstance(storage, ObjectStorage):
        yield Evaluation(frozenset([v for leaf in storage.leaves.values() for v in leaf]), storage.base is not None)


def _call(e: Expressions, node: Node) -> Iterator[Evaluation]:
    for argument in node.args.exprs if node.args is not None else ():
        yield from evaluations_of(e, argument)
    functions = e.unit.functions
    name = node.name.name if kind_of(node.name) == "ID" else ""
    if name in functions and functions[name].definition is not None:
        yield Evaluation(calls=(name,))
    elif name in functions or (name and e.scope.find(name) is None):
        yield from () if is_free(e, node) else (_IN_MEMORY,)
    else:  # through a pointer
        yield from evaluations_of(e, node.name)
        yield Evaluation(calls=tuple(e.unit.pointed), in_memory=True)
