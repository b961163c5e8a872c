"""Sequences of interpolants from Farkas' lemma (1902): sums of what the steps say, with the factors of one contradiction.

Bounds and equations that cannot hold together have factors with which they add up to ``c ≤ 0`` for some c > 0. The sum of those
that a step rests on is its interpolant (Pudlák 1997; McMillan 2005): one bound per step, about the quantity that the
contradiction is about. Steps of a tree are no different. Where a core has disjunctions it is looked at case by case: a
step that rests on the one that has the disjunction gets the union of what the cases say, any other step their conjunction.

c may be larger than needed, and what is not needed may be given away at any step: t ≤ 3 may become t ≤ 4. That is used to
give a location the same bound at each visit, if possible: a loop that counts up to 5 then says 0 ≤ x five times instead of
0 ≤ x, 1 ≤ x, 2 ≤ x … (a poor man's version of the beautiful interpolants of Albarghouthi, McMillan 2013).

Integers are read as rationals: a contradiction that needs cuts has no factors, and there is no sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from lemmata.engines.traces.interpolants.cases import is_bound, merged, split_unless_bound
from lemmata.engines.traces.interpolants.core_solver import SolverLimits
from lemmata.engines.traces.interpolants.unfolding import StepFormulas, Unfolding
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import negate
from lemmata.logic.linear import Atom, comparison, normal
from lemmata.logic.linear.lp import farkas
from lemmata.logic.linear.sums import Linear, total
from lemmata.logic.sorts import INT, Sort
from lemmata.logic.terms import FALSE, TRUE, Term

_CASES = 24  # that are looked at
_ATOMS = 80  # of one case

_Formulas = tuple[Term, ...]
_Part = tuple[int, Term]  # a step and what it says


def sums(unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits) -> _Formulas | None:
    """A formula per step, with the names of the step; ``None`` if there are no factors, or too many cases."""
    found = _Farkas(unfolding, limits).prove([(n, part) for n, own in enumerate(parts) for part in own], is_core=True)
    return found[0] if found is not None else None


class _Farkas:
    """One relaxed trace."""

    def __init__(self, unfolding: Unfolding, limits: SolverLimits) -> None:
        self._unfolding = unfolding
        self._limits = limits
        self._cases = 0

    def prove(self, parts: list[_Part], is_core: bool) -> tuple[_Formulas, set[Term]] | None:
        """Formulas, and the parts that they are made of."""
        self._cases += 1
        if self._cases > _CASES:
            return None
        if not is_core:
            core = self._limits.core_solver().least_core([part for _, part in parts])
            if core is None:
                return None
            needed = set(core)
            parts = [(step, part) for step, part in parts if part in needed]
        first = next(((place, found) for place, (_, part) in enumerate(parts) if (found := split_unless_bound(part))), None)
        if first is None:
            formulas = self._leaf(parts)
            return None if formulas is None else (formulas, {part for _, part in parts})
        return self._split(parts, *first)

    def _split(self, parts: list[_Part], place: int, found: list[Term]) -> tuple[_Formulas, set[Term]] | None:
        """All ways through one part."""
        step, whole = parts[place]
        others = [*parts[:place], *parts[place + 1 :]]
        proofs: list[_Formulas] = []
        used = {whole}
        for way in found:
            own = asserted_conjuncts([way])
            result = self.prove([*others[:place], *[(step, part) for part in own], *others[place:]], is_core=False)
            if result is None:
                return None
            if not result[1].intersection(own):
                return result
            proofs.append(result[0])
            used |= result[1].difference(own)
        return merged(self._unfolding.under, step, proofs), used

    def _leaf(self, parts: list[_Part]) -> _Formulas | None:
        """No disjunction is left."""
        if any(part is FALSE for _, part in parts):
            step = next(step for step, part in parts if part is FALSE)
            return tuple([FALSE if step in under else TRUE for under in self._unfolding.under])
        if len(parts) == 2 and parts[0][1] is negate(parts[1][1]):
            return self._opposites(parts[0], parts[1])
        if len(parts) > _ATOMS or not all(is_bound(part) for _, part in parts):
            return None
        atoms = [_atom(part) for _, part in parts]
        if len({atom.form.sort for atom in atoms}) > 1:
            return None
        factors = farkas(atoms)
        return None if factors is None else self._sums([step for step, _ in parts], atoms, factors)

    def _opposites(self, one: _Part, other: _Part) -> _Formulas:
        """A literal here and its negation there."""
        found = []
        for under in self._unfolding.under:
            own = [literal for step, literal in (one, other) if step in under]
            found.append(FALSE if len(own) == 2 else own[0] if own else TRUE)
        return tuple(found)

    def _sums(self, steps: list[int], atoms: list[Atom], factors: Sequence[Fraction]) -> _Formulas:
        """Per step the sum of what it rests on."""
        scale = lcm(*[factor.denominator for factor in factors])
        weighted = [(step, atom, factor * scale) for step, atom, factor in zip(steps, atoms, factors, strict=True) if factor]
        sort = atoms[0].form.sort
        sums = [_sum([(a, f) for step, a, f in weighted if step in under], sort) for under in self._unfolding.under]
        slack = sums[-1][1].constant - 1
        given = self._given([form for _, form in sums], int(slack)) if sort is INT and slack > 0 else [0] * len(sums)
        formulas = [normal(kind, form.shift(-less)).to_term() for (kind, form), less in zip(sums, given, strict=True)]
        return (*formulas[:-1], FALSE)

    def _given(self, sums: Sequence[Linear], slack: int) -> list[int]:
        """How much each step gives away, so that visits of the same location agree."""
        told = [self._told(number, form) for number, form in enumerate(sums)]
        visits: dict[object, list[int]] = {}
        for key, form in zip(told, sums, strict=True):
            visits.setdefault(key, []).append(int(form.constant))
        given: list[int] = []
        for number, form in enumerate(sums):
            before = sum(given[premise] for premise in self._unfolding.premises(number))
            constants = visits[told[number]]
            wanted = int(form.constant) - min(constants) if len(constants) > 1 else before
            if not before <= wanted <= slack:
                return [0] * len(sums)
            given.append(wanted)
        return given

    def _told(self, number: int, form: Linear) -> object:
        """The sum as the location has it, but for its constant."""
        places = {name: place for place, name in enumerate(self._unfolding.states[number])}
        terms = frozenset((places.get(v, v), c) for v, c in form.terms)
        return self._unfolding.edge(number).target, terms


def _atom(part: Term) -> Atom:
    found = comparison(part)
    assert found is not None
    return found


def _sum(weighted: Sequence[tuple[Atom, Fraction]], sort: Sort) -> tuple[str, Linear]:
    kind = "lt" if any(atom.kind == "lt" for atom, _ in weighted) else "le"
    return kind, total([(atom.form, factor) for atom, factor in weighted], sort)
