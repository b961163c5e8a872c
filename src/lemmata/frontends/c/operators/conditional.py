"""The conditional operator ``c ? a : b`` (C11 6.5.15): a term where no part has effects, else jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.tree_builder import FALSITY, TRUTH, conditional
from lemmata.frontends.c.types import VOID, CType, Void, common
from lemmata.frontends.c.types.values import Address, AddressNumber, Aggregate, CValue, FloatValue, Nothing, Scalar, widest
from lemmata.frontends.programs.tree import BOOL_TYPE, Expression

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


class Conditionals:
    """Values of conditional expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._e, self.unit, self.body, self.places = expressions, expressions.unit, expressions.body, expressions.places

    def value(self, node: Node) -> CValue:
        """``c ? a : b`` (6.5.15)."""
        start = len(self.body.statements)
        decided = None if _has_calls(node.cond) else self._e.constant(node.cond, self._e.scope)
        if decided is not None:
            return self._decided(node, bool(decided))
        if not (self._e.has_effects(node.iftrue) or self._e.has_effects(node.iffalse)):
            condition = self._e.truth(node.cond)
            mark = len(self.body.statements)
            values = self._balanced(self._e.value(node.iftrue), self._e.value(node.iffalse), node)
            if len(self.body.statements) == mark:
                return self._chosen(condition, *values)
            del self.body.statements[start:]
        return self._jumping(node)

    def omitted(self, node: Node) -> CValue:
        """``a ?: b`` of GNU C: ``a``, which is evaluated once, where it is not 0."""
        e, at = self._e, self.unit.at.of(node)
        condition, other = node.parts
        value = e.conversions.decayed(e.value(condition))
        with e.aside(e.scope):
            kind = self._joint(value, e.conversions.decayed(e.value(other)))
        if isinstance(value, Scalar) and value.constant is not None and not e.has_effects(condition):
            chosen = value if value.constant else e.conversions.decayed(e.value(other))
            return e.conversions.settled(chosen, kind, node)
        if isinstance(kind, Void) or isinstance(value, Nothing):
            raise self.unit.error(node, "this needs a value")
        storage = self.unit.storage(at, 0, "chosen", kind, self.body)
        yes, no, end = map(self.body.label, ("then", "else", "end"))
        truth = self.unit.variable(at, "truth", BOOL_TYPE, self.body)
        e.places.assign((truth,), [e.as_truth(value, condition)], at)
        e.store(self.places.of(storage), value, node)
        e.split(at, self.unit.nodes.name(truth), yes, no)
        e.mark(at, no)
        e.store(self.places.of(storage), e.conversions.decayed(e.value(other)), node)
        e.jump(at, end)
        e.mark(at, yes)
        e.mark(at, end)
        return self.places.read(self.places.of(storage), at)

    def _decided(self, node: Node, is_true: bool) -> CValue:
        """One part alone, in the type of both: the condition is a constant."""
        part, other = (node.iftrue, node.iffalse) if is_true else (node.iffalse, node.iftrue)
        value = self._e.conversions.decayed(self._e.value(part))
        with self._e.aside(self._e.scope):
            kind = self._joint(value, self._e.conversions.decayed(self._e.value(other)))
        return self._e.conversions.settled(value, kind, node)

    def _balanced(self, a: CValue, b: CValue, node: Node) -> tuple[CValue, CValue]:
        """Both values in the type of the whole."""
        a, b = self._e.conversions.decayed(a), self._e.conversions.decayed(b)
        kind = self._joint(a, b)
        return self._e.conversions.settled(a, kind, node), self._e.conversions.settled(b, kind, node)

    def _joint(self, a: CValue, b: CValue) -> CType:
        if isinstance(a, AddressNumber) or isinstance(b, AddressNumber):
            return self.unit.data.ulong
        if isinstance(a, FloatValue) or isinstance(b, FloatValue):
            return widest(a, b)
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return common(a.type, b.type, self.unit.data)
        if isinstance(a, Nothing) or isinstance(b, Nothing):
            return VOID
        if isinstance(a, Address) and not (isinstance(b, Address) and isinstance(a.type.target, Void)):
            return a.type
        return b.type

    def _chosen(self, condition: Expression, a: CValue, b: CValue) -> CValue:
        match a, b:
            case Scalar(), Scalar():
                if condition is TRUTH or condition is FALSITY:
                    return a if condition is TRUTH else b
                return Scalar(a.type, conditional(condition, a.term, b.term), min(a.low, b.low), max(a.high, b.high))
            case Address(), Address():
                return Address(a.type, conditional(condition, a.base, b.base), conditional(condition, a.offset, b.offset))
            case Aggregate(), Aggregate():
                leaves = {
                    path: tuple([conditional(condition, x, y) for x, y in zip(terms, b.leaves[path], strict=True)])
                    for path, terms in a.leaves.items()
                }
                return Aggregate(a.type, leaves)
        return a

    def _jumping(self, node: Node) -> CValue:
        at = self.unit.at.of(node)
        with self._e.aside(self._e.scope):
            kind = self._joint(
                self._e.conversions.decayed(self._e.value(node.iftrue)),
                self._e.conversions.decayed(self._e.value(node.iffalse)),
            )
        yes, no, end = map(self.body.label, ("then", "else", "end"))
        storage = None
        if not isinstance(kind, Void):
            storage = self.unit.storage(at, 0, "chosen", kind, self.body)
        self._e.branch(node.cond, yes, no)
        for label, part in ((yes, node.iftrue), (no, node.iffalse)):
            self._e.mark(at, label)
            value = self._e.conversions.decayed(self._e.value(part))
            if storage is not None:
                self._e.store(self.places.of(storage), value, node)
            if label == yes:
                self._e.jump(at, end)
        self._e.mark(at, end)
        return Nothing(VOID) if storage is None else self.places.read(self.places.of(storage), at)


def _has_calls(node: Node) -> bool:
    return any(kind_of(part) == "FuncCall" for part in descendants(node))
