"""``Span``: the integers between two ends that have a certain remainder, ``{v : low ≤ v ≤ high, v ≡ rest (step)}``.

Intervals (Cousot, Cousot 1976) and arithmetical congruences (Granger 1989) as one value: each sharpens the other, since the
ends are moved to the nearest number with the right remainder. ``None`` as an end means that there is none; ``step`` 1 says
nothing about remainders, and 0 that ``rest`` is the only number. Every operation gives a span that contains all results;
``None`` for a span means that there are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

End = int | None


@dataclass(frozen=True, slots=True)
class Span:
    """Made by ``span``, ``point`` and the operations below only; never empty."""

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


TOP = Span(None, None, 1, 0)


def point(number: int) -> Span:
    """One number."""
    return Span(number, number, 0, number)


def span(low: End, high: End, step: int = 1, rest: int = 0) -> Span | None:
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
    return Span(low, high, step, rest)


def _surely(low: End, high: End, step: int = 1, rest: int = 0) -> Span:
    found = span(low, high, step, rest)
    assert found is not None
    return found


def total(parts: Iterable[tuple[Span, int]], constant: int) -> Span:
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


def join(a: Span, b: Span) -> Span:
    """All of both."""
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return _surely(low, high, gcd(a.step, b.step, a.rest - b.rest), a.rest)


def meet(a: Span, b: Span) -> Span | None:
    """What both have: the ends that are nearer, and both remainders at once (Chinese remainders)."""
    low = b.low if a.low is None else a.low if b.low is None else max(a.low, b.low)
    high = b.high if a.high is None else a.high if b.high is None else min(a.high, b.high)
    common = gcd(a.step, b.step)
    if (a.rest - b.rest) % common if common else a.rest != b.rest:
        return None
    if a.step == 0 or b.step == 0:
        return span(low, high, 0, a.rest if a.step == 0 else b.rest)
    times = (b.rest - a.rest) // common * pow(a.step // common, -1, b.step // common) if b.step != common else 0
    return span(low, high, a.step // common * b.step, a.rest + a.step * times)


def remainder(a: Span, modulus: int) -> Span:
    """a mod modulus, where the modulus is positive."""
    period = period_of(a, modulus)
    if period is not None:
        return total([(a, 1)], -period * modulus)
    return _surely(0, modulus - 1, gcd(a.step, modulus), a.rest)


def period_of(a: Span, modulus: int) -> int | None:
    """q if all of ``a`` is in q · modulus, …, (q + 1) · modulus - 1."""
    if a.low is None or a.high is None or a.low // modulus != a.high // modulus:
        return None
    return a.low // modulus


def quotient(a: Span, divisor: int) -> Span:
    """a div divisor, where the divisor is positive."""
    low = None if a.low is None else a.low // divisor
    high = None if a.high is None else a.high // divisor
    if a.step % divisor == 0:
        return _surely(low, high, a.step // divisor, a.rest // divisor)
    return _surely(low, high)


def product(a: Span, b: Span) -> Span:
    """a · b."""
    step, rest = gcd(a.step * b.step, a.step * b.rest, b.step * a.rest), a.rest * b.rest
    if a.low is None or a.high is None or b.low is None or b.high is None:
        is_natural = a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0
        return _surely(a.low * b.low if is_natural and a.low is not None and b.low is not None else None, None, step, rest)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _surely(min(corners), max(corners), step, rest)
