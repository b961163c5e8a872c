"""``AtomStore``: a set of atoms for elimination, with an index of the variables that are to go.

Of bounds on the same sum only the strongest is kept, and two opposite ones that meet become an equation.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.atoms import Atom, normal
from lemmata.logic.forms import Number
from lemmata.logic.terms import Term

_Sum = tuple[tuple[Term, Number], ...]


class AtomStore:
    """Atoms in the order in which they came."""

    __slots__ = ("_atoms", "_bounds", "_places")

    def __init__(self, atoms: Sequence[Atom], variables: Sequence[Term]) -> None:
        self._atoms: dict[Atom, None] = {}
        self._bounds: dict[_Sum, Atom] = {}
        self._places: dict[Term, dict[Atom, None]] = {v: {} for v in sorted(variables, key=lambda v: v.number)}
        for atom in atoms:
            self.add(atom)

    def add(self, atom: Atom) -> None:
        """One more; what it makes superfluous goes."""
        if atom.is_true or atom in self._atoms:
            return
        if atom.kind in ("le", "lt"):
            known = self._bounds.get(atom.form.terms)
            if known is not None:
                if not _is_stronger(atom, known):
                    return
                self._remove(known)
            opposite = self._bounds.get(_negative(atom.form.terms))
            if opposite is not None and opposite.form.constant == -atom.form.constant:  # both hold at the point: no strict one
                self._remove(opposite)
                atom = normal("eq", atom.form)
            else:
                self._bounds[atom.form.terms] = atom
        self._atoms[atom] = None
        for variable in self._doomed(atom):
            self._places[variable][atom] = None

    def _remove(self, atom: Atom) -> None:
        del self._atoms[atom]
        if atom.kind in ("le", "lt"):
            del self._bounds[atom.form.terms]
        for variable in self._doomed(atom):
            self._places[variable].pop(atom, None)

    def _doomed(self, atom: Atom) -> list[Term]:
        variables = [v.args[0] if v.op == "to_real" else v for v, _ in atom.form.terms]
        return [v for v in variables if v in self._places]

    def take(self, variable: Term) -> list[Atom]:
        """The atoms with ``variable``, which go, and so does the variable."""
        atoms = list(self._places[variable])
        for atom in atoms:
            self._remove(atom)
        del self._places[variable]
        return atoms

    def cheapest(self) -> Term | None:
        """The variable that is best eliminated next."""
        for variable in [v for v, atoms in self._places.items() if not atoms]:
            del self._places[variable]
        return min(self._places, key=self._cost, default=None)

    def _cost(self, variable: Term) -> tuple[int, ...]:
        """Equations with unit coefficients first, then unbounded variables, then few pairs; integers among reals last."""
        lowers, uppers, congruences, equations = 0, 0, 0, 0
        for atom in self._places[variable]:
            if atom.form.sort is not variable.sort:
                return 4, 0
            c = atom.form.coefficient(variable)
            if atom.kind == "eq":
                if abs(c) == 1:
                    return 0, len(atom.form.terms)
                equations += 1
            elif atom.kind in ("le", "lt"):
                lowers, uppers = (lowers + 1, uppers) if c < 0 else (lowers, uppers + 1)
            elif atom.kind != "ne":
                congruences += 1
        if equations:
            return 2, 0
        return 3 if congruences else 2 if lowers and uppers else 1, lowers * uppers

    def pruned(self) -> list[Atom]:
        """What is left, without bounds that an equation implies."""
        equal = {atom.form.terms for atom in self._atoms if atom.kind == "eq"}
        return [
            atom
            for atom in self._atoms
            if atom.kind == "eq" or not equal or (atom.form.terms not in equal and _negative(atom.form.terms) not in equal)
        ]


def _is_stronger(atom: Atom, known: Atom) -> bool:
    """Of two bounds on the same sum."""
    if atom.form.constant == known.form.constant:
        return atom.kind == "lt" and known.kind == "le"
    return atom.form.constant > known.form.constant


def _negative(terms: _Sum) -> _Sum:
    return tuple([(v, -c) for v, c in terms])
