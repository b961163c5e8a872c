"""Inputs that can always be chosen so that the conjuncts they are in hold; these conjuncts go.

A conjunct is looked at as a clause. If an input is in no update, and in each clause that has it a literal can be made true by
one and the same choice, then that is the choice: a Boolean that is only ever wanted true, an input that occurs once in
``x = t``, one that has only upper bounds. What is left says exactly that such a choice exists. (Unconstrained terms: Brummayer,
Biere 2009; pure literals.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lemmata.logic.build import build, ite, negate
from lemmata.logic.linear import comparison
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import FALSE, TRUE, Term, const
from lemmata.logic.walk import substitute
from lemmata.transforms.graph.measures import Masks

_BOUNDS = 4  # of which the least may be chosen


def choose_unconstrained(
    parts: Sequence[Term], updates: Sequence[Term], inputs: Sequence[Term]
) -> tuple[list[Term], dict[Term, Term]]:
    """The parts that are left, and the choices: terms over the other variables."""
    masks = Masks()
    fixed = 0
    for update in updates:
        fixed |= masks.of(update)
    left = [(part, masks.of(part)) for part in parts]
    chosen: dict[Term, Term] = {}
    waiting = [v for v in inputs if not masks.of(v) & fixed]
    before = -1
    while len(chosen) != before:
        before = len(chosen)
        for v in [v for v in waiting if v not in chosen]:
            bit = masks.of(v)
            mine = [part for part, mask in left if mask & bit]
            term = _choice(v, mine, masks) if mine else None
            if term is not None:
                left = [(part, mask) for part, mask in left if not mask & bit]
                chosen = dict(zip(chosen, substitute(list(chosen.values()), {v: term}), strict=True)) | {v: term}
    return [part for part, _ in left], chosen


def _choice(v: Term, parts: Sequence[Term], masks: Masks) -> Term | None:
    """A term such that each part holds where v equals it."""
    bit = masks.of(v)
    literals: list[Term] = []
    for part in parts:
        here = [literal for literal in (part.args if part.op == "or" else (part,)) if masks.of(literal) & bit]
        if len(here) != 1:
            return None
        literals += here
    if v.sort is BOOL and all(literal is literals[0] for literal in literals) and literals[0] in (v, negate(v)):
        return TRUE if literals[0] is v else FALSE
    if len(literals) == 1:
        return _solution(v, literals[0], masks)
    return _least(v, literals, masks)


def _solution(v: Term, literal: Term, masks: Masks) -> Term | None:
    """A value of v that makes the literal true."""
    if literal.op == "=":
        for side, other in (literal.args, literal.args[::-1]):
            if side is v and not masks.of(other) & masks.of(v):
                return other
    if literal.op == "not" and literal.args[0].op == "=" and v.sort is BOOL:
        for side, other in (literal.args[0].args, literal.args[0].args[::-1]):
            if side is v and not masks.of(other) & masks.of(v):
                return negate(other)
    kind, sign = _side(v, literal)
    term = _bound(v, literal, masks) if sign else None
    match kind:
        case _ if term is None:
            return None
        case "eq" | "le":
            return term
        case "ne":
            return build("+", (term, const(1, v.sort)))
        case "lt":
            return build("+", (term, const(-sign, v.sort)))
        case _:
            return None


def _least(v: Term, literals: Sequence[Term], masks: Masks) -> Term | None:
    """The least of several upper bounds, the greatest of several lower ones."""
    sides = {_side(v, literal) for literal in literals}
    if len(literals) > _BOUNDS or sides not in ({("le", 1)}, {("le", -1)}):
        return None
    terms = [term for literal in literals if (term := _bound(v, literal, masks)) is not None]
    if len(terms) < len(literals):
        return None
    best = terms[0]
    for term in terms[1:]:
        best = ite(build("<=", (best, term) if sides == {("le", 1)} else (term, best)), best, term)
    return best


def _side(v: Term, literal: Term) -> tuple[str, int]:
    """How the literal compares v with other things: the kind of its atom, and 1 if v is on the small side; 0 if it does not."""
    atom = comparison(literal)
    factor = 0 if atom is None else atom.form.coefficient(v)
    if atom is None or not factor or (v.sort is INT and factor not in (1, -1)):
        return "", 0
    return atom.kind, 1 if factor > 0 else -1


def _bound(v: Term, literal: Term, masks: Masks) -> Term | None:
    """What the literal compares v with, if v is not in it."""
    atom = comparison(literal)
    assert atom is not None
    rest = atom.form.without(v)
    if any(masks.of(unknown) & masks.of(v) for unknown in rest.unknowns):
        return None
    factor = atom.form.coefficient(v)
    return rest.scale(-factor if factor in (1, -1) else Fraction(-1) / factor).to_term()
