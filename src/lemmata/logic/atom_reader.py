"""Atoms from terms: ``atom`` knows variables only, ``comparison`` takes what is not linear as one more unknown.

Literals on one remainder (``x mod 3 = 1``, ``x mod 2 ≥ 1``) and equations of two remainders are congruences. Results are kept
per term.
"""

from __future__ import annotations

from lemmata.logic.atoms import FALSE_ATOM, TRUE_ATOM, Atom, normal
from lemmata.logic.forms import Linear, linearize, total
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, value_of

_ATOMS: dict[Term, Atom | None] = {TRUE: TRUE_ATOM, FALSE: FALSE_ATOM}


def atom(literal: Term) -> Atom | None:
    """The literal in normal form; ``None`` if it is not linear arithmetic over variables."""
    found = comparison(literal)
    return found if found is not None and found.form.is_strict else None


def comparison(literal: Term) -> Atom | None:
    """The literal in normal form, in which terms that are not linear are unknowns; ``None`` if it does not compare numbers."""
    if literal in _ATOMS:
        return _ATOMS[literal]
    found: Atom | None
    if literal.op == "not":
        inner = literal.args[0]
        found = _read(inner)
        found = None if found is None else found.negated()
    else:
        found = _read(literal)
    _ATOMS[literal] = found
    return found


_KINDS = {"<": "lt", "<=": "le", "=": "eq"}


def _read(term: Term) -> Atom | None:
    kind = _KINDS.get(term.op)
    if kind is None or term.args[0].sort not in (INT, REAL):
        return TRUE_ATOM if term is TRUE else FALSE_ATOM if term is FALSE else None
    a, b = term.args
    result = normal(kind, total(((linearize(a), 1), (linearize(b), -1)), a.sort))
    return _congruence(result) if result.form.sort is INT and len(result.form.terms) <= 2 else result


def _congruence(atom: Atom) -> Atom:
    """``x mod m = r`` and the like as congruences."""
    terms = atom.form.terms
    if not terms or any(_modulus(v) == 0 for v, _ in terms) or atom.kind in ("mod", "nmod"):
        return atom
    (first, sign), modulus = terms[0], _modulus(terms[0][0])
    inner = linearize(first.args[0])
    if len(terms) == 1:
        return _one_remainder(atom, inner, modulus) if abs(sign) == 1 else atom
    second, other = terms[1]
    if atom.kind not in ("eq", "ne") or modulus != _modulus(second) or (sign, other, atom.form.constant) != (1, -1, 0):
        return atom
    return normal("mod" if atom.kind == "eq" else "nmod", inner - linearize(second.args[0]), modulus)


def _modulus(unknown: Term) -> int:
    """m if the unknown is ``t mod m`` for a number m that is not 0, else 0."""
    return abs(value_of(unknown.args[1])) if unknown.op == "mod" and unknown.args[1].is_const else 0


def _one_remainder(atom: Atom, inner: Linear, modulus: int) -> Atom:
    """±(inner mod modulus) + constant against 0, as a congruence where at most one remainder is in (or at most one is out)."""
    sign, constant = int(atom.form.terms[0][1]), int(atom.form.constant)
    bound = -constant * sign
    if atom.kind == "le":
        low, high = (0, min(bound, modulus - 1)) if sign > 0 else (max(bound, 0), modulus - 1)
    else:
        low = high = bound
    if high < low or high < 0 or low >= modulus:
        return FALSE_ATOM if atom.kind != "ne" else TRUE_ATOM
    if (low, high) == (0, modulus - 1):
        return TRUE_ATOM if atom.kind != "ne" else FALSE_ATOM
    if low == high:
        return normal("nmod" if atom.kind == "ne" else "mod", inner.shift(-low), modulus)
    if high - low == modulus - 2:
        return normal("nmod", inner.shift(0 if low else 1), modulus)
    return atom


def canonical(literal: Term) -> Term:
    """The literal as its atom writes it; unchanged if it does not compare numbers."""
    found = comparison(literal)
    return literal if found is None else found.to_term()
