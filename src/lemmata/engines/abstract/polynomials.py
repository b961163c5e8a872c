"""Polynomials over numbered letters, and terms read as such. Coefficients are rational numbers, or residues modulo a prime.

A monomial is the sorted tuple of its letters, each as often as it occurs; a polynomial maps monomials to coefficients, none of
them zero. ``Alphabet`` numbers the letters of one edge: variables first, then whatever is no polynomial (a read, a choice, a
quotient), each such term a letter of its own. Division by a constant leaves a letter for the quotient only: ``x mod c`` is
``x - c · (x div c)``, so that what is known about remainders is an equation like any other.

A ``Residue`` stands for a rational number and does not grow while one computes with it. What comes out is a guess: ``rational``
finds the fraction with a small numerator and a small denominator that a residue stands for, if there is one (Wang 1981).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd, lcm
from typing import Any

from lemmata.logic.build import build
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, const, make, topological, value_of

PRIME = (1 << 61) - 1
_LARGEST_NUMBER = 1 << 29  # numerator and denominator of a fraction that is found again


class Residue:
    """An element of the field of ``PRIME`` elements."""

    __slots__ = ("value",)

    def __init__(self, value: int | Fraction) -> None:
        if type(value) is int:
            self.value = value % PRIME
        elif value.denominator % PRIME == 0:
            raise ZeroDivisionError
        else:
            self.value = value.numerator * pow(value.denominator, -1, PRIME) % PRIME

    def __bool__(self) -> bool:
        return self.value != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Residue) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Residue({self.value})"

    def __neg__(self) -> Residue:
        return Residue(-self.value)

    def __add__(self, other: Residue) -> Residue:
        return Residue(self.value + other.value)

    def __mul__(self, other: Residue) -> Residue:
        return Residue(self.value * other.value)

    def __truediv__(self, other: Residue) -> Residue:
        return Residue(self.value * pow(other.value, -1, PRIME))

    def rational(self) -> Fraction | None:
        """The fraction that this stands for, if it is a short one."""
        before, now = PRIME, self.value
        back, here = 0, 1
        while now > _LARGEST_NUMBER:
            factor = before // now
            before, now = now, before - factor * now
            back, here = here, back - factor * here
        return Fraction(now, here) if here and abs(here) <= _LARGEST_NUMBER else None


Monomial = tuple[int, ...]
Coefficient = Fraction | Residue
Polynomial = Mapping[Monomial, Any]  # to numbers that are not zero, all of one kind

_MOST_MONOMIALS = 100  # monomials of what is still multiplied out
_DEGREE = 6  # degree


class TooManyMonomials(ArithmeticError):
    """A product that nobody wants to see."""


def degree(p: Polynomial) -> int:
    """The length of its longest monomial."""
    return max(map(len, p), default=0)


def added(p: Polynomial, q: Polynomial) -> dict[Monomial, Any]:
    """p + q."""
    return _combined(p, q.items())


def plus_times(p: Polynomial, q: Polynomial, factor: Any) -> dict[Monomial, Any]:
    """p + factor · q."""
    return _combined(p, [(monomial, factor * c) for monomial, c in q.items()])


def _combined(p: Polynomial, parts: Iterable[tuple[Monomial, Any]]) -> dict[Monomial, Any]:
    result = dict(p)
    for monomial, c in parts:
        before = result.get(monomial)
        total = c if before is None else before + c
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def scaled(p: Polynomial, factor: Any) -> dict[Monomial, Any]:
    """factor · p, where the factor is not zero."""
    return {monomial: factor * c for monomial, c in p.items()}


def times_monomial(p: Polynomial, monomial: Monomial) -> dict[Monomial, Any]:
    """p times a monomial."""
    return {tuple(sorted(m + monomial)): c for m, c in p.items()}


def multiplied(p: Polynomial, q: Polynomial) -> dict[Monomial, Any]:
    """p · q; ``TooManyMonomials`` beyond reason."""
    if len(p) * len(q) > _MOST_MONOMIALS or degree(p) + degree(q) > _DEGREE:
        raise TooManyMonomials
    result: dict[Monomial, Any] = {}
    for m, c in p.items():
        result = _combined(result, [(tuple(sorted(m + n)), c * d) for n, d in q.items()])
    return result


def monomials(letters: Sequence[int], most: int) -> list[Monomial]:
    """All monomials of degree at most ``most``, short ones first."""
    return [m for d in range(most + 1) for m in combinations_with_replacement(sorted(letters), d)]


class Substitution:
    """Polynomials in the place of letters; what became of a monomial is remembered."""

    def __init__(self, images: Mapping[int, Polynomial]) -> None:
        self.images = images
        self._known: dict[Monomial, Polynomial] = {}

    def __call__(self, p: Polynomial) -> Polynomial:
        """``p`` with an image in the place of every letter that has one."""
        if not self.images:
            return p
        result: Polynomial = {}
        for monomial, c in p.items():
            result = plus_times(result, self._monomial(monomial, type(c)(1)), c)
        return result

    def _monomial(self, monomial: Monomial, one: Any) -> Polynomial:
        found = self._known.get(monomial)
        if found is None:
            found = {(): one}
            if monomial:
                last = monomial[-1]
                found = multiplied(self._monomial(monomial[:-1], one), self.images.get(last, {(last,): one}))
            self._known[monomial] = found
        return found


def whole(p: Polynomial) -> dict[Monomial, int]:
    """A multiple of ``p`` with coprime whole coefficients."""
    scale = lcm(*[c.denominator for c in p.values()])
    factor = gcd(*[int(c * scale) for c in p.values()])
    return {monomial: int(c * scale) // factor for monomial, c in p.items()}


def equation(p: Polynomial, letters: Sequence[Term], sort: Sort) -> Term:
    """The fact ``p = 0``: what is added on one side, what is taken away on the other."""
    parts = sorted(whole(p).items(), key=lambda part: (-len(part[0]), part[0]))
    if parts and parts[0][1] < 0:
        parts = [(monomial, -c) for monomial, c in parts]
    left = [_summand(m, c, letters, sort) for m, c in parts if c > 0]
    right = [_summand(m, -c, letters, sort) for m, c in parts if c < 0]
    return build("=", (_sum(left, sort), _sum(right, sort)))


def _summand(monomial: Monomial, c: int, letters: Sequence[Term], sort: Sort) -> Term:
    factors = [letters[i] for i in monomial]
    if c != 1 or not factors:
        factors.append(const(c, sort))
    return factors[0] if len(factors) == 1 else build("*", tuple(factors))


def _sum(summands: Sequence[Term], sort: Sort) -> Term:
    if not summands:
        return const(0, sort)
    return summands[0] if len(summands) == 1 else build("+", tuple(summands))


class Alphabet:
    """The letters of an edge, numbered in the order in which they are met; ``number`` makes coefficients."""

    def __init__(self, variables: Iterable[Term], number: type[Coefficient] = Fraction) -> None:
        self._make = number
        self.letters: list[Term] = []
        self._numbers: dict[Term, int] = {}
        self._read: dict[Term, Polynomial] = {}
        for v in variables:
            self.number(v)

    def number(self, letter: Term) -> int:
        """The number of a letter, a new one if it is new."""
        if letter not in self._numbers:
            self._numbers[letter] = len(self.letters)
            self.letters.append(letter)
        return self._numbers[letter]

    def polynomial(self, term: Term) -> Polynomial:
        """A numeric term as a polynomial; always possible, since a term can be a letter."""
        for part in topological([term]):
            if part not in self._read and part.sort is term.sort:
                self._read[part] = self._one(part)
        return self._read[term]

    def _letter(self, term: Term) -> Polynomial:
        return {(self.number(term),): self._make(1)}

    def _one(self, term: Term) -> Polynomial:
        """A term whose arguments were read, as far as they have its sort."""
        if term.is_const:
            value = self._make(Fraction(value_of(term)))
            return {(): value} if value else {}
        parts = [self._read.get(arg, {}) for arg in term.args]
        match term.op:
            case "+":
                result: Polynomial = {}
                for part in parts:
                    result = added(result, part)
                return result
            case "-":
                return plus_times(parts[0], parts[1], self._make(-1))
            case "neg":
                return scaled(parts[0], self._make(-1))
            case "*":
                return self._product(term, parts)
            case "/" if term.args[1].is_const and value_of(term.args[1]):
                return scaled(parts[0], self._make(1 / Fraction(value_of(term.args[1]))))
            case "mod" if term.args[1].is_const and value_of(term.args[1]):
                divisor = term.args[1]
                quotient = self._letter(make("div", (term.args[0], divisor)))
                return plus_times(parts[0], quotient, self._make(-value_of(divisor)))
        return self._letter(term)

    def _product(self, term: Term, parts: Sequence[Polynomial]) -> Polynomial:
        result: Polynomial = {(): self._make(1)}
        try:
            for part in parts:
                result = multiplied(result, part)
        except TooManyMonomials:
            return self._letter(term)
        return result
