"""Equations that were taken apart: ``c ∨ x = s`` and ``¬c ∨ x = t`` say ``x = ite(c, t, s)``.

Other tools write clauses where a program had a choice; put together again they define an input. Only clauses of two literals
are looked at, each is used once, and the first partner that fits is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from lemmata.logic.build import equal, ite, negate
from lemmata.logic.linear import canonical
from lemmata.logic.terms import Term
from lemmata.transforms.graph.equations import equations


def rejoin(parts: Sequence[Term], inputs: Collection[Term]) -> list[Term]:
    """The same conjunction with choices between values of inputs put together."""
    waiting: dict[
        tuple[Term, Term], tuple[int, Term]
    ] = {}  # (condition, input): what it is unless the condition holds, and where
    result: list[Term | None] = list(parts)
    for number, part in enumerate(parts):
        for condition, v, term in _readings(part, inputs):
            found = waiting.get((canonical(negate(condition)), v))
            if found is not None and found[0] != number and result[found[0]] is parts[found[0]]:
                result[number], result[found[0]] = equal(v, ite(condition, found[1], term)), None
                break
            waiting.setdefault((condition, v), (number, term))
    return [part for part in result if part is not None]


def _readings(part: Term, inputs: Collection[Term]) -> Iterator[tuple[Term, Term, Term]]:
    """(c, x, t) such that ``part`` says c ∨ x = t."""
    if part.op == "or" and len(part.args) == 2:
        for condition, equation in (part.args, part.args[::-1]):
            for v, term in equations(equation, inputs):
                yield canonical(condition), v, term
