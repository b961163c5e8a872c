"""The preprocessor (C11 6.10): that of the package pcpp, with headers of ours; or a command of the user's.

``headers/`` has short declarations of what programs include most often; they come after the folders that the user names. A
header that is nowhere is an error. A ``.i`` file is preprocessed already.
"""

from __future__ import annotations

import io
import shlex
import subprocess
from pathlib import Path
from typing import Any

from lemmata.config import COptions
from lemmata.errors import InputError, Place, UsageError
from lemmata.frontends.c.text import CText, as_given, c_text, source_text

HEADERS = Path(__file__).parent / "headers"
_SECONDS = 60  # for the user's own preprocessor
_ALWAYS = ("__STDC__ 1", "__STDC_VERSION__ 201112L", "__STDC_HOSTED__ 1", "__LEMMATA__ 1", "__CHAR_BIT__ 8")


def preprocessed(data: bytes, file: str, options: COptions) -> CText:
    """The text after preprocessing."""
    if options.cpp is not None:
        return c_text(_by_command(file, options), file)
    text = source_text(data, file)
    if Path(file).suffix.lower() == ".i":
        return c_text(text, file, is_file=True)
    return c_text(_by_pcpp(text, file, options), file)


def _by_command(file: str, options: COptions) -> str:
    assert options.cpp is not None
    try:
        words = shlex.split(options.cpp)
    except ValueError as error:
        raise UsageError(f"the preprocessor '{options.cpp}' is no command: {error}") from None
    if not words:
        raise UsageError("the preprocessor is an empty command")
    words += [f"-I{folder}" for folder in options.includes] + [f"-D{define}" for define in options.defines] + [file]
    try:
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise UsageError(f"there is no preprocessor '{words[0]}'") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"the preprocessor '{words[0]}' does not work: {type(error).__name__}") from None
    if done.returncode != 0:
        said = source_text(done.stderr, file).strip().split("\n")[0] or f"it ended with {done.returncode}"
        raise InputError(Place(file), f"the preprocessor refuses the file: {said}")
    return source_text(done.stdout, file)


def _by_pcpp(text: str, file: str, options: COptions) -> str:
    from pcpp import Action, OutputDirective, Preprocessor

    class Reader(Preprocessor):  # type: ignore[misc]
        def on_error(self, name: str, line: int, cause: str) -> None:
            raise InputError(Place(as_given(name or file, file), line, 1), cause[:1].lower() + cause[1:])

        def on_include_not_found(self, is_malformed: bool, is_system: bool, folder: str, path: str) -> None:
            place = Place(as_given(self.source or file, file), self.linemacro or 1, 1)
            if is_malformed:
                raise InputError(place, f"this includes nothing: {path}")
            raise InputError(place, f"there is no header '{path}'", "name its folder with -I, or preprocess with --cpp")

        def on_directive_unknown(self, directive: Any, words: Any, is_passed: bool, before: Any) -> Any:
            said = "".join([token.value for token in words]).strip()
            if directive.value == "line":
                raise OutputDirective(Action.IgnoreAndPassThrough)
            if directive.value in ("warning", "ident", "pragma"):
                raise OutputDirective(Action.IgnoreAndRemove)
            cause = (
                f"#{directive.value} {said}".strip()
                if directive.value == "error"
                else f"there is no directive #{directive.value}"
            )
            raise InputError(Place(as_given(directive.source or file, file), directive.lineno, 1), cause)

    reader = Reader()
    reader.line_directive = "#line"
    for folder in (*options.includes, str(Path(file).parent), str(HEADERS)):
        reader.add_path(folder)
    for define in (*_ALWAYS, *[text.replace("=", " ", 1) if "=" in text else f"{text} 1" for text in options.defines]):
        reader.define(define)
    if options.data_model == "LP64":
        reader.define("__LP64__ 1")
    reader.rewrite_paths = []  # names of files stay absolute
    reader.parse(text, file)
    out = io.StringIO()
    reader.write(out)
    return out.getvalue()
