"""The words of the hardware model checking competition: ``sat`` is unsafe, ``unsat`` is safe, ``unknown`` is unknown."""

from __future__ import annotations

from lemmata.result import Result

_WORDS = {"unsafe": "sat", "safe": "unsat"}


def hwmcc_word(result: Result) -> str:
    """The one word on a line of its own."""
    return _WORDS.get(result.verdict, "unknown")
