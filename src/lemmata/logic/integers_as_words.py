"""Integers that are known to be bounded as words, and formulas about such words as formulas about the integers again.

``IntegerWords.of`` writes a formula over integer variables as one over words. A variable with an ``IntegerRange`` is a word
of as many bits as that needs, in two's complement if it has negative numbers; one with ``Choices``, as the states of a
protocol, is the position of its value among them. Every integer term becomes a signed word, wide enough for all values that
the term can have when the variables' words have any value; so nothing wraps, and both formulas say the same. What has no such
bounds, as remainders by a variable, is ``TooWide``.

``integers_of`` is the way back, for formulas that say something about bits, as cubes of bits do: bits h to l of x are
``(x div 2ˡ) mod 2ʰ⁻ˡ⁺¹``, in two's complement, too, and the upper ones are a range. Bits of a position say its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from lemmata.errors import LemmataError
from lemmata.logic.build import build, conj, disj, equal
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, BitVec
from lemmata.logic.terms import FALSE, Term, bv, const, name_of, topological, value_of, var
from lemmata.logic.values import signed
from lemmata.logic.walk import substitute, variables
from lemmata.values import dataclass

_MOST_BITS = 160  # of a word


class TooWide(LemmataError):
    """An integer that may be too large for a word."""


@dataclass(frozen=True, slots=True)
class IntegerRange:
    """Integers from ``low`` to ``high``, as a word of ``bits`` bits."""

    low: int
    high: int

    @property
    def is_signed(self) -> bool:
        """Is the word in two's complement?"""
        return self.low < 0

    @property
    def bits(self) -> int:
        """As many as are needed, and at least one."""
        return _signed_bits(self.low, self.high) if self.is_signed else max(1, self.high.bit_length())

    @property
    def whole(self) -> IntegerRange:
        """Every number that the word can be."""
        bits = self.bits
        return IntegerRange(-(1 << bits - 1), (1 << bits - 1) - 1) if self.is_signed else IntegerRange(0, (1 << bits) - 1)


@dataclass(frozen=True, slots=True)
class Choices:
    """These integers, in ascending order, as a word that is a position among them; what is beyond stands for the last one."""

    values: tuple[int, ...]

    @property
    def bits(self) -> int:
        """As many as are needed, and at least one."""
        return max(1, (len(self.values) - 1).bit_length())

    def at(self, position: int) -> int:
        """The value that a word stands for."""
        return self.values[min(position, len(self.values) - 1)]


Domain = IntegerRange | Choices


def _signed_bits(low: int, high: int) -> int:
    return max((-low - 1).bit_length() if low < 0 else 0, high.bit_length() if high > 0 else 0) + 1


@dataclass(frozen=True, slots=True)
class _Number:
    """An integer term as a signed word, and its range."""

    word: Term
    low: int
    high: int


