"""Clauses without literals that the other lemmas rule out.

With ``n ≤ r + 1`` at hand the clause ``n ≥ r + 2 ∨ r ≥ 1`` says ``r ≥ 1``. A literal goes if, where it and the other lemmas
hold, the rest of its clause does; so the lemmas together say what they said.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.terms import Term
from lemmata.solvers.smt import Unsat, open_solver


def trim(lemmas: Sequence[Term], solver: str, until: float) -> list[Term]:
    """The same lemmas, or as many of them trimmed as the time allows."""
    found = list(lemmas)
    for position, lemma in enumerate(found):
        if lemma.op == "or" and len(found) > 1:
            try:
                found[position] = _trimmed(lemma, found[:position] + found[position + 1 :], solver, until)
            except GaveUp:
                break
    return found


def _trimmed(clause: Term, others: Sequence[Term], name: str, until: float) -> Term:
    solver = open_solver(name)
    solver.add(conj(others))
    literals = list(clause.args)
    for literal in clause.args:
        rest = [other for other in literals if other is not literal]
        if rest and isinstance(solver.check([literal, *map(negate, rest)], (), until), Unsat):
            literals = rest
    return disj(literals)
