"""A lemma as clauses, which people can read and a proof can do without one by one.

Conjunctive normal form by distribution, as long as there are few clauses; with literals in normal form, without tautologies and
without clauses that others imply. ``a ∧ b ∨ a ∧ c`` becomes ``a`` and ``b ∨ c``. A lemma that is too large only loses its
outer conjunction.
"""

from __future__ import annotations

from itertools import combinations

from lemmata.logic.build import disj, negate
from lemmata.logic.linear import canonical, comparison, implies
from lemmata.logic.terms import FALSE, TRUE, Term, topological

_MOST = 8  # clauses
_LARGEST = 300  # terms in a lemma

_Clause = tuple[Term, ...]


def clauses(lemma: Term) -> list[Term]:
    """Formulas that say the same together."""
    parts = _conjuncts(lemma)
    if len(topological(parts)) > _LARGEST:
        return parts
    return [clause for part in parts for clause in _clauses(part)]


def _clauses(lemma: Term) -> list[Term]:
    found = _cnf(lemma, True)
    return [lemma] if found is None else [disj(clause) for clause in _strongest(found)]


def _conjuncts(lemma: Term) -> list[Term]:
    parts, stack = list[Term](), [lemma]
    while stack:
        term = stack.pop()
        if term.op == "and":
            stack += reversed(term.args)
        elif term is not TRUE:
            parts.append(term)
    return parts


def _cnf(term: Term, sign: bool) -> list[_Clause] | None:
    """The clauses of the term, or of its negation; ``None`` if there are many."""
    if term.op == "not":
        return _cnf(term.args[0], not sign)
    if term.op == "=>":
        parts = [_cnf(term.args[0], not sign), _cnf(term.args[1], sign)]
        return _product(parts) if sign else _union(parts)
    if term.op in ("and", "or"):
        parts = [_cnf(arg, sign) for arg in term.args]
        return _union(parts) if (term.op == "and") == sign else _product(parts)
    literal = canonical(term if sign else negate(term))
    return [] if literal is TRUE else [()] if literal is FALSE else [(literal,)]


def _union(parts: list[list[_Clause] | None]) -> list[_Clause] | None:
    found: list[_Clause] = []
    for part in parts:
        if part is None or len(found) + len(part) > _MOST:
            return None
        found += part
    return found


def _product(parts: list[list[_Clause] | None]) -> list[_Clause] | None:
    found: list[_Clause] = [()]
    for part in parts:
        if part is None or len(found) * len(part) > 4 * _MOST:
            return None
        found = _strongest([clause for left in found for right in part if (clause := _joined(left, right)) is not None])
        if len(found) > _MOST:
            return None
    return found


def _joined(left: _Clause, right: _Clause) -> _Clause | None:
    """All literals but those that imply another one; ``None`` if some literal holds in any case."""
    literals = list(dict.fromkeys((*left, *right)))
    if any(_follows(negate(a), b) for a, b in combinations(literals, 2)):
        return None
    return tuple(a for a in literals if not any(a is not b and _follows(a, b) for b in literals))


def _strongest(found: list[_Clause]) -> list[_Clause]:
    """Without clauses that follow from another one."""
    kept: list[_Clause] = []
    for clause in sorted(dict.fromkeys(found), key=len):
        if not any(all(any(_follows(a, b) for b in clause) for a in other) for other in kept):
            kept.append(clause)
    return [clause for clause in dict.fromkeys(found) if clause in kept]


def _follows(a: Term, b: Term) -> bool:
    """Does literal ``a`` imply literal ``b`` at first sight?"""
    if a is b:
        return True
    left, right = comparison(a), comparison(b)
    return left is not None and right is not None and implies(left, right)
