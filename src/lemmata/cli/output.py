"""Standard output and standard error, whatever is on their other end."""

from __future__ import annotations

import os
import sys

_SIGNS = {"¬": "!", "∨": "|", "∧": "&", "⊕": "^", "↔": "<->", "→": "->", "…": "...", "′": "'"}
_ASCII = str.maketrans(
    {"¬": "!", "∨": "|", "∧": "&", "⊕": "^", "↔": "<->", "→": "->", "…": "...", "′": "'"}
    | dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
)


def say(text: str) -> None:
    """Print to standard output. A reader that has gone away (``| head``) ends the printing, not the program."""
    try:
        print(_encodable(text), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Print one line to standard error."""
    try:
        print(f"lemmata: {text}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def is_rich() -> bool:
    """May standard output have colours?"""
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


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
