"""Formulas by cases: one level of a disjunction that a conjunct hides.

``case_split`` splits a formula that is no bound or equation: connectives, an equation that is denied (below or above), a choice
inside a literal. Together the ways say what the formula says.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.linear import comparison
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import Term, topological
from lemmata.logic.walk import substitute

_BOUNDS = ("le", "lt", "eq")


def case_split(formula: Term) -> list[Term] | None:
    """Formulas whose disjunction is ``formula``; ``None`` if it is a literal that cannot be split."""
    inner = formula.args[0] if formula.op == "not" else formula
    is_denied = inner is not formula
    found = _connective(inner, is_denied)
    if found is not None:
        return found
    if is_denied and inner.op == "=" and inner.args[0].sort in (INT, REAL):
        a, b = inner.args
        return [build("<", (a, b)), build("<", (b, a))]
    choice = next((term for term in topological([inner]) if term.op == "ite" and term.sort is not BOOL), None)
    if choice is not None:
        condition, then, other = choice.args
        return [
            conj([condition, substitute([formula], {choice: then})[0]]),
            conj([negate(condition), substitute([formula], {choice: other})[0]]),
        ]
    return None


def _connective(inner: Term, is_denied: bool) -> list[Term] | None:
    args = inner.args
    match inner.op:
        case "or" if not is_denied:
            return list(args)
        case "and" if is_denied:
            return [negate(arg) for arg in args]
        case "=>" if not is_denied:
            return [negate(args[0]), args[1]]
        case "=" | "xor" if args[0].sort is BOOL:
            if (inner.op == "=") != is_denied:
                return [conj(args), conj([negate(arg) for arg in args])]
            return [conj([args[0], negate(args[1])]), conj([negate(args[0]), args[1]])]
        case "ite" if inner.sort is BOOL:
            condition, then, other = args
            if is_denied:
                then, other = negate(then), negate(other)
            return [conj([condition, then]), conj([negate(condition), other])]
    return None


def split_unless_bound(part: Term) -> list[Term] | None:
    """The ways of a part that is no plain bound or equation."""
    atom = comparison(part)
    is_plain = atom is not None and atom.kind in _BOUNDS and all(unknown.is_var for unknown, _ in atom.form.terms)
    return None if is_plain else case_split(part)


def is_bound(literal: Term) -> bool:
    """Does it compare sums by ≤, < or =?"""
    atom = comparison(literal)
    return atom is not None and atom.kind in _BOUNDS


def merged(under: Sequence[frozenset[int]], step: int, proofs: Sequence[Sequence[Term]]) -> tuple[Term, ...]:
    """Sequences for all ways of a part of ``step``, as one: a union from there on, a conjunction elsewhere."""
    return tuple(
        [(disj if step in below else conj)([formulas[number] for formulas in proofs]) for number, below in enumerate(under)]
    )
