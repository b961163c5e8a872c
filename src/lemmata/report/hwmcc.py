"""The words of the hardware model checking competition: ``sat`` is unsafe, ``unsat`` is safe, and unknown is silence."""

from __future__ import annotations

from lemmata.result import Result

_WORDS = {"unsafe": "sat", "safe": "unsat"}


def hwmcc_word(result: Result) -> str:
    """The one word on a line of its own, or nothing."""
    return _WORDS.get(result.verdict, "")
