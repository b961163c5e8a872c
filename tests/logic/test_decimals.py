"""Long numbers as decimal text and back: what ``int`` and ``str`` give, without their limit."""

import sys
from fractions import Fraction
from random import Random

import pytest

from lemmata.logic.decimals import digits_of, grouped_digits_of, number_of

RANDOM = Random(1)
NUMBERS = [*range(1100), *[RANDOM.getrandbits(RANDOM.randrange(1, 14_000)) for _ in range(500)]]
NUMBERS += [n for k in (999, 1000, 1001, 2000, 4001) for n in (10**k - 1, 10**k, 10**k + 1, 2**k, 2**k - 1)]


def test_short_and_long_numbers_are_as_python_writes_them() -> None:
    for number in NUMBERS:
        text = str(number)
        assert (digits_of(number), digits_of(-number), number_of(text)) == (text, f"-{text}" if number else "0", number)
        assert grouped_digits_of(number) == f"{number:,}"


def test_fractions_are_as_python_writes_them() -> None:
    for above, below in zip(NUMBERS, reversed(NUMBERS), strict=True):
        assert digits_of(Fraction(above, below or 1)) == str(Fraction(above, below or 1))
        assert digits_of(Fraction(-above)) == str(Fraction(-above))


@pytest.mark.parametrize("digits", [4301, 12_345, 320_000])
def test_python_has_a_limit_which_does_not_count_here(digits: int) -> None:
    assert sys.get_int_max_str_digits() == 4300
    number = RANDOM.randrange(10 ** (digits - 1), 10**digits)
    text = digits_of(number)
    assert len(text) == digits and number_of(text) == number and int(text[:50]) == number // 10 ** (digits - 50)


def test_zeros_in_front_are_no_digits_of_a_number() -> None:
    assert number_of("0" * 3000 + "7" * 3000) == number_of("7" * 3000) and number_of("0" * 5000) == 0
