"""Text that a preprocessor wrote: no macros, and of the directives only markers of lines, pragmas and what says nothing."""

from __future__ import annotations

from pathlib import Path

from lemmata.frontends.c.preprocessor.macros import HASHES
from lemmata.frontends.c.preprocessor.pragmas import Pragmas, destringized
from lemmata.frontends.c.preprocessor.sources import SourceFile, Sources
from lemmata.frontends.c.preprocessor.tokens import LINE, NUMBER, PUNCTUATOR, STRING, CToken

_SILENT = frozenset({"define", "undef", "ident", "sccs", "warning"})  # as for gcc, which replaces nothing in such a file


def without_directives(source: SourceFile, sources: Sources, file: Path) -> list[CToken]:
    """The tokens of the text; places are those that its markers tell. ``file`` is the user's, as the user wrote it."""
    found: list[CToken] = []
    tokens = source.tokens()
    pragmas = Pragmas(sources)
    position, is_first = 0, True
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if not (is_first and token.kind is PUNCTUATOR and token.text in HASHES):
            found.append(token)
            is_first = token.kind is LINE
            continue
        words = []
        while tokens[position].kind is not LINE:
            words.append(tokens[position])
            position += 1
        _obey(words, token.at, tokens[position].at, source, pragmas, file)
        position += 1
    return found


def _obey(words: list[CToken], at: int, end: int, source: SourceFile, pragmas: Pragmas, file: Path) -> None:
    """``# 12 "file.c" 1 3``, ``#line 12 "file.c"``, ``#pragma …``."""
    if not words:
        return
    name = words[0].text
    marker = words[1:] if name == "line" else words
    if marker and marker[0].kind is NUMBER:
        if not (marker[0].text.isascii() and marker[0].text.isdecimal() and len(marker[0].text) <= 10):
            raise source.error(at, "#line needs a number")
        is_named = len(marker) > 1 and marker[1].kind is STRING
        renamed = as_given(destringized(marker[1].text), file) if is_named else str(source.place(at).file)
        source.rename(end, int(marker[0].text), renamed)
    elif name == "pragma":
        pragmas.obey(words[1:], at)
    elif name not in _SILENT:
        raise source.error(at, f"the directive #{name[:40]} in a file that is preprocessed already", "call it FILE.c")


def as_given(name: str, file: Path) -> str:
    """The name of a file beside ``file`` in the way the user wrote it; preprocessors make it absolute."""
    path = Path(name)
    return str(file.parent / path.name) if path.is_absolute() and path.parent == file.absolute().parent else name
