"""The text that the parser reads, as tokens that know where they came from."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from lemmata.errors import InputError, Place
from lemmata.frontends.c.preprocessor.sources import SourceFile, Sources
from lemmata.frontends.c.preprocessor.tokens import CToken
from lemmata.frontends.c.syntax.lexemes import Lexemes
from lemmata.frontends.c.syntax.lexical import Lexing
from lemmata.frontends.programs.source import SourceText


class CText(SourceText):
    """Preprocessed text; places are those of the files that it was made of.

    Offsets are those of ``text``, which is for quotations: what is parsed are the ``lexemes``. ``main`` is the file that was
    read; ``is_output`` says that it is what a preprocessor of the user's made of it.
    """

    __slots__ = ("_is_output", "_main", "_sources", "lexemes")

    def __init__(self, lexemes: Lexemes, file: str, sources: Sources, main: SourceFile, is_output: bool = False) -> None:
        self.text = lexemes.text
        self.file = file
        self.lexemes = lexemes
        self._sources = sources
        self._main = main
        self._is_output = is_output

    def _origin(self, at: int) -> int:
        """The offset in the sources."""
        number = bisect_right(self.lexemes.starts, at)
        return self.lexemes.origins[max(0, number - 1)] if self.lexemes.origins else self._main.base

    def line(self, at: int) -> int:
        """The line in the file that has it."""
        return self.place(at).line or 1

    def place(self, at: int) -> Place:
        """File, line and column of an offset; what a macro makes is where the macro was used."""
        return self._sources.place(self._origin(at))

    def spot(self, at: int) -> tuple[int, int] | None:
        """Line and column in the file as it is; ``None`` for what comes from a header."""
        origin = self._origin(at)
        if self._is_output:
            place = self._sources.place(origin)
            return (place.line or 1, place.column or 1) if Path(place.file) == Path(self.file) else None
        return self._main.spot(origin) if self._sources.of(origin) is self._main else None


def c_text(
    tokens: list[CToken], file: str, sources: Sources, main: SourceFile, data_model: str = "LP64", is_output: bool = False
) -> CText:
    """Tokens from a preprocessor, ready to be parsed."""
    return CText(Lexing(tokens, sources, data_model).lexemes(), file, sources, main, is_output)


def plain_text(text: str, file: str) -> CText:
    """Text that is no file of its own, and has no directives."""
    sources = Sources()
    source = sources.add(file, text)
    return c_text(source.tokens(), file, sources, source)


def source_text(data: bytes, file: str) -> str:
    """The bytes as text: UTF-8, and where they are not, a character per byte that remembers it (5.2.1 leaves it open)."""
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise InputError(Place(file, line, 1), "there is a zero byte in the text", "is this C?")
    text = data.decode("utf-8-sig", "surrogateescape")
    return text.replace("\r\n", "\n") if "\r" in text else text
