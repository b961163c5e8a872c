"""Interpolants of words from a solver that has them: Bitwuzla, step by step.

The premises' formulas and the parts of a step are one side, everything that is open is the other; so the sequence fits
together, on trees as well. Left out: Yices, whose model interpolation (MCSAT) also works on integers, but answers x = 1 ∧ y = 1
where x = y would do; the sums of ``farkas`` are better, and ``sequences`` takes over where they do not exist.
"""

from __future__ import annotations

from lemmata.engines.traces.interpolants.core_solver import SolverLimits
from lemmata.engines.traces.interpolants.unfolding import StepFormulas, Unfolding
from lemmata.logic.terms import FALSE, TRUE, Term, topological
from lemmata.solvers.bitwuzla_interpolants import interpolant, speaks_of_words

_FORMULA_NODES = 400  # nodes of a formula that is worth having

_Formulas = tuple[Term, ...]


def word_interpolants(unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits) -> _Formulas | None:
    """A formula per step, with the names of the step; ``None`` if the trace is not about words, or a formula is large."""
    if not speaks_of_words([part for formulas in parts for part in formulas]):
        return None
    result: list[Term] = []
    open_steps: dict[int, Term] = {}
    for number, formulas in enumerate(parts[:-1]):
        side = [*[open_steps.pop(premise) for premise in unfolding.premises(number)], *formulas]
        other = [*open_steps.values(), *[part for own in parts[number + 1 :] for part in own]]
        found = _between([f for f in side if f is not TRUE], [f for f in other if f is not TRUE], limits)
        if found is None or len(topological([found])) > _FORMULA_NODES:
            return None
        open_steps[number] = found
        result.append(found)
    return (*result, FALSE)


def _between(side: list[Term], other: list[Term], limits: SolverLimits) -> Term | None:
    if FALSE in side or not other:
        return FALSE
    return interpolant(side, other, limits.question_until()) if side else TRUE
