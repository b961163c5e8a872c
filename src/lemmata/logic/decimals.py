"""Numbers of many digits, as decimal text and back.

Python converts in quadratic time (4 s for 400,000 digits) and, unless somebody has told it otherwise, refuses more than 4,300
digits. Here a number is halved: its parts are converted by themselves and put together by multiplication, which is faster
(Karatsuba's in ``int``, the number-theoretic transform in ``decimal``).
"""

from __future__ import annotations

from fractions import Fraction

MOST_DECIMAL_DIGITS = 400_000  # that are read; a product that evaluation gives has 2²⁰ bits at most, which are 315,653 digits
_QUICK_DIGITS = 1_000
_QUICK_BITS = 3_000


def number_of(digits: str) -> int:
    """The number that ASCII digits write."""
    if len(digits) <= _QUICK_DIGITS:
        return int(digits)
    low = len(digits) // 2
    upper: int = number_of(digits[:-low]) * 10**low
    return upper + number_of(digits[-low:])


def too_long(digits: str) -> tuple[str, str]:
    """What is wrong with a number of too many digits, and what to do about it."""
    return f"this number has {len(digits)} digits", f"at most {MOST_DECIMAL_DIGITS} are read"


def grouped_digits_of(number: int) -> str:
    """A natural number with commas between thousands."""
    digits = digits_of(number)
    first = len(digits) % 3 or 3
    return ",".join([digits[:first], *[digits[at : at + 3] for at in range(first, len(digits), 3)]])


def digits_of(number: int | Fraction) -> str:
    """What ``str`` gives."""
    if isinstance(number, Fraction):
        upper, lower = digits_of(number.numerator), number.denominator
        return upper if lower == 1 else f"{upper}/{digits_of(lower)}"
    if number.bit_length() <= _QUICK_BITS:
        return str(number)
    return f"-{_digits_of(-number)}" if number < 0 else _digits_of(number)


def _digits_of(number: int) -> str:
    import decimal

    powers: dict[int, decimal.Decimal] = {}

    def power_of_two(exponent: int) -> decimal.Decimal:
        if exponent not in powers:
            if exponent <= _QUICK_BITS:
                powers[exponent] = decimal.Decimal(1 << exponent)
            else:
                powers[exponent] = power_of_two(exponent // 2) * power_of_two(exponent - exponent // 2)
        return powers[exponent]

    def converted(part: int, bits: int) -> decimal.Decimal:
        if bits <= _QUICK_BITS:
            return decimal.Decimal(part)
        low = bits // 2
        upper = part >> low
        return converted(upper, bits - low) * power_of_two(low) + converted(part - (upper << low), low)

    exactly = decimal.Context(decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[decimal.Inexact])
    with decimal.localcontext(exactly):
        return str(converted(number, number.bit_length()))
