"""Simplification rules for integers, reals and arrays.

Sums and products gather their constants at the end; a read looks through writes at other constants. Numbers divided by the
constant zero stay as they are, since SMT-LIB leaves their value open. Arrays are never folded to constants: writes and
fills are what every solver takes.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.logic.rewrite.connectives import by_number
from lemmata.logic.terms import FALSE, TRUE, Term, const, make, value_of
from lemmata.logic.values import is_foldable

_DISSOLVED_TERMS = 8  # sums of at most so many terms dissolve in the one above
_PASSED_WRITES = 32  # writes that a read looks through


def _gathered(op: str, neutral: int) -> Callable[..., Term]:
    """``+`` and ``*``: constants become one, small terms of the same kind dissolve."""

    def rule(*args: Term) -> Term:
        sort = args[0].sort
        number, rest = const(neutral, sort).data[0], []
        for arg in args:
            for part in arg.args if arg.op == op and len(arg.args) <= _DISSOLVED_TERMS else (arg,):
                if part.op != "const" or not is_foldable(op, (number, value_of(part))):
                    rest.append(part)
                elif op == "+":
                    number += value_of(part)
                else:
                    number *= value_of(part)
        if not rest or (op == "*" and number == 0):
            return const(number, sort)
        rest.sort(key=by_number)
        parts = tuple(rest) if number == neutral else (*rest, const(number, sort))
        return parts[0] if len(parts) == 1 else make(op, parts)

    return rule


_add = _gathered("+", 0)


def _subtract(a: Term, b: Term) -> Term:
    """a - b."""
    if a is b:
        return const(0, a.sort)
    if b.op == "const":
        return _add(a, const(-value_of(b), b.sort))
    return make("-", (a, b))


def _minus(a: Term) -> Term:
    """-a."""
    return a.args[0] if a.op == "neg" else make("neg", (a,))


def _divide(op: str) -> Callable[[Term, Term], Term]:
    def rule(a: Term, b: Term) -> Term:
        return a if b.op == "const" and value_of(b) == 1 else make(op, (a, b))

    return rule


def modulo(a: Term, b: Term) -> Term:
    """a mod b."""
    return const(0, a.sort) if b.op == "const" and value_of(b) in (1, -1) else make("mod", (a, b))


def less(a: Term, b: Term) -> Term:
    """a < b."""
    return FALSE if a is b else make("<", (a, b))


def _at_most_number(a: Term, b: Term) -> Term:
    """a ≤ b."""
    return TRUE if a is b else make("<=", (a, b))


def _to_int(a: Term) -> Term:
    """⌊a⌋."""
    return a.args[0] if a.op == "to_real" else make("to_int", (a,))


def _select(array: Term, index: Term) -> Term:
    """array[index]."""
    for _ in range(_PASSED_WRITES):
        if array.op == "filled":
            return array.args[0]
        if array.op != "store":
            break
        below, at, value = array.args
        if at is index:
            return value
        if at.op != "const" or index.op != "const":
            break
        array = below
    return make("select", (array, index))


def store(array: Term, index: Term, value: Term) -> Term:
    """``array`` with ``value`` at ``index``."""
    if array.op == "store" and array.args[1] is index:
        array = array.args[0]
    if value.op == "select" and value.args == (array, index):
        return array
    if array.op == "filled" and array.args[0] is value:
        return array
    return make("store", (array, index, value))


NUMBER_RULES: dict[str, Callable[..., Term]] = {
    "+": _add,
    "*": _gathered("*", 1),
    "-": _subtract,
    "neg": _minus,
    "div": _divide("div"),
    "/": _divide("/"),
    "mod": modulo,
    "<": less,
    "<=": _at_most_number,
    "to_int": _to_int,
    "select": _select,
    "store": store,
}
