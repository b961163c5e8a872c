"""The states of a running program, and the rules for calls that random runs and replayed ones share.

A body may rely on what its procedure requires, free or not, and on the ``where`` clauses of parameters and globals. A call
checks what is not free. If the rest does not hold, the body is *loose*: it runs, but what is asserted in it, or in what it
calls, counts for nothing. ``free ensures`` are for callers of procedures without a body.
"""

from __future__ import annotations

from typing import Any

from lemmata.certify.reading.program_code import CompiledBody, CompiledProcedures, Contract, Instruction
from lemmata.certify.reading.program_values import CompiledExpression, ProgramText, Storage
from lemmata.values import dataclass


@dataclass(slots=True)
class CallFrame:
    """One body at work: before step ``at``. ``path`` is what the graph calls its locations, if that is known."""

    code: CompiledBody
    own: Storage
    before: Storage
    is_loose: bool = False
    at: int = 0
    call: Instruction | None = None  # which its caller is at
    path: str = ""

    def copy(self) -> CallFrame:
        """The same, to go on in another way."""
        return CallFrame(self.code, dict(self.own), self.before, self.is_loose, self.at, self.call, self.path)


def axioms(program: ProgramText, library: CompiledProcedures) -> list[CompiledExpression]:
    """The axioms; Boogie drops what is marked ``{:ignore}``."""
    return [library.function(axiom.condition) for axiom in program.axioms if not any(map(_is_ignore, axiom.attributes))]


def _is_ignore(attribute: Any) -> bool:
    return attribute.name == "ignore" and all(getattr(value, "value", value) is not False for value in attribute.arguments)


def relies(program: ProgramText, library: CompiledProcedures, contract: Contract, now: Storage, formals: Storage) -> bool:
    """Does all hold that a body may rely on when it starts?"""
    holds = all(check.holds(now, formals, now) for check in contract.requires)
    return holds and library.promised((*program.variables.values(), *contract.procedure.parameters), now, formals)


def refused(contract: Contract, now: Storage, formals: Storage) -> bool:
    """Does a clause fail that a call checks?"""
    return any(not check.holds(now, formals, now) for check in contract.requires if not check.is_free)


def broken_promise(code: CompiledBody, now: Storage, own: Storage, before: Storage) -> int | None:
    """The line of the first postcondition that fails at the end of a body."""
    values = code.formal(own)
    for check in code.contract.ensures:
        if not check.is_free and not check.holds(now, values, before):
            return check.line
    return None
