"""S-expressions with their places in the text; read without recursion, so that depth is no matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lemmata.errors import InputError, Place

_TOKEN = re.compile(r"""\s+|;[^\n]*|[()]|\|[^|\\]*\||"(?:[^"]|"")*"|[^\s()|";]+""")


@dataclass(frozen=True, slots=True)
class Atom:
    """A word; ``|quoted|`` symbols come without their bars, which ``is_quoted`` remembers."""

    text: str
    at: int  # offset in the text
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """What stands between two parentheses."""

    items: tuple[Node, ...]
    at: int

    @property
    def head(self) -> str:
        """The first word, if it is one and not quoted."""
        match self.items:
            case (Atom(text, _, False), *_):
                return text
        return ""


Node = Atom | Listing


class Text:
    """A text that knows where it is."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file

    def error(self, at: int, cause: str, remedy: str = "") -> InputError:
        """An error at an offset, with line and column."""
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        return InputError(Place(self._file, line, column), cause, remedy)

    def nodes(self) -> Iterator[Node]:
        """The expressions of the text, one after the other."""
        open_at: list[int] = []
        items: list[list[Node]] = [[]]
        for token, at in self._tokens():
            match token:
                case "(":
                    open_at.append(at)
                    items.append([])
                case ")":
                    if not open_at:
                        raise self.error(at, "this parenthesis was never opened")
                    items[-2].append(Listing(tuple(items.pop()), open_at.pop()))
                case _ if token[0] == "|":
                    items[-1].append(Atom(token[1:-1], at, True))
                case _:
                    items[-1].append(Atom(token, at))
            if not open_at:
                yield items[0].pop()
        if open_at:
            raise self.error(open_at[-1], "this parenthesis is never closed")

    def _tokens(self) -> Iterator[tuple[str, int]]:
        at, text = 0, self._text
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self.error(at, f"there is no end to this {'symbol' if text[at] == '|' else 'string'}")
            token = found[0]
            if not (token[0].isspace() or token[0] == ";"):
                yield token, at
            at = found.end()
