"""Claims of others about a program: expressions of C that shall hold at a line, checked in the scope of their place.

A claim becomes a statement at its place (a loop's head, or before a statement): an assertion called ``entry N``, or nothing at
all. Either way the graph has the same locations, since the expression is translated in both cases; so evidence about the
program with assertions can be read as evidence about the program without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.config import SourceClaim
from lemmata.errors import InputError
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of, parse
from lemmata.frontends.c.syntax.text import plain_text
from lemmata.frontends.c.translate.tree_builder import ENTRY, TRUTH
from lemmata.frontends.c.translate.unit import Scope, TypeName
from lemmata.frontends.programs.tree import Assert, Assume

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions

_EFFECTS = frozenset({"Assignment", "FuncCall", "StatementExpression", "OmittedOperand", "GenericSelection"})


class ClaimTranslator:
    """Puts claims into one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions
        self._claims = expressions.unit.options.claims

    def at_loop(self, node: Node) -> None:
        """Claims about the head of a loop."""
        self._put(node, "loop_invariant")

    def before(self, node: Node) -> None:
        """Claims about the place before a statement."""
        self._put(node, "location_invariant")

    def _put(self, node: Node, kind: str) -> None:
        if not self._claims:
            return
        unit, at = self._e.unit, self._e.unit.at.of(node)
        spot = unit.text.spot(at)
        for number, claim in enumerate(self._claims):
            key = number, kind, at
            is_here = spot is not None and claim.kind == kind and claim.line == spot[0]
            if not is_here or claim.function not in ("", self._e.body.name) or number in unit.refused_claims:
                continue
            if kind == "location_invariant" and unit.placed_claims.get(number, key) != key:
                continue  # the first statement of a line
            unit.placed_claims[number] = key
            self._translate(number, claim, at)

    def _translate(self, number: int, claim: SourceClaim, at: int) -> None:
        e = self._e
        try:
            condition = self._parsed(claim.value)
            with e.aside(e.scope):
                e.truth(condition)
        except InputError as error:
            e.unit.refused_claims[number] = error.cause
            return
        truth = e.truth(condition)
        e.emit(Assert(at, truth, (), f"{ENTRY} {number}", number + 1) if claim.is_asserted else Assume(at, TRUTH))

    def _parsed(self, value: str) -> Node:
        """The expression, without side effects; its nodes have no places of their own."""
        names: dict[str, None] = {}
        scope: Scope | None = self._e.scope
        while scope is not None:
            names |= dict.fromkeys(name for name, symbol in scope.names.items() if isinstance(symbol, TypeName))
            scope = scope.outer
        types = " ".join([f"typedef int {name};" for name in names])
        whole = f"{types} int claim(void) {{ return ({value}\n); }}"
        text = plain_text(whole, "<claim>")
        tree = parse(text)
        items = tree.ext[-1].body.block_items if kind_of(tree.ext[-1]) == "FuncDef" else []
        if len(items) != 1 or kind_of(items[0]) != "Return":
            raise text.error(0, "this is no expression")
        condition = items[0].expr
        for node in descendants(condition):
            node.coord = None
            if kind_of(node) in _EFFECTS or (kind_of(node) == "UnaryOp" and node.op in ("++", "--", "p++", "p--")):
                raise text.error(0, "the expression has side effects")
        return condition
