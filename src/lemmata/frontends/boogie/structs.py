"""Programs without structs: a variable of struct type becomes one variable per field, called ``s!base`` as its field is.

Ultimate's dialect has structs for the pointers of C; nothing after this knows of them.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.frontends.boogie.checked import Program
from lemmata.frontends.boogie.struct_values import Flattener, leaves_of
from lemmata.frontends.boogie.syntax import (
    Assert,
    Assign,
    Assume,
    Axiom,
    Block,
    Call,
    Clause,
    Declarations,
    Function,
    Havoc,
    If,
    Implementation,
    Procedure,
    Statement,
    TypeDeclaration,
    While,
    blocks,
)


def without_structs(program: Program, types: tuple[TypeDeclaration, ...]) -> Declarations:
    """The declarations of a program, which has to be checked again."""
    flat = Flattener(program)
    everything = (*program.variables.values(), *program.constants.values())
    return Declarations(
        types,
        flat.variables(everything),
        tuple([Axiom(axiom.at, flat.one(axiom.condition), axiom.attributes) for axiom in program.axioms]),
        tuple([leaf for function in program.functions.values() for leaf in _function(program, flat, function)]),
        tuple([_procedure(flat, procedure) for procedure in program.procedures.values()]),
    )


def _function(program: Program, flat: Flattener, function: Function) -> list[Function]:
    kinds = leaves_of(program.type_of(function))
    bodies = [None] * len(kinds) if function.body is None else flat.leaves(function.body)
    parameters = flat.variables(function.parameters)
    return [
        replace(function, name=function.name + rest, parameters=parameters, result=leaf, body=body)
        for (rest, leaf), body in zip(kinds, bodies, strict=True)
    ]


def _procedure(flat: Flattener, procedure: Procedure) -> Procedure:
    return replace(
        procedure,
        parameters=flat.variables(procedure.parameters),
        results=flat.variables(procedure.results),
        requires=_clauses(flat, procedure.requires),
        ensures=_clauses(flat, procedure.ensures),
        modifies=flat.names(procedure.modifies),
        implementations=tuple([_implementation(flat, body) for body in procedure.implementations]),
    )


def _implementation(flat: Flattener, body: Implementation) -> Implementation:
    return replace(
        body,
        parameters=flat.variables(body.parameters),
        results=flat.variables(body.results),
        variables=flat.variables(body.variables),
        body=_block(flat, body.body),
    )


def _clauses(flat: Flattener, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    return tuple([replace(clause, condition=flat.one(clause.condition)) for clause in clauses])


def _block(flat: Flattener, block: Block) -> Block:
    """Inner blocks first, without recursion."""
    order = [block]
    for outer in order:
        order += [inner for statement in outer for inner in blocks(statement)]
    done: dict[int, Block] = {}
    for outer in reversed(order):
        done[id(outer)] = tuple([_statement(flat, statement, done) for statement in outer])
    return done[id(block)]


def _statement(flat: Flattener, statement: Statement, done: dict[int, Block]) -> Statement:
    match statement:
        case Assert(_, condition) | Assume(_, condition):
            return replace(statement, condition=flat.one(condition))
        case Assign(at, targets, values):
            return Assign(at, flat.names(targets), flat.listed(values))
        case Havoc(at, targets):
            return Havoc(at, flat.names(targets))
        case Call():
            return replace(statement, results=flat.names(statement.results), arguments=flat.listed(statement.arguments))
        case If(at, condition, then, otherwise):
            asked = None if condition is None else flat.one(condition)
            return If(at, asked, done[id(then)], done[id(otherwise)])
        case While(_, condition, invariants, body):
            asked = None if condition is None else flat.one(condition)
            return replace(statement, condition=asked, invariants=_clauses(flat, invariants), body=done[id(body)])
    return statement
