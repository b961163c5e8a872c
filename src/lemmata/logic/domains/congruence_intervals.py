"""``CongruenceInterval``: integers between two ends with a certain remainder, ``{v : low ≤ v ≤ high, v ≡ rest (step)}``.

Intervals (Cousot, Cousot 1976) and arithmetical congruences (Granger 1989) as one value: each sharpens the other, since the
ends are moved to the nearest number with the right remainder. ``None`` as an end means that there is none; ``step`` 1 says
nothing about remainders, and 0 that ``rest`` is the only number. Every operation gives a span that contains all results;
``None`` for a span means that there are none.

``CongruenceIntervals`` tells which numbers an integer term can be, where spans of some variables are known. Sums are looked at
as a whole (``logic.linear``), so ``x - x`` is 0; what is not linear has a rule below, or can be anything. A choice ``ite(c, a,
b)`` is what a can be under c, or b under ¬c: conditions count where they bound the same sum, which is how programs from C write
the conversion to signed numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import gcd

from lemmata.logic.build import negate
from lemmata.logic.linear import comparison
from lemmata.logic.linear.atoms import Atom
from lemmata.logic.linear.sums import Linear, linearize
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term, value_of
from lemmata.values import dataclass

End = int | None


@dataclass(frozen=True, slots=True)
class CongruenceInterval:
    """Made by ``congruence_interval``, ``point`` and the operations below only; never empty."""

    low: End
    high: End
    step: int
    rest: int

    def has(self, number: int) -> bool:
        """Is the number one of them?"""
        is_inside = (self.low is None or self.low <= number) and (self.high is None or number <= self.high)
        return is_inside and (number - self.rest == 0 if self.step == 0 else (number - self.rest) % self.step == 0)

    def has_multiple(self, modulus: int) -> bool:
        """May a multiple of ``modulus`` be among them, as far as remainders tell?"""
        return self.rest % gcd(self.step, modulus) == 0

    @property
    def is_top(self) -> bool:
        """Is nothing known?"""
        return self.low is None and self.high is None and self.step == 1


TOP = CongruenceInterval(None, None, 1, 0)


def point(number: int) -> CongruenceInterval:
    """One number."""
    return CongruenceInterval(number, number, 0, number)


def congruence_interval(low: End, high: End, step: int = 1, rest: int = 0) -> CongruenceInterval | None:
    """The span with these ends and remainders; ``None`` if it is empty."""
    if step == 0:
        is_inside = (low is None or low <= rest) and (high is None or rest <= high)
        return point(rest) if is_inside else None
    rest %= step
    if low is not None:
        low += (rest - low) % step
    if high is not None:
        high -= (high - rest) % step
    if low is not None and high is not None and low >= high:
        return point(low) if low == high else None
    return CongruenceInterval(low, high, step, rest)


def _surely(low: End, high: End, step: int = 1, rest: int = 0) -> CongruenceInterval:
    found = congruence_interval(low, high, step, rest)
    assert found is not None
    return found


def weighted_sum(parts: Iterable[tuple[CongruenceInterval, int]], constant: int) -> CongruenceInterval:
    """``constant`` + Σ factor · span."""
    low: End = constant
    high: End = constant
    step, rest = 0, constant
    for one, factor in parts:
        least, most = (one.low, one.high) if factor > 0 else (one.high, one.low)
        low = None if low is None or least is None else low + factor * least
        high = None if high is None or most is None else high + factor * most
        step, rest = gcd(step, factor * one.step), rest + factor * one.rest
    return _surely(low, high, step, rest)


def join(a: CongruenceInterval, b: CongruenceInterval) -> CongruenceInterval:
    """All of both."""
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return _surely(low, high, gcd(a.step, b.step, a.rest - b.rest), a.rest)


def meet(a: CongruenceInterval, b: CongruenceInterval) -> CongruenceInterval | None:
    """What both have: the ends that are nearer, and both remainders at once (Chinese remainders)."""
    low = b.low if a.low is None else a.low if b.low is None else max(a.low, b.low)
    high = b.high if a.high is None else a.high if b.high is None else min(a.high, b.high)
    common = gcd(a.step, b.step)
    if (a.rest - b.rest) % common if common else a.rest != b.rest:
        return None
    if a.step == 0 or b.step == 0:
        return congruence_interval(low, high, 0, a.rest if a.step == 0 else b.rest)
    times = (b.rest - a.rest) // common * pow(a.step // common, -1, b.step // common) if b.step != common else 0
    return congruence_interval(low, high, a.step // common * b.step, a.rest + a.step * times)


def remainder(a: CongruenceInterval, modulus: int) -> CongruenceInterval:
    """a mod modulus, where the modulus is positive."""
    period = period_of(a, modulus)
    if period is not None:
        return weighted_sum([(a, 1)], -period * modulus)
    return _surely(0, modulus - 1, gcd(a.step, modulus), a.rest)


def period_of(a: CongruenceInterval, modulus: int) -> int | None:
    """q if all of ``a`` is in q · modulus, …, (q + 1) · modulus - 1."""
    if a.low is None or a.high is None or a.low // modulus != a.high // modulus:
        return None
    return a.low // modulus


def quotient(a: CongruenceInterval, divisor: int) -> CongruenceInterval:
    """a div divisor, where the divisor is positive."""
    low = None if a.low is None else a.low // divisor
    high = None if a.high is None else a.high // divisor
    if a.step % divisor == 0:
        return _surely(low, high, a.step // divisor, a.rest // divisor)
    return _surely(low, high)


def product(a: CongruenceInterval, b: CongruenceInterval) -> CongruenceInterval:
    """a · b."""
    step, rest = gcd(a.step * b.step, a.step * b.rest, b.step * a.rest), a.rest * b.rest
    if a.low is None or a.high is None or b.low is None or b.high is None:
        is_natural = a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0
        return _surely(a.low * b.low if is_natural and a.low is not None and b.low is not None else None, None, step, rest)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _surely(min(corners), max(corners), step, rest)


_SUMS = frozenset({"+", "-", "neg", "*"})


class CongruenceIntervals:
    """Spans of terms where variables are ``known`` to be in spans; those of other variables are everything."""

    def __init__(self, known: Mapping[Term, CongruenceInterval] | None = None) -> None:
        self._found: dict[Term, CongruenceInterval] = dict(known or {})

    def of(self, term: Term) -> CongruenceInterval:
        """All values of an integer term."""
        stack = [term]
        while stack:
            top = stack[-1]
            missing = () if top in self._found else [arg for arg in _below(top) if arg not in self._found]
            if missing:
                stack += missing
            else:
                stack.pop()
                if top not in self._found:
                    self._found[top] = self._computed(top)
        return self._found[term]

    def of_sum(self, form: Linear) -> CongruenceInterval:
        """All values of a sum of integers."""
        return weighted_sum([(self.of(v), int(c)) for v, c in form.terms], int(form.constant))

    def under(self, form: Linear, conditions: Iterable[Term]) -> CongruenceInterval | None:
        """All values of a sum where the conditions hold, as far as they bound this very sum; ``None`` if there are none."""
        found: CongruenceInterval | None = self.of_sum(form)
        for condition in conditions:
            bound = _bound(form, condition)
            if bound is not None and found is not None:
                found = meet(found, bound)
        return found

    def _computed(self, term: Term) -> CongruenceInterval:
        args = term.args
        match term.op:
            case "const":
                return point(value_of(term))
            case "ite":
                return self._choice(*args)
            case "mod" | "div" if args[1].is_const and value_of(args[1]) > 0:
                return (remainder if term.op == "mod" else quotient)(self._found[args[0]], value_of(args[1]))
            case "mod":
                return _modulo(self._found[args[1]])
            case "*" if _is_unknown(term):
                return reduce(product, [self._found[arg] for arg in args])
            case op if op in _SUMS:
                return self.of_sum(linearize(term))
            case _:
                return TOP

    def _choice(self, condition: Term, a: Term, b: Term) -> CongruenceInterval:
        first = self.under(linearize(a), halves(condition))
        second = self.under(linearize(b), halves(negate(condition)))
        if first is None or second is None:
            return second or first or TOP
        return join(first, second)


def _below(term: Term) -> Sequence[Term]:
    """The integers that the span of a term is computed from."""
    if term.op in _SUMS and not _is_unknown(term):
        return linearize(term).unknowns
    if term.op == "ite":
        return [v for arg in term.args[1:] for v in (arg, *linearize(arg).unknowns)]
    return [arg for arg in term.args if arg.sort is INT] if term.op in ("mod", "div", "*") else ()


def _is_unknown(term: Term) -> bool:
    """Is it no sum of something simpler?"""
    return linearize(term).terms == ((term, 1),)


def _modulo(divisor: CongruenceInterval) -> CongruenceInterval:
    """A remainder by something in ``divisor``; by zero it may be anything."""
    if divisor.has(0) or divisor.low is None or divisor.high is None:
        return TOP
    return congruence_interval(0, max(abs(divisor.low), abs(divisor.high)) - 1) or TOP


def halves(condition: Term) -> Sequence[Term]:
    """Literals that hold where the condition does."""
    if condition.op == "and":
        return condition.args
    if condition.op == "not" and condition.args[0].op == "or":
        return [negate(arg) for arg in condition.args[0].args]
    return (condition,)


def _bound(form: Linear, literal: Term) -> CongruenceInterval | None:
    """What a literal says about a sum; ``None`` if it is about something else."""
    atom = comparison(literal)
    if atom is None or atom.kind not in ("le", "eq") or atom.form.sort is not INT:
        return None
    if atom.form.terms == form.terms:
        limit = int(form.constant - atom.form.constant)
        return congruence_interval(None if atom.kind == "le" else limit, limit)
    if atom.form.terms == tuple([(v, -c) for v, c in form.terms]):
        limit = int(form.constant + atom.form.constant)
        return congruence_interval(limit, None if atom.kind == "le" else limit)
    return None


def decided(atom: Atom, found: CongruenceInterval) -> bool | None:
    """Does ``t ⋈ 0`` hold for every t in the span, or for none?"""
    match atom.kind:
        case "le" if found.high is not None and found.high <= 0:
            return True
        case "le":
            return False if found.low is not None and found.low > 0 else None
        case "eq":
            return True if found.step == 0 and found.rest == 0 else None if found.has(0) else False
        case "mod" if found.step % atom.modulus == 0:
            return found.rest % atom.modulus == 0
        case "mod":
            return None if found.has_multiple(atom.modulus) else False
        case "ne" | "nmod":
            opposite = decided(atom.negated(), found)
            return None if opposite is None else not opposite
        case _:
            return None
