"""How ``auto`` divides the work on a model with words: which engines each worker has, and their shares of its time.

One side works on bits (BMC and PDR on the blasted circuit), the other on words (PDR over integer cubes and polytopes) with
k-induction beside it. A process that is alone does all of it in turns. An engine that refuses leaves its share to the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.config import EngineName

Shares = Mapping[EngineName, float]

ALONE: Shares = {"bmc": 0.15, "pdr": 0.5, "word": 0.2, "kinduction": 0.15}
BITS: Shares = {"bmc": 0.2, "pdr": 0.8}
WORDS: Shares = {"word": 0.4, "kinduction": 0.6}

_TEAMS: Mapping[int, tuple[tuple[str, Shares], ...]] = {
    1: (("auto", ALONE),),
    2: (("bits", BITS), ("words", WORDS)),
    3: (("bits", {"pdr": 1.0}), ("words", WORDS), ("bmc", {"bmc": 1.0})),
}


def side(seat: int, seats: int) -> tuple[str, Shares]:
    """What worker ``seat`` of so many is called, and what it does."""
    return _TEAMS[seats][seat]
