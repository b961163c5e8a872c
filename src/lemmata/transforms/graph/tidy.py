"""Guards as short lists of conjuncts, and terms in a form in which equal sums look equal.

``normal_form`` builds a term again from below: comparisons of numbers take their normal form (``logic.linear``), and so do sums
that stand in an ``ite`` or alone; remainders and choices become simpler (``logic.rewrite.arithmetic``). ``guard_conjuncts``
takes a guard apart. ``assume`` uses what must hold anyway: a literal among the conjuncts is true inside the others, and a
variable that equals a constant is that constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import negate
from lemmata.logic.linear import canonical
from lemmata.logic.linear.atoms import is_literal
from lemmata.logic.rewrite.arithmetic import Arithmetic, summed
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import substitute

__all__ = ["assume", "guard_conjuncts", "normal_form", "summed", "tidied"]

_EVERYWHERE = Arithmetic()  # rules that hold whatever the variables are


def normal_form(terms: Sequence[Term]) -> list[Term]:
    """The same functions in normal form."""
    return _EVERYWHERE.rewritten(terms)


def tidied(op: str, args: tuple[Term, ...], data: Any = None) -> Term:
    """``build`` with normal forms for comparisons of numbers; for ``substitute``."""
    return _EVERYWHERE.built(op, args, data)


def guard_conjuncts(formulas: Iterable[Term]) -> list[Term]:
    """Formulas whose conjunction is the same, none of them a conjunction; ``[FALSE]`` if one of them is false."""
    found = dict.fromkeys(asserted_conjuncts(formulas))
    if FALSE in found or any(canonical(negate(term)) in found for term in found if is_literal(term)):
        return [FALSE]
    return list(found)


def assume(parts: Sequence[Term], updates: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """The same edge where each part and each update relies on the literals among the parts."""
    known: dict[Term, Term] = {}
    for part in parts:
        if is_literal(part):
            known[part] = TRUE
            known[negate(part)] = known[canonical(negate(part))] = FALSE
    pins = _pins(parts)
    values = [v for v in pins if v not in known]
    known |= {v: pins[v][0] for v in values}
    kept = {pins[v][1] for v in values}
    inner = {part: (part.args[0] if part.op == "not" else part) for part in parts}
    roots = [arg for part in parts if is_literal(part) and part not in kept for arg in inner[part].args]
    roots += [part for part in parts if not is_literal(part)]
    new = dict(zip([*roots, *updates], substitute([*roots, *updates], known, tidied), strict=True))
    result = []
    for part in parts:
        if not is_literal(part):
            result.append(new[part])
        elif part in kept or not inner[part].args:
            result.append(part)
        else:
            changed = tuple(new[arg] for arg in inner[part].args)
            result.append(part if changed == inner[part].args else _again(part, inner[part], changed))
    return guard_conjuncts(result), [summed(new[update]) for update in updates]


def _pins(parts: Sequence[Term]) -> dict[Term, tuple[Term, Term]]:
    """Variables that equal a constant where all parts hold: the constant, and the part that says so."""
    found: dict[Term, tuple[Term, Term]] = {}
    for part in parts:
        if part.op == "=" and part.args[0].is_var and part.args[1].is_const:
            found.setdefault(part.args[0], (part.args[1], part))
    return found


def _again(part: Term, inner: Term, args: tuple[Term, ...]) -> Term:
    term = tidied(inner.op, args, inner.data)
    return negate(term) if part.op == "not" else term
