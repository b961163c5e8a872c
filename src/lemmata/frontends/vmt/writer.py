"""Write VMT-LIB: declarations, a definition per annotation, and nothing else.

Names are those of the graph, also where they begin with a dot, as many in these files do. Properties keep theirs as names of
definitions, which ``reader`` takes for names of properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lemmata.frontends.vmt.relation import relation_of
from lemmata.logic.smtlib import symbol, to_text
from lemmata.logic.terms import Term, name_of
from lemmata.models.graph import Graph

_DOTTED = re.compile(r"\.[A-Za-z0-9~!@$%^&*_+=<>.?/\-]*")


def format_vmt(graph: Graph) -> bytes:
    """The bytes of a ``vmt`` file; ``Unsupported`` for a graph with more than one location."""
    relation = relation_of(graph)
    variables = (*relation.states, *relation.nexts, *relation.inputs)
    symbols = _Symbols(variables)
    lines = [f"(declare-fun {symbols.names[v.data]} () {v.sort})" for v in variables]
    for number, (v, following) in enumerate(zip(relation.states, relation.nexts, strict=True)):
        name = symbols.new(f"state.{number}")
        lines.append(f"(define-fun {name} () {v.sort} (! {symbols.names[v.data]} :next {symbols.names[following.data]}))")
    lines.append(symbols.annotated("init", relation.init, ":init true"))
    lines.append(symbols.annotated("trans", relation.trans, ":trans true"))
    for number, (question, formula) in enumerate(zip(graph.questions, relation.properties, strict=True)):
        lines.append(symbols.annotated(question.name, formula, f":invar-property {number}"))
    return "\n".join([*lines, "(assert true)", ""]).encode(errors="surrogateescape")


def _symbol(name: str) -> str:
    return name if _DOTTED.fullmatch(name) else symbol(name)


class _Symbols:
    """Symbols of variables, which have different names, and of definitions, which get new ones."""

    def __init__(self, variables: Iterable[Term]) -> None:
        self.names = {v.data: _symbol(name_of(v)) for v in variables}
        self._taken = set(self.names.values())

    def new(self, name: str) -> str:
        """A symbol that is free: the name, or the name with a suffix."""
        count = 1
        while (written := symbol(name if count == 1 else f"{name}~{count}")) in self._taken:
            count += 1
        self._taken.add(written)
        return written

    def annotated(self, name: str, formula: Term, annotation: str) -> str:
        """A definition of an annotated formula."""
        return f"(define-fun {self.new(name)} () Bool (! {to_text(formula, self.names)} {annotation}))"
