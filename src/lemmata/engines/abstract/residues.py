"""``Residue``: rational numbers modulo a large prime, which do not grow while one computes with them.

What comes out is a guess for whoever wants rational numbers: ``rational`` finds the fraction with a small numerator and a small
denominator that a residue stands for, if there is one (Wang 1981).
"""

from __future__ import annotations

from fractions import Fraction

PRIME = (1 << 61) - 1
_LARGEST = 1 << 29  # numerator and denominator of a fraction that is found again


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
        while now > _LARGEST:
            factor = before // now
            before, now = now, before - factor * now
            back, here = here, back - factor * here
        return Fraction(now, here) if here and abs(here) <= _LARGEST else None
