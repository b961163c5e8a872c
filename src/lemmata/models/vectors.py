"""Bits that belong together: ``x[0]`` to ``x[n]`` are the word ``x``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BIT = re.compile(r"(?P<name>.*\D)\[(?P<bit>\d+)\]", re.DOTALL)
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
