"""Exit codes; scripts rely on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lemmata.run import Outcome

SAFE, BROKEN, USAGE, UNKNOWN, UNSAFE, INTERRUPTED = 0, 1, 2, 5, 10, 130
_WORST_FIRST = (INTERRUPTED, BROKEN, USAGE, UNSAFE, UNKNOWN, SAFE)  # of several files
ACCEPTED, REJECTED = 0, 1  # of `certify` and `replay`
_OF_VERDICT = {"safe": SAFE, "unsafe": UNSAFE, "unknown": UNKNOWN}


def worst(codes: Collection[int]) -> int:
    """The exit code of several files."""
    return next(code for code in _WORST_FIRST if code in codes)


def code_of(outcome: Outcome) -> int:
    """The exit code of ``lemmata check``: an interruption or a bug of ours outweighs every verdict."""
    if outcome.ending == "interrupted":
        return INTERRUPTED
    return BROKEN if outcome.is_broken else _OF_VERDICT[outcome.result.verdict]
