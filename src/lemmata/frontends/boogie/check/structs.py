"""Programs without structs: a variable of struct type becomes one variable per field, called ``s!base`` as its field is.

Ultimate's dialect has structs for the pointers of C; nothing after this knows of them. An expression becomes one expression per
*leaf* of its type: the leaves of ``{ base : int, offset : int }`` are two integers, those of a map to structs are maps to their
leaves. A struct as an index is several indices. Equality of structs is that of all their leaves, and of maps to structs as
well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.tree import (
    Apply,
    Assert,
    Assign,
    Assume,
    Axiom,
    Binary,
    Block,
    Call,
    Conditional,
    Convert,
    Declarations,
    Expression,
    Extract,
    Field,
    Filled,
    Function,
    Havoc,
    If,
    Implementation,
    Literal,
    MapType,
    Name,
    Old,
    Procedure,
    Quantified,
    Select,
    SpecClause,
    Statement,
    Store,
    StructType,
    StructValue,
    Type,
    TypeDeclaration,
    Unary,
    Variable,
    While,
    WithField,
    blocks,
    parts,
)

Leaves = tuple[Expression, ...]


def leaves_of(kind: Type) -> list[tuple[str, Type]]:
    """The types of the leaves, each with what it adds to a name."""
    match kind:
        case StructType(fields):
            return [(f"!{name}{rest}", leaf) for name, part in fields for rest, leaf in leaves_of(part)]
        case MapType(indices, element):
            flat = tuple([leaf for index in indices for _, leaf in leaves_of(index)])
            return [(rest, MapType(flat, leaf)) for rest, leaf in leaves_of(element)]
    return [("", kind)]


class Flattener:
    """Translates expressions and variables of one program; every variable is translated once."""

    def __init__(self, program: CheckedProgram) -> None:
        self._program = program
        self._variables: dict[Variable, tuple[Variable, ...]] = {}

    def one(self, expression: Expression) -> Expression:
        """An expression with one leaf, as conditions are."""
        (leaf,) = self.leaves(expression)
        return leaf

    def listed(self, expressions: Sequence[Expression]) -> Leaves:
        """All leaves of some expressions."""
        return tuple([leaf for expression in expressions for leaf in self.leaves(expression)])

    def leaves(self, expression: Expression) -> Leaves:
        """The leaves of an expression; parts first, without recursion."""
        order: list[Expression] = []
        stack = [expression]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += parts(node)
        done: dict[Expression, Leaves] = {}
        for node in reversed(order):
            done[node] = self._node(node, done)
        return done[expression]

    def variable(self, variable: Variable) -> tuple[Variable, ...]:
        """The variables that hold the leaves of one."""
        found = self._variables.get(variable)
        if found is None:
            kinds = leaves_of(self._program.type_of(variable))
            where = None if variable.where is None else self.one(variable.where)
            if variable.is_unique and len(kinds) > 1:
                raise self._program.text.unsupported(variable.at, "unique constants that are structs are not supported")
            found = tuple([replace(variable, name=variable.name + rest, type=leaf, where=where) for rest, leaf in kinds])
            self._variables[variable] = found
        return found

    def variables(self, variables: Sequence[Variable]) -> tuple[Variable, ...]:
        """The same for some variables."""
        return tuple([leaf for variable in variables for leaf in self.variable(variable)])

    def names(self, names: Sequence[Name]) -> tuple[Name, ...]:
        """The same for names that are no expressions."""
        return tuple([leaf for name in names for leaf in self._name(name)])

    def _name(self, name: Name) -> tuple[Name, ...]:
        kind = self._program.type_of(self._program.variable_of(name))
        return tuple([Name(name.at, name.text + rest) for rest, _ in leaves_of(kind)])

    def _node(self, node: Expression, done: dict[Expression, Leaves]) -> Leaves:
        match node:
            case Literal():
                return (node,)
            case Name():
                return self._name(node)
            case Unary(_, _, argument) | Convert(_, _, argument) | Extract(_, argument, _, _):
                return (replace(node, argument=done[argument][0]),)
            case Binary():
                return (_compared(node, done[node.left], done[node.right]),)
            case Conditional(at, condition, then, otherwise):
                pairs = zip(done[then], done[otherwise], strict=True)
                return tuple([Conditional(at, done[condition][0], left, right) for left, right in pairs])
            case Select(at, mapping, indices):
                flat = tuple([leaf for index in indices for leaf in done[index]])
                return tuple([Select(at, leaf, flat) for leaf in done[mapping]])
            case Store(at, mapping, indices, value):
                flat = tuple([leaf for index in indices for leaf in done[index]])
                values = zip(done[mapping], done[value], strict=True)
                return tuple([Store(at, leaf, flat, new) for leaf, new in values])
            case Apply(at, function, arguments):
                flat = tuple([leaf for argument in arguments for leaf in done[argument]])
                return tuple([Apply(at, function + rest, flat) for rest, _ in leaves_of(self._program.type_of(node))])
            case Old(at, argument):
                return tuple([Old(at, leaf) for leaf in done[argument]])
            case Quantified(at, quantifier, variables, body):
                return (Quantified(at, quantifier, self.variables(variables), done[body][0]),)
            case StructValue(_, fields):
                return tuple([leaf for _, value in fields for leaf in done[value]])
            case Field(_, struct, name):
                return done[struct][self._slice(struct, name)]
            case WithField(_, struct, name, value):
                place = self._slice(struct, name)
                return (*done[struct][: place.start], *done[value], *done[struct][place.stop :])
            case Filled():
                raise AssertionError("Boogie has no text for it")
        assert_never(node)

    def _slice(self, struct: Expression, name: str) -> slice:
        """Which leaves of a struct are those of a field."""
        kind = self._program.type_of(struct)
        assert isinstance(kind, StructType)
        start = 0
        for field, part in kind.fields:
            count = len(leaves_of(part))
            if field == name:
                return slice(start, start + count)
            start += count
        raise AssertionError(name)


def _compared(node: Binary, left: Leaves, right: Leaves) -> Expression:
    """``s == t`` is true when all leaves are equal, ``s != t`` when some are not."""
    joined = [Binary(node.at, node.op, first, second) for first, second in zip(left, right, strict=True)]
    whole: Expression = joined[0]
    for pair in joined[1:]:
        whole = Binary(node.at, "&&" if node.op == "==" else "||", whole, pair)
    return whole


def without_structs(program: CheckedProgram, types: tuple[TypeDeclaration, ...]) -> Declarations:
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


def _function(program: CheckedProgram, flat: Flattener, function: Function) -> list[Function]:
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


def _clauses(flat: Flattener, clauses: tuple[SpecClause, ...]) -> tuple[SpecClause, ...]:
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
