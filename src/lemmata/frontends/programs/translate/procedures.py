"""Bodies in the graph: how one is entered and left, by itself or inside of another one.

A *root* is a procedure by itself: an entry of the program, or a summary for all calls of it. Its start has the globals and the
parameters; its end has the results, too, and the globals as they were at the start. A *copy* lies between a call and what comes
after it. Either way an edge leads to the first location of the body: parameters are the arguments, results and local variables
are arbitrary, and what the body may rely on holds, unless its assertions are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from lemmata.frontends.programs.assumptions import is_assumption
from lemmata.frontends.programs.translate.activations import Activation, Assertions, Formals, Naming
from lemmata.frontends.programs.translate.context import TranslationContext, checked_ones
from lemmata.frontends.programs.translate.draft import Draft, VariableScope
from lemmata.frontends.programs.tree import Implementation, Procedure, Variable
from lemmata.logic.terms import Term
from lemmata.values import dataclass

Begin = Callable[[Activation, int], None]  # the body of an activation is to be translated, from that location on
_Terms = Mapping[Variable, Term]


@dataclass(frozen=True, slots=True)
class Root:
    """The start and the end of a procedure by itself; the start has ``constants``, ``globals`` and the parameters."""

    start: int
    end: int | None  # of one that is only started, nobody needs the end
    constants: tuple[Term, ...]
    globals: _Terms
    formals: Formals


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where a body is entered, with what; ``draft`` is the edge."""

    source: int
    draft: Draft
    globals: _Terms
    arguments: tuple[Term, ...]
    at: int


def path_of(name: str, assertions: Assertions) -> str:
    """What its locations are called."""
    return f"{name}*" if assertions is Assertions.IGNORED else name


class Procedures:
    """Makes activations, and tells ``begin`` of each."""

    def __init__(self, context: TranslationContext, begin: Begin) -> None:
        self._context = context
        self._begin = begin
        self._roots: dict[tuple[str, Assertions], Root] = {}

    def root(self, procedure: Procedure, assertions: Assertions = Assertions.CHECKED) -> Root:
        """A root of a procedure, which is made when it is asked for first; assertions are checked there, or ignored."""
        key = procedure.name, assertions
        if key not in self._roots:
            self._make_root(procedure, assertions)
        return self._roots[key]

    def _make_root(self, procedure: Procedure, assertions: Assertions) -> None:
        context, name = self._context, procedure.name
        path = path_of(name, assertions)
        effects = context.effects[name]
        constants = tuple([symbol for symbol in effects.needs if isinstance(symbol, Term)])
        state = {v: term for v, term in context.globals.items() if v in effects.needs}
        naming = Naming(context.program, (*context.symbols, *context.globals.values()), name)
        like = procedure.implementations[0] if len(procedure.implementations) == 1 else procedure
        is_summary = name in context.plan.summaries
        kept = [v for v in state if v in effects.changes and (is_summary or v in effects.looks_back)]
        formals = Formals(naming.terms(like.parameters), naming.terms(like.results), naming.old(kept))
        inside = (*constants, *state.values(), *formals.parameters)
        outside = (*inside, *formals.results, *formals.old.values())
        start = context.builder.first(path, procedure.at, inside)
        end = context.builder.last(path, procedure.at, outside) if is_summary else None
        self._roots[name, assertions] = Root(start, end, constants, state, formals)
        context.builder.tell_names(path, {**state, **formals.of(like)})
        for implementation in procedure.implementations:
            entrance = Entrance(start, Draft(inside), state, formals.parameters, implementation.at)
            activation = self._open(procedure, implementation, path, outside, formals, entrance, assertions)
            self.leave(activation, end, {})

    def copy(
        self, caller: Activation, procedure: Procedure, path: str, entrance: Callable[[], Entrance], assertions: Assertions
    ) -> Iterator[Activation]:
        """Copies of all implementations inside of ``caller``; whoever asks for them also says how they are left."""
        effects = self._context.effects[procedure.name]
        kept = [v for v in caller.globals if v in effects.changes and v in effects.looks_back]
        for implementation in procedure.implementations:
            taken = (*self._context.symbols, *self._context.globals.values(), *caller.variables)
            naming = Naming(self._context.program, taken, procedure.name)
            formals = Formals(naming.terms(implementation.parameters), naming.terms(implementation.results), naming.old(kept))
            variables = (*caller.variables, *formals.parameters, *formals.results, *formals.old.values())
            yield self._open(procedure, implementation, path, variables, formals, entrance(), assertions)

    def _open(
        self,
        procedure: Procedure,
        implementation: Implementation,
        path: str,
        outside: tuple[Term, ...],
        formals: Formals,
        entrance: Entrance,
        assertions: Assertions,
    ) -> Activation:
        context, state = self._context, entrance.globals
        taken = (*context.symbols, *context.globals.values(), *outside)
        own = Naming(context.program, taken, procedure.name).terms(implementation.variables)
        variables = (*outside, *own)
        now = {**state, **formals.of(implementation), **dict(zip(implementation.variables, own, strict=True))}
        scope = VariableScope(now, {**state, **formals.old})
        context.builder.tell_names(path, now, entrance.source)
        end = context.builder.place(path, implementation.end, variables)
        activation = Activation(procedure, implementation, path, variables, formals, state, scope, end, assertions)
        body = implementation.body
        first = context.builder.place(path, body[0].at if body else implementation.end, variables)
        self._enter(activation, first, entrance)
        self._begin(activation, first)
        return activation

    def _enter(self, activation: Activation, first: int, entrance: Entrance) -> None:
        context, draft, state = self._context, entrance.draft, entrance.globals
        procedure, implementation = activation.procedure, activation.implementation
        results = context.opened(implementation.results, draft)
        inputs = results | context.opened(implementation.variables, draft)
        formals = Formals(entrance.arguments, tuple(results.values()), {})
        contract = VariableScope({**state, **formals.of(procedure)}, state)
        if activation.assertions is not Assertions.IGNORED:
            context.assume_all(procedure.requires, contract, draft)
            context.assume_where((*self.needed(procedure, state), *procedure.parameters), contract, draft)
        context.assume_where(procedure.results, contract, draft)
        own = formals.of(implementation) | inputs
        context.assume_where(implementation.variables, VariableScope({**state, **own}, state), draft)
        for variable in filter(is_assumption, implementation.variables):
            draft.assume(inputs[variable])
        changes = {activation.scope.now[v]: term for v, term in own.items()}
        changes |= {term: state[v] for v, term in activation.formals.old.items()}
        context.builder.step(entrance.source, first, draft, entrance.at, changes)

    def needed(self, procedure: Procedure, state: Iterable[Variable]) -> list[Variable]:
        """The globals among ``state`` that the procedure needs."""
        needs = self._context.effects[procedure.name].needs
        return [variable for variable in state if variable in needs]

    def leave(self, activation: Activation, target: int | None, changes: Mapping[Term, Term]) -> None:
        """Edges from the end of a body: errors where an ``ensures`` fails, else to the target. Free ones are for callers
        who do not see the body."""
        context, clauses, scope = self._context, checked_ones(activation.procedure.ensures), activation.contract
        if activation.assertions is Assertions.CHECKED:
            line = context.builder.line
            context.assert_all(clauses, activation.end, lambda _: scope, lambda c: ((c.at, 0), f"ensures at line {line(c.at)}"))
        if target is None:
            return
        draft = Draft(activation.variables)
        context.assume_all(clauses, scope, draft)
        context.builder.step(activation.end, target, draft, activation.implementation.end, changes)
