"""Lemmas in words that people can read: as clauses, without needless literals, with bounds joined.

- ``clauses`` takes a lemma apart by distribution, as long as there are few clauses; literals get their normal form, tautologies
  and clauses that others imply go. ``a ∧ b ∨ a ∧ c`` becomes ``a`` and ``b ∨ c``. A lemma that is too large only loses its
  outer conjunction.
- ``trim`` drops literals that the other lemmas rule out, by asking a solver: with ``n ≤ r + 1`` at hand the clause
  ``n ≥ r + 2 ∨ r ≥ 1`` says ``r ≥ 1``. A literal goes if, where it and the other lemmas hold, the rest of its clause does.
- ``join_bounds`` joins bounds on the same sum: ``x ≤ 3`` makes ``x ≤ 5`` redundant, and with ``x ≥ 3`` it is ``x = 3``;
  ``x ≤ 3 ∨ x ≥ 5`` is ``x ≠ 4``.

Each keeps what the lemmas say together; whoever uses them has the result checked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.linear import Atom, Linear, atom, atom_implies, canonical, comparison, normal
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, TRUE, Term, topological
from lemmata.solvers.smt import Smt, Unsat

_CLAUSES = 8  # clauses
_CLAUSE_TERMS = 300  # terms in a lemma

_Clause = tuple[Term, ...]


def clauses(lemma: Term) -> list[Term]:
    """Formulas that say the same together."""
    parts = _conjuncts(lemma)
    if len(topological(parts)) > _CLAUSE_TERMS:
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
        if part is None or len(found) + len(part) > _CLAUSES:
            return None
        found += part
    return found


def _product(parts: list[list[_Clause] | None]) -> list[_Clause] | None:
    found: list[_Clause] = [()]
    for part in parts:
        if part is None or len(found) * len(part) > 4 * _CLAUSES:
            return None
        found = _strongest([clause for left in found for right in part if (clause := _joined(left, right)) is not None])
        if len(found) > _CLAUSES:
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
    return left is not None and right is not None and atom_implies(left, right)


def trim(lemmas: Sequence[Term], solver: Smt, until: float) -> list[Term]:
    """The same lemmas, or as many of them trimmed as the time allows; ``solver`` is one without formulas, and is again."""
    found = list(lemmas)
    for position, lemma in enumerate(found):
        if lemma.op == "or" and len(found) > 1:
            solver.push()
            try:
                found[position] = _trimmed(lemma, found[:position] + found[position + 1 :], solver, until)
            except GaveUp:
                break
            finally:
                solver.pop()
    return found


def _trimmed(clause: Term, others: Sequence[Term], solver: Smt, until: float) -> Term:
    solver.add(conj(others))
    literals = list(clause.args)
    for literal in clause.args:
        rest = [other for other in literals if other is not literal]
        if rest and isinstance(solver.check([literal, *map(negate, rest)], (), until), Unsat):
            literals = rest
    return disj(literals)


def join_bounds(lemmas: Sequence[Term]) -> tuple[Term, ...]:
    """The same lemmas, with bounds on the same sum joined."""
    atoms = {lemma: found for lemma in lemmas if (found := atom(lemma)) is not None}
    bounds: dict[Linear, Atom] = {}
    for found in atoms.values():
        if found.kind == "le":
            direction = found.form.shift(-found.form.constant)
            if direction not in bounds or bounds[direction].form.constant < found.form.constant:
                bounds[direction] = found
    texts: dict[Term, None] = {}
    for lemma in lemmas:
        texts[_joined_bound(atoms[lemma], bounds) if lemma in atoms else _clause(lemma)] = None
    return tuple(texts)


def _joined_bound(found: Atom, bounds: Mapping[Linear, Atom]) -> Term:
    if found.kind != "le":
        return found.to_term()
    direction = found.form.shift(-found.form.constant)
    strongest, opposite = bounds[direction], bounds.get(-direction)
    if opposite is not None and opposite.form.constant == -strongest.form.constant:
        return normal("eq", strongest.form).to_term()
    return strongest.to_term()


def _clause(lemma: Term) -> Term:
    """A disjunction with its literals in normal form; two that leave out one number deny it."""
    if lemma.op != "or":
        return lemma
    atoms = [atom(part) for part in lemma.args]
    match atoms:
        case [Atom("le", a), Atom("le", b)] if a.sort is INT and (a + b).terms == () and (a + b).constant == 2:
            return normal("ne", a.shift(-1)).to_term()
    return disj([part if found is None else found.to_term() for part, found in zip(lemma.args, atoms, strict=True)])
