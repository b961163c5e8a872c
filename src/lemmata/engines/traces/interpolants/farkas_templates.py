"""Sums that are the same at every visit of a location.

A trace that leaves a loop too early is refuted by counting: time ≤ 10, time ≤ 20, … What refutes all such traces at once,
time ≤ 10 · gate, needs more parts than an unsatisfiable core has, so no core leads there. But the factors of Farkas' lemma are
solutions of linear constraints, to which more can be added: the sums of two visits of a location have the same coefficients and
the same constant (what is too much may be given away at each step). Any solution is then a bound that each round of the loop
keeps (compare Colón, Sankaranarayanan, Sipma 2003, where the trace is not given and the constraints are not linear; and
Albarghouthi, McMillan 2013). All bounds and equations of the trace may take part; of what is neither, only what the core or the
last step has, case by case. A case may have no such sums, so they are no proof yet: they are candidates (see ``houdini``).
"""

from __future__ import annotations

from fractions import Fraction

from lemmata.engines.traces.interpolants.cases import is_bound, split_unless_bound
from lemmata.engines.traces.interpolants.core_solver import SolverLimits
from lemmata.engines.traces.interpolants.unfolding import StepFormulas, Unfolding
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import build
from lemmata.logic.linear import comparison, normal
from lemmata.logic.linear.sums import Linear, Number, from_coefficients, total
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, const, var

_CASES = 8
_ATOMS = 250  # of a trace

_Formulas = tuple[Term, ...]
_Part = tuple[int, Term]
_Sum = dict[Term | None, Linear]  # per variable, None for the constant: a sum of factors


def template_interpolants(unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits) -> list[_Formulas]:
    """For each case that has such sums a formula per step, with the names of the step. ``parts`` are those of the core."""
    targets = [unfolding.edge(step).target for step in range(len(unfolding))]
    chosen = [
        (step, part)
        for step, all_parts in enumerate(unfolding.parts)
        for part in all_parts
        if is_bound(part) or part in parts[step] or step == len(unfolding) - 1
    ]
    if len(set(targets)) == len(targets) or len(chosen) > _ATOMS:
        return []
    work = _Templates(unfolding, limits)
    work.visit(chosen)
    return work.found


class _Templates:
    """One trace."""

    def __init__(self, unfolding: Unfolding, limits: SolverLimits) -> None:
        self._unfolding = unfolding
        self._limits = limits
        self._cases = 0
        self.found: list[_Formulas] = []

    def visit(self, parts: list[_Part]) -> None:
        """All cases, as long as there are few."""
        place = next((place for place, (_, part) in enumerate(parts) if split_unless_bound(part)), None)
        if place is None:
            self._cases += 1
            formulas = self._leaf([(step, part) for step, part in parts if is_bound(part)])
            if formulas is not None:
                self.found.append(formulas)
            return
        step, whole = parts[place]
        for way in split_unless_bound(whole) or ():
            if self._cases < _CASES:
                self.visit([*parts[:place], *[(step, part) for part in asserted_conjuncts([way])], *parts[place + 1 :]])

    def _leaf(self, parts: list[_Part]) -> _Formulas | None:
        if any(part is FALSE for _, part in parts):
            return None
        sums, constraints = self._sums(parts)
        factors = list(dict.fromkeys(v for one in sums for form in one.values() for v, _ in form.terms))
        constraints += self._visits(sums)
        constraints += [build("=", (form.to_term(), const(1 if v is None else 0, REAL))) for v, form in sums[-1].items()]
        values = self._limits.core_solver(constraints).model(factors)
        return None if values is None else (*[self._formula(one, values) for one in sums[:-1]], FALSE)

    def _sums(self, parts: list[_Part]) -> tuple[list[_Sum], list[Term]]:
        """Per step what it rests on, added up with unknown factors; what a step must not speak of has to vanish."""
        sums: list[_Sum] = []
        constraints: list[Term] = []
        for number in range(len(self._unfolding)):
            pieces: dict[Term | None, list[tuple[Linear, Number]]] = {None: []}
            for premise in self._unfolding.premises(number):
                for v, form in sums[premise].items():
                    pieces.setdefault(v, []).append((form, 1))
            for place, part in enumerate([part for step, part in parts if step == number]):
                self._weigh(part, f"{number}.{place}", pieces, constraints)
            gift = var(f"gift {number}", REAL)
            constraints.append(build("<=", (const(0, REAL), gift)))
            pieces[None].append((_single(gift), -1))
            own = set(self._unfolding.states[number])
            found = {v: total(forms, REAL) for v, forms in pieces.items()}
            if number < len(self._unfolding) - 1:
                gone = [form for v, form in found.items() if v is not None and v not in own]
                constraints += [build("=", (form.to_term(), const(0, REAL))) for form in gone]
                found = {v: form for v, form in found.items() if v is None or v in own}
            sums.append(found)
        return sums, constraints

    def _weigh(
        self, part: Term, name: str, pieces: dict[Term | None, list[tuple[Linear, Number]]], constraints: list[Term]
    ) -> None:
        """Add a part times its factor."""
        atom = comparison(part)
        assert atom is not None
        factor = var(f"factor {name}", REAL)
        if atom.kind != "eq":
            constraints.append(build("<=", (const(0, REAL), factor)))
        for v, c in atom.form.terms:
            pieces.setdefault(v, []).append((_single(factor), c))
        pieces[None].append((_single(factor), atom.form.constant))

    def _visits(self, sums: list[_Sum]) -> list[Term]:
        """The sums of all visits of a location are the same."""
        first: dict[int, int] = {}
        found = []
        for number in range(len(sums) - 1):
            start = first.setdefault(self._unfolding.edge(number).target, number)
            if start == number:
                continue
            pairs = list(zip(self._unfolding.states[start], self._unfolding.states[number], strict=True))
            for v, w in [(None, None), *pairs]:
                one, other = sums[start].get(v, _NOTHING), sums[number].get(w, _NOTHING)
                if one != other:
                    found.append(build("=", (one.to_term(), other.to_term())))
        return found

    def _formula(self, one: _Sum, values: dict[Term, Fraction]) -> Term:
        """The bound that a sum is when the factors are known."""
        coefficients = {v: Fraction(form.evaluate(values)) for v, form in one.items()}
        constant = coefficients.pop(None)
        unknowns = {v: c for v, c in coefficients.items() if v is not None and c}
        sorts = {v.sort for v in unknowns}
        if len(sorts) > 1:
            return TRUE  # a sum of integers and reals is no term
        sort = sorts.pop() if sorts else INT
        return normal("le", from_coefficients(unknowns, constant, sort)).to_term()


_NOTHING = Linear((), 0, REAL)


def _single(factor: Term) -> Linear:
    return Linear(((factor, 1),), 0, REAL)
