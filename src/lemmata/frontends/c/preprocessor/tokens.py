"""Preprocessing tokens (C11 6.4): ``scan`` takes a text apart, after lines are spliced and while comments become blanks.

Trigraphs stay what they are, as with gcc. A quote without its partner takes the rest of its line (6.4p3 leaves it
open, gcc does so): such a token is ``STRAY``, and wrong where it is used, but not in a group that is skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, Literal

TokenKind = Literal["name", "number", "string", "character", "punctuator", "line", "stray", "placemarker"]
NAME: Final = "name"
NUMBER: Final = "number"
STRING: Final = "string"
CHARACTER: Final = "character"
PUNCTUATOR: Final = "punctuator"
LINE: Final = "line"  # the end of a line
STRAY: Final = "stray"  # no token
PLACEMARKER: Final = "placemarker"  # nothing at all (6.10.3.3p2)

_UCN = r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_LETTER = r"\x00-\#%-@\[-^`{-\x7f"  # the characters that are none; beyond ASCII all are, until a name is used
_WORD = r"\x00-\#%-/:-@\[-^`{-\x7f"  # those that are neither a letter nor a digit
_TOKEN = re.compile(
    rf"""([ \t\f\v]*)(?:
      ((?:u8|[uUL])?"(?:[^"\\\n]|\\[^\n])*"|(?:u8|[uUL])?R"[^\n]*)
    | ([uUL]?'(?:[^'\\\n]|\\[^\n])*')
    | ((?:[^{_LETTER}]|{_UCN})[^{_WORD}]*(?:{_UCN}[^{_WORD}]*)*)
    | (\.?[0-9](?:[eEpP][+-]|[^{_WORD}]|\.)*)
    | (//[^\n]*|/\*(?s:.*?)\*/)
    | (/\*)
    | (\n)
    | (%:%:|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[*/%+\-&^|]=|\#\#|<:|:>|<%|%>|%:
        |[][(){{}}.&*+\-~!/%<>^|?:;=,\#])
    | (["'][^\n]*|[^ \t\f\v])
    | \Z )""",
    re.VERBOSE,
)
_KINDS: tuple[TokenKind, ...] = (STRAY, STRAY, STRING, CHARACTER, NAME, NUMBER, STRAY, STRAY, LINE, PUNCTUATOR, STRAY)
_COMMENT, _OPEN, _END = 6, 7, 8  # numbers of groups
_SPLICE = re.compile(r"\\[ \t\f\v]*\n")


class CToken:
    """A token: where it was written, whether blanks are before it, and the macros that must not replace it any more."""

    __slots__ = ("at", "hidden", "kind", "space", "text")

    def __init__(self, kind: TokenKind, text: str, at: int, space: bool = False, hidden: frozenset[str] | None = None) -> None:
        self.kind = kind
        self.text = text
        self.at = at
        self.space = space
        self.hidden = hidden

    def __repr__(self) -> str:
        return f"{self.kind} {self.text!r}"


class OpenComment(Exception):
    """A comment that never ends; ``at`` is its offset."""

    def __init__(self, at: int) -> None:
        self.at = at
        super().__init__("a comment does not end")


def scan(text: str, base: int = 0) -> list[CToken]:
    """The tokens of a text, with offsets from ``base`` on; the last one ends a line. Each line begins as if after a blank."""
    if _SPLICE.search(text) is None:
        return _scanned(text, base)
    pieces, starts, cuts = [], [0], [0]
    end = length = 0
    for found in _SPLICE.finditer(text):
        pieces.append(text[end : found.start()])
        length += found.start() - end
        end = found.end()
        starts.append(length)
        cuts.append(end - length)
    pieces.append(text[end:])
    try:
        tokens = _scanned("".join(pieces), 0)
    except OpenComment as error:
        raise OpenComment(base + error.at + cuts[bisect_right(starts, error.at) - 1]) from None
    for token in tokens:
        token.at += base + cuts[bisect_right(starts, token.at) - 1]
    return tokens


def _scanned(text: str, base: int) -> list[CToken]:
    tokens: list[CToken] = []
    add, kinds = tokens.append, _KINDS
    space = True
    for found in _TOKEN.finditer(text):
        group = found.lastindex or 0
        if group == _COMMENT:
            space = True
        elif group == _END:
            add(CToken(LINE, "\n", base + found.start(_END)))
            space = True
        elif group == _OPEN:
            raise OpenComment(base + found.start(_OPEN))
        elif group > 1:
            written = found[group]
            is_raw = group == 2 and written[0] != '"' and "R" in written[: written.index('"')]
            at = base + found.start(group)
            add(CToken(STRAY if is_raw else kinds[group], written, at, space or found.end(1) > found.start(1)))
            space = False
    if not tokens or tokens[-1].kind is not LINE:
        add(CToken(LINE, "\n", base + len(text)))
    return tokens


def as_one(text: str) -> CToken | None:
    """The text as one token, where it is one (6.10.3.3p3)."""
    found = _TOKEN.fullmatch(text)
    group = 0 if found is None else found.lastindex or 0
    if found is None or group in (1, _COMMENT, _OPEN, _END) or found.end(1) > 0:
        return None
    return CToken(_KINDS[group], text, 0) if _KINDS[group] is not STRAY or len(text) == 1 else None


def spelling_of(tokens: list[CToken]) -> str:
    """How tokens are written, with one blank where there are some (6.10.3.2p2)."""
    parts: list[str] = []
    for token in tokens:
        if token.space and parts:
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts)
