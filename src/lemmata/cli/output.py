"""Standard output and standard error, whatever is on their other end."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, TextIO

from click.exceptions import Exit

from lemmata.cli.codes import BROKEN
from lemmata.escapes import printable, printable_lines

if TYPE_CHECKING:
    from rich.console import Console

_ASCII = str.maketrans(
    {"¬": "!", "∨": "|", "∧": "&", "⊕": "^", "↔": "<->", "→": "->", "…": "...", "′": "'"}
    | {"≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "ₛ": "s"}
    | dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
)


class OnlyThisThread:
    """Standard output for the thread that makes this; what others print, as libraries do, goes to standard error."""

    def __init__(self) -> None:
        self._ours = sys.stdout
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        """To the one or the other."""
        return (self._ours if threading.get_ident() == self._thread else sys.stderr).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ours, name)


def say(text: str) -> None:
    """Print lines to standard output, escaped. A reader that has gone away (``| head``) ends the printing, not the program."""
    try:
        print(_encodable(printable_lines(text)), flush=True)
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        _unwritable(error)


def tell(text: str) -> None:
    """The same for what goes on only while somebody reads it: ``Exit`` where the reader has gone away."""
    try:
        print(_encodable(printable_lines(text)), flush=True)
    except BrokenPipeError:
        _discard(sys.stdout)
        raise Exit(0) from None
    except OSError as error:
        _unwritable(error)


def _unwritable(error: OSError) -> None:
    """Standard output takes no more: say so, and end."""
    _discard(sys.stdout)
    complain(f"cannot write to standard output: {(error.strerror or str(error)).lower()}")
    raise Exit(BROKEN)


def complain(text: str) -> None:
    """Print one line to standard error, if there is one."""
    if sys.stderr is None:
        return
    try:
        print(f"lemmata: {printable(text)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def discard_output() -> None:
    """From now on standard output leads nowhere."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    """From now on ``stream`` leads nowhere, also what it still holds."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_rich() -> bool:
    """May standard output have colours (and signs)? ``NO_COLOR`` says no, ``FORCE_COLOR`` yes, else terminals have them."""
    if sys.stdout is None or not _is_unicode(sys.stdout.encoding) or os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")


def rich_console(highlight: bool = True, is_told: bool = False) -> Console:
    """Standard output with colours, also where it is no terminal: ``is_rich`` was asked before. ``is_told``: see ``tell``."""
    from lemmata.cli.console import OutputConsole

    return OutputConsole(highlight, is_told)


def columns() -> int:
    """How wide standard output is; what is no terminal is as wide as most pages, unless ``COLUMNS`` says otherwise."""
    import shutil

    from lemmata.models.timeline import PAGE_WIDTH

    return shutil.get_terminal_size((PAGE_WIDTH, 24)).columns


def _is_unicode(encoding: str | None) -> bool:
    return (encoding or "").lower().replace("_", "-") in ("utf-8", "utf8")


def is_live() -> bool:
    """May standard error have a live line?"""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _encodable(text: str) -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text
