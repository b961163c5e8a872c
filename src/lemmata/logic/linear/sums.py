"""``Linear``: a sum ``c₁·v₁ + … + cₙ·vₙ + c`` over integers or reals, exact.

``linearize`` reads any numeric term as such a sum. What is not linear (a read, a product of variables, ``mod``, ``ite``) counts
as one more unknown, named by its term; ``linear`` is the strict reading, which knows variables only. In a real sum an integer
unknown stands as ``to_real(v)``, so every unknown has the sort of its sum.

Unknowns are sorted by their term's number, zero coefficients are left out, and a ``Fraction`` without denominator is an
``int``: equal sums are equal values. Results are kept per term, since engines ask the same again and again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from lemmata.logic.build import build
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import REAL, Sort
from lemmata.logic.terms import Term, Value, const, make, value_of
from lemmata.logic.values import is_foldable
from lemmata.values import dataclass

Number = int | Fraction
_SUMS = frozenset({"+", "-", "neg", "*", "/", "to_real", "to_int"})


@dataclass(frozen=True, slots=True)
class Linear:
    """``terms`` are pairs of an unknown and its coefficient, which is not zero."""

    terms: tuple[tuple[Term, Number], ...]
    constant: Number
    sort: Sort

    def __add__(self, other: Linear) -> Linear:
        return total(((self, 1), (other, 1)), self.sort)

    def __sub__(self, other: Linear) -> Linear:
        return total(((self, 1), (other, -1)), self.sort)

    def __neg__(self) -> Linear:
        return self.scale(-1)

    def scale(self, factor: Number) -> Linear:
        """``factor`` times this sum."""
        if factor == 0:
            return Linear((), 0, self.sort)
        return Linear(tuple([(v, _plain(c * factor)) for v, c in self.terms]), _plain(self.constant * factor), self.sort)

    def shift(self, number: Number) -> Linear:
        """This sum plus ``number``."""
        return Linear(self.terms, _plain(self.constant + number), self.sort)

    @property
    def unknowns(self) -> tuple[Term, ...]:
        """What the sum speaks of."""
        return tuple([v for v, _ in self.terms])

    @property
    def is_strict(self) -> bool:
        """Are all unknowns variables (or integer variables read as reals)?"""
        return all(v.op == "var" or (v.op == "to_real" and v.args[0].op == "var") for v, _ in self.terms)

    def coefficient(self, unknown: Term) -> Number:
        """The coefficient of ``unknown``, 0 if it does not occur."""
        for v, c in self.terms:
            if v is unknown:
                return c
        return 0

    def without(self, unknown: Term) -> Linear:
        """The sum of everything else."""
        return Linear(tuple([pair for pair in self.terms if pair[0] is not unknown]), self.constant, self.sort)

    def evaluate(self, values: Mapping[Term, Value]) -> Number:
        """The value where the variables have ``values``; a ``Fraction`` if the sum is real."""
        result = self.constant
        try:
            for v, c in self.terms:
                result += c * values[v]
        except KeyError:
            result = self.constant + sum([c * value_at(v, values) for v, c in self.terms])
        return Fraction(result) if self.sort is REAL else result

    def to_term(self) -> Term:
        """The sum as a term; coefficients must be integers if it is one of integers."""
        return signed_sum(self.terms, self.constant, self.sort)


def total(parts: Iterable[tuple[Linear, Number]], sort: Sort, constant: Number = 0) -> Linear:
    """``constant`` + Σ factor · sum."""
    coefficients: dict[Term, Number] = {}
    for form, factor in parts:
        constant += form.constant * factor
        for v, c in form.terms:
            coefficients[v] = coefficients.get(v, 0) + c * factor
    return from_coefficients(coefficients, constant, sort)


def from_coefficients(coefficients: Mapping[Term, Number], constant: Number, sort: Sort) -> Linear:
    """The sum with these coefficients."""
    terms = [(v, _plain(c)) for v, c in coefficients.items() if c]
    if len(terms) > 1:
        terms.sort(key=_by_number)
    return Linear(tuple(terms), _plain(constant), sort)


def value_at(unknown: Term, values: Mapping[Term, Value]) -> Number:
    """The value of an unknown: given, or computed from those of its variables."""
    found = values.get(unknown)
    if found is None:
        found = Fraction(value_at(unknown.args[0], values)) if unknown.op == "to_real" else evaluate((unknown,), values)[0]
    return found


def signed_sum(terms: Iterable[tuple[Term, Number]], constant: Number, sort: Sort) -> Term:
    """A term for the sum: what is added, then what is taken away."""
    pairs = tuple(terms)
    plus = _added([(v, c) for v, c in pairs if c > 0], constant if constant > 0 else 0, sort)
    minus = _added([(v, -c) for v, c in pairs if c < 0], -constant if constant < 0 else 0, sort)
    if minus.is_const or plus.is_const:
        if plus.is_const and value_of(plus) == 0 and not minus.is_const:
            return build("neg", (minus,))
        return build("-", (plus, minus))
    return make("-", (plus, minus))


def _added(terms: list[tuple[Term, Number]], constant: Number, sort: Sort) -> Term:
    parts = [v if c == 1 else make("*", (v, const(c, sort))) for v, c in terms]
    parts.sort(key=lambda part: part.number)
    if constant or not parts:
        parts.append(const(constant, sort))
    return parts[0] if len(parts) == 1 else make("+", tuple(parts))


# Reading terms.

_FORMS: dict[Term, Linear] = {}


def linear(term: Term) -> Linear | None:
    """The term as a sum over variables; ``None`` if it is not linear."""
    form = linearize(term)
    return form if form.is_strict else None


def linearize(term: Term) -> Linear:
    """The term as a sum, in which subterms that are not linear are unknowns."""
    found = _FORMS.get(term)
    if found is not None:
        return found
    stack = [term]
    while stack:
        top = stack[-1]
        missing = [arg for arg in top.args if arg not in _FORMS] if top.op in _SUMS else ()
        if missing:
            stack += missing
        else:
            _FORMS[top] = _form(top)
            stack.pop()
    return _FORMS[term]


def _form(term: Term) -> Linear:
    op, args, sort = term.op, term.args, term.sort
    if op == "const":
        return Linear((), _plain(value_of(term)), sort)
    if op not in _SUMS:
        return _unknown(term)
    forms = [_FORMS[arg] for arg in args]
    match op:
        case "+":
            return total([(form, 1) for form in forms], sort)
        case "-":
            return forms[0] - forms[1]
        case "neg":
            return -forms[0]
        case "*":
            return _product(term, forms)
        case "/" if not forms[1].terms and forms[1].constant and _can_scale(forms[0], forms[1].constant):
            return forms[0].scale(Fraction(1) / forms[1].constant)
        case "to_real":
            return from_coefficients({make("to_real", (v,)): c for v, c in forms[0].terms}, forms[0].constant, sort)
        case "to_int":
            return integral(forms[0], sort) or _unknown(term)
        case _:
            return _unknown(term)


def _product(term: Term, forms: list[Linear]) -> Linear:
    factor: Number = 1
    rest: Linear | None = None
    for form in forms:
        if not form.terms:
            if not is_foldable("*", (factor, form.constant)):
                return _unknown(term)
            factor *= form.constant
        elif rest is None:
            rest = form
        else:
            return _unknown(term)
    if rest is None:
        return Linear((), _plain(factor), term.sort)
    return rest.scale(factor) if _can_scale(rest, factor) else _unknown(term)


def _can_scale(form: Linear, factor: Number) -> bool:
    return all(is_foldable("*", (c, factor)) for c in (form.constant, *[c for _, c in form.terms]))


def integral(form: Linear, sort: Sort) -> Linear | None:
    """A real sum of integers with integer coefficients as a sum of integers; ``None`` if it is none."""
    if isinstance(form.constant, Fraction) or any(v.op != "to_real" or isinstance(c, Fraction) for v, c in form.terms):
        return None
    return from_coefficients({v.args[0]: c for v, c in form.terms}, form.constant, sort)


def _unknown(term: Term) -> Linear:
    return Linear(((term, 1),), 0, term.sort)


def _plain(number: Number) -> Number:
    return number.numerator if type(number) is Fraction and number.denominator == 1 else number


def _by_number(pair: tuple[Term, Number]) -> int:
    return pair[0].number
