"""The package pycparser parses; its errors become ours. Nodes are told apart by the names of their classes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from lemmata.errors import Place, UsageError
from lemmata.frontends.c.text import CText

Node = Any  # of pycparser, whose nodes have no common type that is of use here
_DEEPEST = 50_000  # calls of Python, while a file is parsed and translated
_PLACE = re.compile(r":(\d+):(?:(\d+):)?\s*(.*)", re.DOTALL)
INSTALL = "pip install 'lemmata[c]'"


def parse(text: CText) -> Node:
    """The syntax tree of a preprocessed text."""
    try:
        from pycparser.c_lexer import CLexer
        from pycparser.c_parser import CParser, ParseError
    except ImportError:
        raise UsageError(f"C needs the packages pycparser and pcpp: {INSTALL}") from None

    class Lexer(CLexer):  # type: ignore[misc]
        """Remembers the last token, for errors that have no place."""

        last: Node = None

        def token(self) -> Node:
            found = super().token()
            Lexer.last = found or Lexer.last
            return found

    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    try:
        return CParser(lexer=Lexer).parse(text.text, "")
    except ParseError as error:
        found = _PLACE.fullmatch(str(error))
        if found is not None:
            at, cause = text.at(int(found[1]), int(found[2] or 1)), found[3]
        else:
            at = 0 if Lexer.last is None else text.at(Lexer.last.lineno, Lexer.last.column)
            cause = str(error).removeprefix(":").strip()
        cause = f"this is not C near '{cause[8:]}'" if cause.startswith("before: ") else cause[:1].lower() + cause[1:]
        raise text.error(at, cause) from None
    except (AssertionError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        raise text.unsupported(0, "the file is nested too deeply" if deep else "the parser cannot read this file") from None


def kind_of(node: Node) -> str:
    """The name of a node's class."""
    return type(node).__name__


def descendants(node: Node) -> Iterator[Node]:
    """A node and all those below it."""
    stack = [node]
    while stack:
        yield (top := stack.pop())
        stack += [child for _, child in reversed(top.children())]


class Offsets:
    """Where nodes are, as offsets in the text."""

    def __init__(self, text: CText) -> None:
        self._text = text
        self._last = 0

    def of(self, node: Node) -> int:
        """The offset of a node, or of the one before it where it has none."""
        coord = getattr(node, "coord", None)
        if coord is not None:
            self._last = self._text.at(coord.line, coord.column or 1)
        return self._last

    def place(self, node: Node) -> Place:
        """File, line and column."""
        return self._text.place(self.of(node))
