"""Which variable of a running program a variable of a location is.

A location ``main:12/callee:3`` has, in this order: constants and functions without a body, globals, and then for each body
from the outside to the inside its parameters, results, globals as they were (``old(g)``), and local variables. The start of a
procedure (``p:start``) ends with its parameters, its end (``p:end``) with what a body has except local variables. So positions
tell which variable is meant, and names only for what belongs to the whole program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lemmata.certify.reading.program_code import CompiledBody
from lemmata.certify.reading.program_values import ProgramText, Unclear
from lemmata.logic.terms import name_of
from lemmata.models.graph import Location

StorageSlot = tuple[str, int, Any]  # constant, function, global, own (with the body's place from the outside), or old


def path_from_file(location: Location) -> str:
    """The part of the name before the line."""
    return location.name.rpartition(":")[0]


def depth_of(location: Location) -> int:
    """How many bodies are at work there, from the last one on that stands by itself."""
    return path_from_file(location).count("/") + 1


def slots_of(program: ProgramText, location: Location, codes: Sequence[CompiledBody]) -> tuple[StorageSlot | None, ...]:
    """For each variable of the location what it is; ``codes`` are the bodies at work, from the outside to the inside."""
    names = [name_of(v) for v in location.variables]
    kind = location.name.rpartition(":")[2] if len(codes) == 1 else ""
    slots: list[StorageSlot | None] = []
    for depth in range(len(codes) - 1, -1, -1):
        body = codes[depth].implementation
        if kind != "start":
            _take(names, slots, depth, () if kind == "end" else body.variables)
            while names and "old(" in names[-1]:
                names.pop()
                slots.append(None)
            _take(names, slots, depth, body.results)
        _take(names, slots, depth, body.parameters)
    slots += [_shared(program, name) for name in reversed(names)]
    return tuple(reversed(slots))


def _take(names: list[str], slots: list[StorageSlot | None], depth: int, variables: Sequence[Any]) -> None:
    if len(names) < len(variables):
        raise Unclear("a location has fewer variables than its body")
    for variable in reversed(variables):
        names.pop()
        slots.append(("own", depth, variable))


def _shared(program: ProgramText, name: str) -> StorageSlot | None:
    if name in program.variables:
        return "global", 0, program.variables[name]
    if name in program.constants:
        return "constant", 0, program.constants[name]
    function = name.removesuffix("()")
    if function in program.functions:
        return "function", 0, function
    return None
