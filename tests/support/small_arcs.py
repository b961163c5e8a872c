"""All arcs of small words, and what is in them."""

from __future__ import annotations

from functools import cache

from lemmata.logic.domains.word_intervals import WordInterval


@cache
def every_arc(width: int) -> list[WordInterval]:
    """Every unsigned interval, every signed one, every pattern of known bits."""
    size, half = 1 << width, 1 << width - 1
    arcs = {WordInterval.unsigned(lo, hi, width) for lo in range(size) for hi in range(lo, size)}
    arcs |= {WordInterval.signed(lo, hi, width) for lo in range(-half, half) for hi in range(lo, half)}
    arcs |= {WordInterval.pattern(known, bits, width) for known in range(size) for bits in range(size)}
    return sorted(arcs)


@cache
def members(arc: WordInterval) -> list[int]:
    return [value for value in range(1 << arc.width) if arc.contains(value)]


def is_well_formed(arc: WordInterval) -> bool:
    half = 1 << arc.width - 1
    if not (0 <= arc.umin <= arc.umax < 2 * half and -half <= arc.smin <= arc.smax < half):
        return False
    return not arc.bits & arc.free and 0 <= arc.bits | arc.free < 2 * half
