"""Small linear programs, exact: the greatest value of a sum under atoms, and why there is none.

The simplex method (Dantzig 1947) with Bland's rule, so it ends, on a table of whole numbers over one common denominator: each
pivot divides by the one before without a rest (Edmonds 1967; Bareiss 1968), which is several times faster than fractions.
Variables may be negative; they enter the basis first and stay. The multipliers of the bounds come with the answer: for an
optimum they prove that it is one (duality), for a contradiction they are Farkas' combination.

Made for some twenty variables and forty bounds. Numbers are rational here, also those of integer variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from lemmata.logic.linear.atoms import Atom
from lemmata.logic.linear.sums import Linear
from lemmata.logic.sorts import REAL
from lemmata.logic.terms import Term, var
from lemmata.values import dataclass
from lemmata.work import PIVOT, tally

_GAP = var("⟨gap⟩", REAL)
_Row = tuple[dict[Term, int], int, int]  # coefficients and bound (Σ ≤ bound), and by how much the atom was scaled


@dataclass(frozen=True, slots=True)
class Optimum:
    """The greatest value, and a factor per atom: Σ factor · atom bounds the direction by ``value``."""

    value: Fraction
    factors: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Unbounded:
    """There is no greatest value."""


@dataclass(frozen=True, slots=True)
class EmptyPolyhedron:
    """No point satisfies the atoms: Σ factor · atom is ``c ≤ 0`` with c > 0."""

    factors: tuple[Fraction, ...]


def maximize(direction: Linear, atoms: Sequence[Atom]) -> Optimum | Unbounded | EmptyPolyhedron:
    """sup ``direction`` where ``atoms`` (``le``, ``lt``, ``eq``) hold; ``lt`` counts as ``le``.

    Factors are not negative, but for equations.
    """
    scale = lcm(*[Fraction(c).denominator for _, c in direction.terms])
    goal = {v: int(c * scale) for v, c in direction.terms}
    rows = [row for atom in atoms for row in _rows(atom)]
    solved = _solve(goal, rows)
    if solved is None:
        return Unbounded()
    value, factors, is_feasible = solved
    if not is_feasible:
        return EmptyPolyhedron(_per_atom(atoms, rows, factors, 1))
    return Optimum(value / scale + direction.constant, _per_atom(atoms, rows, factors, scale))


def farkas(atoms: Sequence[Atom]) -> tuple[Fraction, ...] | None:
    """A factor per atom such that Σ factor · atom is ``c ≤ 0`` with c > 0, or ``0 < 0``; ``None`` if the atoms have a solution.

    Factors are not negative, but for equations.
    """
    strict = [atom for atom in atoms if atom.kind == "lt"]
    if not strict:
        answer = maximize(Linear((), 0, atoms[0].form.sort), atoms) if atoms else None
        return answer.factors if isinstance(answer, EmptyPolyhedron) else None
    # How far can all strict bounds be moved in? By a gap of at most 1.
    rows = [row for atom in atoms for row in _rows(atom, _GAP)]
    solved = _solve({_GAP: 1}, [*rows, ({_GAP: 1}, 1, 1)])
    assert solved is not None
    value, factors, is_feasible = solved
    return None if is_feasible and value > 0 else _per_atom(atoms, rows, factors, 1)


def _rows(atom: Atom, gap: Term | None = None) -> list[_Row]:
    terms, constant = atom.form.terms, atom.form.constant
    scale = lcm(Fraction(constant).denominator, *[Fraction(c).denominator for _, c in terms])
    row = {v: int(c * scale) for v, c in terms}
    bound = int(-constant * scale)
    if atom.kind == "eq":
        return [(row, bound, scale), ({v: -c for v, c in row.items()}, -bound, -scale)]
    if atom.kind == "lt" and gap is not None:
        row[gap] = scale
    return [(row, bound, scale)]


def _per_atom(atoms: Sequence[Atom], rows: Sequence[_Row], factors: Sequence[Fraction], scale: int) -> tuple[Fraction, ...]:
    """Factors of rows as factors of atoms; an equation is two rows."""
    result, at = [], 0
    for atom in atoms:
        count = 2 if atom.kind == "eq" else 1
        result.append(sum([factors[i] * rows[i][2] for i in range(at, at + count)], Fraction(0)) / scale)
        at += count
    return tuple(result)


def _solve(goal: dict[Term, int], rows: Sequence[_Row]) -> tuple[Fraction, list[Fraction], bool] | None:
    """The optimum (or the measure of infeasibility), the factors of the rows, and whether there is a point at all."""
    table = _Table(goal, rows)
    table.free_variables()
    if not table.restore():
        return table.value(table.gap_row), table.factors(table.gap_row), False
    if not table.improve(table.goal_row):
        return None
    return table.value(table.goal_row), table.factors(table.goal_row), True


class _Table:
    """Rows ``denominator · basic + Σ entry · column = last entry``; variables are numbers: free ones, slacks, then help."""

    def __init__(self, goal: dict[Term, int], rows: Sequence[_Row]) -> None:
        names = list(dict.fromkeys([v for row, _, _ in rows for v in row] + list(goal)))
        self._free, self._count = len(names), len(rows)
        self.columns = list(range(self._free))
        self.basis = list(range(self._free, self._free + self._count))
        self.table = [[row.get(v, 0) for v in names] + [bound] for row, bound, _ in rows]
        self.table.append([-goal.get(v, 0) for v in names] + [0])
        self.goal_row = self._count
        self.gap_row = self._count + 1
        self.denominator = 1

    def value(self, row: int) -> Fraction:
        """What the row's variable is, where all columns are 0."""
        return Fraction(self.table[row][-1], self.denominator)

    def factors(self, row: int) -> list[Fraction]:
        """The multipliers of the bounds in a goal."""
        found = dict(zip(self.columns, self.table[row], strict=False))
        return [Fraction(found.get(self._free + i, 0), self.denominator) for i in range(self._count)]

    def pivot(self, r: int, c: int) -> None:
        """The r-th basic variable and the c-th column change places."""
        row, old = self.table[r], self.denominator
        new = row[c]
        tally[PIVOT] += len(row) * len(self.table)
        for i, other in enumerate(self.table):
            if i != r:
                factor = other[c]
                self.table[i] = [(new * a - factor * b) // old for a, b in zip(other, row, strict=True)]
                self.table[i][c] = -factor
        row[c] = old
        self.denominator = new
        if new < 0:
            self.denominator = -new
            self.table = [[-entry for entry in entries] for entries in self.table]
        self.basis[r], self.columns[c] = self.columns[c], self.basis[r]

    def _slack_rows(self) -> list[int]:
        return [i for i, name in enumerate(self.basis) if name >= self._free]

    def free_variables(self) -> None:
        """Free variables go into the basis as far as they can; one that cannot is in no bound."""
        for c in range(self._free):
            r = next((i for i in self._slack_rows() if self.table[i][c]), None)
            if r is not None:
                self.pivot(r, c)

    def restore(self) -> bool:
        """A point that satisfies all bounds: one variable helps all slacks, and must become 0."""
        slacks = self._slack_rows()
        worst = min(slacks, key=lambda i: self.table[i][-1], default=None)
        if worst is None or self.table[worst][-1] >= 0:
            return True
        name, needy = self._free + self._count, set(slacks)
        for i, row in enumerate(self.table):
            row.insert(-1, -self.denominator if i in needy else 0)
        self.columns.append(name)
        self.table.append([0] * (len(self.columns) - 1) + [self.denominator, 0])
        self.pivot(worst, len(self.columns) - 1)
        self.improve(self.gap_row)
        if self.table[self.gap_row][-1] < 0:
            return False
        if name in self.basis:
            r = self.basis.index(name)
            self.pivot(r, next(c for c, entry in enumerate(self.table[r][:-1]) if entry and self.columns[c] >= self._free))
        c = self.columns.index(name)
        del self.columns[c]
        self.table.pop()
        for row in self.table:
            del row[c]
        return True

    def improve(self, goal: int) -> bool:
        """Raise the goal as far as it goes; ``False`` if for ever. Bland's rule: always the first variable that will do."""
        while True:
            entering = [
                (name, c)
                for c, name in enumerate(self.columns)
                if self.table[goal][c] < 0 or (name < self._free and self.table[goal][c])
            ]
            if not entering:
                return True
            c = min(entering)[1]
            leaving = [
                (Fraction(self.table[i][-1], self.table[i][c]), self.basis[i], i)
                for i in self._slack_rows()
                if self.table[i][c] > 0
            ]
            if not leaving:
                return False
            self.pivot(min(leaving)[2], c)
