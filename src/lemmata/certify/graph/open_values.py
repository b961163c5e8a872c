"""Terms at a point where some values are open: numbers divided by zero, uninterpreted functions.

``OPEN`` stands for a value that SMT-LIB leaves to the model. It spreads (Kleene's strong three values, for every sort), except
where the other arguments decide: a false part of a conjunction, a true part of a disjunction, the branch of ``ite`` that
is not taken. So a value that is not open is the same in every model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lemmata.logic.terms import Term, Value, topological, value_of
from lemmata.logic.values import apply, is_open


class _Open:
    """The one value that is none."""

    def __repr__(self) -> str:
        return "OPEN"


OPEN: Final = _Open()
_DIVISIONS = ("div", "mod", "/")


def may_be_open(terms: Sequence[Term]) -> bool:
    """Is there a division whose divisor is not a constant other than zero, or an uninterpreted function?"""
    return any(
        term.op == "apply" or (term.op in _DIVISIONS and not (term.args[1].is_const and value_of(term.args[1])))
        for term in topological(terms)
    )


class OpenProgram:
    """``terms``, ready to be evaluated at many points."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._terms = tuple(terms)
        self._order = topological(terms)

    def run(self, values: Mapping[Term, Value]) -> list[Value]:
        """The values of the terms where the variables have ``values``, or ``OPEN``."""
        known: dict[Term, Value] = {}
        for term in self._order:
            if term.is_const:
                known[term] = value_of(term)
            elif term.is_var:
                known[term] = values[term]
            else:
                known[term] = _value(term, [known[arg] for arg in term.args])
        return [known[term] for term in self._terms]


def _value(term: Term, args: list[Value]) -> Value:
    op = term.op
    if op == "ite" and args[0] is not OPEN:
        return args[1] if args[0] else args[2]
    if not any(arg is OPEN for arg in args):
        if op == "apply" or is_open(op, args):
            return OPEN
        return apply(op, args, term.data, [arg.sort for arg in term.args])
    if op == "=>":
        op, args = "or", [args[0] if args[0] is OPEN else not args[0], args[1]]
    if op in ("and", "or"):
        deciding = op == "or"
        return deciding if any(arg is deciding for arg in args) else OPEN
    return OPEN
