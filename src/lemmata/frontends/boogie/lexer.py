"""Boogie text becomes words, each with its kind and offset.

Comments (``//`` to the end of the line, ``/* … */`` nested) are blanked first, so that one regular expression cuts the rest.
Names may hold ``~ # $ ^ . ? ' ` `` and letters of any language. A backslash before a name is no part of it, and makes a name
of what would be a keyword: ``\\x`` is ``x``, and ``\\int`` is a name. An exclamation mark is negation, a part of ``!=``, or the
access to a field; it is part of a name where that very name is declared (``bangs``). Boogie's mathematical symbols
(``∀ ∧ ⇒``) are read as their words of ASCII. Bytes that are no UTF-8 are errors unless they stand in a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lemmata.errors import InputError
from lemmata.frontends.boogie.bangs import join_names, plain
from lemmata.frontends.boogie.source import SourceText

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "assert assume async atomic axiom bool break call complete const div else ensures exists extends false forall fork "
        "free function goto havoc if implementation int invariant join lambda mod modifies old par procedure real requires "
        "return returns then true type unique var where while yield",
    )
)
_NAME = r"[^\W\d]|[~#$^.?'`]"
_TOKEN = re.compile(
    rf"""\s+
    |(?P<name>\\?(?:{_NAME})(?:\w|[~#$^.?'`])*)
    |(?P<bits>[0-9]+bv[0-9]+)
    |(?P<decimal>[0-9]+\.[0-9]+(?:e[+-]?[0-9]+)?|[0-9]+e[+-]?[0-9]+)
    |(?P<number>[0-9]+)
    |(?P<string>"(?:\\"|[^"\n])*")
    |(?P<sign><==>|==>|<==|==|!=|<=|>=|:=|::|&&|\|\||\+\+|\*\*|<:|[-+*/%<>!(){{}}\[\],;:=])
    |(?P<symbol>[∀∃λ∧∨¬⇒⇐⇔≠≤≥•])""",
    re.VERBOSE,
)
_SYMBOLS = {
    "∀": "forall",
    "∃": "exists",
    "λ": "lambda",
    "∧": "&&",
    "∨": "||",
    "¬": "!",
    "⇒": "==>",
    "⇐": "<==",
    "⇔": "<==>",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "•": "::",
}
_COMMENT = re.compile(r'"(?:\\"|[^"\n])*"|//[^\n]*|/\*')
_EDGE = re.compile(r"/\*|\*/")
_VISIBLE = re.compile(r"[^\n]")
_PART_OF_NAME = re.compile(r"\w|[~#$^.?'`]")
_NUMBERS = frozenset({"number", "decimal", "bits"})
END = "end of file"


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Three lists of one length.

    The kind of a sign or keyword is its text; other words are of the kind name, number, decimal, bits or string. Names are
    without backslash.
    """

    source: SourceText
    kinds: list[str]
    texts: list[str]
    offsets: list[int]


def read_words(data: bytes, file: str) -> Words:
    """All words of a file, and one of kind ``END``."""
    text = data.decode("utf-8-sig", "surrogateescape")
    source = SourceText(text, file)
    kinds: list[str] = []
    texts: list[str] = []
    offsets: list[int] = []
    blanked = _without_comments(source)
    at = 0
    for match in _TOKEN.finditer(blanked):
        if match.start() != at:
            raise _stranger(source, at)
        at = match.end()
        kind = match.lastgroup
        if kind is None:
            continue
        word = match[0]
        if kind == "sign" or word in KEYWORDS:
            kind = word
        elif word in _SYMBOLS:
            kind = word = _SYMBOLS[word]
        elif kind in _NUMBERS and _PART_OF_NAME.match(blanked, at):
            raise source.error(match.start(), f"'{_run(blanked, match.start())}' is not a number")
        kinds.append(kind)
        texts.append(word)
        offsets.append(match.start())
    if at != len(blanked):
        raise _stranger(source, at)
    kinds.append(END)
    texts.append("")
    offsets.append(len(blanked.rstrip()))
    join_names(kinds, texts, offsets)
    return Words(source, kinds, [plain(text) for text in texts], offsets)


def _run(text: str, at: int) -> str:
    """What a reader would take for one word."""
    end = at
    while end < min(len(text), at + 40) and _PART_OF_NAME.match(text, end):
        end += 1
    return text[at:end]


def _stranger(source: SourceText, at: int) -> InputError:
    sign = source.text[at]
    if sign == '"':
        return source.error(at, "there is no end to this string")
    if "\udc80" <= sign <= "\udcff":
        return source.error(at, f"the byte 0x{ord(sign) - 0xDC00:02x} is not UTF-8", "save the file as UTF-8")
    return source.error(at, f"the character {sign!r} has no place in a Boogie program")


def _without_comments(source: SourceText) -> str:
    """The text with a blank for every character of a comment; lines stay where they are."""
    text = source.text
    if "//" not in text and "/*" not in text:
        return text
    parts: list[str] = []
    kept = 0
    match = _COMMENT.search(text)
    while match:
        end = match.end()
        if match[0][0] == "/":
            if match[0] == "/*":
                end = _end_of_comment(source, match.start())
            parts.append(text[kept : match.start()])
            parts.append(_VISIBLE.sub(" ", text[match.start() : end]))
            kept = end
        match = _COMMENT.search(text, end)
    parts.append(text[kept:])
    return "".join(parts)


def _end_of_comment(source: SourceText, start: int) -> int:
    depth = 0
    at = start
    while edge := _EDGE.search(source.text, at):
        depth += 1 if edge[0] == "/*" else -1
        at = edge.end()
        if depth == 0:
            return at
    raise source.error(start, "this comment is never closed")
