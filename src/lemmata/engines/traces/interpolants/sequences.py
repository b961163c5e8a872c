"""Two sequences of interpolants along a relaxed trace, one from each end.

*Forwards* (strongest postconditions, weakened): the premises' formulas and the parts of a step are one side; all later steps,
and what was found for steps that they still need, are the other. *Backwards* (weakest preconditions, strengthened): what leads
to the error after a step is one side, all earlier steps are the other; the formula is the negation of the union. Either way a
step takes from the last one what that gave, so the sequence fits together by construction.

Backwards a step with two premises is dealt with from left to right: the first one's side has all steps below the second, and
the second's has the formula that the first one got.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.traces.interpolants.ask import Asker
from lemmata.engines.traces.interpolants.cover import cover, outside, union
from lemmata.engines.traces.interpolants.unfolding import Parts, Unfolding, conjuncts, spoken_of
from lemmata.logic.build import negate
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import variables

Formulas = tuple[Term, ...]


def forwards(unfolding: Unfolding, parts: Parts, asker: Asker) -> Formulas | None:
    """A formula per step, with the names of the step; ``None`` if one of them grows large."""
    desk = asker.desk()
    for formulas in reversed(parts[1:]):
        desk.push(formulas)
    later = _spoken_after(parts)
    open_steps: dict[int, Term] = {}  # whose formula a later step needs
    result: list[Term] = []
    for number, formulas in enumerate(parts):
        side = [*[open_steps.pop(premise) for premise in unfolding.premises(number)], *formulas]
        side = conjuncts(side)
        others = list(open_steps.values())
        elsewhere = {*later[number], *variables(others)}
        desk.push(others)
        shared = [v for v in unfolding.states[number] if v in elsewhere]
        found = [] if number == len(parts) - 1 else cover(asker, side, set(shared), desk)
        if found is None:
            return None
        desk.pop()
        if number < len(parts) - 1:
            desk.pop()
        open_steps[number] = union(found)
        result.append(open_steps[number])
    return tuple(result)


def _spoken_after(parts: Parts) -> list[dict[Term, None]]:
    """Per step, the variables of all later ones."""
    result: list[dict[Term, None]] = []
    known: dict[Term, None] = {}
    for formulas in reversed(parts):
        result.append(dict(known))
        known |= spoken_of([formulas])
    return result[::-1]


def backwards(unfolding: Unfolding, parts: Parts, asker: Asker) -> Formulas | None:
    """The same from the error on."""

    def below(step: int) -> list[Term]:
        return [part for under in sorted(unfolding.under[step]) for part in parts[under]]

    result: list[Term] = [TRUE] * len(parts)
    result[-1] = FALSE
    for number in reversed(range(len(parts))):
        premises = unfolding.premises(number)
        for place, premise in enumerate(premises):
            beside = [result[p] for p in premises[:place]] + [part for p in premises[place + 1 :] for part in below(p)]
            side = conjuncts([*parts[number], negate(result[number]), *beside])
            desk = asker.desk(below(premise))
            spoken = spoken_of([below(premise)])
            shared = {v for v in unfolding.states[premise] if v in spoken}
            found = cover(asker, side, shared, desk)
            if found is None:
                return None
            result[premise] = outside(found)
    return tuple(result)


def is_proof(unfolding: Unfolding, parts: Parts, formulas: Sequence[Term], asker: Asker) -> bool:
    """Does every step lead from the formulas before it to its own, and the last one to ``false``?"""
    if formulas[-1] is not FALSE:
        return False
    for number, own in enumerate(formulas):
        if not set(variables([own])) <= set(unfolding.states[number]):
            return False
        before = [formulas[premise] for premise in unfolding.premises(number)]
        if own is TRUE or own in before or FALSE in before:
            continue
        if asker.desk([*before, *parts[number], negate(own)]).core(()) is None:
            return False
    return True
