"""``TranslationContext``: what the translator shares; ``Clauses``: contracts and invariants, assumed or asserted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lemmata.frontends.programs.assumptions import is_assumption
from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.builder import EdgeKey, GraphBuilder
from lemmata.frontends.programs.translate.draft import Draft, VariableScope, VariableTerms
from lemmata.frontends.programs.translate.effects import Effects
from lemmata.frontends.programs.translate.entries import InliningPlan
from lemmata.frontends.programs.translate.expressions import ExpressionTranslator
from lemmata.frontends.programs.tree import SpecClause, Variable
from lemmata.logic.build import implies
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class TranslationContext:
    """A program, what is known about it, and the graph that is made of it."""

    program: CheckedProgram
    expressions: ExpressionTranslator
    effects: Mapping[str, Effects]
    plan: InliningPlan
    builder: GraphBuilder
    symbols: tuple[Term, ...]  # all constants and tables
    globals: Mapping[Variable, Term]

    def sort_of(self, variable: Variable) -> Sort:
        """The sort of a variable."""
        return self.program.sort_of(variable)

    def opened(self, variables: Sequence[Variable], draft: Draft) -> dict[Variable, Term]:
        """An input for each variable, whose value may be anything."""
        return {variable: draft.fresh(variable.name, self.sort_of(variable)) for variable in variables}

    def havocked(self, variables: Sequence[Variable], now: VariableTerms, draft: Draft) -> dict[Variable, Term]:
        """The same, but that assumption variables do not become true."""
        new = self.opened(variables, draft)
        for variable, term in new.items():
            if is_assumption(variable):
                draft.assume(implies(term, now[variable]))
        return new

    def assume_all(self, clauses: Sequence[SpecClause], scope: VariableScope, draft: Draft) -> None:
        """Assume clauses."""
        for clause in clauses:
            draft.assume(self.expressions.holds(clause.condition, scope, draft))

    def assume_where(self, variables: Sequence[Variable], scope: VariableScope, draft: Draft) -> None:
        """Assume what the declarations of variables promise."""
        for variable in variables:
            if variable.where is not None:
                draft.assume(self.expressions.holds(variable.where, scope, draft))

    def assert_all(
        self,
        clauses: Sequence[SpecClause],
        place: int,
        scope: Callable[[Draft], VariableScope],
        named: Callable[[SpecClause], tuple[EdgeKey, str]],
    ) -> None:
        """An edge to an error for each clause that is not free: those before it hold, and it does not."""
        for number, clause in enumerate(clauses):
            if clause.is_free:
                continue
            draft = Draft(self.builder.variables(place))
            inner = scope(draft)
            self.assume_all(clauses[:number], inner, draft)
            draft.assume(self.expressions.fails(clause.condition, inner, draft))
            key, name = named(clause)
            self.builder.step(place, self.builder.error(key, name), draft, key[0])


def checked_ones(clauses: Sequence[SpecClause]) -> tuple[SpecClause, ...]:
    """Those that are not free."""
    return tuple([clause for clause in clauses if not clause.is_free])
