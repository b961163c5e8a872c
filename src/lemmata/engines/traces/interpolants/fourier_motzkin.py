"""Variables out of a conjunction, at the cost of saying less: Fourier (1826) and Motzkin (1936), over the rationals.

An equation is put into the others; a bound from below meets every bound from above. What is not linear, or denies an equation
or a congruence, is left out if it speaks of a variable that goes. The result follows from the literals, also where they speak
of integers, but need not be the strongest that does. (``logic.projection`` goes the other way: it says more.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from lemmata.logic.linear import Atom, Linear, combine, comparison, normal
from lemmata.logic.linear.sums import total
from lemmata.logic.terms import TRUE, Term
from lemmata.logic.walk import variables

_ATOMS = 60  # atoms; beyond that, bounds are left out


def fourier_motzkin(literals: Sequence[Term], doomed: Collection[Term]) -> list[Term]:
    """Literals without the variables ``doomed`` that follow from ``literals``."""
    kept: dict[Term, None] = {}
    atoms: dict[Atom, None] = {}
    for literal in literals:
        if not any(v in doomed for v in variables([literal])):
            kept[literal] = None
        atom = comparison(literal)
        if atom is not None and not _is_tangled(atom, doomed):
            atoms[atom] = None
    left = list(atoms)
    while left and (x := _cheapest(left, doomed)) is not None:
        left = _without(x, left)
    for atom in left:
        kept[atom.to_term()] = None
    kept.pop(TRUE, None)
    return list(kept)


def _is_tangled(atom: Atom, doomed: Collection[Term]) -> bool:
    """Is a variable that goes below something that is not linear?"""
    return any(not unknown.is_var and any(v in doomed for v in variables([unknown])) for unknown, _ in atom.form.terms)


def _cheapest(atoms: Sequence[Atom], doomed: Collection[Term]) -> Term | None:
    costs: dict[Term, list[int]] = {}
    for atom in atoms:
        for v, c in atom.form.terms:
            if v in doomed:
                count = costs.setdefault(v, [0, 0, 0])
                count[2 if atom.kind == "eq" else 0 if c < 0 else 1] += 1
    return min(costs, key=lambda v: (costs[v][2] == 0, costs[v][0] * costs[v][1], v.number), default=None)


def _without(x: Term, atoms: Sequence[Atom]) -> list[Atom]:
    result = dict.fromkeys([atom for atom in atoms if not atom.form.coefficient(x)])
    touched = [atom for atom in atoms if atom.form.coefficient(x)]
    equations = [atom for atom in touched if atom.kind == "eq"]
    if equations:
        pivot = min(equations, key=lambda atom: (abs(atom.form.coefficient(x)), len(atom.form.terms)))
        found = [_solved(atom, pivot.form, x) for atom in touched if atom is not pivot]
    else:
        bounds = [atom for atom in touched if atom.kind in ("le", "lt")]
        lower = [atom for atom in bounds if atom.form.coefficient(x) < 0]
        upper = [atom for atom in bounds if atom.form.coefficient(x) > 0]
        found = [combine(a, b, b.form.coefficient(x), -a.form.coefficient(x)) for a in lower for b in upper]
    for atom in found[: _ATOMS - min(len(result), _ATOMS)]:
        if not atom.is_true:
            result[atom] = None
    return list(result)


def _solved(atom: Atom, pivot: Linear, x: Term) -> Atom:
    """The atom, times a positive number, without x, where pivot = 0."""
    a, b = Fraction(pivot.coefficient(x)), atom.form.coefficient(x)
    factor = abs(a)
    modulus = int(atom.modulus * factor) if atom.modulus else 0
    return normal(atom.kind, total(((atom.form, factor), (pivot, -b * factor / a)), atom.form.sort), modulus)