class IntegerWords:
    """Terms over variables with domains, as terms over words; each is translated once."""

    def __init__(self, domains: Mapping[Term, Domain]) -> None:
        self.variables = {v: var(name_of(v), BitVec(domain.bits)) for v, domain in domains.items()}
        self._domains = domains
        self._numbers: dict[Term, _Number] = {}
        self._others: dict[Term, Term] = {}

    def of(self, terms: Sequence[Term]) -> list[Term]:
        """Boolean terms, and words that are words already; ``TooWide`` if it cannot be done."""
        self._translate(terms)
        return [self._others[term] for term in terms]

    def stored(self, term: Term, domain: Domain) -> Term:
        """An integer term as the word of a variable with this domain, in which it is known to be."""
        self._translate([term])
        number, bits = self._numbers[term], domain.bits
        if isinstance(domain, Choices):
            return _selected([(self._is(number, value), bv(k, bits)) for k, value in enumerate(domain.values)])
        width = number.word.width
        return build("extract", (number.word,), (bits - 1, 0)) if width >= bits else _extended(number.word, bits)

    def _translate(self, terms: Iterable[Term]) -> None:
        for term in topological(terms):
            if term in self._numbers or term in self._others:
                continue
            if term.sort is INT:
                number = self._number(term)
                if number.word.width > _MOST_BITS:
                    raise TooWide(f"{term.op} has too many bits")
                self._numbers[term] = number
            elif term.sort is BOOL or isinstance(term.sort, BitVec):
                self._others[term] = self._other(term)
            else:
                raise TooWide(f"{term.sort} is no word")

    def _other(self, term: Term) -> Term:
        if any(arg.sort is INT for arg in term.args):
            if term.op not in ("=", "<", "<="):
                raise TooWide(f"{term.op} is not for words")
            left, right = _alike([self._numbers[arg] for arg in term.args])
            return build({"=": "=", "<": "bvslt", "<=": "bvsle"}[term.op], (left, right))
        if term.op == "apply" or any(arg not in self._others for arg in term.args):
            raise TooWide(f"{term.op} is not for words")
        new = tuple([self._others[arg] for arg in term.args])
        return term if new == term.args else build(term.op, new, term.data)

    def _number(self, term: Term) -> _Number:
        args = [self._numbers[arg] for arg in term.args if arg.sort is INT]
        match term.op:
            case "const":
                return _constant(value_of(term))
            case "var":
                return self._variable(term)
            case "+":
                return _sum(args)
            case "-":
                return _sum([args[0], _negated(args[1])])
            case "neg":
                return _negated(args[0])
            case "*":
                product = args[0]
                for factor in args[1:]:
                    product = _product(product, factor)
                return product
            case "ite":
                low, high = min(a.low for a in args), max(a.high for a in args)
                return _Number(build("ite", (self._others[term.args[0]], *_alike(args))), low, high)
            case "mod" | "div" if term.args[1].is_const and value_of(term.args[1]):
                divisor = value_of(term.args[1])
                if term.op == "mod":
                    return _remainder(args[0], abs(divisor))
                quotient = _quotient(args[0], abs(divisor))
                return quotient if divisor > 0 else _negated(quotient)
        raise TooWide(f"{term.op} has no range")

    def _is(self, number: _Number, value: int) -> Term:
        left, right = _alike([number, _constant(value)])
        return build("=", (left, right))

    def _variable(self, v: Term) -> _Number:
        if v not in self._domains:
            raise TooWide(f"{name_of(v)} has no range")
        domain, word = self._domains[v], self.variables[v]
        if isinstance(domain, Choices):
            low, high = domain.values[0], domain.values[-1]
            bits = _signed_bits(low, high)
            cases = [(build("=", (word, bv(k, domain.bits))), bv(value, bits)) for k, value in enumerate(domain.values)]
            return _Number(_selected(cases), low, high)
        whole = domain.whole
        return _Number(word if whole.is_signed else build("zero_extend", (word,), 1), whole.low, whole.high)


def _selected(cases: Sequence[tuple[Term, Term]]) -> Term:
    """The value of the case that holds; the last one, where none does."""
    *others, (_, chosen) = cases
    for condition, value in reversed(others):
        chosen = build("ite", (condition, value, chosen))
    return chosen


def _constant(value: int) -> _Number:
    return _Number(bv(value, _signed_bits(value, value)), value, value)


def _extended(word: Term, bits: int) -> Term:
    return word if word.width == bits else build("sign_extend", (word,), bits - word.width)


def _alike(numbers: Sequence[_Number]) -> list[Term]:
    """IntegerWords of one width."""
    bits = max(number.word.width for number in numbers)
    return [_extended(number.word, bits) for number in numbers]


def _within(low: int, high: int, numbers: Sequence[_Number], compute: Callable[..., Term]) -> _Number:
    """What is computed in enough bits for its operands and its result, in as many as the result needs."""
    needed = _signed_bits(low, high)
    bits = max(needed, *(number.word.width for number in numbers))
    word = compute(*[_extended(number.word, bits) for number in numbers])
    return _Number(build("extract", (word,), (needed - 1, 0)) if needed < bits else word, low, high)


