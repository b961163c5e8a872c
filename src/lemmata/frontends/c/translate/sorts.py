"""Which type of the tree a term has, where only the term is at hand."""

from __future__ import annotations

from lemmata.frontends.c.translate.tree_builder import TreeBuilder
from lemmata.frontends.programs.tree import (
    INT_TYPE,
    Apply,
    Conditional,
    Expression,
    Filled,
    Literal,
    MapType,
    Select,
    Store,
    Type,
    Unary,
)


def sort_of_term(term: Expression, nodes: TreeBuilder) -> Type:
    """Found by going down to where it is written."""
    while True:
        match term:
            case Literal(_, _, kind):
                return kind
            case Apply(_, function):
                return nodes.types[nodes.functions[function]]
            case Conditional(_, _, then):
                term = then
            case Unary(_, _, argument):
                term = argument
            case Filled(_, kind):
                return kind
            case Store(_, table):
                term = table
            case Select(_, table, indices):
                whole = sort_of_term(table, nodes)
                assert isinstance(whole, MapType)
                left = whole.indices[len(indices) :]
                return MapType(left, whole.element) if left else whole.element
            case _:
                return nodes.types.get(term, INT_TYPE)
