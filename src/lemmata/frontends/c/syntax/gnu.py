"""What the parser adds to pycparser's C: generic selections (C11 6.5.1.1), suffixes of compound literals, and of GNU C
``a ?: b``, ``case 1 ... 5``, ``typeof``, ``__alignof__`` of expressions, and statements in expressions (GCC manual 6.1 to 6.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import CParser


class _Extension(c_ast.Node):  # type: ignore[misc]
    """A node whose parts are those that it was made of."""

    __slots__ = ("__weakref__", "coord", "parts")
    attr_names = ()

    def __init__(self, parts: list[Any], coord: Any) -> None:
        self.parts = parts
        self.coord = coord

    def children(self) -> tuple[tuple[str, Any], ...]:
        """As all nodes of pycparser have them."""
        return tuple([(f"parts[{number}]", part) for number, part in enumerate(self.parts)])

    def __iter__(self) -> Iterator[Any]:
        yield from self.parts


class GenericSelection(_Extension):
    """``_Generic``: what is asked, and for each association its type (``None``: default) and its expression."""

    __slots__ = ("control", "expressions", "types")

    def __init__(self, control: Any, types: list[Any], expressions: list[Any], coord: Any) -> None:
        super().__init__([control, *[kind for kind in types if kind is not None], *expressions], coord)
        self.control, self.types, self.expressions = control, types, expressions


class OmittedOperand(_Extension):
    """``a ?: b``: its parts are ``a`` and ``b``."""

    __slots__ = ()


class CaseRange(_Extension):
    """``low ... high`` in a case."""

    __slots__ = ()


class TypeOf(_Extension):
    """``typeof``: its part is an expression or the name of a type."""

    __slots__ = ()


class StatementExpression(_Extension):
    """``({ … })``: its part is the compound statement."""

    __slots__ = ()


class GnuParser(CParser):  # type: ignore[misc]
    """The parser with these additions."""

    def _parse_assignment_expression(self) -> Any:
        """As in C: to pycparser ``({ … })`` would be one as a whole, and no operand."""
        left = self._parse_conditional_expression()
        if not self._is_assignment_op():
            return left
        sign = self._advance().value
        return c_ast.Assignment(sign, left, self._parse_assignment_expression(), left.coord)

    def _parse_conditional_expression(self) -> Any:
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        if self._accept("COLON"):
            return OmittedOperand([condition, self._parse_conditional_expression()], condition.coord)
        chosen = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, chosen, self._parse_conditional_expression(), condition.coord)

    def _parse_constant_expression(self) -> Any:
        low = self._parse_conditional_expression()
        if self._accept("ELLIPSIS"):  # elsewhere no constant comes before it
            return CaseRange([low, self._parse_conditional_expression()], low.coord)
        return low

    def _parse_unary_expression(self) -> Any:
        kind = self._peek_type()
        if kind not in ("SIZEOF", "_ALIGNOF"):
            return super()._parse_unary_expression()
        token = self._advance()
        named = self._try_parse_paren_type_name()
        if named is not None and self._peek_type() != "LBRACE":
            return c_ast.UnaryOp(token.value, named[0], self._tok_coord(token))
        if named is not None:
            self._reset(named[1])
        return c_ast.UnaryOp(token.value, self._parse_unary_expression(), self._tok_coord(token))

    def _parse_postfix_expression(self) -> Any:
        named = self._try_parse_paren_type_name()
        if named is None:
            return super()._parse_postfix_expression()
        kind, mark, opened = named
        if not self._accept("LBRACE"):
            self._reset(mark)
            return super()._parse_postfix_expression()
        members = self._parse_initializer_list()
        self._accept("COMMA")
        self._expect("RBRACE")
        return self._with_suffixes(c_ast.CompoundLiteral(kind, members, self._tok_coord(opened)))

    def _with_suffixes(self, node: Any) -> Any:
        while True:
            match self._peek_type():
                case "LBRACKET":
                    self._advance()
                    node = c_ast.ArrayRef(node, self._parse_expression(), node.coord)
                    self._expect("RBRACKET")
                case "PERIOD" | "ARROW":
                    sign = self._advance()
                    node = c_ast.StructRef(node, sign.value, self._parse_identifier_or_typeid(), node.coord)
                case "PLUSPLUS" | "MINUSMINUS":
                    node = c_ast.UnaryOp(f"p{self._advance().value}", node, node.coord)
                case _:
                    return node

    def _parse_primary_expression(self) -> Any:
        if self._peek_type() == "_GENERIC":
            return self._generic()
        if self._peek_type() == "LPAREN" and self._peek_type(2) == "LBRACE":
            opened = self._advance()
            body = self._parse_compound_statement()
            self._expect("RPAREN")
            return StatementExpression([body], self._tok_coord(opened))
        return super()._parse_primary_expression()

    def _generic(self) -> GenericSelection:
        token = self._advance()
        self._expect("LPAREN")
        control = self._parse_assignment_expression()
        types: list[Any] = []
        expressions: list[Any] = []
        while self._accept("COMMA"):
            types.append(None if self._accept("DEFAULT") else self._parse_type_name())
            self._expect("COLON")
            expressions.append(self._parse_assignment_expression())
        self._expect("RPAREN")
        return GenericSelection(control, types, expressions, self._tok_coord(token))

    def _starts_expression(self, tok: Any = None) -> bool:
        token = tok or self._peek()
        return super()._starts_expression(tok) or (token is not None and token.type == "_GENERIC")

    def _build_declarations(self, spec: Any, decls: list[Any], typedef_namespace: bool = False) -> Any:
        """Where there is no name pycparser looks for one among the specifiers, of which ``typeof`` is none."""
        found = [kind for kind in spec["type"] if isinstance(kind, TypeOf)]
        name = decls[0].get("decl") if decls else None
        while name is not None and hasattr(name, "type"):
            name = getattr(name, "declname", None) or name.type
        if found and not isinstance(name, str):
            self._parse_error("this declares nothing", found[0].coord)
        return super()._build_declarations(spec=spec, decls=decls, typedef_namespace=typedef_namespace)

    def _parse_atomic_specifier(self) -> Any:
        """Tokens of ``typeof`` are of this kind, since both stand in the same places."""
        if self._peek().value != "typeof":
            return super()._parse_atomic_specifier()
        coord = self._tok_coord(self._advance())
        self._expect("LPAREN")
        part = self._parse_type_name() if self._starts_declaration() else self._parse_expression()
        self._expect("RPAREN")
        return TypeOf([part], coord)
