"""``Atom``: a literal of linear arithmetic in normal form; equal meaning of the same shape is the same value.

====  =====================  ==========================================================================
kind  says                   normal form
====  =====================  ==========================================================================
le    t ≤ 0                  coefficients coprime integers; over ℤ the constant is tightened
lt    t < 0                  reals only; over ℤ it is t + 1 ≤ 0
eq    t = 0                  as above, first coefficient positive
ne    t ≠ 0                  the same
mod   t ≡ 0 (modulus)        coefficients near 0; the first is 1 if it can be, else positive; ℤ only
nmod  t ≢ 0 (modulus)        the same; the modulus is not 2
====  =====================  ==========================================================================

A real literal whose unknowns are all integers is one over ℤ. What is true or false in every model is ``0 ≤ 0`` or ``1 ≤ 0``.
``to_term`` writes what is added on the left and what is taken away on the right (``x ≤ y + 3``, ``x < y``, ``2 ≤ x``,
``x mod 2 = 1``); ``atom`` reads it back to the same value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from lemmata.logic.build import equal, negate
from lemmata.logic.forms import Linear, Number, from_coefficients, signed_sum
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, Value, const, make


@dataclass(frozen=True, slots=True)
class Atom:
    """Made by ``normal`` and ``atom`` only."""

    kind: str
    form: Linear
    modulus: int = 0
    _hash: int = field(default=0, init=False, compare=False, repr=False)

    def __hash__(self) -> int:
        """Computed once: atoms are looked up far more often than made."""
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.kind, self.form, self.modulus)))
        return self._hash

    def __reduce__(self) -> tuple[type[Atom], tuple[str, Linear, int]]:
        return Atom, (self.kind, self.form, self.modulus)

    @property
    def is_true(self) -> bool:
        """Does it hold everywhere?"""
        return not self.form.terms and self.form.constant == 0

    @property
    def is_false(self) -> bool:
        """Does it hold nowhere?"""
        return not self.form.terms and self.form.constant != 0

    def holds(self, values: Mapping[Term, Value]) -> bool:
        """Is it true where the variables have ``values``?"""
        value = self.form.evaluate(values)
        match self.kind:
            case "le":
                return value <= 0
            case "lt":
                return value < 0
            case "eq":
                return value == 0
            case "ne":
                return value != 0
            case "mod":
                return value % self.modulus == 0
            case _:
                return value % self.modulus != 0

    def negated(self) -> Atom:
        """The opposite."""
        form = self.form
        match self.kind:
            case "le" if form.sort is INT:
                return normal("le", form.scale(-1).shift(1))
            case "le":
                return normal("lt", -form)
            case "lt":
                return normal("le", -form)
            case "mod":
                return normal("nmod", form, self.modulus)
            case _:
                return Atom(_OPPOSITE[self.kind], form, self.modulus)

    def to_term(self) -> Term:
        """The literal as a term, the same object for equal atoms."""
        found = _TERMS.get(self)
        if found is None:
            found = _TERMS[self] = _written(self)
        return found


_OPPOSITE = {"eq": "ne", "ne": "eq", "nmod": "mod"}
TRUE_ATOM = Atom("le", Linear((), 0, INT))
FALSE_ATOM = Atom("le", Linear((), 1, INT))
_TERMS: dict[Atom, Term] = {TRUE_ATOM: TRUE, FALSE_ATOM: FALSE}


# Normal forms.


def normal(kind: str, form: Linear, modulus: int = 0) -> Atom:
    """The atom that says ``form ≤ 0``, ``= 0``, … as ``kind`` has it."""
    if form.sort is REAL:
        if any(v.op != "to_real" for v, _ in form.terms):
            return _normal_real(kind, form)
        form = from_coefficients({v.args[0]: c for v, c in form.terms}, form.constant, INT)
    form = _cleared(form)
    if kind == "lt":
        kind, form = "le", form.shift(1)
    if not form.terms:
        return _decided(kind, form.constant, modulus)
    if kind in ("mod", "nmod"):
        return _normal_modulo(kind, form, modulus)
    return _normal_integer(kind, form)


def _cleared(form: Linear) -> Linear:
    """Times the common denominator."""
    denominators = [c.denominator for _, c in form.terms if type(c) is Fraction]
    if type(form.constant) is Fraction:
        denominators.append(form.constant.denominator)
    return form.scale(lcm(*denominators)) if denominators else form


def _decided(kind: str, constant: Number, modulus: int) -> Atom:
    match kind:
        case "le":
            is_true = constant <= 0
        case "lt":
            is_true = constant < 0
        case "eq" | "ne":
            is_true = (constant == 0) == (kind == "eq")
        case _:
            is_true = (constant % modulus == 0) == (kind == "mod")
    return TRUE_ATOM if is_true else FALSE_ATOM


def _normal_integer(kind: str, form: Linear) -> Atom:
    terms, constant = form.terms, form.constant
    divisor = gcd(*[int(c) for _, c in terms])
    if kind == "le":
        if divisor == 1:
            return Atom(kind, form)
        return Atom(kind, Linear(tuple([(v, c // divisor) for v, c in terms]), -(-constant // divisor), INT))
    if constant % divisor:
        return TRUE_ATOM if kind == "ne" else FALSE_ATOM
    if terms[0][1] < 0:
        divisor = -divisor
    if divisor == 1:
        return Atom(kind, form)
    return Atom(kind, Linear(tuple([(v, c // divisor) for v, c in terms]), constant // divisor, INT))


def _normal_real(kind: str, form: Linear) -> Atom:
    coefficients = [c for _, c in form.terms]
    factor = Fraction(lcm(*[c.denominator for c in coefficients]), gcd(*[c.numerator for c in coefficients]))
    if kind in ("eq", "ne") and coefficients[0] < 0:
        factor = -factor
    return Atom(kind, form if factor == 1 else form.scale(factor))


def _normal_modulo(kind: str, form: Linear, modulus: int) -> Atom:
    terms = [(v, _near(int(c), modulus)) for v, c in form.terms]
    terms = [(v, c) for v, c in terms if c]
    constant = int(form.constant)
    divisor = gcd(modulus, *[c for _, c in terms])
    if constant % divisor or modulus == divisor:
        return _decided(kind, constant, divisor)
    modulus //= divisor
    if (kind, modulus) == ("nmod", 2):  # odd is one more than even
        kind, constant = "mod", constant + divisor
    first = terms[0][1] // divisor
    unit = pow(first, -1, modulus) if gcd(first, modulus) == 1 else (1 if first > 0 else -1)
    terms = [(v, _near(c // divisor * unit, modulus)) for v, c in terms]
    return Atom(kind, Linear(tuple(terms), -(-constant // divisor * unit % modulus), INT), modulus)


def _near(number: int, modulus: int) -> int:
    """The representative in -modulus/2 < r ≤ modulus/2."""
    rest = number % modulus
    return rest - modulus if 2 * rest > modulus else rest


# Terms from atoms.


def _written(atom: Atom) -> Term:
    form, kind = atom.form, atom.kind
    if kind in ("mod", "nmod"):
        remainder = make("mod", (signed_sum(form.terms, 0, INT), const(atom.modulus, INT)))
        return _perhaps_not(equal(remainder, const(-form.constant, INT)), kind == "nmod")
    plus = [(v, c) for v, c in form.terms if c > 0]
    minus = [(v, -c) for v, c in form.terms if c < 0]
    constant = form.constant
    if kind == "le" and form.sort is INT and constant == 1 and plus and minus:
        kind, constant = "lt", 0  # x + 1 ≤ y is x < y
    on_left = constant if not plus or (minus and constant > 0) else 0
    left, right = signed_sum(plus, on_left, form.sort), signed_sum(minus, on_left - constant, form.sort)
    if kind in ("eq", "ne"):
        return _perhaps_not(equal(left, right), kind == "ne")
    return make("<" if kind == "lt" else "<=", (left, right))


def _perhaps_not(term: Term, is_negated: bool) -> Term:
    return negate(term) if is_negated else term


def is_literal(term: Term) -> bool:
    """No connective, but perhaps one negation."""
    inner = term.args[0] if term.op == "not" else term
    return inner.op not in CONNECTIVES and not (inner.op in ("=", "ite") and inner.args[1].sort is BOOL)


CONNECTIVES = frozenset({"and", "or", "not", "=>", "xor"})
