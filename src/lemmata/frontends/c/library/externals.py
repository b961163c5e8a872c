"""``Externals``: functions that the program calls and nobody defines.

Such a function returns anything. What its arguments point to, and may be changed through them, it may change: an object of
numbers gets arbitrary values. Where more can be reached (pointers in it, or anything behind ``void *``), nothing is known of
memory any more, and what follows does not count. It changes no variables that it got no pointer to, as the rules of SV-COMP
have it, and calls no function of the program: handing one over is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.frontends.c import library
from lemmata.frontends.c.syntax.parser import Node, kind_of
from lemmata.frontends.c.translate.tree_builder import both, conditional, literal_value
from lemmata.frontends.c.translate.unit import FunctionName
from lemmata.frontends.c.types import C_INT, VOID, CType, Integer, Pointer, Structure
from lemmata.frontends.c.types.declarations import points_to_const
from lemmata.frontends.c.types.values import Address, Aggregate, CValue, Designator, Nothing, Scalar
from lemmata.frontends.programs.tree import Assume, Havoc, Inexact

if TYPE_CHECKING:
    from lemmata.frontends.c.translate.expressions import Expressions


class Externals:
    """Calls of such functions in one body."""

    def __init__(self, expressions: Expressions) -> None:
        self._e = expressions

    def call(
        self, name: str, kind: CType, symbol: FunctionName | None, values: list[tuple[CValue, Node]], node: Node, is_used: bool
    ) -> CValue:
        """What the call returns; what it may change is changed."""
        e, unit, at = self._e, self._e.unit, self._e.unit.at.of(node)
        is_silent = name in library.PRINTS and not any(_has_count(argument) for _, argument in values)
        writes = not is_silent and self._effects(name, symbol, values)
        unit.undefined[name] = unit.undefined.get(name, False) or writes
        is_chosen = (is_used or library.is_nondet(name)) and isinstance(kind, Integer)
        if is_chosen or name not in unit.called:
            unit.called[name] = "nondet" if is_chosen else "stub"
        is_meant = name in library.MEANT or (name in library.PRINTS and is_used)
        if is_meant and (is_used or writes):
            e.emit(Inexact(at))
        if not is_used and not isinstance(kind, Structure) and not library.is_nondet(name):
            return Nothing(VOID)
        for leaf in [leaf for _, _, leaf in unit.leaves(kind) if isinstance(leaf, Pointer)]:
            e.emit(Inexact(at))
            for value, _ in values:
                if isinstance(value, Address):  # which it may return
                    e.calls.program.aliasing.converted(value.type.target, leaf.target, node)
        result = e.any_value(kind, node, name)
        if name in library.READS and isinstance(result, Scalar):
            low, high = (unit.arithmetic.literal(bound, result.type) for bound in library.READS[name])
            within = both(unit.arithmetic.compare("<=", low, result), unit.arithmetic.compare("<=", result, high))
            e.emit(Assume(at, within))
        return result

    def with_sign(self, value: Scalar, node: Node) -> Scalar:
        """Any number that is positive, zero or negative as the value is."""
        e, arithmetic, at = self._e, self._e.unit.arithmetic, self._e.unit.at.of(node)
        variable = e.unit.variable(at, "size", arithmetic.sort(C_INT), e.body)
        zero, one = arithmetic.literal(0, C_INT), arithmetic.literal(1, C_INT)
        size = Scalar(C_INT, e.unit.nodes.name(variable), 0, C_INT.most - 1)
        most = arithmetic.literal(size.high, C_INT)
        plain = arithmetic.read(size.term, C_INT)
        within = both(arithmetic.compare("<=", zero, plain), arithmetic.compare("<=", plain, most))
        e.emit(Havoc(at, (e.unit.nodes.name(variable),), within))
        above = arithmetic.add("+", size, one)
        below = arithmetic.add("-", zero, above)
        rest = conditional(arithmetic.compare("<", value, zero), below.term, zero.term)
        return arithmetic.read(conditional(arithmetic.compare("<", zero, value), above.term, rest), C_INT)

    # What is changed.

    def _effects(self, name: str, symbol: FunctionName | None, values: list[tuple[CValue, Node]]) -> bool:
        """Change whatever the function may change; was there anything?"""
        found = False
        for position, (value, argument) in enumerate(values):
            match value:
                case Designator():
                    self._refuse(name, argument)
                case Address() if literal_value(value.base) != 0:
                    is_const = name in library.READ_ONLY
                    is_const = is_const or (symbol is not None and points_to_const(symbol.declared, position))
                    found |= self._through(name, value, argument, is_const=is_const)
                case Aggregate(kind):
                    reached = self._e.calls.program.aliasing.reaches(kind)
                    if "function" in reached:
                        self._refuse(name, argument)
                    if reached:
                        self._everything(argument)
                        found = True
        return found

    def _through(self, name: str, pointer: Address, node: Node, *, is_const: bool) -> bool:
        e, target, aliasing = self._e, pointer.type.target, self._e.calls.program.aliasing
        reached = aliasing.reaches(target)
        if "function" in reached:
            self._refuse(name, node)
        if reached == {"anything"} and is_const:
            return False
        if isinstance(target, Structure) and target.name in library.FILES:
            return False
        if reached:
            self._everything(node)
            return True
        if is_const:
            return False
        at, unit = e.unit.at.of(node), e.unit
        if unit.demands.has_bytes:
            e.places.cells.havoc_row(pointer.base, at)
        else:
            e.places.cells.havoc_row(pointer.base, at, list(e.places.memories(target)))
        return True

    def _everything(self, node: Node) -> None:
        at = self._e.unit.at.of(node)
        self._e.emit(Inexact(at))
        self._e.places.cells.havoc_all(at)

    def _refuse(self, name: str, node: Node) -> None:
        raise self._e.unit.unsupported(
            node,
            f"'{name}', which has no definition, may call a function that it gets a pointer to",
            "define it in the program",
        )


def _has_count(argument: Node) -> bool:
    """Is it a format that makes ``printf`` write?"""
    return kind_of(argument) == "Constant" and argument.type == "string" and "%n" in argument.value
