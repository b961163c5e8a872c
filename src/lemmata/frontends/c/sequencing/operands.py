"""``OperandOrder``: evaluates what C evaluates in any order; see ``ordering``.

Where the order does not matter it is from left to right. Where it does, the graph has all orders, and a run chooses one. Where
there are too many, nothing is known of the globals and of memory meanwhile, each operand is evaluated or left out, all of them
are worth anything, and the run does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from lemmata.frontends.c.memory.lvalues import Lvalue, MemoryPlace, VariablePlace
from lemmata.frontends.c.sequencing.evaluations import evaluations_of, is_free
from lemmata.frontends.c.sequencing.ordering import DISORDER, Accesses
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.sorts import sort_of_term
from lemmata.frontends.c.translate.tree_builder import TRUTH
from lemmata.frontends.c.types.values import Address, AddressNumber, Aggregate, CValue, Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, Call, Expression, Havoc, Literal, Statement
from lemmata.values import dataclass

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions

OperandResult: TypeAlias = CValue | Lvalue


@dataclass(frozen=True, slots=True)
class Operand:
    """What is evaluated, and how."""

    node: Node
    evaluate: Callable[[], OperandResult]
    is_place: bool = False  # of an assignment: it is not read


class OperandOrder:
    """Evaluates the operands of one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e, self.unit, self.body = expressions, expressions.unit, expressions.body
        self._is_disordered = False  # inside of operands whose orders are not told apart
        self._has_calls: dict[int, bool] = {}

    def results(self, node: Node, operands: Sequence[Operand]) -> list[OperandResult]:
        """What the operands of the node are worth when all of them have been evaluated; given from the first to the last."""
        natural = range(len(operands))
        if len(operands) < 2 or not any(self.has_calls(operand.node) for operand in operands):
            return self._evaluated(operands, natural)
        orders = self.unit.demands.orders.get(id(node))
        if self._is_disordered or (orders is not None and orders.is_arbitrary):
            return self._arbitrary(node, operands)
        if orders is None:
            return self._evaluated(operands, natural, node)
        return self._in_any_order(node, operands, list(orders.of(len(operands))))

    def values(self, node: Node, operands: Sequence[Operand]) -> list[CValue]:
        """The same, where none of them is a place."""
        found = self.results(node, operands)
        return [result for result in found if not isinstance(result, VariablePlace | MemoryPlace)]

    def has_calls(self, node: Node) -> bool:
        """Is there a call in it that may do more than return anything?"""
        known = self._has_calls.get(id(node))
        if known is None:
            calls = [part for part in descendants(node) if kind_of(part) == "FuncCall"]
            known = self._has_calls[id(node)] = any(not is_free(self._e, call) for call in calls)
        return known

    # One order.

    def _evaluated(self, operands: Sequence[Operand], order: Iterable[int], site: Node | None = None) -> list[OperandResult]:
        """The operands in this order; values that a later one changes are kept. The site is put down."""
        results: dict[int, OperandResult] = {}
        marks: list[int] = []
        made: dict[int, list[Statement]] = {}
        for n in order:
            start = len(self.body.statements)
            results[n] = operands[n].evaluate()
            made[n] = self.body.statements[start:]
            marks.append(len(self.body.statements))
        if site is not None:
            own = [self._accesses(operand, made[n], results[n]) for n, operand in enumerate(operands)]
            self.unit.ordering.site(site, own)
        for n, mark in reversed(list(zip(results, marks, strict=True))[:-1]):
            results[n] = self._kept(results[n], mark)  # what it inserts is after the marks that follow here
        return [results[n] for n in range(len(operands))]

    def _kept(self, result: OperandResult, mark: int) -> OperandResult:
        keep = self._e.snapshots.kept_term
        match result:
            case VariablePlace(indices=indices):
                return replace(result, indices=tuple([keep(index, mark) for index in indices]))
            case MemoryPlace(_, base, offset, _, within):
                within = keep(within, mark, is_formula=True)
                return replace(result, base=keep(base, mark), offset=keep(offset, mark), within=within)
        return self._e.snapshots.kept(result, mark)

    def _accesses(self, operand: Operand, made: list[Statement], result: OperandResult) -> Accesses:
        stops = self.unit.text.lexemes.never_return | frozenset(self.unit.wanted.errors)
        found = self.unit.ordering.accesses(made, _terms(result), operand.node, stops)
        found.evaluations = list(evaluations_of(self._e, operand.node, operand.is_place))
        return found

    # Several orders.

    def _in_any_order(self, node: Node, operands: Sequence[Operand], orders: list[tuple[int, ...]]) -> list[OperandResult]:
        """A run chooses the order."""
        e, at, end = self._e, self.unit.at.of(node), self.body.label("ordered")
        self.unit.ordering.lines.setdefault(self.unit.text.line(at))
        slots: list[_Slot] = []
        for number, order in enumerate(orders):
            other = self._choice(at) if number + 1 < len(orders) else None
            found = self._evaluated(operands, order, None if number else node)
            slots = slots or [_Slot(e, result, node) for result in found]
            for slot, result in zip(slots, found, strict=True):
                slot.store(result)
            if other is not None:
                e.jump(at, end)
                e.mark(at, other)
        e.mark(at, end)
        return [slot.result() for slot in slots]

    def _choice(self, at: int) -> str:
        """Go on here, or at the label."""
        e, here, other = self._e, self.body.label("order"), self.body.label("order")
        flag = self.unit.variable(at, "order", BOOL_TYPE, self.body)
        e.emit(Havoc(at, (self.unit.nodes.name(flag),)))
        e.split(at, self.unit.nodes.name(flag), other, here)
        e.mark(at, here)
        return other

    def _arbitrary(self, node: Node, operands: Sequence[Operand]) -> list[OperandResult]:
        """In any order, perhaps with other operands in between: what comes of it is anything, and does not count."""
        e, at, outer = self._e, self.unit.at.of(node), self._is_disordered
        self.unit.ordering.disordered.setdefault(self.unit.text.line(at))
        self._is_disordered = True
        found: list[OperandResult] = []
        for operand in operands:
            e.emit(Call(at, (), DISORDER, ()))
            other = self._choice(at)
            found.append(operand.evaluate())
            e.mark(at, other)
        e.emit(Call(at, (), DISORDER, ()))
        self._is_disordered = outer
        return [_Slot(e, result, node).anything() for result in found]


