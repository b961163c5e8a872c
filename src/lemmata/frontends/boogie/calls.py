"""What a call does. It asserts what the callee ``requires``; then there are three ways.

A procedure without body changes what it ``modifies``, and its results, as its ``ensures`` allow. A *copy* of the body is put
between the call and what comes after it. Or the call uses the *root* of the procedure, which all calls share: an edge leads
from the call to its start, with arguments and globals; and an edge with two sources, the call and the end of the root, leads to
what comes after the call. Its guard demands that the root was started with these arguments and globals, so a return never meets
a call that it does not belong to. (Summaries: Sharir, Pnueli 1981; in PDR: Hoder, Bjørner 2012.)
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.frontends.boogie.activations import Activation
from lemmata.frontends.boogie.context import Context
from lemmata.frontends.boogie.draft import Draft, Scope
from lemmata.frontends.boogie.procedures import Entrance, Procedures, Root
from lemmata.frontends.boogie.syntax import Call, Procedure
from lemmata.logic.build import equal
from lemmata.logic.terms import Term, name_of
from lemmata.models.graph import Source


class Calls:
    """Translates calls."""

    def __init__(self, context: Context, procedures: Procedures) -> None:
        self._context = context
        self._procedures = procedures

    def call(self, caller: Activation, call: Call, source: int, target: int) -> None:
        """All edges of a call from ``source`` that goes on at ``target``."""
        procedure = self._context.program.procedures[call.procedure]
        self._assert_requires(caller, call, procedure, source)
        if not procedure.implementations:
            self._trust(caller, call, procedure, source, target)
        elif procedure.name in self._context.plan.copied:
            self._copy(caller, call, procedure, source, target)
        else:
            self._summary(caller, call, procedure, source, target)

    def _arguments(self, caller: Activation, call: Call, draft: Draft) -> tuple[Term, ...]:
        return tuple([self._context.expressions.value(argument, caller.scope, draft) for argument in call.arguments])

    def _assert_requires(self, caller: Activation, call: Call, procedure: Procedure, source: int) -> None:
        if call.is_free or not caller.is_asserting:
            return

        def scope(draft: Draft) -> Scope:
            arguments = dict(zip(procedure.parameters, self._arguments(caller, call, draft), strict=True))
            return Scope({**caller.globals, **arguments}, caller.globals)

        name = f"requires of {procedure.name} at line {self._context.builder.line(call.at)}"
        self._context.assert_all(procedure.requires, source, scope, lambda clause: ((call.at, clause.at), name))

    def _trust(self, caller: Activation, call: Call, procedure: Procedure, source: int, target: int) -> None:
        """There is only a contract."""
        context, draft, state = self._context, Draft(caller.variables), caller.globals
        arguments = dict(zip(procedure.parameters, self._arguments(caller, call, draft), strict=True))
        context.assume_all(procedure.requires, Scope({**state, **arguments}, state), draft)
        results = context.opened(procedure.results, draft)
        changed = context.opened(list(dict.fromkeys(map(context.program.variable_of, procedure.modifies))), draft)
        after = Scope({**state, **changed, **arguments, **results}, state)
        context.assume_all(procedure.ensures, after, draft)
        context.assume_where((*procedure.results, *changed), after, draft)
        changes = {state[v]: term for v, term in changed.items()}
        changes |= self._received(caller, call, list(results.values()))
        context.builder.step(source, target, draft, call.at, changes)

    def _received(self, caller: Activation, call: Call, results: Sequence[Term]) -> dict[Term, Term]:
        """The variables that take the results."""
        names = map(self._context.program.variable_of, call.results)
        return {caller.scope.now[v]: term for v, term in zip(names, results, strict=True)}

    def _copy(self, caller: Activation, call: Call, procedure: Procedure, source: int, target: int) -> None:
        def entrance() -> Entrance:
            draft = Draft(caller.variables)
            return Entrance(source, draft, caller.globals, self._arguments(caller, call, draft), call.at)

        path = f"{caller.path}:{self._context.builder.line(call.at)}/{procedure.name}"
        for copy in self._procedures.copy(caller, procedure, path, entrance):
            self._procedures.leave(copy, target, self._received(caller, call, copy.formals.results))

    def _summary(self, caller: Activation, call: Call, procedure: Procedure, source: int, target: int) -> None:
        root = self._procedures.root(procedure)
        if procedure.name not in self._context.plan.covered:
            draft = Draft(caller.variables)
            changes = dict(zip(root.formals.parameters, self._arguments(caller, call, draft), strict=True))
            changes |= {term: caller.globals[v] for v, term in root.globals.items()}
            self._context.builder.step(source, root.start, draft, call.at, changes)
        self._return(caller, call, root, source, target)

    def _return(self, caller: Activation, call: Call, root: Root, source: int, target: int) -> None:
        assert root.end is not None
        draft = Draft(caller.variables)
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
        self._context.builder.join(source, summary, target, draft, call.at, changes)
