"""Formulas as the thesis writes them: atoms in normal form (``x + 1 = 1`` is ``x = 0``), negations inside."""

from __future__ import annotations

from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.linear import canonical
from lemmata.logic.linear.atoms import CONNECTIVES
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, topological

_TIDY: dict[Term, Term] = {}


def normal_comparisons(formula: Term) -> Term:
    """The formula with its comparisons of numbers in normal form."""
    for term in topological([formula]):
        if term not in _TIDY and term.sort is BOOL:
            _TIDY[term] = canonical(_rebuilt(term))
    return _TIDY[formula]


def _rebuilt(term: Term) -> Term:
    is_inner = term.op in CONNECTIVES or term.op == "ite" or (term.op == "=" and term.args[0].sort is BOOL)
    return build(term.op, tuple([_TIDY[arg] for arg in term.args]), term.data) if is_inner else term


def negation(formula: Term) -> Term:
    """¬formula, with the negation at the parts."""
    match formula.op:
        case "and":
            return disj([canonical(negate(part)) for part in formula.args])
        case "or":
            return conj([canonical(negate(part)) for part in formula.args])
        case _:
            return canonical(negate(formula))
