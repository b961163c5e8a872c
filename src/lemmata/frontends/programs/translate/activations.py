"""``Activation``: one body at work: which terms its variables are, where it is in the graph, what its caller left there.

A *root* is the body of a procedure by itself: an entry, or a summary for all calls. A *copy* is a body inside of another one:
its locations carry the variables of the caller, too. Variables keep their names unless the caller has them; then the name of
the procedure is put before them. ``old(g)`` is the value of a global at the start of the body.

A body is right or wrong in states that it may rely on when it starts: what it ``requires``, free or not, and the ``where``
clauses of parameters and globals. Callers neither check nor assume the free part of that. So a body may also be called from
other states: it runs, but what it asserts has no meaning there (``Assertions.IGNORED``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.draft import VariableScope
from lemmata.frontends.programs.tree import Implementation, Procedure, Variable
from lemmata.frontends.skeleton import TakenNames
from lemmata.logic.terms import Term, name_of, var
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Formals:
    """The terms of parameters and results, by position, and of the globals below ``old``."""

    parameters: tuple[Term, ...]
    results: tuple[Term, ...]
    old: Mapping[Variable, Term]

    def of(self, procedure: Procedure | Implementation) -> dict[Variable, Term]:
        """By the variables that a contract or a body has for them."""
        names = (*procedure.parameters, *procedure.results)
        return dict(zip(names, (*self.parameters, *self.results), strict=True))


class Assertions(Enum):
    """What becomes of a body's assertions."""

    CHECKED = "checked"  # where one fails there is an error, and the run ends
    ASSUMED = "assumed"  # where one fails the run ends; the error is found elsewhere, where the body is an entry
    IGNORED = "ignored"  # the body was called from a state that it need not be right in, and so was whatever it calls


@dataclass(frozen=True, slots=True)
class Activation:
    """``variables`` live at all its locations; ``end`` is the location before it returns."""

    procedure: Procedure
    implementation: Implementation
    path: str  # main, or main:12/callee
    variables: tuple[Term, ...]
    formals: Formals
    globals: Mapping[Variable, Term]
    scope: VariableScope
    end: int
    assertions: Assertions
    labels: dict[str, int] = field(default_factory=dict)

    @property
    def contract(self) -> VariableScope:
        """What the contract's variables stand for."""
        return VariableScope({**self.globals, **self.formals.of(self.procedure)}, self.scope.before)

    def promised(self, new: Mapping[Variable, Term]) -> tuple[list[Variable], VariableScope]:
        """The contract's own variables for those results that have ``new`` values, and what its variables stand for then."""
        pairs = zip(self.implementation.results, self.procedure.results, strict=True)
        results = [contract for own, contract in pairs if own in new and own is not contract]
        changed = {self.scope.now[variable]: term for variable, term in new.items()}
        now = {variable: changed.get(term, term) for variable, term in self.contract.now.items()}
        return results, VariableScope(now, self.scope.before)


class Naming:
    """Terms for the variables of a body, with names that are not taken; ``path`` goes before a name that is."""

    def __init__(self, program: CheckedProgram, taken: Sequence[Term], path: str) -> None:
        self._program = program
        self._names = TakenNames(map(name_of, taken))
        self._path = path

    def terms(self, variables: Sequence[Variable]) -> tuple[Term, ...]:
        """One for each variable."""
        return tuple([self._term(variable.name, variable) for variable in variables])

    def old(self, variables: Iterable[Variable]) -> dict[Variable, Term]:
        """One for each global below ``old``."""
        return {variable: self._term(f"old({variable.name})", variable) for variable in variables}

    def _term(self, name: str, variable: Variable) -> Term:
        free = self._names.free(name)
        return var(free if free == name else self._names.free(f"{self._path}.{name}"), self._program.sort_of(variable))
