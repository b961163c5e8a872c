"""Boogie expressions back into text, with a parenthesis around everything that has an operator: shows how a text was read."""

from lemmata.frontends.boogie.check.types import type_text
from lemmata.frontends.boogie.reader import read_program
from lemmata.frontends.boogie.syntax.lexer import read_words
from lemmata.frontends.boogie.syntax.parser import parse_declarations
from lemmata.frontends.programs.tree import (
    Apply,
    Binary,
    Block,
    Conditional,
    Convert,
    Expression,
    Extract,
    Field,
    Literal,
    Name,
    Old,
    Quantified,
    Select,
    Store,
    StructValue,
    Unary,
    WithField,
)


def written(e: Expression) -> str:
    match e:
        case Literal(_, value, kind):
            word = str(value).lower()
            return f"{word}{type_text(kind)}" if type_text(kind).startswith("bv") else word
        case Name(_, text):
            return text
        case Unary(_, op, argument):
            return f"({op}{written(argument)})"
        case Binary(_, op, left, right):
            return f"({written(left)} {op} {written(right)})"
        case Conditional(_, condition, then, otherwise):
            return f"(if {written(condition)} then {written(then)} else {written(otherwise)})"
        case Select(_, mapping, indices):
            return f"{written(mapping)}[{listed(indices)}]"
        case Store(_, mapping, indices, value):
            return f"{written(mapping)}[{listed(indices)} := {written(value)}]"
        case Extract(_, argument, high, low):
            return f"{written(argument)}[{high}:{low}]"
        case Apply(_, function, arguments):
            return f"{function}({listed(arguments)})"
        case Convert(_, kind, argument):
            return f"{kind.name}({written(argument)})"
        case Old(_, argument):
            return f"old({written(argument)})"
        case Quantified(_, quantifier, variables, body):
            names = ", ".join([f"{variable.name} : {type_text(variable.type)}" for variable in variables])
            return f"({quantifier} {names} :: {written(body)})"
        case StructValue(_, fields):
            return "{ " + ", ".join([f"{name}: {written(value)}" for name, value in fields]) + " }"
        case Field(_, struct, name):
            return f"{written(struct)}!{name}"
        case WithField(_, struct, name, value):
            return f"{written(struct)} with {name}: {written(value)}"


def listed(expressions: tuple[Expression, ...]) -> str:
    return ", ".join(map(written, expressions))


def parsed(text: str):
    """All declarations of a text."""
    return parse_declarations(read_words(text.encode(), "p.bpl"))


def read(text: str) -> str:
    """How an expression is read."""
    (axiom,) = parsed(f"axiom {text};").axioms
    return written(axiom.condition)


def body_of(statements: str) -> Block:
    """The statements of a body, not checked."""
    (procedure,) = parsed("procedure p() {" + statements + "}").procedures
    return procedure.implementations[0].body


def program(text: str):
    """A checked program."""
    return read_program(text.encode(), "p.bpl")
