"""``Arithmetic``: remainders, quotients and choices of integers rewritten to something simpler, exactly.

Programs that come from C compute modulo 2ⁿ and store truth values as numbers, so that a guard reads
``(if (y mod 2³² mod 2 - x mod 2³² mod 2) mod 2³² = 0 then 1 else 0) = 0`` and means that y - x is odd. The rules:

- in ``t mod m`` and in congruences, coefficients are reduced modulo m; an inner ``a mod k`` is a where m divides k, and so is a
  choice between terms that are equal modulo m;
- a remainder of numbers within one period is a sum, a comparison of one from two periods is two cases; quotients leave
  comparisons;
- a choice between remainders of numbers from two periods, as conversions to signed numbers have it, becomes one sum, or a
  choice between two sums without remainders (``by_period``): ``if t mod m < m/2 then t mod m else t mod m - m`` is t where -m/2
  ≤ t < m/2, for in one period the remainder is t, in the other one t + m, and each of them decides the condition;
- a comparison that the spans of its terms decide is decided; one of a choice, where that is decided for one branch, is the
  condition and the comparison of the other branch.

With spans of variables given, the result is the same where they hold; without, it is the same everywhere. An object is a
constructor for ``substitute`` and ``fold``: arguments come first and are simple already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lemmata.logic.build import build, conj, disj, ite, negate
from lemmata.logic.domains.congruence_intervals import (
    CongruenceInterval,
    CongruenceIntervals,
    congruence_interval,
    decided,
    halves,
    meet,
    period_of,
)
from lemmata.logic.domains.congruence_intervals import weighted_sum as shifted
from lemmata.logic.linear import canonical, comparison
from lemmata.logic.linear.atoms import Atom, normal
from lemmata.logic.linear.sums import Linear, from_coefficients, linearize, total
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, const, value_of
from lemmata.logic.walk import fold

_DEEP_CONNECTIVES = 4  # connectives that are looked through


def by_period(spans: CongruenceIntervals, condition: Term, a: Term, b: Term) -> Term | None:
    """``ite(condition, a, b)`` without the remainder in a or b, where each of its two periods decides the condition."""
    forms = linearize(a), linearize(b)
    for unknown in dict.fromkeys((*forms[0].unknowns, *forms[1].unknowns)):
        if unknown.op == "mod" and unknown.args[1].is_const and value_of(unknown.args[1]) > 0:
            found = _without(spans, condition, forms, unknown)
            if found is not None:
                return found
    return None


def _without(spans: CongruenceIntervals, condition: Term, forms: Sequence[Linear], unknown: Term) -> Term | None:
    inner, modulus = linearize(unknown.args[0]), int(value_of(unknown.args[1]))
    values = spans.of_sum(inner)
    if values.low is None or values.high is None or values.high // modulus - values.low // modulus != 1:
        return None
    results: list[Term] = []
    for period in (values.low // modulus, values.high // modulus):
        part = meet(values, congruence_interval(period * modulus, period * modulus + modulus - 1) or values)
        is_first = None if part is None else _truth(condition, inner, part)
        if is_first is None:
            return None
        form = forms[0 if is_first else 1]
        here = inner.shift(-period * modulus)
        results.append(total([(form.without(unknown), 1), (here, form.coefficient(unknown))], INT).to_term())
    border = inner.shift(1 - values.high // modulus * modulus)
    return ite(canonical(normal("le", border).to_term()), results[0], results[1])


def _truth(formula: Term, form: Linear, values: CongruenceInterval, depth: int = 0) -> bool | None:
    """Is the formula decided where the sum has these values?"""
    if depth > _DEEP_CONNECTIVES:
        return None
    if formula in (TRUE, FALSE):
        return formula is TRUE
    if formula.op == "not":
        inner = _truth(formula.args[0], form, values, depth + 1)
        return None if inner is None else not inner
    if formula.op in ("and", "or"):
        found = [_truth(arg, form, values, depth + 1) for arg in formula.args]
        absorbing = formula.op == "or"
        return absorbing if absorbing in found else None if None in found else not absorbing
    atom = comparison(formula)
    if atom is None:
        return None
    for sign in (1, -1):
        if atom.form.terms == tuple([(v, sign * c) for v, c in form.terms]):
            difference = int(atom.form.constant - sign * form.constant)
            return decided(atom, shifted([(values, sign)], difference))
    return None


_DEEP_CHOICES = 8  # choices within choices that a comparison is taken into
_SUM_UNKNOWNS = 32  # unknowns of a sum that is looked at


class Arithmetic:
    """Rules under what is ``known`` of variables."""

    def __init__(self, known: Mapping[Term, CongruenceInterval] | None = None) -> None:
        self.spans = CongruenceIntervals(known)
        self._is_known = bool(known)

    def rewritten(self, terms: Sequence[Term]) -> list[Term]:
        """Terms built again from below."""
        results = fold(terms, lambda term, args: self.built(term.op, tuple(args), term.data) if args else term)
        return [summed(results[term]) for term in terms]

    def built(self, op: str, args: tuple[Term, ...], data: Any = None) -> Term:
        """``build`` with these rules, and normal forms for comparisons of numbers and for sums in choices."""
        if op == "ite":
            args = (args[0], summed(args[1]), summed(args[2]))
        term = build(op, args, data)
        match term.op:
            case "<" | "<=" | "=" if term.args[0].sort in (INT, REAL):
                return self.compared(canonical(term))
            case "ite" if term.sort is INT:
                return by_period(self.spans, *term.args) or term
            case "mod" if _is_divided(term):
                return self._remainder(linearize(term.args[0]), abs(value_of(term.args[1])))
            case "div" if _is_divided(term):
                return self._quotient(term.args[0], value_of(term.args[1]))
            case _:
                return term

    # Remainders and quotients.

    def _remainder(self, form: Linear, modulus: int) -> Term:
        """form mod modulus."""
        for candidate in dict.fromkeys((form, reduced(form, modulus))):
            if len(candidate.terms) <= _SUM_UNKNOWNS:
                period = period_of(self.spans.of_sum(candidate), modulus)
                if period is not None:
                    return candidate.shift(-period * modulus).to_term()
            form = candidate
        return build("mod", (form.to_term(), const(modulus, INT)))

    def _quotient(self, term: Term, divisor: int) -> Term:
        """term div divisor: whole parts come out, and -(term div n) stands for term div -n."""
        form, size = linearize(term), abs(divisor)
        whole = from_coefficients({v: c // size for v, c in form.terms if c % size == 0}, form.constant // size, INT)
        rest = total([(form, 1), (whole, -size)], INT)
        period = period_of(self.spans.of_sum(rest), size) if len(rest.terms) <= _SUM_UNKNOWNS else None
        inner = build("div", (rest.to_term(), const(size, INT))) if period is None else const(period, INT)
        result = whole + linearize(inner)
        return (result if divisor > 0 else -result).to_term()

    # Comparisons.

    def compared(self, literal: Term, depth: int = 0) -> Term:
        """A literal in normal form, decided or taken apart if possible."""
        atom = comparison(literal)
        if atom is None or atom.form.sort is not INT or not 0 < len(atom.form.terms) <= _SUM_UNKNOWNS:
            return literal
        if not self._is_known and atom.form.is_strict:
            return literal
        is_denial = atom.kind in ("ne", "nmod")
        result = self._positive(atom.negated() if is_denial else atom, depth)
        if result is None:
            return literal
        return canonical(negate(result)) if is_denial else canonical(result)

    def _positive(self, atom: Atom, depth: int) -> Term | None:
        """``None`` if no rule fits; the atom is no denial."""
        if atom.kind == "mod":
            atom = normal("mod", reduced(atom.form, atom.modulus), atom.modulus)
            if not atom.form.terms:
                return atom.to_term()
        found = self.spans.of_sum(atom.form)
        if (truth := decided(atom, found)) is not None:
            return TRUE if truth else FALSE
        if atom.kind == "mod":
            return self._few_multiples(atom, found, depth)
        if len(atom.form.terms) == 1:
            unknown = atom.form.terms[0][0]
            result = self._one_unknown(atom, unknown, depth) if _is_divided(unknown) else None
            if result is not None:
                return result
        return self._branches(atom, depth) if depth < _DEEP_CHOICES else None

    def _again(self, kind: str, form: Linear, depth: int, modulus: int = 0) -> Term:
        return self.compared(canonical(normal(kind, form, modulus).to_term()), depth + 1)

    def _few_multiples(self, atom: Atom, found: CongruenceInterval, depth: int) -> Term | None:
        """A congruence as equations, where only one or two multiples of the modulus are possible."""
        modulus = atom.modulus
        if found.low is None or found.high is None or found.high - found.low >= 2 * modulus:
            return self._smaller(atom, depth)
        first = -(-found.low // modulus) * modulus
        hits = [number for number in range(first, found.high + 1, modulus) if found.has(number)]
        if len(hits) > 1 and any(v.is_var for v in atom.form.unknowns) and len(atom.form.terms) == 1:
            return self._smaller(atom, depth)
        return disj(self._again("eq", atom.form.shift(-number), depth) for number in hits)

    def _smaller(self, atom: Atom, depth: int) -> Term | None:
        """The congruence itself; choices are taken apart where that decides one branch."""
        return self._branches(atom, depth) or canonical(atom.to_term())

    def _one_unknown(self, atom: Atom, unknown: Term, depth: int) -> Term | None:
        """±unknown + constant ⋈ 0 for a remainder or a quotient."""
        factor = atom.form.terms[0][1]
        inner, modulus = linearize(unknown.args[0]), value_of(unknown.args[1])
        if abs(factor) != 1 or modulus < 0:
            return None
        limit = int(-atom.form.constant * factor)  # unknown = limit, unknown ≤ limit, or limit ≤ unknown
        low, high = limit, limit
        if unknown.op == "mod":
            if atom.kind == "le":
                low, high = (0, limit) if factor > 0 else (limit, modulus - 1)
            return self._periods(inner, modulus, low, high, depth)
        at_least = self._again("le", (-inner).shift(low * modulus), depth)
        at_most = self._again("le", inner.shift(-(high * modulus + modulus - 1)), depth)
        if atom.kind == "le":
            return at_most if factor > 0 else at_least
        return conj((at_least, at_most))

    def _periods(self, inner: Linear, modulus: int, low: int, high: int, depth: int) -> Term | None:
        """low ≤ inner mod modulus ≤ high, where inner is in two periods (in one it would be no remainder)."""
        found = self.spans.of_sum(inner)
        if found.low is None or found.high is None or found.high // modulus - found.low // modulus > 1:
            return None
        cases = []
        for period in (found.low // modulus, found.high // modulus):
            least, most = period * modulus + low, period * modulus + high
            if least == most:
                cases.append(self._again("eq", inner.shift(-least), depth))
            else:
                ends = self._again("le", (-inner).shift(least), depth), self._again("le", inner.shift(-most), depth)
                cases.append(conj(ends))
        return disj(cases)

    def _branches(self, atom: Atom, depth: int) -> Term | None:
        """A comparison of a choice, where one branch is decided by its condition."""
        for unknown, factor in atom.form.terms:
            if unknown.op == "ite":
                condition, *branches = unknown.args
                rest = atom.form.without(unknown)
                forms = [total([(rest, 1), (linearize(branch), factor)], INT) for branch in branches]
                truths = [
                    self._decided_under(atom, form, halves(side))
                    for form, side in zip(forms, (condition, negate(condition)), strict=True)
                ]
                if truths != [None, None]:
                    first, second = [
                        self._again(atom.kind, form, depth, atom.modulus) if known is None else TRUE if known else FALSE
                        for form, known in zip(forms, truths, strict=True)
                    ]
                    return canonical(ite(condition, first, second))
        return None

    def _decided_under(self, atom: Atom, form: Linear, conditions: Sequence[Term]) -> bool | None:
        if len(form.terms) > _SUM_UNKNOWNS:
            return None
        found = self.spans.under(form, conditions)
        return True if found is None else decided(atom, found)


def summed(term: Term) -> Term:
    """A sum of numbers in normal form; other terms as they are."""
    return linearize(term).to_term() if term.args and term.sort in (INT, REAL) and term.op != "ite" else term


def reduced(form: Linear, modulus: int) -> Linear:
    """A sum that is equal modulo ``modulus``: small coefficients, no inner remainders and choices that do not matter."""
    is_new = True
    while is_new:
        is_new = False
        for v, c in form.terms:
            inner = _equal_modulo(v, int(c), modulus)
            if inner is not None:
                form = total([(form.without(v), 1), (inner, c)], INT)
                is_new = True
                break
    return from_coefficients({v: _near(int(c), modulus) for v, c in form.terms}, _near(int(form.constant), modulus), INT)


def _equal_modulo(unknown: Term, factor: int, modulus: int) -> Linear | None:
    """A sum that may take the place of factor · unknown."""
    if factor % modulus == 0:
        return Linear((), 0, INT)
    if unknown.op == "mod" and _is_divided(unknown) and factor * value_of(unknown.args[1]) % modulus == 0:
        return linearize(unknown.args[0])
    if unknown.op == "ite":
        first, second = linearize(unknown.args[1]), linearize(unknown.args[2])
        difference = first - second
        if all(factor * c % modulus == 0 for c in (*[c for _, c in difference.terms], difference.constant)):
            return first
    return None


def _near(number: int, modulus: int) -> int:
    """The representative in -modulus/2 < r ≤ modulus/2."""
    rest = number % modulus
    return rest - modulus if 2 * rest > modulus else rest


def _is_divided(term: Term) -> bool:
    """Is it a remainder or quotient by a number that is not zero?"""
    return term.op in ("mod", "div") and term.args[1].is_const and value_of(term.args[1]) != 0
