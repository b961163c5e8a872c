"""A file becomes tokens without directives and macros: by the preprocessor of ours, or by a command of the user's.

``headers/`` has short declarations of what programs include most often; they come after the folders that the user names. A
header that is nowhere is an error. A ``.i`` file is preprocessed already.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from lemmata.config import COptions
from lemmata.errors import InputError, Place, UsageError
from lemmata.frontends.c.preprocessor.headers import HeaderSearch
from lemmata.frontends.c.preprocessor.markers import without_directives
from lemmata.frontends.c.preprocessor.reader import Preprocessor
from lemmata.frontends.c.preprocessor.sources import SourceFile, Sources
from lemmata.frontends.c.preprocessor.tokens import CToken
from lemmata.frontends.c.syntax.text import CText, c_text, source_text

HEADERS = Path(__file__).parent / "headers"
_COMMAND_S = 60  # seconds for the user's own preprocessor
_STACK_CALLS = 20_000  # calls of Python on its stack, for macros in arguments of macros, and for files that include files


def preprocessed(data: bytes, file: str, options: COptions) -> CText:
    """The text after preprocessing."""
    sources = Sources()
    if options.cpp is not None:
        source = sources.add(file, _by_command(file, options))
        tokens = without_directives(source, sources, Path(file))
        return c_text(tokens, file, sources, source, options.data_model, is_output=True)
    source = sources.add(file, source_text(data, file))
    is_done = Path(file).suffix.lower() == ".i"
    tokens = without_directives(source, sources, Path(file)) if is_done else own_tokens(source, sources, options)
    return c_text(tokens, file, sources, source, options.data_model)


def own_tokens(source: SourceFile, sources: Sources, options: COptions) -> list[CToken]:
    """The tokens after preprocessing by our own preprocessor (5.1.1.2, phase 4), ends of lines included."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _STACK_CALLS))
    search = HeaderSearch((*options.includes, str(HEADERS)), source_text)
    reader = Preprocessor(sources, search, options.data_model)
    reader.define(options.defines)
    reader.read(source, source.name)
    return reader.out


def _by_command(file: str, options: COptions) -> str:
    import subprocess

    assert options.cpp is not None
    try:
        words = shlex.split(options.cpp)
    except ValueError as error:
        raise UsageError(f"the preprocessor '{options.cpp}' is no command: {error}") from None
    if not words:
        raise UsageError("the preprocessor is an empty command")
    words += [f"-I{folder}" for folder in options.includes] + [f"-D{define}" for define in options.defines] + [file]
    try:
        done = subprocess.run(words, capture_output=True, timeout=_COMMAND_S, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise UsageError(f"there is no preprocessor '{words[0]}'") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"the preprocessor '{words[0]}' does not work: {type(error).__name__}") from None
    if done.returncode != 0:
        said = source_text(done.stderr, file).strip().split("\n")[0] or f"it ended with {done.returncode}"
        raise InputError(Place(file), f"the preprocessor refuses the file: {said}")
    return source_text(done.stdout, file)
