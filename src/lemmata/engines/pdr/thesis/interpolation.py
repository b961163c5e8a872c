"""Interpolants instead of negated obligations (3.4.3, 7.1.1).

When no edge leads into t, the thesis divides each query into ``A = F_{i-1} ∧ T`` and ``B = t′`` and adds an interpolant of (A,
B). An interpolant of one edge says nothing of the other edges, so what is added here separates t from *all* of them: a formula
that is implied by each A and excludes t. Its negation is a larger t, which no edge enters either, and that is how it is found,
without a solver that interpolates:

1. Equations of t become two bounds; only those parts stay that some refutation needed (unsatisfiable cores), and of these only
   what the refutation fails without.
2. If several bounds are left, one half-space may do: a combination of them with factors ≥ 0 that is violated wherever an edge
   leads to. The factors come from a linear program over the places that edges were seen to lead to; each wrong guess adds a
   place. (Albarghouthi, McMillan 2013, with t's own bounds for the samples of B.)

Figure 3.4: t is ``x = 1``, which is ``x ≤ 1 ∧ 1 ≤ x``; the first bound suffices, and ``2 ≤ x`` is added, an invariant.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.pdr.thesis.cfg import Cfg
from lemmata.engines.pdr.thesis.formulas import negation
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.obligations import ThesisObligation
from lemmata.engines.pdr.thesis.oracle import Satisfiable, ThesisOracle
from lemmata.logic.build import conj
from lemmata.logic.linear import Atom, comparison, from_coefficients, normal, split_equation, total
from lemmata.logic.linear.lp import farkas
from lemmata.logic.sorts import REAL
from lemmata.logic.terms import Term, Value, var
from lemmata.logic.walk import conjuncts, disjuncts

_PARTS = 12  # parts that are dropped one by one, and bounds that are combined
_GUESSES = 8  # at one interpolant

_Point = dict[Term, Value]  # of the variables of a location


class Interpolating:
    """Adds interpolants, once all edges are refuted."""

    def __init__(self, cfg: Cfg, frames: ThesisFrames, oracle: ThesisOracle) -> None:
        self._cfg = cfg
        self._frames = frames
        self._oracle = oracle

    def refuted(self, obligation: ThesisObligation, level: int) -> Term | None:
        """Wait for the other edges."""
        return None

    def blocked(self, obligation: ThesisObligation, level: int) -> Term | None:
        """Add an interpolant per disjunct of t; all of them together exclude t."""
        found = []
        for disjunct in disjuncts(obligation.formula):
            trial = _Trial(self, obligation.place, level)
            lemma = negation(conj(trial.larger(_bounds(disjunct))))
            if self._frames.add(obligation.place, lemma, level):
                found.append(lemma)
        return conj(found) if found else None

    def enter(self, place: int, level: int, parts: Sequence[Term]) -> _Point | list[Term]:
        """Where an edge leads to within all ``parts``; or those parts that suffice to say that none does."""
        needed: set[Term] = set()
        for edge in self._cfg.into.get(place, ()):
            answer = self._oracle.ask(edge, level - 1, parts)
            if isinstance(answer, Satisfiable):
                after = self._oracle.terms[edge].updates.run(answer.values)
                return dict(zip(self._cfg.graph.locations[place].variables, after, strict=True))
            needed.update(answer.core)
        return [part for part in parts if part in needed]


class _Trial:
    """One obligation made larger."""

    def __init__(self, owner: Interpolating, place: int, level: int) -> None:
        self._owner = owner
        self._place = place
        self._level = level
        self._points: list[_Point] = []  # where edges lead to

    def larger(self, parts: list[Term]) -> list[Term]:
        """Parts that ``parts`` imply and whose conjunction no edge enters; ``parts`` themselves if nothing is better."""
        needed = self._enter(parts)
        if needed is None:  # a solver that changed its mind
            return parts
        return self._half_space(self._dropped(needed))

    def _enter(self, parts: Sequence[Term]) -> list[Term] | None:
        """The core, or ``None`` and one more point."""
        answer = self._owner.enter(self._place, self._level, parts)
        if isinstance(answer, list):
            return answer
        self._points.append(answer)
        return None

    def _dropped(self, parts: list[Term]) -> list[Term]:
        """Without every part that is not needed."""
        for part in parts[:_PARTS]:
            if part in parts:
                core = self._enter([other for other in parts if other is not part])
                parts = parts if core is None else core
        return parts

    def _half_space(self, parts: list[Term]) -> list[Term]:
        """With one combination of the bounds instead of all of them, if that is enough."""
        bounds = {part: atom for part in parts if (atom := comparison(part)) is not None and atom.kind in ("le", "lt")}
        if not 1 < len(bounds) <= _PARTS or len({atom.form.sort for atom in bounds.values()}) > 1:
            return parts
        others = [part for part in parts if part not in bounds]
        for _ in range(_GUESSES):
            guess = self._separating(list(bounds.values()))
            if guess is None:
                break
            core = self._enter([*others, guess])
            if core is not None:
                return core
        return parts

    def _separating(self, bounds: list[Atom]) -> Term | None:
        """A combination of the bounds that every point violates (but for points that satisfy them all, and violate the rest).

        There is one exactly if no mixture of the points satisfies all bounds; the factors are those of Farkas.
        """
        points = [point for point in self._points if not all(bound.holds(point) for bound in bounds)]
        weights = [var(f"⟨weight {number}⟩", REAL) for number in range(len(points))]
        mixed = [
            from_coefficients({w: bound.form.evaluate(p) for w, p in zip(weights, points, strict=True)}, 0, REAL)
            for bound in bounds
        ]
        positive = [from_coefficients({w: -1}, 0, REAL) for w in weights]
        whole = Atom("eq", from_coefficients(dict.fromkeys(weights, 1), -1, REAL))
        factors = farkas([*[Atom("le", form) for form in (*mixed, *positive)], whole])
        if factors is None:
            return None
        parts = [(bound.form, factor) for bound, factor in zip(bounds, factors, strict=False)]
        is_strict = any(bound.kind == "lt" and factor for bound, factor in zip(bounds, factors, strict=False))
        return normal("lt" if is_strict else "le", total(parts, bounds[0].form.sort)).to_term()


def _bounds(cube: Term) -> list[Term]:
    """The conjuncts, with equations of numbers as two bounds."""
    found: dict[Term, None] = {}
    for part in conjuncts(cube):
        atom = comparison(part)
        for half in split_equation(atom) if atom is not None and atom.kind == "eq" else ():
            found[half.to_term()] = None
        if atom is None or atom.kind != "eq":
            found[part] = None
    return list(found)
