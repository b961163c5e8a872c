"""What a reader of a verdict has to know about the program: functions that nobody defines, and what overflow does."""

from __future__ import annotations

from lemmata.frontends.c import library
from lemmata.frontends.c.unit import TranslationUnit


def notes(unit: TranslationUnit) -> list[str]:
    """One line each."""
    found = []
    names = [name for name in unit.undefined if not library.is_nondet(name) and name not in library.PRINTS]
    if names:
        have = "has no definition: it returns" if len(names) == 1 else "have no definition: they return"
        change = "changes" if len(names) == 1 else "change"
        found.append(f"warning: {', '.join(names)} {have} anything and {change} nothing else")
    if unit.arithmetic.has_wrapped and not unit.wanted.overflow:
        found.append("note: signed overflow, which C leaves undefined, wraps as with gcc -fwrapv")
    return found
