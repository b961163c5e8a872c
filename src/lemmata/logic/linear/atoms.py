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

*From terms*: ``atom`` knows variables only, ``comparison`` takes what is not linear as one more unknown. Literals on one
remainder (``x mod 3 = 1``, ``x mod 2 ≥ 1``) and equations of two remainders are congruences. Results are kept per term. *To
terms*: ``to_term`` writes what is added on the left and what is taken away on the right (``x ≤ y + 3``, ``x < y``, ``2 ≤ x``,
``x mod 2 = 1``); ``atom`` reads it back to the same value. *Rules*: an equation as two bounds (``split_equation``), positive
combinations (``combine``), and implication as far as constants tell (``atom_implies``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from math import gcd, lcm

from lemmata.logic.build import equal, negate
from lemmata.logic.linear.sums import Linear, Number, from_coefficients, linearize, signed_sum, total
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, Value, const, make, value_of
from lemmata.values import dataclass


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
        return self.admits(self.form.evaluate(values))

    def admits(self, value: Number) -> bool:
        """Is it true where its sum has this value?"""
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


_ATOMS: dict[Term, Atom | None] = {TRUE: TRUE_ATOM, FALSE: FALSE_ATOM}


def atom(literal: Term) -> Atom | None:
    """The literal in normal form; ``None`` if it is not linear arithmetic over variables."""
    found = comparison(literal)
    return found if found is not None and found.form.is_strict else None


def comparison(literal: Term) -> Atom | None:
    """The literal in normal form, in which terms that are not linear are unknowns; ``None`` if it does not compare numbers."""
    if literal in _ATOMS:
        return _ATOMS[literal]
    found: Atom | None
    if literal.op == "not":
        inner = literal.args[0]
        found = _read(inner)
        found = None if found is None else found.negated()
    else:
        found = _read(literal)
    _ATOMS[literal] = found
    return found


_KINDS = {"<": "lt", "<=": "le", "=": "eq"}


def _read(term: Term) -> Atom | None:
    kind = _KINDS.get(term.op)
    if kind is None or term.args[0].sort not in (INT, REAL):
        return TRUE_ATOM if term is TRUE else FALSE_ATOM if term is FALSE else None
    a, b = term.args
    result = normal(kind, total(((linearize(a), 1), (linearize(b), -1)), a.sort))
    return _congruence(result) if result.form.sort is INT and len(result.form.terms) <= 2 else result


def _congruence(atom: Atom) -> Atom:
    """``x mod m = r`` and the like as congruences."""
    terms = atom.form.terms
    if not terms or any(_modulus(v) == 0 for v, _ in terms) or atom.kind in ("mod", "nmod"):
        return atom
    (first, sign), modulus = terms[0], _modulus(terms[0][0])
    inner = linearize(first.args[0])
    if len(terms) == 1:
        return _one_remainder(atom, inner, modulus) if abs(sign) == 1 else atom
    second, other = terms[1]
    if atom.kind not in ("eq", "ne") or modulus != _modulus(second) or (sign, other, atom.form.constant) != (1, -1, 0):
        return atom
    return normal("mod" if atom.kind == "eq" else "nmod", inner - linearize(second.args[0]), modulus)


def _modulus(unknown: Term) -> int:
    """m if the unknown is ``t mod m`` for a number m that is not 0, else 0."""
    return abs(value_of(unknown.args[1])) if unknown.op == "mod" and unknown.args[1].is_const else 0


def _one_remainder(atom: Atom, inner: Linear, modulus: int) -> Atom:
    """±(inner mod modulus) + constant against 0, as a congruence where at most one remainder is in (or at most one is out)."""
    sign, constant = int(atom.form.terms[0][1]), int(atom.form.constant)
    bound = -constant * sign
    if atom.kind == "le":
        low, high = (0, min(bound, modulus - 1)) if sign > 0 else (max(bound, 0), modulus - 1)
    else:
        low = high = bound
    if high < low or high < 0 or low >= modulus:
        return FALSE_ATOM if atom.kind != "ne" else TRUE_ATOM
    if (low, high) == (0, modulus - 1):
        return TRUE_ATOM if atom.kind != "ne" else FALSE_ATOM
    if low == high:
        return normal("nmod" if atom.kind == "ne" else "mod", inner.shift(-low), modulus)
    if high - low == modulus - 2:
        return normal("nmod", inner.shift(0 if low else 1), modulus)
    return atom


def canonical(literal: Term) -> Term:
    """The literal as its atom writes it; unchanged if it does not compare numbers."""
    found = comparison(literal)
    return literal if found is None else found.to_term()


def split_equation(atom: Atom) -> tuple[Atom, Atom]:
    """t = 0 as t ≤ 0 and -t ≤ 0."""
    return normal("le", atom.form), normal("le", -atom.form)


def combine(a: Atom, b: Atom, factor_a: Number, factor_b: Number) -> Atom:
    """factor_a · a + factor_b · b ≤ 0, which both imply together; ``le`` and ``lt`` need factors ≥ 0, ``eq`` any."""
    kind = "lt" if ("lt", True) in ((a.kind, factor_a > 0), (b.kind, factor_b > 0)) else "le"
    return normal(kind, total(((a.form, factor_a), (b.form, factor_b)), a.form.sort))


def atom_implies(a: Atom, b: Atom) -> bool:
    """Does ``a`` imply ``b`` already by comparing their constants? (If not, it may still.)"""
    if a == b or a.is_false or b.is_true:
        return True
    sign = _direction(a.form, b.form)
    if sign == 0:
        return False
    here, there = a.form.constant, b.form.constant * sign  # a: t + here ⋈ 0; b: t + there ⋈ 0, read backwards if sign < 0
    match a.kind, b.kind:
        case ("eq", _):
            return Atom(b.kind, Linear((), b.form.constant - here * sign, b.form.sort), b.modulus).holds({})
        case ("le" | "lt", "le" | "lt") if sign > 0:
            return here > there or (here == there and (a.kind == "lt" or b.kind == "le"))
        case ("le" | "lt", "ne"):
            return here > there or (here == there and a.kind == "lt")
        case _:
            return False


def _direction(a: Linear, b: Linear) -> int:
    """1 if both have the same unknowns and coefficients, -1 if opposite ones, else 0."""
    if len(a.terms) != len(b.terms) or a.sort is not b.sort:
        return 0
    sign = 0
    for (v, c), (w, d) in zip(a.terms, b.terms, strict=True):
        if v is not w or abs(c) != abs(d) or sign * c == -d:
            return 0
        sign = sign or (1 if c == d else -1)
    return sign
