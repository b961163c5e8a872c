"""Values that were computed before something changed: copies of them, where a later statement would change them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lemmata.frontends.c.operators.arithmetic import from_formula
from lemmata.frontends.c.translate.sorts import sort_of_term
from lemmata.frontends.c.types.values import Address, AddressNumber, Aggregate, CValue, Scalar
from lemmata.frontends.programs.tree import BOOL_TYPE, Assign, Call, Expression, Havoc, Name, Statement, below

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


class Snapshots:
    """Keeps values across statements that may change what they are made of."""

    def __init__(self, expressions: Expressions) -> None:
        self._e, self.unit, self.body, self.places = expressions, expressions.unit, expressions.body, expressions.places

    def kept(self, value: CValue, mark: int) -> CValue:
        """A value that was computed before the statements from ``mark`` on; if they change it, a copy of it."""
        match value:
            case Scalar(kind, term, low, high, formula):
                if formula is not None:
                    kept = self.kept_term(formula, mark, is_formula=True)
                    if kept is not formula:
                        plain = from_formula(kept, self.unit.arithmetic)
                        return self.unit.arithmetic.convert(plain, kind)
                    return value
                return Scalar(kind, self.kept_term(term, mark), low, high)
            case Address(kind, base, offset):
                return Address(kind, self.kept_term(base, mark), self.kept_term(offset, mark))
            case AddressNumber(kind, address):
                kept_address = self.kept(address, mark)
                assert isinstance(kept_address, Address)
                return AddressNumber(kind, kept_address)
            case Aggregate(kind, leaves):
                return Aggregate(
                    kind, {path: tuple([self.kept_term(t, mark) for t in terms]) for path, terms in leaves.items()}
                )
        return value

    def frozen(self, value: CValue) -> CValue:
        """The value as it is now, whatever changes in memory."""
        match value:
            case Scalar(kind, term, low, high):
                return Scalar(kind, self._frozen(term), low, high)
            case Address(kind, base, offset):
                return Address(kind, self._frozen(base), self._frozen(offset))
            case Aggregate(kind, leaves):
                return Aggregate(kind, {path: tuple([self._frozen(t) for t in terms]) for path, terms in leaves.items()})
        return value

    def _frozen(self, term: Expression) -> Expression:
        unit = self.unit
        names = [unit.nodes.names[node] for node in below(term) if isinstance(node, Name)]
        if not any(variable.kind == "global" for variable in names):
            return term
        variable = unit.variable(names[0].at, "kept", sort_of_term(term, unit.nodes), self.body)
        self._e.emit(Assign(names[0].at, (unit.nodes.name(variable),), (term,)))
        return unit.nodes.name(variable)

    def kept_term(self, term: Expression, mark: int, is_formula: bool = False) -> Expression:
        """The same for a term; the copy is made where the statements from ``mark`` on begin."""
        later = self.body.statements[mark:]
        if not later or not self._changes(term, later):
            return term
        unit = self.unit
        names = [node for node in below(term) if isinstance(node, Name)]
        at = names[0].at if names else 0
        sort = BOOL_TYPE if is_formula else sort_of_term(term, unit.nodes)
        variable = unit.variable(at, "kept", sort, self.body)
        self.body.statements.insert(mark, Assign(at, (unit.nodes.name(variable),), (term,)))
        return unit.nodes.name(variable)

    def _changes(self, term: Expression, later: Sequence[Statement]) -> bool:
        names = self.unit.nodes.names
        mentioned = {names[node] for node in below(term) if isinstance(node, Name)}
        for statement in later:
            match statement:
                case Assign(_, targets) | Havoc(_, targets):
                    if any(names[target] in mentioned for target in targets):
                        return True
                case Call(_, results):
                    if any(variable.kind == "global" for variable in mentioned):
                        return True
                    if any(names[result] in mentioned for result in results):
                        return True
        return False
