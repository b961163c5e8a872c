"""The first round of projection: variables that are no numbers, or that stand below operators that are not linear.

``Purified`` holds literals, numeric ones as atoms; ``untie`` removes or replaces variables until those that are still doomed
occur linearly only. Everything done here keeps the literals true at the point and only strengthens what they say of the
variables that stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from lemmata.logic.build import build
from lemmata.logic.linear.atoms import Atom, comparison, normal
from lemmata.logic.linear.sums import Linear, linearize, total, value_at
from lemmata.logic.projection.project_arrays import project_array
from lemmata.logic.sorts import BOOL, INT, REAL, Array, Sort
from lemmata.logic.terms import Term, Value, const, make, topological, value_of
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import substitute

_VARIABLES: dict[Term, frozenset[Term]] = {}


def variables_of(term: Term) -> frozenset[Term]:
    """The variables below ``term``, kept for the next time."""
    found = _VARIABLES.get(term)
    if found is None:
        found = _VARIABLES[term] = frozenset(below for below in topological([term]) if below.is_var)
    return found


class Purified:
    """``atoms`` and ``terms`` (all other literals), true at ``values``; ``doomed`` variables are to go."""

    def __init__(self, literals: Sequence[Term], values: Mapping[Term, Value], doomed: set[Term]) -> None:
        self.atoms: list[Atom] = []
        self.terms: list[Term] = []
        self.values: dict[Term, Value] = dict(values)
        self.doomed = doomed
        self._is_tied = False
        for literal in literals:
            self._add(literal)

    def _add(self, literal: Term) -> None:
        found = comparison(literal)
        if found is None:
            self.terms.append(literal)
            self._is_tied = True
        else:
            self._add_atom(found)

    def _add_atom(self, atom: Atom) -> None:
        for unknown, _ in atom.form.terms:
            if unknown.op != "var" and unknown not in self.values:
                self.values[unknown] = value_at(unknown, self.values)
                self._is_tied = True
        self.atoms.append(atom)

    # The loop.

    def untie(self) -> None:
        """Until every doomed variable is a number that occurs linearly only."""
        while self._is_tied:
            self._unfold_divisions()
            tied = self._tied()
            if not tied:
                break
            self._release(tied)
        self.doomed = {v for v in self.doomed if v.sort in (INT, REAL)}

    def _tied(self) -> list[Term]:
        tied: set[Term] = set()
        for term in self.terms:
            tied |= variables_of(term)
        for atom in self.atoms:
            for unknown, _ in atom.form.terms:
                if _is_tying(unknown):
                    tied |= variables_of(unknown)
        return sorted(tied & self.doomed, key=lambda variable: variable.number)

    def _release(self, tied: list[Term]) -> None:
        """One tied variable goes: by an equation if there is one, as an array, or by its value."""
        for variable in tied:
            definition = self._definition(variable)
            if definition is not None:
                return self._replace(variable, definition)
        variable = next((v for v in tied if isinstance(v.sort, Array)), tied[0])
        if not (isinstance(variable.sort, Array) and self._forget(variable)):
            self._replace(variable, value_term(self.values[variable], variable.sort))
        return None

    def _forget(self, array: Term) -> bool:
        forgotten = project_array(array, [*self.terms, *[atom.to_term() for atom in self.atoms]], self.values)
        if forgotten is None:
            return False
        literals, cells = forgotten
        self.doomed = (self.doomed - {array}) | set(cells)
        self.values |= cells
        self.atoms, self.terms = [], []
        for literal in literals:
            self._add(literal)
        return True

    def _definition(self, variable: Term) -> Term | None:
        """t where variable = t is a literal and t does not speak of the variable."""
        if variable.sort in (INT, REAL):
            for atom in self.atoms:
                if atom.kind == "eq" and (found := _solution(atom.form, variable)) is not None:
                    return found
            return None
        if variable.sort is BOOL:
            return None
        for term in self.terms:
            if term.op == "=" and variable in term.args:
                other = term.args[0] if term.args[1] is variable else term.args[1]
                if variable not in variables_of(other):
                    return other
        return None

    def _replace(self, variable: Term, term: Term) -> None:
        """Put ``term`` for ``variable`` everywhere."""
        self.doomed.discard(variable)
        atoms, terms = self.atoms, self.terms
        self.atoms, self.terms = [], []
        for literal in terms:
            if variable in variables_of(literal):
                self._add(substitute([literal], {variable: term})[0])
            else:
                self.terms.append(literal)
        for atom in atoms:
            if any(variable in variables_of(unknown) for unknown, _ in atom.form.terms):
                self._add(substitute([atom.to_term()], {variable: term})[0])
            else:
                self.atoms.append(atom)

    # Division by numbers.

    def _unfold_divisions(self) -> None:
        """``t div m`` and ``t mod m`` with doomed variables in t, as sums."""
        waiting, self.atoms = self.atoms, []
        while waiting:
            atom = waiting.pop()
            division = next((u for u, _ in atom.form.terms if _is_division(u) and self._is_doomed(u)), None)
            if division is None:
                self.atoms.append(atom)
                continue
            for part in self._unfolded(atom, division):
                self._add_atom(part)
                waiting.append(self.atoms.pop())
        self.atoms.reverse()

    def _is_doomed(self, term: Term) -> bool:
        return not variables_of(term).isdisjoint(self.doomed)

    def _unfolded(self, atom: Atom, division: Term) -> list[Atom]:
        inner, divisor = linearize(division.args[0]), value_of(division.args[1])
        modulus = abs(divisor)
        c, rest = atom.form.coefficient(division), atom.form.without(division)
        if division.op == "div" and abs(c) == 1 and atom.kind in ("le", "eq"):
            return _exact_quotient(atom.kind, int(c) if divisor > 0 else -int(c), inner, modulus, rest)
        for unknown in inner.unknowns:
            self.values.setdefault(unknown, value_at(unknown, self.values))
        remainder = inner.evaluate(self.values) % modulus
        known = normal("mod", inner.shift(-remainder), modulus)
        if division.op == "mod":
            return [known, normal(atom.kind, rest.shift(c * remainder), atom.modulus)]
        form = total(((rest, modulus), (inner.shift(-remainder), c if divisor > 0 else -c)), INT)
        return [known, normal(atom.kind, form, atom.modulus * modulus)]


def _exact_quotient(kind: str, sign: int, inner: Linear, modulus: int, rest: Linear) -> list[Atom]:
    """±(inner div modulus) + rest ≤ 0 or = 0, as bounds on inner."""
    at_most = total(((inner, 1), (rest, modulus * sign)), INT, 1 - modulus)  # inner ≤ modulus · quotient + modulus - 1
    at_least = total(((inner, -1), (rest, -modulus * sign)), INT)
    if kind == "eq":
        return [normal("le", at_most), normal("le", at_least)]
    return [normal("le", at_most if sign > 0 else at_least)]


def _is_division(unknown: Term) -> bool:
    return unknown.op in ("div", "mod") and unknown.args[1].is_const and value_of(unknown.args[1]) != 0


def _is_tying(unknown: Term) -> bool:
    return not (unknown.is_var or (unknown.op == "to_real" and unknown.args[0].is_var))


def _solution(form: Linear, variable: Term) -> Term | None:
    """t with variable = t from form = 0."""
    c = form.coefficient(variable)
    if c == 0 or (form.sort is INT and abs(c) != 1):
        return None
    rest = form.without(variable)
    if any(variable in variables_of(unknown) for unknown in rest.unknowns):
        return None
    return rest.scale(-1 / Fraction(c)).to_term()


def value_term(value: Value, sort: Sort) -> Term:
    """A term for a value; arrays are writes into a filled one."""
    if not isinstance(sort, Array):
        return const(value, sort)
    assert isinstance(value, ArrayValue)
    term = make("filled", (value_term(value.default, sort.element),), sort)
    for index, cell in value.items:
        term = build("store", (term, value_term(index, sort.index), value_term(cell, sort.element)))
    return term
