"""Bits and slices that belong together: ``x[0]`` to ``x[n]``, or ``x[7:1]`` and ``x[0]``, are the word ``x``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BIT = re.compile(r"(?P<name>.*\D)\[(?P<bit>\d+)\]", re.DOTALL)
_SLICE = re.compile(r"(?P<name>.*\D)\[(?P<high>\d+)(?::(?P<low>\d+))?\]", re.DOTALL)
_DIGITS = 5  # of the number of a bit


def vectors(names: Sequence[str]) -> dict[str, tuple[int, list[int]]]:
    """By the name of each word: the number of its lowest bit, and the positions of its bits in ``names``, lowest first.

    Words with gaps, with one bit only, or called like something else stay bits.
    """
    groups: dict[str, dict[int, int]] = {}
    for position, name in enumerate(names):
        if (found := _BIT.fullmatch(name)) and len(found["bit"]) <= _DIGITS:
            groups.setdefault(found["name"], {})[int(found["bit"])] = position
    taken = set(names)
    return {
        name: (min(bits), [bits[k] for k in sorted(bits)])
        for name, bits in groups.items()
        if len(bits) > 1 and len(bits) == max(bits) - min(bits) + 1 and name not in taken
    }


def slices(names: Sequence[str], widths: Sequence[int]) -> dict[str, list[tuple[int, int]]]:
    """By the name of each word: the positions of its parts in ``names``, and the bit where each begins, lowest first.

    Tools cut registers into parts that change apart. A word needs all its bits from 0 on; others stay parts, as those do whose
    width is not what their name says (a cell of a memory), or whose word is a name itself.
    """
    groups: dict[str, dict[int, tuple[int, int]]] = {}
    for position, (name, width) in enumerate(zip(names, widths, strict=True)):
        found = _SLICE.fullmatch(name)
        if found is None or max(len(found["high"]), len(found["low"] or "")) > _DIGITS:
            continue
        high, low = int(found["high"]), int(found["low"] or found["high"])
        if high - low + 1 == width:
            groups.setdefault(found["name"], {})[low] = position, width
    taken, words = set(names), {}
    for name, parts in groups.items():
        lows = sorted(parts)
        ends = [0, *(low + parts[low][1] for low in lows)]
        if len(lows) > 1 and lows == ends[:-1] and name not in taken:
            words[name] = [(parts[low][0], low) for low in lows]
    return words
