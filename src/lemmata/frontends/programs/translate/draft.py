"""``Draft``: what is said of an edge while its statement is translated; ``VariableScope``: the terms that variables stand for.

A draft collects assumptions and *inputs*: values that the statement leaves open (``havoc``, results of procedures without a
body), witnesses of quantifiers, and stand-ins for what our terms cannot say. The latter make the edge *inexact*: it does
whatever the statement does, and perhaps more. A proof through it counts, a run through it does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.frontends.programs.tree import Variable
from lemmata.frontends.skeleton import TakenNames
from lemmata.logic.build import conj
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, name_of, var
from lemmata.values import dataclass

VariableTerms = Mapping[Variable, Term]


@dataclass(frozen=True, slots=True)
class VariableScope:
    """What variables stand for, and what globals stand for below ``old``."""

    now: VariableTerms
    before: VariableTerms


class Draft:
    """An edge in the making; ``variables`` are those of its sources, whose names are taken."""

    __slots__ = ("_assumed", "_names", "_variables", "inputs", "is_exact")

    def __init__(self, variables: Sequence[Term] = ()) -> None:
        self._variables = variables
        self._names: TakenNames | None = None
        self._assumed: list[Term] = []
        self.inputs: list[Term] = []
        self.is_exact = True

    def fresh(self, name: str, sort: Sort) -> Term:
        """An input called ``name``, or like it."""
        term = self.named(name, sort)
        self.inputs.append(term)
        return term

    def named(self, name: str, sort: Sort) -> Term:
        """A variable called ``name``, or like it, which is not an input."""
        if self._names is None:
            self._names = TakenNames(map(name_of, self._variables))
        return var(self._names.free(name), sort)

    def guess(self, name: str, sort: Sort) -> Term:
        """An input that stands for what cannot be said."""
        self.is_exact = False
        return self.fresh(name, sort)

    def assume(self, term: Term) -> None:
        """The edge can be taken only if ``term`` holds."""
        self._assumed.append(term)

    @property
    def guard(self) -> Term:
        """All that was assumed."""
        return conj(self._assumed)
