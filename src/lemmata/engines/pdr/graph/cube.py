"""Cubes of states at one location, and the order between them.

A cube is a location with literals over the variables that live there, read as *and*. Literals are canonical: linear ones are
those of ``logic.linear``, equations come as two inequalities and disequations as the side on which the model lies, so that a
cube is convex where it speaks of numbers (as against names, see ``symbolic_constants``). Of two bounds on the same form the
tighter one stays.

``Limits`` is what a cube says about each form. It decides inclusion without a solver: sufficient, not exact, since a missed
inclusion costs only time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from lemmata.logic.evaluate import evaluate
from lemmata.logic.linear import Atom, comparison, normal, split_equation
from lemmata.logic.terms import TRUE, Term, Value
from lemmata.values import dataclass

Limit = tuple[Any, bool]  # constant, strict: the larger, the tighter
Limits = dict[Any, Limit]  # by the terms of a form, or by literal where it is not a bound
Assignment = Mapping[Term, Value]

_KEYS: dict[Term, tuple[Any, Limit]] = {}
_SAME: Limit = (0, False)


@dataclass(frozen=True, slots=True)
class GraphCube:
    """The states at ``location`` where all ``literals`` hold."""

    location: int
    literals: tuple[Term, ...] = ()

    def without(self, *some: Term) -> GraphCube:
        """The same without some of its literals."""
        return GraphCube(self.location, tuple([x for x in self.literals if x not in some]))

    def only(self, kept: Iterable[Term]) -> GraphCube:
        """Those of the literals that are kept."""
        some = set(kept)
        return GraphCube(self.location, tuple([x for x in self.literals if x in some]))

    def contains(self, state: Assignment) -> bool:
        """Do all literals hold there?"""
        return all(holds(literal, state) for literal in self.literals)

    def joined(self, *more: Term) -> GraphCube:
        """With more literals."""
        return cube_of(self.location, [*self.literals, *more])


def holds(literal: Term, state: Assignment) -> bool:
    """Is the literal true where the variables have these values?"""
    what = comparison(literal)
    if what is not None:
        return _compares(what, state)
    if literal.is_var:
        return bool(state[literal])
    return bool(evaluate([literal], state)[0])


def _compares(what: Atom, state: Assignment) -> bool:
    """``what.holds``, a little faster."""
    value = what.form.constant
    for unknown, factor in what.form.terms:
        found = state.get(unknown)
        if found is None:
            return what.holds(state)
        value += factor * found
    return what.admits(value)


def quick(state: Assignment) -> Assignment:
    """The same state with whole numbers as ``int``: equal, and much faster to compute with."""
    return {v: x.numerator if type(x) is Fraction and x.denominator == 1 else x for v, x in state.items()}


def limit_of(literal: Term) -> tuple[Any, Limit]:
    """What the literal bounds, and how tightly."""
    found = _KEYS.get(literal)
    if found is None:
        what = bound(literal)
        found = (literal, _SAME) if what is None else (what.form.terms, (what.form.constant, what.kind == "lt"))
        _KEYS[literal] = found
    return found


def bound(literal: Term) -> Atom | None:
    """The literal as ``form ≤ 0`` or ``form < 0``, if it is such a one."""
    what = comparison(literal)
    return what if what is not None and what.kind in ("le", "lt") else None


def shape(literals: Iterable[Term]) -> Limits:
    """The tightest bound on each form."""
    result: Limits = {}
    for literal in literals:
        form, limit = limit_of(literal)
        if form not in result or result[form] < limit:
            result[form] = limit
    return result


def limits_imply(small: Limits, literals: Iterable[Term]) -> bool:
    """Does a cube of this shape imply the literals? (``False`` may also mean: not seen.)"""
    for literal in literals:
        form, limit = limit_of(literal)
        found = small.get(form)
        if found is None or found < limit:
            return False
    return True


def cube_of(location: int, literals: Iterable[Term]) -> GraphCube:
    """The cube of canonical literals, of which the tightest bounds stay."""
    best: dict[Any, tuple[Limit, Term]] = {}
    for literal in literals:
        form, limit = limit_of(literal)
        if form not in best or best[form][0] < limit:
            best[form] = limit, literal
    return GraphCube(location, tuple(sorted([literal for _, literal in best.values()], key=_number)))


def convex(location: int, literals: Iterable[Term], values: Assignment, names: Collection[Term] = ()) -> GraphCube:
    """The cube of any literals that hold under ``values``; variables that are ``names`` keep their equations in one piece."""
    parts, fixed = [], {}
    for literal in literals:
        what = comparison(literal)
        if what is not None and what.kind == "eq" and len(what.form.terms) == 1 and what.form.terms[0][0] in names:
            fixed[what.form.terms[0][0]] = what.to_term()
        else:
            parts += _parts(literal, what, values)
    rest = [part for part in parts if not _is_about(part, fixed)] if fixed else parts
    return cube_of(location, [*fixed.values(), *rest])


def _is_about(literal: Term, fixed: Collection[Term]) -> bool:
    """Does the literal bound one of the fixed variables?"""
    what = comparison(literal)
    return what is not None and len(what.form.terms) == 1 and what.form.terms[0][0] in fixed


def _parts(literal: Term, what: Atom | None, values: Assignment) -> list[Term]:
    """The literal as bounds: an equation is two of them, a disequation the one on the model's side."""
    if what is None:
        return [literal]
    if what.kind == "eq":
        sides = [side.to_term() for side in split_equation(what)]
    elif what.kind == "ne":
        sides = [normal("lt", -what.form if what.form.evaluate(values) > 0 else what.form).to_term()]
    else:
        sides = [what.to_term()]
    return [side for side in sides if side is not TRUE]


def _number(term: Term) -> int:
    return term.number
