"""A few points at which formulas are tried out, before a solver is asked whether there is one where they all hold.

Whether a step needs a lemma is asked for every lemma, and most are needed: without it nearly any state is a counterexample.
Evaluation finds it in a tenth of the time that it takes to open a solver. Points are the same in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, INT, REAL, BitVec
from lemmata.logic.terms import Term, Value

_POINTS = 8  # at which a formula is evaluated
_FAR_NUMBER = (1 << 20) + 1  # which programs hardly mention


def hold_somewhere(formulas: Sequence[Term]) -> bool:
    """Do the formulas hold together at one of a few points? Only ``True`` means something."""
    program = Program(formulas)
    if not all(leaf.is_var and (leaf.sort in (BOOL, INT, REAL) or isinstance(leaf.sort, BitVec)) for leaf in program.leaves):
        return False
    points = range(_POINTS if program.leaves else 1)
    return any(all(program.run({v: _value(v, k, point) for k, v in enumerate(program.leaves)})) for point in points)


def _value(variable: Term, position: int, point: int) -> Value:
    """All 0, all 1, all -1, all large and all far below 0, then numbers that differ."""
    number = (0, 1, -1, _FAR_NUMBER, -_FAR_NUMBER - 1, position + 2, -position - 2, (-3) ** (position % 5))[point]
    if variable.sort is BOOL:
        return bool(number % 2)
    if variable.sort is REAL:
        return Fraction(number)
    return number % (1 << variable.width) if isinstance(variable.sort, BitVec) else number
