"""``parse_declarations``: the declarations of a Boogie file; names and types are looked at later."""

from __future__ import annotations

from dataclasses import replace

from lemmata.frontends.boogie.syntax.attributes import refuse_meanings
from lemmata.frontends.boogie.syntax.cursor import Cursor
from lemmata.frontends.boogie.syntax.lexer import END, TokenText
from lemmata.frontends.boogie.syntax.parse_expressions import ExpressionParser
from lemmata.frontends.boogie.syntax.parse_statements import StatementParser
from lemmata.frontends.boogie.syntax.parse_types import TypeParser
from lemmata.frontends.programs.tree import (
    Attributes,
    Axiom,
    Declarations,
    Expression,
    Function,
    Implementation,
    Name,
    Procedure,
    SpecClause,
    TypeDeclaration,
    Variable,
)


def parse_declarations(words: TokenText) -> Declarations:
    """What stands in a file, or an ``InputError`` at the first word that does not fit."""
    return _Parser(words).declarations()


class _Parser:
    """What was read so far."""

    def __init__(self, words: TokenText) -> None:
        self._cursor = Cursor(words)
        self._type_names = _declared_types(words)
        self._types = TypeParser(self._cursor)
        self._expressions = ExpressionParser(self._cursor, self._types)
        self._statements = StatementParser(self._cursor, self._expressions)
        self._read_types: list[TypeDeclaration] = []
        self._variables: list[Variable] = []
        self._axioms: list[Axiom] = []
        self._functions: list[Function] = []
        self._procedures: list[Procedure] = []
        self._loose: list[Implementation] = []

    def declarations(self) -> Declarations:
        """Read to the end."""
        while self._cursor.kind != END:
            self._declaration()
        return Declarations(
            tuple(self._read_types),
            tuple(self._variables),
            tuple(self._axioms),
            tuple(self._functions),
            tuple(self._procedures),
            tuple(self._loose),
        )

    def _declaration(self) -> None:
        cursor = self._cursor
        kind = cursor.kind
        if kind not in ("type", "const", "axiom", "function", "var", "procedure", "implementation"):
            raise cursor.unexpected("a declaration")
        cursor.skip()
        attributes = self._expressions.attributes()
        refuse_meanings(kind, attributes, cursor.source)
        match kind:
            case "type":
                self._type(attributes)
            case "const":
                self._constants(attributes)
            case "axiom":
                at = cursor.at
                self._axioms.append(Axiom(at, self._expressions.expression(), attributes))
                cursor.expect(";")
            case "function":
                self._functions.append(self._function(attributes))
            case "var":
                self._variables += self._variable_list("global", attributes)
            case "procedure":
                self._procedures.append(self._procedure(attributes))
            case _:
                self._loose.append(self._implementation(attributes))

    def _type(self, attributes: Attributes) -> None:
        cursor = self._cursor
        while True:
            name = cursor.name("the name of a type")
            if name.text == "finite" and cursor.kind == "name":
                raise cursor.source.unsupported(name.at, "finite types are not supported")
            parameters: list[str] = []
            while cursor.kind == "name":
                parameters.append(cursor.take())
            synonym = self._types.type() if cursor.skip_if("=") else None
            self._read_types.append(TypeDeclaration(name.at, name.text, tuple(parameters), synonym, attributes))
            if not cursor.skip_if(","):
                break
        cursor.expect(";")

    def _constants(self, attributes: Attributes) -> None:
        cursor = self._cursor
        is_unique = cursor.skip_if("unique")
        attributes += self._expressions.attributes()
        found = self._types.typed_names("const")
        if cursor.kind in ("extends", "complete"):
            raise cursor.source.unsupported(cursor.at, f"the order of constants, '{cursor.kind}', is not supported")
        cursor.expect(";")
        self._variables += [replace(constant, is_unique=is_unique, attributes=attributes) for constant in found]

    def _variable_list(self, kind: str, attributes: Attributes) -> list[Variable]:
        """What follows ``var``."""
        found = self._types.typed_lists(kind, self._where)
        self._cursor.expect(";")
        return [replace(variable, attributes=attributes) for variable in found] if attributes else found

    def _where(self) -> Expression | None:
        return self._expressions.expression() if self._cursor.skip_if("where") else None

    # Functions

    def _function(self, attributes: Attributes) -> Function:
        cursor = self._cursor
        name = cursor.name("the name of a function")
        self._types.no_parameters("a function")
        parameters = self._function_parameters()
        if cursor.skip_if(":"):
            result = self._types.type()
        else:
            cursor.expect("returns")
            cursor.expect("(")
            self._expressions.attributes()
            if cursor.kind == "name" and cursor.ahead() == ":":
                cursor.skip()
                cursor.skip()
            result = self._types.type()
            cursor.expect(")")
        body = None
        if cursor.skip_if("{"):
            for attribute in attributes:
                if attribute.name in ("builtin", "bvbuiltin"):
                    cause = f"'{name.text[:40]}' has a body, and '{attribute.name}' gives it another meaning"
                    raise cursor.source.error(attribute.at, cause, "it is one or the other")
            body = self._expressions.expression()
            cursor.expect("}")
        else:
            cursor.expect(";")
        return Function(name.at, name.text, parameters, result, body, attributes)

    def _function_parameters(self) -> tuple[Variable, ...]:
        """``(x : int, y, z : int)`` or ``(int, int)``: a name alone is a type if there is one of that name."""
        cursor = self._cursor
        cursor.expect("(")
        groups = cursor.listed(")", self._parameter_group)
        return tuple([parameter for group in groups for parameter in group])

    def _parameter_group(self) -> list[Variable]:
        attributes = self._expressions.attributes()
        names = self._parameter_names() or [Name(self._cursor.at, "")]
        kind = self._types.type()
        return [Variable(name.at, "parameter", name.text, kind, attributes=attributes) for name in names]

    def _parameter_names(self) -> list[Name]:
        """``x, y :``, if that is what comes."""
        cursor = self._cursor
        ahead = 0
        while cursor.ahead(ahead) == "name" and cursor.ahead(ahead + 1) == ",":
            ahead += 2
        is_named = cursor.ahead(ahead) == "name" and cursor.ahead(ahead + 1) == ":"
        if not is_named or (ahead and cursor.text in self._type_names):
            return []
        names = cursor.names()
        cursor.expect(":")
        return names

    # Procedures

    def _signature(self) -> tuple[Name, tuple[Variable, ...], tuple[Variable, ...]]:
        cursor = self._cursor
        name = cursor.name("the name of a procedure")
        self._types.no_parameters("a procedure")
        parameters = self._parameters("parameter")
        results = self._parameters("result") if cursor.skip_if("returns") else ()
        return name, parameters, results

    def _parameters(self, kind: str) -> tuple[Variable, ...]:
        cursor = self._cursor
        cursor.expect("(")
        found = [] if cursor.kind == ")" else self._types.typed_lists(kind, self._where, self._expressions.attributes)
        cursor.expect(")")
        return tuple(found)

    def _procedure(self, attributes: Attributes) -> Procedure:
        cursor = self._cursor
        name, parameters, results = self._signature()
        has_body = not cursor.skip_if(";")
        requires: list[SpecClause] = []
        ensures: list[SpecClause] = []
        modifies: list[Name] = []
        while cursor.kind in ("requires", "ensures", "modifies", "free"):
            if cursor.skip_if("modifies"):
                modifies += cursor.names("a variable") if cursor.kind != ";" else ()
                cursor.expect(";")
            else:
                kind, clause = self._clause()
                (requires if kind == "requires" else ensures).append(clause)
        bodies: tuple[Implementation, ...] = ()
        if has_body:
            bodies = (self._body(name, parameters, results, attributes),)
        return Procedure(
            name.at, name.text, parameters, results, tuple(requires), tuple(ensures), tuple(modifies), bodies, attributes
        )

    def _clause(self) -> tuple[str, SpecClause]:
        cursor, at = self._cursor, self._cursor.at
        is_free = cursor.skip_if("free")
        if cursor.kind not in ("requires", "ensures"):
            raise cursor.unexpected("'requires' or 'ensures'")
        kind = cursor.take()
        attributes = self._expressions.attributes()
        condition = self._expressions.expression()
        cursor.expect(";")
        return kind, SpecClause(at, condition, is_free, attributes)

    def _implementation(self, attributes: Attributes) -> Implementation:
        return self._body(*self._signature(), attributes)

    def _body(
        self, name: Name, parameters: tuple[Variable, ...], results: tuple[Variable, ...], attributes: Attributes
    ) -> Implementation:
        cursor = self._cursor
        cursor.expect("{")
        variables: list[Variable] = []
        while cursor.skip_if("var"):
            variables += self._variable_list("local", self._expressions.attributes())
        block, end = self._statements.block()
        return Implementation(name.at, name.text, parameters, results, tuple(variables), block, end, attributes)


def _declared_types(words: TokenText) -> frozenset[str]:
    """Names after ``type``, wherever they are declared."""
    kinds, texts = words.kinds, words.texts
    return frozenset([texts[at + 1] for at, kind in enumerate(kinds) if kind == "type" and kinds[at + 1] == "name"])
