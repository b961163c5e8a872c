"""Exit codes; scripts rely on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lemmata.run import Outcome

SAFE, BROKEN, USAGE, UNKNOWN, UNSAFE, UNREACHABLE, INTERRUPTED = 0, 1, 2, 5, 10, 11, 130
_WORST_FIRST = (INTERRUPTED, BROKEN, USAGE, UNSAFE, UNKNOWN, UNREACHABLE, SAFE)  # of several files
ACCEPTED, REJECTED = 0, 1  # of `certify` and `replay`
_OF_VERDICT = {"safe": SAFE, "unsafe": UNSAFE, "unknown": UNKNOWN, "covered": SAFE, "unreachable": UNREACHABLE}


def worst(codes: Collection[int]) -> int:
    """The exit code of several files."""
    return next(code for code in _WORST_FIRST if code in codes)


def code_of(outcome: Outcome) -> int:
    """The exit code of ``lemmata check``: an interruption or a bug of ours outweighs every verdict."""
    if outcome.ending == "interrupted":
        return INTERRUPTED
    if outcome.is_broken:
        return BROKEN
    return code_of_words(outcome.result.verdict, outcome.result.covers)


def code_of_words(verdict: str, covers: str) -> int:
    """The exit code of a result by its words: assertions that hold leave the word to the covers, if there are any."""
    return _OF_VERDICT[verdict] or _OF_VERDICT[covers or "safe"]
