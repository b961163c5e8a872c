"""Reasoning units: what a literal of a word-level cube may say.

Welp and Kuehlmann (2013) replace the Boolean literal by a boundary: an interval end of one variable (integer cubes), or a
half-space ``Σ aᵢ·xᵢ ≤ b`` (polytopes). A ``Form`` is the left side, and ``Bound`` the literal. Sums are over the integers: each
word is read as signed or unsigned, and the term that states the boundary is built in a width where nothing can overflow, so
the meaning over bit-vectors is exact.

Parity-like invariants defeat polytopes, as the paper says. Two more units repair that. ``Slice``: some bits of a word have a
value; one bit is the literal of binary PDR, the low bits are a congruence modulo a power of two, the high bits an aligned
interval. A form that *wraps*: its sum is taken modulo 2ʷ, as the machine does, with an offset; ``x - y ≥ 1`` then says that x
and y differ, and it does so before and after both have overflowed.

A ``Vocabulary`` numbers literals, so that cubes are sorted tuples of numbers like everywhere else on the PDR page.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, log2

from lemmata.engines.pdr.oracle import Cube
from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, bv
from lemmata.values import dataclass

_Parts = tuple[tuple[Term, int], ...]  # variables with coefficients
WordState = Mapping[Term, int]  # an unsigned value for each variable; Booleans are 0 and 1


class Form:
    """``Σ coefficient·variable``, over the integers or, plus ``offset``, modulo 2ʷ; one object per form."""

    __slots__ = ("high", "low", "offset", "parts", "wraps")

    def __init__(self, parts: _Parts, low: int, high: int, wraps: int = 0, offset: int = 0) -> None:
        self.parts = parts
        self.low = low  # the smallest value that the form can have
        self.high = high
        self.wraps = wraps  # w, or 0 for a sum over the integers
        self.offset = offset

    @property
    def is_unary(self) -> bool:
        """Is this a single variable?"""
        return len(self.parts) == 1 and not self.wraps


@dataclass(frozen=True, slots=True)
class Bound:
    """``form ≤ limit`` if ``is_upper``, else ``form ≥ limit``."""

    form: Form
    is_upper: bool
    limit: int

    @property
    def bits(self) -> float:
        """How much it says: the logarithm of the part of the form's range that it leaves."""
        span = self.form.high - self.form.low + 1
        left = self.limit - self.form.low + 1 if self.is_upper else self.form.high - self.limit + 1
        return log2(span) - log2(max(left, 1))


@dataclass(frozen=True, slots=True)
class Slice:
    """``variable[high:low] = value``; a Boolean has one bit."""

    variable: Term
    high: int
    low: int
    value: int

    @property
    def bits(self) -> float:
        """How much it says."""
        return self.high - self.low + 1


_Literal = Bound | Slice