class _Slot:
    """Variables that have what an operand is worth, whichever order was chosen; a constant needs none."""

    def __init__(self, e: Expressions, like: OperandResult, node: Node) -> None:
        self._e, self._like, self._at = e, like, e.unit.at.of(node)
        terms = _terms(like)
        is_constant = all(isinstance(term, Literal) for term in terms)
        sorts = [] if is_constant else [sort_of_term(term, e.unit.nodes) for term in terms]
        self._variables = tuple([e.unit.variable(self._at, "operand", sort, e.body) for sort in sorts])

    def store(self, result: OperandResult) -> None:
        """The operand is worth this."""
        if isinstance(result, MemoryPlace):
            self._e.places.must(result.within, self._at)
        if self._variables:
            self._e.places.assign(self._variables, _terms(result), self._at)

    def anything(self) -> OperandResult:
        """The operand is worth anything."""
        names, unit = tuple([self._e.unit.nodes.name(variable) for variable in self._variables]), self._e.unit
        if names:
            within = unit.arithmetic.within(names[0], self._like.type) if isinstance(self._like, Scalar) else TRUTH
            self._e.emit(Havoc(self._at, names, None if within is TRUTH else within))
        return self.result()

    def result(self) -> OperandResult:
        """What the operand is worth."""
        if not self._variables:
            return self._like
        names = [self._e.unit.nodes.name(variable) for variable in self._variables]
        match self._like:
            case Scalar(kind):
                return self._e.unit.arithmetic.read(names[0], kind)
            case Address(kind):
                return Address(kind, *names)
            case AddressNumber(kind, address):
                return AddressNumber(kind, Address(address.type, *names))
            case Aggregate(kind, leaves):
                rest = iter(names)
                return Aggregate(kind, {path: tuple([next(rest) for _ in terms]) for path, terms in leaves.items()})
            case VariablePlace():
                return replace(self._like, indices=tuple(names))
            case MemoryPlace():
                return replace(self._like, base=names[0], offset=names[1], is_sure=False, within=TRUTH)
        return self._like


def _terms(result: OperandResult) -> list[Expression]:
    """What the result is made of."""
    match result:
        case Scalar():
            return [result.term]
        case Address() | MemoryPlace():
            return [result.base, result.offset]
        case AddressNumber(_, address):
            return [address.base, address.offset]
        case Aggregate(_, leaves):
            return [term for terms in leaves.values() for term in terms]
        case VariablePlace():
            return list(result.indices)
    return []
