"""What a reader of a verdict has to know about the program: functions that nobody defines, and what overflow does."""

from __future__ import annotations

from lemmata.frontends.c import library
from lemmata.frontends.c.translate.unit import TranslationUnit


def notes(unit: TranslationUnit) -> list[str]:
    """One line each."""
    found = []
    names = [name for name in unit.undefined if not library.is_nondet(name) and name not in library.PRINTS]
    for writes, change in ((False, "nothing else"), (True, "what they get pointers to")):
        own = [name for name in names if unit.undefined[name] == writes]
        if own:
            have, may = ("has", "may change") if len(own) == 1 else ("have", "may change")
            it, returns = ("it", "returns") if len(own) == 1 else ("they", "return")
            done = f"and {may} {change}" if writes else f"and {'changes' if len(own) == 1 else 'change'} {change}"
            done = done.replace("they get", "it gets") if len(own) == 1 else done
            found.append(f"warning: {', '.join(own)} {have} no definition: {it} {returns} anything {done}")
    found += [f"note: operands at line {line} are evaluated in any order" for line in unit.ordering.lines]
    for line in unit.ordering.disordered:
        found.append(f"warning: there are too many orders of evaluation at line {line}: what follows does not count")
    if unit.arithmetic.has_wrapped and not unit.wanted.overflow:
        found.append("note: signed overflow, which C leaves undefined, wraps as with gcc -fwrapv")
    return found
