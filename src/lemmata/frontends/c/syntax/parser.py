"""The package pycparser parses; its errors become ours. Nodes are told apart by the names of their classes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from lemmata.errors import Place, UsageError
from lemmata.frontends.c.syntax.text import CText, plain_text

Node = Any  # of pycparser, whose nodes have no common type that is of use here
_STACK_CALLS = 50_000  # calls of Python on its stack, while a file is parsed and translated
SIZES = ("sizeof", "_Alignof", "__alignof__")  # operators whose operand is not evaluated
_PLACE = re.compile(r":(\d+):(?:(\d+):)?\s*(.*)", re.DOTALL)
_INSTALL = "pip install 'lemmata[c]'"
_RELEASE = "3.00"  # what pycparser says of itself; the one in pyproject.toml


class ParserToken:
    """A token as pycparser wants it; ``lineno`` is the offset in the text."""

    __slots__ = ("column", "lineno", "type", "value")

    def __init__(self, kind: str, value: str, at: int) -> None:
        self.type = kind
        self.value = value
        self.lineno = at
        self.column = 1


class Lexer:
    """Hands the lexemes of a text to pycparser, which tells what names types, and where blocks begin and end."""

    filename = ""
    text: CText  # that is parsed; set before the parser asks

    def __init__(self, error_func: Any, on_lbrace_func: Any, on_rbrace_func: Any, type_lookup_func: Any) -> None:
        self._opened = on_lbrace_func
        self._closed = on_rbrace_func
        self._is_type = type_lookup_func
        self.position = 0

    def input(self, text: CText, filename: str = "") -> None:
        """Begin with a text."""
        self.text = text
        self.position = 0

    def token(self) -> ParserToken | None:
        """The next token, or ``None`` at the end."""
        lexemes, position = self.text.lexemes, self.position
        if position == len(lexemes.kinds):
            return None
        self.position = position + 1
        kind, value = lexemes.kinds[position], lexemes.values[position]
        if kind == "ID":
            if self._is_type(value):
                kind = "TYPEID"
        elif kind == "LBRACE":
            self._opened()
        elif kind == "RBRACE":
            self._closed()
        return ParserToken(kind, value, lexemes.starts[position])

    def last(self) -> int:
        """The offset of the last token that was asked for."""
        return self.text.lexemes.starts[self.position - 1] if self.position else 0


def parse(text: CText) -> Node:
    """The syntax tree of a preprocessed text."""
    try:
        from pycparser import __version__ as version
        from pycparser.c_parser import ParseError
    except ImportError:
        raise UsageError(f"C needs the package pycparser: {_INSTALL}") from None
    if version != _RELEASE:
        raise UsageError(f"C needs pycparser {_RELEASE}, and this is {version}, whose trees may say more: {_INSTALL}")

    from lemmata.frontends.c.syntax.gnu import GnuParser

    sys.setrecursionlimit(max(sys.getrecursionlimit(), _STACK_CALLS))
    parser = GnuParser(lexer=Lexer)
    try:
        tree = parser.parse(text, "")
    except ParseError as error:
        found = _PLACE.fullmatch(str(error))
        at, cause = (int(found[1]), found[3]) if found else (parser.clex.last(), str(error).removeprefix(":").strip())
        cause = f"this is not C near '{cause[8:]}'" if cause.startswith("before: ") else cause[:1].lower() + cause[1:]
        raise text.error(at, cause) from None
    except (AssertionError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        cause = "the file is nested too deeply" if deep else "the parser cannot read this file"
        raise text.unsupported(parser.clex.last(), cause) from None
    if text.lexemes.names_functions:
        _name_functions(tree)
    return tree


def _name_functions(tree: Node) -> None:
    """C11 6.4.2.2: a function that uses ``__func__`` begins with its declaration."""
    for function in tree.ext:
        if kind_of(function) == "FuncDef" and any(getattr(n, "name", None) == "__func__" for n in descendants(function.body)):
            name = function.decl.name
            made = parse(plain_text(f'void f(void) {{ static const char name[] = "{name}"; }}', "<function>"))
            declaration = made.ext[0].body.block_items[0]
            declaration.name = declaration.type.type.declname = "__func__"
            for node in descendants(declaration):
                node.coord = function.body.coord
            function.body.block_items = [declaration, *(function.body.block_items or [])]


def kind_of(node: Node) -> str:
    """The name of a node's class."""
    return type(node).__name__


def descendants(node: Node) -> Iterator[Node]:
    """A node and all those below it."""
    stack = [node]
    while stack:
        yield (top := stack.pop())
        stack += [child for _, child in reversed(top.children())]


def leaving(node: Node) -> Iterator[Node]:
    """Statements below a node that may leave it, or are jumped to."""
    stack = [(node, True, True)]
    while stack:
        top, may_break, may_continue = stack.pop()
        kind = kind_of(top)
        is_jump = (kind == "Break" and may_break) or (kind == "Continue" and may_continue)
        if is_jump or kind in ("Return", "Goto", "Label"):
            yield top
        is_loop = kind in ("While", "DoWhile", "For")
        inner = (may_break and not (is_loop or kind == "Switch"), may_continue and not is_loop)
        stack += [(child, *inner) for _, child in top.children()]


class Offsets:
    """Where nodes are, as offsets in the text."""

    def __init__(self, text: CText) -> None:
        self._text = text
        self._last = 0

    def of(self, node: Node) -> int:
        """The offset of a node, or of the one before it where it has none."""
        coord = getattr(node, "coord", None)
        if coord is not None:
            self._last = coord.line
        return self._last

    def place(self, node: Node) -> Place:
        """File, line and column."""
        return self._text.place(self.of(node))
