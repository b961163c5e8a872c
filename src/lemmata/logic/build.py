"""``build``: ``make`` with simplification. Same operators, same sort, same meaning, often a smaller term.

Arguments that are all constant are evaluated; otherwise the rules of ``logic.rewrite`` (Booleans, single bits, equations,
words, numbers) look at the operator and one level below it. Since arguments are built before what uses them, that is enough,
and it costs about as much as making the term. Three things are not folded: numbers divided by zero, which SMT-LIB leaves open;
arrays, since solvers have writes and fills but no array constants; and what would be enormous (``values.is_foldable``), so
there are products of constants.

A sort error is found before any rule looks: ``build`` raises where ``make`` does. The other names (``conj``, ``equal``, …) are
shorthands that trust their caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lemmata.logic.rewrite import numbers, words
from lemmata.logic.rewrite.connectives import (
    BIT,
    WORD_TO_BOOL,
    WORD_TO_WORD,
    bit,
    conj,
    disj,
    equivalent,
    implies,
    ite,
    negate,
    truth,
)
from lemmata.logic.rewrite.equality import equal
from lemmata.logic.sorts import Array
from lemmata.logic.terms import Term, const, make, sort_of, value_of
from lemmata.logic.values import apply, is_foldable, is_open

__all__ = ["bit", "build", "conj", "disj", "equal", "implies", "ite", "negate", "truth"]

_ON_TERMS: dict[str, Callable[..., Term]] = {
    "not": negate,
    "and": lambda *args: conj(args),
    "or": lambda *args: disj(args),
    "xor": lambda a, b: negate(equivalent(a, b)),
    "=>": implies,
    "=": equal,
    "ite": ite,
    **words.WORD_RULES,
    **numbers.NUMBER_RULES,
}
_ON_BITS = {**_ON_TERMS, **WORD_TO_WORD, **WORD_TO_BOOL}


def build(op: str, args: tuple[Term, ...], data: Any = None) -> Term:
    """The term ``(op args)``, simplified."""
    sort = sort_of(op, args, data)
    for arg in args:
        if arg.op != "const":
            break
    else:
        values = [value_of(arg) for arg in args]
        if op != "apply" and not isinstance(sort, Array) and not is_open(op, values) and is_foldable(op, values):
            return const(apply(op, values, data, [arg.sort for arg in args]), sort)
    if data is not None:
        with_data = words.WITH_DATA.get(op)
        return make(op, args, data) if with_data is None else with_data(args[0], data)
    rule = (_ON_BITS if args[0].sort is BIT else _ON_TERMS).get(op)
    return make(op, args) if rule is None else rule(*args)
