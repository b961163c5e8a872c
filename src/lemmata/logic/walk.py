"""Walks over terms: ``fold``, ``substitute``, ``variables``. Each visits a shared node once and none recurses.

The numbers of terms are a topological order, so a walk is a loop in which the results of the arguments are there already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from lemmata.logic.build import build
from lemmata.logic.terms import Term, topological
from lemmata.work import NODE, tally

_X = TypeVar("_X")


def fold(roots: Iterable[Term], visit: Callable[[Term, Sequence[_X]], _X]) -> dict[Term, _X]:
    """``visit(term, results of its arguments)`` for every term below ``roots``; the results by term."""
    results: dict[Term, _X] = {}
    for term in topological(roots):
        results[term] = visit(term, [results[arg] for arg in term.args])
    return results


def substitute(terms: Sequence[Term], mapping: Mapping[Term, Term], construct: Callable[..., Term] = build) -> list[Term]:
    """``terms`` with every occurrence of a key replaced by its value, all at once.

    Keys are mostly variables, but any term will do; what is below a key is not looked at, and the values are taken as they are.
    What changes is made by ``construct``: ``build`` simplifies, ``make`` keeps every operator.
    """
    results = dict(mapping)
    for term in _outside(terms, mapping):
        args = term.args
        replaced = tuple([results[arg] for arg in args])
        results[term] = term if replaced == args else construct(term.op, replaced, term.data)
    return [results[term] for term in terms]


def _outside(roots: Iterable[Term], keys: Mapping[Term, Term]) -> list[Term]:
    """The terms that can be reached from ``roots`` without entering a key, arguments first."""
    seen = {root for root in roots if root not in keys}
    stack = list(seen)
    while stack:
        for arg in stack.pop().args:
            if arg not in seen and arg not in keys:
                seen.add(arg)
                stack.append(arg)
    tally[NODE] += len(seen)
    return sorted(seen, key=_number)


def dag_size(terms: Iterable[Term]) -> int:
    """How many operators and operands are below ``terms``: what it takes to write them anew."""
    return sum(1 + len(term.args) for term in topological(terms))


def variables(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The variables below ``terms``, oldest first."""
    return tuple(term for term in topological(terms) if term.is_var)


def _number(term: Term) -> int:
    return term.number


def conjuncts(formula: Term) -> list[Term]:
    """The arguments of ``and``, nested ones as well."""
    return _flat(formula, "and")


def disjuncts(formula: Term) -> list[Term]:
    """The arguments of ``or``, nested ones as well."""
    return _flat(formula, "or")


def _flat(formula: Term, op: str) -> list[Term]:
    found: list[Term] = []
    stack = [formula]
    while stack:
        term = stack.pop()
        if term.op == op:
            stack.extend(reversed(term.args))
        else:
            found.append(term)
    return found
