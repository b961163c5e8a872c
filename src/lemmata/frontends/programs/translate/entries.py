"""Where a program starts, and which procedures are copied into their callers.

A procedure that does
not call itself is copied where it is called, as long as the copies stay small; all others have one summary for all calls.
"""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.errors import InputError, Place, UsageError
from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.effects import Effects
from lemmata.frontends.programs.translate.order import callees_first
from lemmata.frontends.programs.tree import Procedure
from lemmata.values import dataclass

_COPY_STATEMENTS = (1000, 200, 50, 0)  # statements of a copy, what it calls included: the first that does not make too many
_STATEMENTS = 20_000  # statements in all
_SHOWN_NAMES = 8  # names in an error message


def entries(program: CheckedProgram, wanted: str | None, usual: str) -> tuple[Procedure, ...]:
    """The procedures that a program may start with: the one that is wanted, else the usual one, else all with a body."""
    bodies = [procedure for procedure in program.procedures.values() if procedure.implementations]
    if not bodies:
        raise InputError(Place(program.text.file, 1, 1), "there is no procedure with a body", "nothing can be executed")
    if wanted is None:
        starts = [procedure for procedure in bodies if procedure.name == usual]
        return tuple(starts or bodies)
    chosen = [procedure for procedure in bodies if procedure.name == wanted]
    if not chosen:
        names = ", ".join(p.name for p in bodies[:_SHOWN_NAMES]) + (", …" if len(bodies) > _SHOWN_NAMES else "")
        what = "has no body" if wanted in program.procedures else "does not exist"
        raise UsageError(f"the procedure '{wanted}' {what}: choose one of {names}")
    return tuple(chosen)


@dataclass(frozen=True, slots=True)
class InliningPlan:
    """``covered`` are the entries, ``copied`` the procedures that are copied into their callers, ``summaries`` the other ones
    that are called, all by name.

    An entry starts in every state in which its contract lets it be called: what goes wrong in such a call goes wrong without
    the caller as well, so calls do not assert it again.
    """

    covered: frozenset[str]
    copied: frozenset[str]
    summaries: frozenset[str]


def inlining_plan(
    program: CheckedProgram, starts: tuple[Procedure, ...], effects: Mapping[str, Effects], inline: bool
) -> InliningPlan:
    """What is copied, and what is checked where."""
    calls = {name: own.calls for name, own in effects.items() if program.procedures[name].implementations}
    order, recursive = callees_first(calls)
    called = frozenset(callee for callees in calls.values() for callee in callees if callee in calls)
    for largest in _COPY_STATEMENTS if inline else ():
        copied = _copied(order, recursive, effects, largest)
        if sum(_sizes(order, effects, copied)[start.name] for start in starts) <= _STATEMENTS:
            break
    else:
        copied = frozenset()
    return InliningPlan(frozenset(start.name for start in starts), copied, called - copied)


def _copied(order: list[str], recursive: set[str], effects: Mapping[str, Effects], largest: int) -> frozenset[str]:
    copied: set[str] = set()
    sizes: dict[str, int] = {}
    for name in order:
        sizes[name] = effects[name].size + sum(sizes[callee] for callee in effects[name].calls if callee in copied)
        if name not in recursive and sizes[name] <= largest:
            copied.add(name)
    return frozenset(copied)


def _sizes(order: list[str], effects: Mapping[str, Effects], copied: frozenset[str]) -> dict[str, int]:
    """Statements of each procedure with its copies."""
    sizes: dict[str, int] = {}
    for name in order:
        sizes[name] = effects[name].size + sum(sizes[callee] for callee in effects[name].calls if callee in copied)
    return sizes
