"""What a call does. It asserts what the callee ``requires``, and skips what is free; then there are three ways.

A procedure without body changes what it ``modifies``, and its results, as its ``ensures`` allow, free or not. A *copy* of the
body is put between the call and what comes after it. Or the call uses the *root* of the procedure, which all calls share: an
edge leads from the call to its start, with arguments and globals; and an edge with two sources, the call and the end of the
root, leads to what comes after the call. Its guard demands that the root was started with these arguments and globals, so a
return never meets a call that it does not belong to. (Summaries: Sharir, Pnueli 1981; in PDR: Hoder, Bjørner 2012.)

A body with something to rely on that its callers do not check is called in two ways: from states where it holds, and from
others, where the body's assertions are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.frontends.programs.translate.activations import Activation, Assertions
from lemmata.frontends.programs.translate.context import TranslationContext, checked_ones
from lemmata.frontends.programs.translate.draft import Draft, VariableScope
from lemmata.frontends.programs.translate.procedures import Entrance, Procedures, Root, path_of
from lemmata.frontends.programs.tree import Call, Expression, Procedure
from lemmata.logic.build import disj, equal
from lemmata.logic.terms import Term, name_of
from lemmata.models.graph import Source


class Calls:
    """Translates calls."""

    def __init__(self, context: TranslationContext, procedures: Procedures) -> None:
        self._context = context
        self._procedures = procedures

    def call(self, caller: Activation, call: Call, source: int, target: int) -> None:
        """All edges of a call from ``source`` that goes on at ``target``."""
        procedure = self._context.program.procedures[call.procedure]
        self._assert_requires(caller, call, procedure, source)
        if not procedure.implementations:
            self._trust(caller, call, procedure, source, target)
            return
        go = self._copy if procedure.name in self._context.plan.copied else self._summary
        if caller.assertions is not Assertions.IGNORED:
            is_covered = procedure.name in self._context.plan.covered
            go(caller, call, procedure, (source, target), Assertions.ASSUMED if is_covered else caller.assertions)
        if caller.assertions is Assertions.IGNORED or self._unchecked(call, procedure):
            go(caller, call, procedure, (source, target), Assertions.IGNORED)

    def _unchecked(self, call: Call, procedure: Procedure) -> list[Expression]:
        """What the body relies on, and this call does not check."""
        skipped = [clause.condition for clause in procedure.requires if clause.is_free or call.is_free]
        found = (*self._procedures.needed(procedure, self._context.globals), *procedure.parameters)
        return [*skipped, *[variable.where for variable in found if variable.where is not None]]

    def _admit(self, caller: Activation, call: Call, procedure: Procedure, arguments: tuple[Term, ...], draft: Draft) -> None:
        """Take the way on which assertions are ignored: only if what the call checks holds, and the rest does not."""
        if caller.assertions is Assertions.IGNORED:
            return
        context, state = self._context, caller.globals
        scope = VariableScope({**state, **dict(zip(procedure.parameters, arguments, strict=True))}, state)
        if not call.is_free:
            context.assume_all(checked_ones(procedure.requires), scope, draft)
        fails = context.expressions.fails
        draft.assume(disj([fails(condition, scope, draft) for condition in self._unchecked(call, procedure)]))

    def _arguments(self, caller: Activation, call: Call, draft: Draft) -> tuple[Term, ...]:
        return tuple([self._context.expressions.value(argument, caller.scope, draft) for argument in call.arguments])

    def _assert_requires(self, caller: Activation, call: Call, procedure: Procedure, source: int) -> None:
        if call.is_free or caller.assertions is not Assertions.CHECKED:
            return

        def scope(draft: Draft) -> VariableScope:
            arguments = dict(zip(procedure.parameters, self._arguments(caller, call, draft), strict=True))
            return VariableScope({**caller.globals, **arguments}, caller.globals)

        name = f"requires of {procedure.name} at line {self._context.builder.line(call.at)}"
        clauses = checked_ones(procedure.requires)
        self._context.assert_all(clauses, source, scope, lambda clause: ((call.at, clause.at), name))

    def _trust(self, caller: Activation, call: Call, procedure: Procedure, source: int, target: int) -> None:
        """There is only a contract."""
        context, draft, state = self._context, Draft(caller.variables), caller.globals
        arguments = dict(zip(procedure.parameters, self._arguments(caller, call, draft), strict=True))
        if not call.is_free and caller.assertions is not Assertions.IGNORED:
            context.assume_all(checked_ones(procedure.requires), VariableScope({**state, **arguments}, state), draft)
        results = context.opened(procedure.results, draft)
        modified = list(dict.fromkeys(map(context.program.variable_of, procedure.modifies)))
        changed = context.havocked(modified, state, draft)
        after = VariableScope({**state, **changed, **arguments, **results}, state)
        context.assume_all(procedure.ensures, after, draft)
        context.assume_where((*procedure.results, *changed), after, draft)
        changes = {state[v]: term for v, term in changed.items()}
        changes |= self._received(caller, call, list(results.values()))
        context.builder.step(source, target, draft, call.at, changes)

    def _received(self, caller: Activation, call: Call, results: Sequence[Term]) -> dict[Term, Term]:
        """The variables that take the results."""
        names = map(self._context.program.variable_of, call.results)
        return {caller.scope.now[v]: term for v, term in zip(names, results, strict=True)}

    def _copy(self, caller: Activation, call: Call, procedure: Procedure, way: tuple[int, int], assertions: Assertions) -> None:
        source, target = way

        def entrance() -> Entrance:
            draft = Draft(caller.variables)
            arguments = self._arguments(caller, call, draft)
            if assertions is Assertions.IGNORED:
                self._admit(caller, call, procedure, arguments, draft)
            return Entrance(source, draft, caller.globals, arguments, call.at)

        path = f"{caller.path}:{self._context.builder.line(call.at)}/{path_of(procedure.name, assertions)}"
        for copy in self._procedures.copy(caller, procedure, path, entrance, assertions):
            self._procedures.leave(copy, target, self._received(caller, call, copy.formals.results))

    def _summary(
        self, caller: Activation, call: Call, procedure: Procedure, way: tuple[int, int], assertions: Assertions
    ) -> None:
        is_ignored = assertions is Assertions.IGNORED
        root = self._procedures.root(procedure, assertions if is_ignored else Assertions.CHECKED)
        if is_ignored or procedure.name not in self._context.plan.covered:
            draft = Draft(caller.variables)
            arguments = self._arguments(caller, call, draft)
            if is_ignored:
                self._admit(caller, call, procedure, arguments, draft)
            changes = dict(zip(root.formals.parameters, arguments, strict=True))
            changes |= {term: caller.globals[v] for v, term in root.globals.items()}
            self._context.builder.step(way[0], root.start, draft, call.at, changes)
        draft = Draft(caller.variables)
        if is_ignored:
            self._admit(caller, call, procedure, self._arguments(caller, call, draft), draft)
        self._return(caller, call, root, way, draft)

    def _return(self, caller: Activation, call: Call, root: Root, way: tuple[int, int], draft: Draft) -> None:
        assert root.end is not None
        own = self._context.builder.variables(root.end)
        at_end = {v: draft.named(f"{call.procedure}.{name_of(v)}", v.sort) for v in own}
        same: list[tuple[Term, Term]] = [(constant, constant) for constant in root.constants]
        same += zip(root.formals.parameters, self._arguments(caller, call, draft), strict=True)
        same += [(root.formals.old.get(v, term), caller.globals[v]) for v, term in root.globals.items()]
        for theirs, ours in same:
            draft.assume(equal(at_end[theirs], ours))
        changes = {caller.globals[v]: at_end[root.globals[v]] for v in root.formals.old}
        changes |= self._received(caller, call, [at_end[result] for result in root.formals.results])
        summary = Source(root.end, tuple(at_end.values()))
        self._context.builder.join(way[0], summary, way[1], draft, call.at, changes)
