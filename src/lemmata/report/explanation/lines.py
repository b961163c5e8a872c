"""Lines of an explanation: text and what kind of line it is; whoever shows them chooses the colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lemmata.values import dataclass

Style = Literal["title", "plain", "query", "yes", "no", "frame", "faint", "safe", "unsafe", "unknown"]
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line."""

    text: str = ""
    style: Style = "plain"


TellLine = Callable[[ReportLine], None]


def ordinal(number: int) -> str:
    """``first`` … ``tenth``, then ``11th``."""
    if 1 <= number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def count(number: int, one: str, many: str) -> str:
    """``1 latch``, ``3 latches``."""
    return f"{number} {one if number == 1 else many}"
