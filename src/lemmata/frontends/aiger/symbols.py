"""The end of an AIGER file: symbols ``<kind><position> <name>``, then ``c`` and the comments.

Names and comments are any bytes. They are read as UTF-8 with *surrogateescape*, so that writing them gives the same bytes.
ABC writes comments right after the ``c``, on the same line: that is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lemmata.errors import InputError, Place
from lemmata.frontends.aiger.header import Header
from lemmata.frontends.aiger.text import AigerText
from lemmata.frontends.files import shown

_SYMBOL = re.compile(rb"([ilobcjf])([0-9]{1,10}) (.*)", re.DOTALL)
_COMMENT = re.compile(rb"c(?![0-9])")


def decode(raw: bytes) -> str:
    """Bytes of the file as text."""
    return raw.decode("utf-8", "surrogateescape")


def read_tail(text: AigerText, header: Header) -> tuple[Mapping[tuple[str, int], str], tuple[str, ...]]:
    """Symbols and comments: all that is left of the file."""
    counts = {
        "i": header.inputs,
        "l": header.latches,
        "o": header.outputs,
        "b": header.bads,
        "c": header.constraints,
        "j": header.justice,
        "f": header.fairness,
    }
    symbols: dict[tuple[str, int], str] = {}
    crlf = text.data[: text.data.index(b"\n")].endswith(b"\r")
    while text.position < len(text.data):
        start = text.position
        end = text.data.find(b"\n", start)
        end = len(text.data) if end < 0 else end
        row = text.data[start:end]
        if _COMMENT.match(row):
            return symbols, _comments(text.data[start + 1 :], crlf)
        place = Place(text.file, offset=start) if header.binary else Place(text.file, text.line, 1)
        _add_symbol(place, row.removesuffix(b"\r") if crlf else row, counts, symbols)
        text.position, text.line = end + 1, text.line + 1
    return symbols, ()


def _add_symbol(place: Place, row: bytes, counts: dict[str, int], symbols: dict[tuple[str, int], str]) -> None:
    found = _SYMBOL.fullmatch(row)
    if not found:
        remedy = "expected 'i0 name', or 'c' before comments; is a count in the header wrong?"
        raise InputError(place, f"{shown(row)} is no symbol", remedy)
    kind, position = decode(found[1]), int(found[2])
    if position >= counts[kind]:
        cause = f"symbol for {kind}{position}, but the header has {counts[kind]} of this kind"
        raise InputError(place, cause, "positions count from 0")
    if (kind, position) in symbols:
        raise InputError(place, f"second symbol for {kind}{position}", "remove one of them")
    symbols[kind, position] = decode(found[3])


def _comments(raw: bytes, crlf: bool) -> tuple[str, ...]:
    if crlf:
        raw = raw.replace(b"\r\n", b"\n")
    lines = raw.removeprefix(b"\n").removesuffix(b"\n").split(b"\n") if raw not in (b"", b"\n") else []
    return tuple(map(decode, lines))
