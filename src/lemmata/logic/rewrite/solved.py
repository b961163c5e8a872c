"""Inputs that a guard decides: ``n = x + 1`` in the guard of an edge says what n is.

``solve_inputs`` takes the equations among the conjuncts of a guard, one after the other, and puts what they define into the
rest. Linear ones over integers are solved for an input with coefficient 1 or -1, over reals for any input. What is left is a
guard over the variables and the free inputs; it holds for some free inputs exactly where the guard holds for some inputs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from lemmata.logic.linear import linearize
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import conjuncts, substitute, variables
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Solved:
    """A guard without the inputs that it defines; ``definitions`` speak of variables and ``free`` inputs."""

    definitions: dict[Term, Term]
    free: tuple[Term, ...]
    guard: Term


def solve_inputs(guard: Term, inputs: Sequence[Term]) -> Solved:
    """What ``guard`` says about ``inputs``."""
    unknown = dict.fromkeys(inputs)
    definitions: dict[Term, Term] = {}
    while found := _round(conjuncts(guard), unknown):
        (guard,) = substitute([guard], found)
        later = substitute(list(definitions.values()), found)
        definitions = dict(zip(definitions, later, strict=True)) | found
        for v in found:
            del unknown[v]
    return Solved(definitions, tuple(unknown), guard)


def _round(parts: Sequence[Term], unknown: Collection[Term]) -> dict[Term, Term]:
    """Definitions that do not speak of each other."""
    found: dict[Term, Term] = {}
    busy: set[Term] = set()  # what the definitions speak of
    for conjunct in parts:
        definition = _definition(conjunct, unknown)
        if definition is None or definition[0] in found or definition[0] in busy:
            continue
        needs = variables([definition[1]])
        if not any(v in found for v in needs):
            found[definition[0]] = definition[1]
            busy.update(needs)
    return found


def _definition(conjunct: Term, unknown: Collection[Term]) -> tuple[Term, Term] | None:
    if conjunct in unknown:
        return conjunct, TRUE
    if conjunct.op == "not" and conjunct.args[0] in unknown:
        return conjunct.args[0], FALSE
    if conjunct.op != "=":
        return None
    left, right = conjunct.args
    for side, other in ((left, right), (right, left)):
        if side in unknown and side not in variables([other]):
            return side, other
    return _linear_definition(left, right, unknown) if left.sort in (INT, REAL) else None


def _linear_definition(left: Term, right: Term, unknown: Collection[Term]) -> tuple[Term, Term] | None:
    form = linearize(left) - linearize(right)
    for v, factor in form.terms:
        if v in unknown and (factor in (1, -1) or form.sort is REAL):
            rest = form.without(v).scale(Fraction(-1) / factor).to_term()
            if v not in variables([rest]):
                return v, rest
    return None
