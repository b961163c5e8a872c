"""Which variable of a model is which one of yesterday's? By its name; by what it does, where names are missing or were changed.

A *signature* says what a variable does without naming anything: how it starts, and its next value as a function of signatures,
again and again (colour refinement: Weisfeiler, Leman 1968). Every round looks one step further: a small change of a model
changes the signatures of few variables in early rounds, and of many in late ones. Two variables match if both are the only ones
with their signature in a late round, or else in an earlier one. A wrong match costs strength, never soundness: what follows
from it is only tried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

ROUNDS = 3

Refined = tuple[int, ...]  # by round, the earliest first

_NUMBERED = re.compile(r"(?:[a-z]|state|input|array)\d+")  # names that only say where a variable stands


def match_variables(
    old_names: Sequence[str], old: Sequence[Refined], new_names: Sequence[str], new: Sequence[Refined]
) -> dict[int, int]:
    """Positions of yesterday's variables to positions of today's."""
    places = {name: position for position, name in enumerate(new_names)}
    found = {k: places[name] for k, name in enumerate(old_names) if name in places and not _NUMBERED.fullmatch(name)}
    for level in reversed(range(max(map(len, (*old, *new)), default=0))):
        _match_round(found, [s[level : level + 1] for s in old], [s[level : level + 1] for s in new])
    taken = set(found.values())
    for k, name in enumerate(old_names):
        if k not in found and places.get(name, -1) not in {-1, *taken}:
            found[k] = places[name]
    return found


def _match_round(found: dict[int, int], old: Sequence[Refined], new: Sequence[Refined]) -> None:
    """Match what is the only one of its kind on both sides among those that are left."""
    taken = set(found.values())
    left = [k for k in range(len(old)) if k not in found and old[k]]
    right = [k for k in range(len(new)) if k not in taken and new[k]]
    lefts, rights = Counter(old[k] for k in left), Counter(new[k] for k in right)
    by_kind = {new[k]: k for k in right if rights[new[k]] == 1}
    found.update((k, by_kind[old[k]]) for k in left if lefts[old[k]] == 1 and old[k] in by_kind)
