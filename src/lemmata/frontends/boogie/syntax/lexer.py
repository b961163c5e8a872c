r"""Boogie text becomes words, each with its kind and offset.

Comments (``//`` to the end of the line, ``/* … */`` nested) are blanked first, so that one regular expression cuts the rest.
Names may hold ``~ # $ ^ . ? ' ` `` and letters of any language. A backslash before a name is no part of it, and makes a name of
what would be a keyword: ``\x`` is ``x``, and ``\int`` is a name. Boogie's mathematical symbols (``∀ ∧ ⇒``) are read as their
words of ASCII. Bytes that are no UTF-8 are errors unless they stand in a comment.

An exclamation mark is negation, a part of ``!=``, or the access to a field: ``q!base`` is the field ``base`` of ``q``, unless
there is a declaration of ``q!base`` itself (``join_names``): after ``procedure`` and the like, or in a list of names with a
colon behind it, as variables, parameters and labels are. In ``{ base: q!base, offset: 1 }`` there is a colon behind a list,
too, but its first entry is the value of ``base``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lemmata.errors import InputError
from lemmata.frontends.programs.source import SourceText
from lemmata.values import dataclass

_HEADS = frozenset({"procedure", "implementation", "function", "type"})
_BEFORE_NAMES = frozenset({"var", "const", "unique", "(", "forall", "exists", ",", "}"})


@dataclass(frozen=True, slots=True)
class _Run:
    """Words ``first`` to ``last`` are a name, then exclamation marks and names, without a blank between them."""

    first: int
    last: int


def _plain(text: str) -> str:
    """A word without the backslash that may stand before a name."""
    return text.removeprefix("\\")


def join_names(kinds: list[str], texts: list[str], offsets: list[int]) -> None:
    """Make one word of each such name, in place."""
    runs = {run.first: run for run in _runs(kinds, texts, offsets)}
    declared = {_joined(texts, run.first, run.last) for run in _declared(kinds, runs)}
    if not declared:
        return
    gone: set[int] = set()
    for run in runs.values():
        for last in range(run.last, run.first, -2):
            name = _joined(texts, run.first, last)
            if name in declared:
                texts[run.first] = name
                gone.update(range(run.first + 1, last + 1))
                break
    kept = [position for position in range(len(kinds)) if position not in gone]
    kinds[:] = [kinds[position] for position in kept]
    texts[:] = [texts[position] for position in kept]
    offsets[:] = [offsets[position] for position in kept]


def _joined(texts: Sequence[str], first: int, last: int) -> str:
    return "".join([_plain(text) for text in texts[first : last + 1]])


def _runs(kinds: Sequence[str], texts: Sequence[str], offsets: Sequence[int]) -> Iterator[_Run]:
    at = 0
    while at < len(kinds):
        first = at
        if kinds[at] == "name":
            while kinds[at + 1] == "!" and kinds[at + 2] in ("name", "number") and _touch(texts, offsets, at):
                at += 2
            if at > first:
                yield _Run(first, at)
        at += 1


def _touch(texts: Sequence[str], offsets: Sequence[int], at: int) -> bool:
    return offsets[at] + len(texts[at]) == offsets[at + 1] and offsets[at + 1] + 1 == offsets[at + 2]


def _declared(kinds: Sequence[str], runs: dict[int, _Run]) -> Iterator[_Run]:
    """The runs that stand where a name is declared."""
    ends = {run.last for run in runs.values()}
    listed = _before_colon(kinds, runs) if runs else set()
    for run in runs.values():
        before, after = kinds[run.first - 1] if run.first else "", kinds[run.last + 1]
        if before in _HEADS or (before == "}" and after == "("):
            yield run
        elif run.last in listed:
            is_later = before == "," and (run.first - 2 in ends or kinds[run.first - 2] == "name")
            if is_later or after == ":" or before in _BEFORE_NAMES:
                yield run


def _before_colon(kinds: Sequence[str], runs: dict[int, _Run]) -> set[int]:
    """The last words of names in a list of names with a colon behind it."""
    found: set[int] = set()
    for at in range(len(kinds) - 3, -1, -1):
        if kinds[at] in ("name", "number"):
            follows = kinds[at + 1] == "," and kinds[at + 2] == "name"
            if kinds[at + 1] == ":" or (follows and (runs[at + 2].last if at + 2 in runs else at + 2) in found):
                found.add(at)
    return found


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
class TokenText:
    """Three lists of one length.

    The kind of a sign or keyword is its text; other words are of the kind name, number, decimal, bits or string. Names are
    without backslash.
    """

    source: SourceText
    kinds: list[str]
    texts: list[str]
    offsets: list[int]


def read_words(data: bytes, file: str) -> TokenText:
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
    return TokenText(source, kinds, [_plain(text) for text in texts], offsets)


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
