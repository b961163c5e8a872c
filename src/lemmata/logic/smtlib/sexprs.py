"""S-expressions with their places in the text; read without recursion, so that depth is no matter.

``Tokens`` cuts a text into words as they are wanted: nothing is kept of what was read before. Who knows what comes reads words
(``term_reader`` makes terms of them directly), who does not reads a ``Sexpr``.

The spelling of a word tells its kind (SMT-LIB 2.6, section 3.1): a literal begins with a digit, ``#`` or ``"``, a keyword with
``:``, a comment with ``;``, and a symbol with none of these. ``|x|`` and ``x`` are one symbol, which ``spelled`` writes ``x``;
but ``|5|``, ``|:next|``, ``|; note|`` and ``|let|`` keep their bars, since without them they are no symbols. So a table
of symbols whose keys are spelled in this way never meets a literal, a keyword, a comment or a reserved word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lemmata.errors import InputError, Place, Unsupported
from lemmata.values import dataclass

TOKEN = re.compile(r"""[()]|[^ \t\r\n()|";]+|\|[^|\\]*\||"(?:[^"]|"")*"|;[^\n]*|[|"]""")
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*")
_RESERVED = {"!", "_", "as", "let", "exists", "forall", "lambda", "match", "par"}
_RESERVED |= {"BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"}


@dataclass(frozen=True, slots=True)
class SexprAtom:
    """A word, as ``spelled`` writes it."""

    text: str
    at: int  # offset in the text

    @property
    def is_symbol(self) -> bool:
        """Is it neither a literal nor a keyword nor a reserved word?"""
        return self.text[0] not in '0123456789#":' and self.text not in _RESERVED

    @property
    def name(self) -> str:
        """The name that a symbol writes: without bars."""
        return self.text[1:-1] if self.text[0] == "|" else self.text


@dataclass(frozen=True, slots=True)
class Listing:
    """What stands between two parentheses."""

    items: tuple[Sexpr, ...]
    at: int

    @property
    def head(self) -> str:
        """The first word, if it is one."""
        match self.items:
            case (SexprAtom(text), *_):
                return text
        return ""


Sexpr = SexprAtom | Listing


def spelled(word: str) -> str:
    """The one spelling of a word: a symbol has bars if, and only if, it needs them."""
    if word[0] == "|":
        return word[1:-1] if _SIMPLE.fullmatch(word, 1, len(word) - 1) and word[1:-1] not in _RESERVED else word
    return word if word[0] in '0123456789#":()' or _SIMPLE.fullmatch(word) else f"|{word}|"


def atom_of(word: str, at: int) -> SexprAtom:
    """A word of the text, which is no parenthesis."""
    return SexprAtom(spelled(word), at)


class SexprText:
    """A text that knows where it is."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self._file = file
        self._counted = (0, 1)  # an offset, and its line

    def place(self, at: int) -> Place:
        """Line and column of an offset."""
        return Place(self._file, self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at))

    def line(self, at: int) -> int:
        """The line of an offset; quick where offsets grow from call to call."""
        last, line = self._counted
        line = line + self.text.count("\n", last, at) if at >= last else self.text.count("\n", 0, at) + 1
        self._counted = at, line
        return line

    def error(self, at: int, cause: str, remedy: str = "") -> InputError:
        """An error at an offset, with line and column."""
        return InputError(self.place(at), cause, remedy)

    def unsupported(self, at: int, cause: str, remedy: str = "") -> Unsupported:
        """The same for what is legal, but not handled."""
        return Unsupported(self.place(at), cause, remedy)


class Tokens:
    """The words of a text, one after the other, without comments; ``matches`` has comments, too."""

    def __init__(self, text: SexprText) -> None:
        self.text = text
        self.open_at: int | None = None  # a parenthesis around what is read, which a caller has opened
        self.matches: Iterator[re.Match[str]] = iter(())
        self.seek(0)

    def seek(self, at: int) -> None:
        """Go on reading at an offset."""
        self.matches = TOKEN.finditer(self.text.text, at)

    def find(self) -> tuple[str, int] | None:
        """The next word and its offset, or ``None`` at the end."""
        for match in self.matches:
            if match[0][0] != ";":
                return self.checked(match), match.start()
        return None

    def take(self) -> tuple[str, int]:
        """The next word and its offset; there has to be one."""
        found = self.find()
        if found is None:
            raise self.unclosed()
        return found

    def checked(self, match: re.Match[str]) -> str:
        """The word, which must have an end."""
        word = match[0]
        if word in ("|", '"'):
            raise self.text.error(match.start(), f"there is no end to this {'symbol' if word == '|' else 'string'}")
        return word

    def unclosed(self) -> InputError:
        """The text ends too early."""
        at = len(self.text.text) if self.open_at is None else self.open_at
        return self.text.error(at, "this parenthesis is never closed")

    def ahead(self) -> int:
        """Where the next word begins, which is not taken; the end of the text if there is none."""
        found = self.find()
        if found is None:
            return len(self.text.text)
        self.seek(found[1])
        return found[1]

    def close(self) -> bool:
        """Is the next word a closing parenthesis? It is taken in any case."""
        return self.take()[0] == ")"

    def node(self) -> Sexpr:
        """The next expression, whatever it is."""
        return self.node_from(*self.take())

    def node_from(self, word: str, at: int) -> Sexpr:
        """The expression that begins with a word that was taken already."""
        open_at: list[int] = []
        items: list[list[Sexpr]] = [[]]
        while True:
            match word:
                case "(":
                    open_at.append(at)
                    items.append([])
                case ")":
                    if not open_at:
                        raise self.text.error(at, "this parenthesis was never opened")
                    items[-2].append(Listing(tuple(items.pop()), open_at.pop()))
                case _:
                    items[-1].append(atom_of(word, at))
            if not open_at:
                return items[0][0]
            found = self.find()
            if found is None:
                raise self.text.error(open_at[-1], "this parenthesis is never closed")
            word, at = found

    def rest(self) -> tuple[Sexpr, ...]:
        """The expressions up to the closing parenthesis of what a caller has opened."""
        items = []
        while (found := self.take())[0] != ")":
            items.append(self.node_from(*found))
        return tuple(items)
