"""How ``auto`` divides the work: which engines each worker has, and their shares of its time.

On words one side works on bits (BMC and PDR on the blasted circuit), the other on words (PDR over integer cubes and polytopes)
with k-induction beside it. On graphs in general one side proves (facts by abstract interpretation, and PDR that starts from
them), the other unrolls, and accelerates loops, with another PDR beside it; on programs it refutes traces instead. A process
that is alone does all of it in turns. An engine that refuses leaves its share to the others.
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
LIFTED_ALONE: Shares = {"accelerate": 0.1, "symbolic": 0.1, "abstract": 0.2, "lifted": 0.45, "bmc": 0.1, "kinduction": 0.05}
PROVING: Shares = {"abstract": 0.35, "lifted": 0.65}
UNROLLING: Shares = {"accelerate": 0.1, "symbolic": 0.1, "bmc": 0.15, "kinduction": 0.15, "lifted": 0.5}
UNROLLING_ONLY: Shares = {"accelerate": 0.2, "symbolic": 0.2, "bmc": 0.4, "kinduction": 0.4}

_LIFTED_TEAMS: Mapping[int, tuple[tuple[str, Shares], ...]] = {
    1: (("auto", LIFTED_ALONE),),
    2: (("proving", PROVING), ("unrolling", UNROLLING)),
    3: (("proving", PROVING), ("lifted", {"lifted": 1.0}), ("unrolling", UNROLLING_ONLY)),
}
PROGRAM_ALONE: Shares = {"accelerate": 0.1, "symbolic": 0.1, "abstract": 0.2, "lifted": 0.35, "traces": 0.2, "bmc": 0.05}
TRACES: Shares = {"accelerate": 0.1, "symbolic": 0.15, "bmc": 0.1, "traces": 0.65}

_PROGRAM_TEAMS: Mapping[int, tuple[tuple[str, Shares], ...]] = {
    1: (("auto", PROGRAM_ALONE),),
    2: (("proving", PROVING), ("traces", TRACES)),
    3: (("proving", PROVING), ("lifted", {"lifted": 1.0}), ("traces", TRACES)),
}


def side(seat: int, seats: int) -> tuple[str, Shares]:
    """What worker ``seat`` of so many is called, and what it does."""
    return _TEAMS[seats][seat]


def lifted_side(seat: int, seats: int, is_program: bool = False) -> tuple[str, Shares]:
    """The same for graphs in general, and for programs."""
    return (_PROGRAM_TEAMS if is_program else _LIFTED_TEAMS)[seats][seat]
