"""Arcs: sets of words that are cheap to compute with.

A word is read in two ways, unsigned and signed, and an interval of one reading may be two pieces of the other. An arc therefore
keeps both intervals and the known bits, and means the words that fit all three:

    umin ≤ x ≤ umax,   smin ≤ x ≤ smax (two's complement),   every bit outside ``free`` is as in ``bits``.

The three are *settled* against each other: an interval that stays on one side of the sign is the same in both readings, known
bits bound the word, and the bits that both ends share are known. Where both signs are possible the pair says how far the
non-negative part goes, [umin, smax], and how far the negative one, [smin, umax - 2ʷ]; so an interval that wraps around in one
reading stays exact in the other. Wrapped intervals (Navas et al. 2012) need one pair of ends less, but their joins must choose
a side: {1} ∪ {-2} keeps either the signed ends or the unsigned ones, and a comparison in the other reading is lost. Known bits
cost about a third of the time and are what masks, slices and parity need. (Reduced products: Cousot, Cousot 1979; known bits as
in Regehr, Duongsaa 2006.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

WordBounds = tuple[int, int, int, int, int, int]  # umin, umax, smin, smax, bits, free: an arc without its width
Settle = Callable[[int, int, int, int, int, int], WordBounds]


@cache
def settler(width: int) -> Settle:
    """The function that makes a word of two intervals and bits that say more together than alone."""
    size, half = 1 << width, 1 << width - 1

    def settle(ulo: int, uhi: int, slo: int, shi: int, bits: int, free: int) -> WordBounds:
        if bits > ulo:
            ulo = bits
        if bits | free < uhi:
            uhi = bits | free
        if slo >= 0:
            if slo > ulo:
                ulo = slo
            if shi < uhi:
                uhi = shi
        elif shi < 0:
            if slo + size > ulo:
                ulo = slo + size
            if shi + size < uhi:
                uhi = shi + size
        else:  # nothing is above shi and below slo + size
            if shi < uhi < slo + size:
                uhi = shi
            if shi < ulo < slo + size:
                ulo = slo + size
        if uhi < half:
            slo, shi = ulo, uhi
        elif ulo >= half:
            slo, shi = ulo - size, uhi - size
        else:  # the sign is free
            if bits - half > slo:
                slo = bits - half
            if (bits | free) - half < shi:
                shi = (bits | free) - half
        low = (1 << (ulo ^ uhi).bit_length()) - 1
        if free > low:
            bits |= ulo & free & ~low
            free &= low
        return ulo, uhi, slo, shi, bits, free

    return settle


@cache
def wrapper(width: int) -> Settle:
    """As ``settler``, for two intervals of integers: the word is the integer modulo 2ʷ."""
    size, half, mask = 1 << width, 1 << width - 1, (1 << width) - 1
    settle = settler(width)

    def unsigned(lo: int, hi: int) -> tuple[int, int]:
        return (lo & mask, hi & mask) if lo >> width == hi >> width else (0, mask)

    def signed(lo: int, hi: int) -> tuple[int, int]:
        lap = lo + half >> width
        return (lo - lap * size, hi - lap * size) if hi + half >> width == lap else (-half, half - 1)

    def wrap(ulo: int, uhi: int, slo: int, shi: int, bits: int, free: int) -> WordBounds:
        if slo >= -half and shi < half:
            if ulo < 0 or uhi > mask:
                ulo, uhi = unsigned(ulo, uhi)
        elif ulo >= 0 and uhi <= mask:
            slo, shi = signed(slo, shi)
        else:  # what wraps in one reading may not wrap in the other
            one, other = unsigned(ulo, uhi), unsigned(slo, shi)
            signed_one, signed_other = signed(ulo, uhi), signed(slo, shi)
            ulo, uhi = max(one[0], other[0]), min(one[1], other[1])
            slo, shi = max(signed_one[0], signed_other[0]), min(signed_one[1], signed_other[1])
        return settle(ulo, uhi, slo, shi, bits, free)

    return wrap


@cache
def pointer(width: int) -> Callable[[int], WordBounds]:
    """The function that makes a word of one value."""
    size, half = 1 << width, 1 << width - 1

    def point(value: int) -> WordBounds:
        if value < half:
            return value, value, value, value, value, 0
        return value, value, value - size, value - size, value, 0

    return point


@cache
def everything(width: int) -> WordBounds:
    """All words."""
    mask, half = (1 << width) - 1, 1 << width - 1
    return 0, mask, -half, half - 1, 0, mask


class WordInterval(NamedTuple):
    """A set of words of ``width`` bits; a Bool is a word of one bit. Made by the class methods, which settle it."""

    umin: int
    umax: int
    smin: int
    smax: int
    bits: int  # the values of the known bits
    free: int  # the bits that are not known
    width: int

    @classmethod
    def point(cls, value: int, width: int) -> WordInterval:
        """One word; signed values are welcome."""
        return cls(*pointer(width)(int(value) & ((1 << width) - 1)), width)

    @classmethod
    def unsigned(cls, lo: int, hi: int, width: int) -> WordInterval:
        """The words from ``lo`` to ``hi``."""
        if not 0 <= lo <= hi < 1 << width:
            raise ValueError(f"[{lo}, {hi}] is no unsigned interval of {width} bits")
        _, _, smin, smax, bits, free = everything(width)
        return cls(*settler(width)(lo, hi, smin, smax, bits, free), width)

    @classmethod
    def signed(cls, lo: int, hi: int, width: int) -> WordInterval:
        """The words from ``lo`` to ``hi``, read as two's complement."""
        half = 1 << width - 1
        if not -half <= lo <= hi < half:
            raise ValueError(f"[{lo}, {hi}] is no signed interval of {width} bits")
        umin, umax, _, _, bits, free = everything(width)
        return cls(*settler(width)(umin, umax, lo, hi, bits, free), width)

    @classmethod
    def pattern(cls, known: int, bits: int, width: int) -> WordInterval:
        """The words whose ``known`` bits are as in ``bits``."""
        umin, umax, smin, smax, _, mask = everything(width)
        return cls(*settler(width)(umin, umax, smin, smax, bits & known, mask & ~known), width)

    @classmethod
    def top(cls, width: int) -> WordInterval:
        """All words."""
        return cls(*everything(width), width)

    @property
    def known(self) -> int:
        """The bits that are known, as a mask."""
        return ((1 << self.width) - 1) ^ self.free

    def contains(self, value: int) -> bool:
        """Is the word in the set? Signed values are welcome."""
        size = 1 << self.width
        value &= size - 1
        if not self.umin <= value <= self.umax or (value ^ self.bits) & ~self.free:
            return False
        return self.smin <= (value - size if value >= size >> 1 else value) <= self.smax

    def meet(self, other: WordInterval) -> WordInterval | None:
        """The words in both; ``None`` if the parts contradict each other."""
        if (self.bits ^ other.bits) & ~(self.free | other.free):
            return None
        umin, umax = max(self.umin, other.umin), min(self.umax, other.umax)
        smin, smax = max(self.smin, other.smin), min(self.smax, other.smax)
        if umin > umax or smin > smax:
            return None
        both = settler(self.width)(umin, umax, smin, smax, self.bits | other.bits, self.free & other.free)
        return None if both[0] > both[1] or both[2] > both[3] else WordInterval(*both, self.width)