def _binary(op: str) -> Callable[[Term, Term], Term]:
    return lambda a, b: build(op, (a, b))


def _sum(numbers: Sequence[_Number]) -> _Number:
    total = numbers[0]
    for number in numbers[1:]:
        total = _within(total.low + number.low, total.high + number.high, [total, number], _binary("bvadd"))
    return total


def _negated(number: _Number) -> _Number:
    return _within(-number.high, -number.low, [number], lambda a: build("bvneg", (a,)))


def _product(a: _Number, b: _Number) -> _Number:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _within(min(ends), max(ends), [a, b], _binary("bvmul"))


def _remainder(number: _Number, divisor: int) -> _Number:
    if number.low >= 0 and number.high < divisor:
        return number
    if divisor & divisor - 1 == 0:
        bits = divisor.bit_length() - 1
        if bits == 0:
            return _constant(0)
        word = _extended(number.word, max(bits, number.word.width))
        return _Number(build("zero_extend", (build("extract", (word,), (bits - 1, 0)),), 1), 0, divisor - 1)
    return _within(0, divisor - 1, [number, _constant(divisor)], _binary("bvsmod"))


def _quotient(number: _Number, divisor: int) -> _Number:
    """Rounded down, as ``div`` is for a positive divisor."""
    if divisor == 1:
        return number
    low, high = number.low // divisor, number.high // divisor
    if divisor & divisor - 1 == 0:
        bits = divisor.bit_length() - 1
        word = _extended(number.word, max(bits + 1, number.word.width))
        return _Number(build("extract", (word,), (word.width - 1, bits)), low, high)
    rest = _remainder(number, divisor)
    least = _sum([number, _negated(rest)])
    return _within(low, high, [least, _constant(divisor)], _binary("bvsdiv"))


def integers_of(formulas: Sequence[Term], words: Mapping[Term, tuple[Term, Domain]]) -> list[Term]:
    """Formulas over words, with the integers that the words stand for; ``TooWide`` for what bits are not compared by."""
    back = _Integers(words)
    return [back.formula(formula) for formula in formulas]


