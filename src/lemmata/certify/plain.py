"""Lemmas in plainer words: bounds on the same sum are joined.

``x ≤ 3`` makes ``x ≤ 5`` redundant, and with ``x ≥ 3`` it is ``x = 3``; ``x ≤ 3 ∨ x ≥ 5`` is ``x ≠ 4``. Literals of linear
arithmetic get their normal form, also within clauses; everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.logic.build import disj
from lemmata.logic.linear import Atom, Linear, atom, normal
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term


def plain(lemmas: Sequence[Term]) -> tuple[Term, ...]:
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
        texts[_joined(atoms[lemma], bounds) if lemma in atoms else _clause(lemma)] = None
    return tuple(texts)


def _joined(found: Atom, bounds: Mapping[Linear, Atom]) -> Term:
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
