"""``program_graph``: a program becomes a graph; see ``docs/programs.md``.

Every procedure that is needed has a location per statement (``statements``), calls are copies or summaries (``calls``), and
each assertion, postcondition, precondition of a call and loop invariant is a property with an error location of its own. The
initial edges go to the starts of the entries: globals and parameters are arbitrary, constants are as the axioms want them.

Where the program says what our terms cannot say, an edge does more than the program (``Origin.inexact``): proofs hold, and an
error that is reached through such an edge is none.
"""

from __future__ import annotations

from itertools import combinations

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.builder import GraphBuilder
from lemmata.frontends.programs.translate.context import TranslationContext
from lemmata.frontends.programs.translate.draft import Draft, VariableScope
from lemmata.frontends.programs.translate.effects import effects_of
from lemmata.frontends.programs.translate.entries import inlining_plan
from lemmata.frontends.programs.translate.expressions import ExpressionTranslator
from lemmata.frontends.programs.translate.functions import Functions
from lemmata.frontends.programs.translate.procedures import Root
from lemmata.frontends.programs.translate.statements import Statements
from lemmata.frontends.programs.tree import NamedType, Procedure, Type, Variable
from lemmata.logic.build import equal, negate
from lemmata.logic.sorts import INT
from lemmata.logic.terms import const, var
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph


def program_graph(program: CheckedProgram, starts: tuple[Procedure, ...], kind: str, *, inline: bool = True) -> Graph:
    """The graph of a program that starts with any of ``starts``; ``kind`` is its language.

    Without ``inline`` all calls are summaries.
    """
    functions = Functions(program)
    expressions = ExpressionTranslator(program, functions)
    effects = effects_of(program, functions)
    ways = inlining_plan(program, starts, effects, inline)
    builder = GraphBuilder(program.text)
    state = {v: var(v.name, program.sort_of(v)) for v in program.variables.values()}
    context = TranslationContext(program, expressions, effects, ways, builder, tuple(functions.symbols), state)
    statements = Statements(context)
    for procedure in starts:
        _start(context, functions, procedure, statements.procedures.root(procedure))
        statements.run()
    return builder.graph(program.text.file, kind, program.spelling)


def _start(context: TranslationContext, functions: Functions, procedure: Procedure, root: Root) -> None:
    """The initial edge of an entry. It also says that globals that the procedure does not need can be as they have to be."""
    arguments = root.formals.parameters
    draft = Draft((*context.symbols, *context.globals.values(), *arguments))
    scope = VariableScope(context.globals, context.globals)
    for axiom in context.program.axioms:
        draft.assume(context.expressions.holds(axiom.condition, scope, draft))
    _assume_unique(context.program, functions, draft)
    others = [variable for variable in context.globals if variable not in root.globals]
    context.assume_where(others, scope, draft)
    needed = {*root.constants, *variables([draft.guard])}
    draft.inputs[:0] = [symbol for symbol in context.symbols if symbol in needed]
    draft.inputs += [context.globals[variable] for variable in others if context.globals[variable] in needed]
    draft.inputs += [*root.globals.values(), *arguments]
    context.builder.start(root.start, draft, procedure.at)


def _assume_unique(program: CheckedProgram, functions: Functions, draft: Draft) -> None:
    """Unique constants of one type differ. Of a type of the program's own they may as well be 0, 1, …: nobody can tell."""
    groups: dict[Type, list[Variable]] = {}
    for variable in program.constants.values():
        if variable.is_unique:
            groups.setdefault(program.type_of(variable), []).append(variable)
    for kind, members in groups.items():
        terms = [functions.constant(member) for member in members]
        if isinstance(kind, NamedType):
            for number, term in enumerate(terms):
                draft.assume(equal(term, const(number, INT)))
        else:
            for a, b in combinations(terms, 2):
                draft.assume(negate(equal(a, b)))
