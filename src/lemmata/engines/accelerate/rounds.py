"""``Rounds``: a formula that holds in every one of n rounds, as a formula about the first and the last.

Variables move by constant steps: in round k, counted from 0, v is ``v + k·d``. A comparison of linear terms that holds in the
first and in the last round holds in between. So do conjunctions of such; for a disjunction it is enough that one part
holds throughout (which is not all there is: sides may change in between. That is another stretch.) ``t mod m`` is linear as
long as ``t div m`` stays what it is, a new input q with ``m·q ≤ t < m·q + m`` in the first and the last round; where t moves by
multiples of m it does not change. ``a ≠ b`` holds on one side throughout, or if the steps never meet zero. A choice is
taken the same way in all rounds. What is none of this must not move, or it is false here: under-approximation (Kroening, Lewis,
Weissenbacher 2013; Frohn 2020).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from lemmata.engines.accelerate.laps import FreshInputs
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.sorts import BOOL, INT, REAL, Sort
from lemmata.logic.terms import FALSE, Term, const, topological, value_of
from lemmata.logic.walk import substitute
from lemmata.values import dataclass

_Number = int | Fraction
_SPLITS = 64  # choices that are taken apart
_FORMULA_NODES = 2_000  # nodes of a formula


@dataclass(frozen=True, slots=True)
class Drift:
    """A number in the first and in the last round, and how far it moves from round to round, provided that ``needs`` hold."""

    first: Term
    last: Term
    step: _Number
    needs: tuple[Term, ...] = ()


class Rounds:
    """``count`` rounds in which variables move by ``steps``; ``inputs`` collects the quotients."""

    def __init__(self, count: Term, steps: Mapping[Term, _Number], names: FreshInputs) -> None:
        self.inputs: list[Term] = []
        self._steps = {v: step for v, step in steps.items() if step}
        self._before_last = build("-", (count, const(1, INT)))
        self._names = names
        self._drifts: dict[Term, Drift | None] = {}
        self._moving: dict[Term, bool] = {}
        self._quotients: dict[Term, Term] = {}
        self._splits = 0

    def always(self, formula: Term) -> Term:
        """Implies that ``formula`` holds in every round; ``GaveUp`` if it is too large to tell."""
        if len(topological([formula])) > _FORMULA_NODES:
            raise GaveUp("incomplete")
        return self._always(formula, True)

    def _always(self, formula: Term, truth: bool) -> Term:
        op, args = formula.op, formula.args
        if not self._moves(formula):
            return formula if truth else negate(formula)
        match op:
            case "not":
                return self._always(args[0], not truth)
            case "and" | "or":
                parts = [self._always(arg, truth) for arg in args]
                return conj(parts) if (op == "and") == truth else disj(parts)
            case "=>":
                return self._always(disj([negate(args[0]), args[1]]), truth)
            case "ite":
                return self._either(args[0], self._always(args[1], truth), self._always(args[2], truth))
            case "=" | "xor" if args[0].sort is BOOL:
                same = (op == "=") == truth
                return self._either(args[0], self._always(args[1], same), self._always(args[1], not same))
            case _:
                return self._literal(formula, truth)

    def _either(self, condition: Term, if_true: Term, if_false: Term) -> Term:
        ways = (self._always(condition, True), if_true), (self._always(condition, False), if_false)
        return disj([conj(way) for way in ways])

    def _literal(self, literal: Term, truth: bool) -> Term:
        for term in topological([literal]):
            if term.op == "ite" and self._moves(term):
                self._splits += 1
                if self._splits > _SPLITS:
                    raise GaveUp("incomplete")
                condition, *branches = term.args
                if_true, if_false = (self._always(substitute([literal], {term: b})[0], truth) for b in branches)
                return self._either(condition, if_true, if_false)
        if literal.op not in ("<", "<=", "=") or literal.args[0].sort not in (INT, REAL):
            return FALSE
        a, b = (self.drift(arg) for arg in literal.args)
        if a is None or b is None:
            return FALSE
        return conj([*a.needs, *b.needs, _compared(literal.op, a, b, truth)])

    def drift(self, term: Term) -> Drift | None:
        """How a number without choices moves; ``None`` if it does not do so in a straight line."""
        for part in topological([term]):
            if part not in self._drifts:
                self._drifts[part] = self._drift(part)
        return self._drifts[term]

    def _drift(self, term: Term) -> Drift | None:
        if term.sort not in (INT, REAL):
            return None
        if not self._moves(term):
            return Drift(term, term, 0)
        if term.is_var:
            step = self._steps[term]
            return Drift(term, build("+", (term, times(self._before_last, step, term.sort))), step)
        parts = [self._drifts[arg] for arg in term.args]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        needs = tuple(dict.fromkeys(need for part in known for need in part.needs))
        firsts, lasts = tuple([part.first for part in known]), tuple([part.last for part in known])
        match term.op:
            case "+":
                step = sum([part.step for part in known])
            case "-":
                step = known[0].step - known[1].step
            case "neg":
                step = -known[0].step
            case "to_real":
                step = Fraction(known[0].step)
            case "*" if sum(not arg.is_const for arg in term.args) == 1:
                step = sum([part.step for part in known])
                for arg in term.args:
                    step *= value_of(arg) if arg.is_const else 1
            case "mod" | "div" if term.args[1].is_const and value_of(term.args[1]) > 0:
                return self._divided(term, known[0], value_of(term.args[1]))
            case _:
                return None
        return Drift(build(term.op, firsts), build(term.op, lasts), step, needs)

    def _divided(self, term: Term, dividend: Drift, divisor: int) -> Drift:
        """The dividend stays between two multiples of the divisor, or moves by such."""
        size = const(divisor, INT)
        if dividend.step % divisor == 0:
            first = build(term.op, (dividend.first, size))
            step = 0 if term.op == "mod" else dividend.step // divisor
            return Drift(first, build("+", (first, times(self._before_last, step, INT))), step, dividend.needs)
        quotient = self._quotient(dividend.first, divisor)
        floor = times(quotient, divisor, INT)
        rests = [build("-", (end, floor)) for end in (dividend.first, dividend.last)]
        needs = [build("<=", (const(0, INT), rest)) for rest in rests] + [build("<", (rest, size)) for rest in rests]
        all_needs = (*dividend.needs, *needs)
        if term.op == "div":
            return Drift(quotient, quotient, 0, all_needs)
        return Drift(rests[0], rests[1], dividend.step, all_needs)

    def _quotient(self, dividend: Term, divisor: int) -> Term:
        key = build("div", (dividend, const(divisor, INT)))
        if key not in self._quotients:
            self._quotients[key] = self._names.fresh("quotient", INT)
            self.inputs.append(self._quotients[key])
        return self._quotients[key]

    def _moves(self, term: Term) -> bool:
        for part in topological([term]) if term not in self._moving else ():
            if part not in self._moving:
                self._moving[part] = part in self._steps or any(self._moving[arg] for arg in part.args)
        return self._moving[term]


def times(term: Term, factor: _Number, sort: Sort) -> Term:
    """An integer times a number of this sort."""
    if factor == 0:
        return const(0, sort)
    return build("*", (term if sort is INT else build("to_real", (term,)), const(factor, sort)))


def _compared(op: str, a: Drift, b: Drift, truth: bool) -> Term:
    """The comparison, or its negation, in all rounds."""
    if op == "=" and not truth:
        sides = [disj([_ends("<", a, b), _ends("<", b, a)])]
        gap = a.step - b.step
        if a.first.sort is INT and gap not in (-1, 0, 1):
            rest = build("mod", (build("-", (a.first, b.first)), const(abs(int(gap)), INT)))
            sides.append(negate(build("=", (rest, const(0, INT)))))
        return disj(sides)
    if truth:
        return _ends(op, a, b)
    return _ends("<" if op == "<=" else "<=", b, a)


def _ends(op: str, a: Drift, b: Drift) -> Term:
    first = build(op, (a.first, b.first))
    return first if a.step == b.step else conj([first, build(op, (a.last, b.last))])
