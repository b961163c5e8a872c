"""The commands of an SMT-LIB file that say what it means. All others are kept from z3: options can make it write files."""

from __future__ import annotations

import re

from lemmata.errors import GaveUp

# Section 3.1 of SMT-LIB 2.6; lines, and with them comments, end with a line feed or a carriage return.
_TOKENS = re.compile(rb'(;[^\r\n]*)|(\()|(\))|"(?:[^"]|"")*"|\|[^|\\]*\||[^ \t\r\n();"|]+')
_KEPT = {b"set-logic", b"declare-fun", b"declare-const", b"define-sort", b"define-fun", b"define-const", b"assert"}
_TAKEN = re.compile(rb"\|(!|_|as|let|forall|exists|lambda|match|par|-[0-9.]+)\||-[0-9.]+")
_SKIPPED = {b"set-info", b"set-option", b"check-sat", b"get-model", b"get-info", b"get-proof", b"echo"}


def meaningful(text: bytes) -> bytes:
    """The declarations, definitions and assertions of a script, up to its end, each in its line.

    ``GaveUp`` on commands that are neither, and on symbols that z3 takes for something else.
    """
    parts: list[bytes] = []
    depth = begin = end = 0
    word, is_kept = b"", False
    for token in _TOKENS.finditer(text):
        comment, opens, closes = token.groups()
        if comment:
            continue
        if is_taken(token[0]):
            raise GaveUp("incomplete")
        if opens:
            if not depth:
                begin, word = token.start(), b""
            elif not word:
                raise GaveUp("incomplete")
            depth += 1
        elif closes:
            depth -= 1
            if not depth and is_kept:
                parts += [b"\n" * text.count(b"\n", end, begin), text[begin : token.end()]]
                end = token.end()
        elif depth == 1 and not word:
            word = token[0]
            if word == b"exit":
                break
            is_kept = word in _KEPT
            if not is_kept and word not in _SKIPPED:
                raise GaveUp("incomplete")
        if depth < 0 or (not depth and not closes):
            raise GaveUp("incomplete")
    else:
        if depth:
            raise GaveUp("incomplete")
    return b"".join(parts)


def is_taken(word: bytes) -> bool:
    """Does z3 take this symbol for something else: ``|!|`` for an annotation, ``-5`` for a number?"""
    return _TAKEN.fullmatch(word) is not None