class _Integers:
    """The way back of words that are integers."""

    def __init__(self, words: Mapping[Term, tuple[Term, Domain]]) -> None:
        self._words = {word: (v, domain) for word, (v, domain) in words.items() if isinstance(domain, IntegerRange)}
        self._positions = {word: (v, domain) for word, (v, domain) in words.items() if isinstance(domain, Choices)}
        self._formulas: dict[Term, Term] = {}

    def formula(self, formula: Term) -> Term:
        """A Boolean term."""
        for term in topological([formula]):
            if term.sort is BOOL and term not in self._formulas:
                self._formulas[term] = self._one(term)
        return self._formulas[formula]

    def _one(self, term: Term) -> Term:
        args = term.args
        if not any(isinstance(arg.sort, BitVec) for arg in args):
            return build(term.op, tuple([self._formulas[arg] for arg in args]), term.data) if args else term
        read = variables([term])
        if any(word in self._positions for word in read):
            return self._among(term, read)
        if not any(word in self._words for word in read):
            return term
        match term.op:
            case "=":
                a, b = args if args[1].is_const else args[::-1]
                return self._equal(a, value_of(b)) if b.is_const else equal(self._unsigned(a), self._unsigned(b))
            case "bvult" | "bvule" if args[1].is_const:
                return self._at_most(args[0], value_of(args[1]) - (term.op == "bvult"))
            case "bvult" | "bvule" if args[0].is_const:
                return build("not", (self._at_most(args[1], value_of(args[0]) - (term.op == "bvule")),))
            case "bvult" | "bvule":
                return build("<" if term.op == "bvult" else "<=", (self._unsigned(args[0]), self._unsigned(args[1])))
            case "bvslt" | "bvsle":
                return build("<" if term.op == "bvslt" else "<=", (self._signed(args[0]), self._signed(args[1])))
        raise TooWide(f"{term.op} says nothing about integers")

    def _among(self, atom: Term, read: Sequence[Term]) -> Term:
        """What is said of the bits of a position: which values it can be, and what is said of others then."""
        word = next(word for word in read if word in self._positions)
        v, domain = self._positions[word]
        if len(read) == 1:
            held = [evaluate([atom], {word: position})[0] for position in range(len(domain.values))]
            return disj([_between(v, domain.values[first], domain.values[last]) for first, last in _stretches(held)])
        ways = [substitute([atom], {word: bv(position, domain.bits)})[0] for position in range(len(domain.values))]
        return disj([conj([equal(v, _int(value)), self.formula(way)]) for value, way in zip(domain.values, ways, strict=True)])

    def _equal(self, word: Term, value: int) -> Term:
        """The word is this value."""
        if word in self._words:
            v, found = self._words[word]
            return equal(v, _int(signed(value, found.bits) if found.is_signed else value))
        if word.op == "extract" and word.args[0] in self._words:
            v, found = self._words[word.args[0]]
            high, low = word.data
            if high == found.bits - 1:  # the upper bits
                first = (signed(value, high - low + 1) if found.is_signed else value) << low
                return conj([build("<=", (_int(first), v)), build("<", (v, _int(first + (1 << low))))])
        return equal(self._unsigned(word), _int(value))

    def _at_most(self, word: Term, value: int) -> Term:
        """The word, without a sign, is at most this value."""
        if value < 0:
            return FALSE
        if word in self._words:
            v, found = self._words[word]
            half = 1 << found.bits - 1
            is_natural = build("<=", (_int(0), v))
            if not found.is_signed:
                return build("<=", (v, _int(value)))
            if value < half:
                return conj([is_natural, build("<=", (v, _int(value)))])
            return build("or", (is_natural, build("<=", (v, _int(value - 2 * half)))))
        return build("<=", (self._unsigned(word), _int(value)))

    def _unsigned(self, word: Term) -> Term:
        """The value of a word without a sign."""
        if word.is_const:
            return _int(value_of(word))
        if word in self._words:
            v, found = self._words[word]
            return build("mod", (v, _int(1 << found.bits))) if found.is_signed else v
        match word.op:
            case "extract":
                high, low = word.data
                inner = word.args[0]
                value = self._words[inner][0] if inner in self._words else self._unsigned(inner)
                shifted = build("div", (value, _int(1 << low))) if low else value
                return build("mod", (shifted, _int(1 << high - low + 1)))
            case "bvnot":
                return build("-", (_int((1 << word.width) - 1), self._unsigned(word.args[0])))
            case "ite":  # as which ``build`` writes single bits
                return build("ite", (self._formulas[word.args[0]], *map(self._unsigned, word.args[1:])))
        raise TooWide(f"{word.op} is no part of an integer")

    def _signed(self, word: Term) -> Term:
        if word.is_const:
            return _int(signed(value_of(word), word.width))
        if word in self._words and self._words[word][1].is_signed:
            return self._words[word][0]
        half = 1 << word.width - 1
        value = self._unsigned(word)
        return build("ite", (build("<", (value, _int(half))), value, build("-", (value, _int(2 * half)))))


def _stretches(held: Sequence[object]) -> list[tuple[int, int]]:
    """The first and the last position of each stretch where it holds."""
    found: list[tuple[int, int]] = []
    for position, holds in enumerate(held):
        if holds:
            goes_on = found and found[-1][1] == position - 1
            found[-1:] = [(found[-1][0], position)] if goes_on else [*found[-1:], (position, position)]
    return found


def _between(v: Term, low: int, high: int) -> Term:
    return equal(v, _int(low)) if low == high else conj([build("<=", (_int(low), v)), build("<=", (v, _int(high)))])


def _int(value: int) -> Term:
    return const(value, INT)