class Vocabulary:
    """All literals of one run: numbers, meanings, terms. ``signed`` are the variables that are read as signed numbers."""

    def __init__(self, nexts: Mapping[Term, Term], signed: frozenset[Term]) -> None:
        self.signed = signed
        self._nexts = nexts
        self._forms: dict[tuple[_Parts, int, int], Form] = {}
        self._numbers: dict[_Literal, int] = {}
        self.literals: list[_Literal] = [None]  # type: ignore[list-item]  # literal 0 does not exist
        self._terms: dict[int, Term] = {}
        self._primed: dict[int, Term] = {}

    # making

    def form(self, coefficients: Mapping[Term, int]) -> Form | None:
        """The form with these coefficients, divided by their common factor, the first one positive; ``None`` if all are 0.

        A caller who has a limit has to divide it, too; see ``half_space``.
        """
        parts = tuple(sorted([(v, a) for v, a in coefficients.items() if a], key=lambda part: part[0].number))
        if not parts:
            return None
        factor = gcd(*[a for _, a in parts])
        factor = -factor if parts[0][1] < 0 else factor
        parts = tuple([(v, a // factor) for v, a in parts])
        found = self._forms.get((parts, 0, 0))
        if found is None:
            lows, highs = zip(*[self._span(v, a) for v, a in parts], strict=True)
            found = self._forms[parts, 0, 0] = Form(parts, sum(lows), sum(highs))
        return found

    def wrapping(self, coefficients: Mapping[Term, int], offset: int, width: int) -> Form | None:
        """The form modulo 2ʷ, an unsigned number; all variables have ``width`` bits. ``None`` if it is constant."""
        top, half = (1 << width) - 1, 1 << (width - 1)
        reduced = {v: ((a + half) & top) - half for v, a in coefficients.items()}
        parts = tuple(sorted([(v, a) for v, a in reduced.items() if a], key=lambda part: part[0].number))
        if not parts:
            return None
        key = parts, width, offset & top
        found = self._forms.get(key)
        if found is None:
            found = self._forms[key] = Form(parts, 0, top, width, offset & top)
        return found

    def unary(self, variable: Term) -> Form:
        """The form that is a variable alone."""
        form = self.form({variable: 1})
        assert form is not None
        return form

    def half_space(self, coefficients: Mapping[Term, int], limit: int) -> int:
        """``Σ a·x ≤ limit`` as a literal, after division by the common factor; 0 if it is true or false everywhere."""
        form = self.form(coefficients)
        if form is None:
            return 0
        variable, a = form.parts[0]
        factor = coefficients[variable] // a
        is_upper = factor > 0
        # factor·form ≤ limit  ⟺  form ≤ ⌊limit / factor⌋ or form ≥ ⌈limit / factor⌉
        return self.bound(form, is_upper, limit // factor if is_upper else -(limit // -factor))

    def bound(self, form: Form, is_upper: bool, limit: int) -> int:
        """The literal ``form ≤ limit`` or ``form ≥ limit``; 0 if every state meets it or none does."""
        if (limit >= form.high or limit < form.low) if is_upper else (limit <= form.low or limit > form.high):
            return 0
        return self._number(Bound(form, is_upper, limit))

    def slice(self, variable: Term, high: int, low: int, value: int) -> int:
        """The literal ``variable[high:low] = value``."""
        return self._number(Slice(variable, high, low, value))

    def _number(self, literal: _Literal) -> int:
        number = self._numbers.get(literal)
        if number is None:
            number = self._numbers[literal] = len(self.literals)
            self.literals.append(literal)
        return number

    # meaning

    def read(self, variable: Term, value: int) -> int:
        """The number that a word stands for."""
        if variable in self.signed and value >> (variable.width - 1):
            return value - (1 << variable.width)
        return value

    def value(self, form: Form, state: WordState) -> int:
        """The form in a state."""
        total = sum([a * self.read(v, state[v]) for v, a in form.parts])
        return (total + form.offset) & form.high if form.wraps else total

    def holds(self, number: int, state: WordState) -> bool:
        """Is the literal true in a state?"""
        match self.literals[number]:
            case Bound(form, is_upper, limit):
                value = self.value(form, state)
                return value <= limit if is_upper else value >= limit
            case Slice(variable, high, low, value):
                return (state[variable] >> low) & ((2 << (high - low)) - 1) == value

    def variables(self, number: int) -> list[Term]:
        """The variables that the literal speaks of."""
        match self.literals[number]:
            case Bound(form):
                return [v for v, _ in form.parts]
            case Slice(variable):
                return [variable]

    def contains(self, cube: Cube, state: WordState) -> bool:
        """Is the state in the cube?"""
        return all(self.holds(number, state) for number in cube)

    def size(self, cube: Cube) -> float:
        """How much a cube says, in bits: less is a larger cube."""
        return sum([self.literals[number].bits for number in cube])

    def _span(self, variable: Term, a: int) -> tuple[int, int]:
        low, high = self.range(variable)
        return (a * low, a * high) if a > 0 else (a * high, a * low)

    def range(self, variable: Term) -> tuple[int, int]:
        """The smallest and the largest number that the variable can be."""
        width = 1 if variable.sort is BOOL else variable.width
        return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if variable in self.signed else (0, (1 << width) - 1)

    # terms

    def term(self, number: int) -> Term:
        """The literal over the state variables."""
        found = self._terms.get(number)
        if found is None:
            found = self._terms[number] = self._state(self.literals[number], {})
        return found

    def primed(self, number: int) -> Term:
        """The literal one step later, through the next-state functions."""
        found = self._primed.get(number)
        if found is None:
            found = self._primed[number] = self._state(self.literals[number], self._nexts)
        return found

    def cube(self, cube: Cube) -> Term:
        """The cube over the state variables."""
        return conj([self.term(number) for number in cube])

    def clause(self, cube: Cube) -> Term:
        """¬cube over the state variables."""
        return negate(self.cube(cube))

    def _state(self, literal: _Literal, at: Mapping[Term, Term]) -> Term:
        match literal:
            case Slice(variable, high, low, value):
                return _bits_are(at.get(variable, variable), high, low, value)
            case Bound(form, is_upper, limit):
                return self._boundary(form, is_upper, limit, at)

    def _boundary(self, form: Form, is_upper: bool, limit: int, at: Mapping[Term, Term]) -> Term:
        """The half-space in a width where its sum cannot overflow."""
        if form.wraps:
            word, width, below = _wrapped(form, at), form.wraps, "bvule"
        elif form.is_unary:
            word, width = at.get(form.parts[0][0], form.parts[0][0]), form.parts[0][0].width
            below = "bvsle" if form.parts[0][0] in self.signed else "bvule"
        else:
            word, width = self._sum(form, at)
            below = "bvsle"
        edge = bv(limit, width)
        return build(below, (word, edge) if is_upper else (edge, word))

    def _sum(self, form: Form, at: Mapping[Term, Term]) -> tuple[Term, int]:
        """The form as a signed word, and its width: wide enough for every partial sum."""
        reach = sum([max(abs(low), abs(high)) for low, high in (self._span(v, a) for v, a in form.parts)])
        width = reach.bit_length() + 1
        total: Term | None = None
        for v, a in form.parts:
            op = "sign_extend" if v in self.signed else "zero_extend"
            word = build(op, (at.get(v, v),), width - v.width)
            word = word if abs(a) == 1 else build("bvmul", (word, bv(abs(a), width)))
            if total is None:
                total = word if a > 0 else build("bvneg", (word,))
            else:
                total = build("bvadd" if a > 0 else "bvsub", (total, word))
        assert total is not None
        return total, width


def _wrapped(form: Form, at: Mapping[Term, Term]) -> Term:
    """The sum as the machine computes it."""
    total = bv(form.offset, form.wraps)
    for v, a in form.parts:
        word = at.get(v, v)
        word = word if abs(a) == 1 else build("bvmul", (word, bv(abs(a), form.wraps)))
        total = build("bvadd" if a > 0 else "bvsub", (total, word))
    return total


def _bits_are(word: Term, high: int, low: int, value: int) -> Term:
    if word.sort is BOOL:
        return word if value else negate(word)
    return equal(build("extract", (word,), (high, low)), bv(value, high - low + 1))
