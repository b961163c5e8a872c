"""A small file with the same finding: ddmin (Zeller, Hildebrandt 2002) over lines, bracketed parts, and words.

``still`` says whether a candidate shows what the file shows; nothing else is known of it. Time is limited: the best so far
counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic

Still = Callable[[bytes], bool]
_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
_WORDS = re.compile(rb"\|[^|]*\||\"[^\"]*\"|[A-Za-z0-9_.#:'$~^!?%-]+|\s+|.", re.DOTALL)
_CLOSING = {b"(": b")", b"{": b"}", b"[": b"]"}


def shrink(data: bytes, still: Still, seconds: float) -> bytes:
    """As small as the time allows."""
    until = monotonic() + seconds

    def holds(candidate: bytes) -> bool:
        return monotonic() < until and still(candidate)

    size = len(data) + 1
    while len(data) < size and monotonic() < until:
        size = len(data)
        data = _ddmin(_LINES.findall(data), holds)
        data = _trees(data, holds)
        data = _ddmin(_WORDS.findall(data), holds)
    return data


def _ddmin(parts: list[bytes], holds: Still) -> bytes:
    """A subsequence of the parts from which no piece can be left out."""
    pieces = 2
    while len(parts) > 1:
        size = -(-len(parts) // pieces)
        for start in range(0, len(parts), size):
            rest = parts[:start] + parts[start + size :]
            if holds(b"".join(rest)):
                parts, pieces = rest, max(2, pieces - 1)
                break
        else:
            if size == 1:
                break
            pieces = min(len(parts), 2 * pieces)
    return b"".join(parts)


def _trees(data: bytes, holds: Still) -> bytes:
    """A bracketed part becomes one of its own bracketed parts, or the words within, or a single word."""
    at = 0
    while True:
        words = _WORDS.findall(data)
        spans = _spans(words)
        if at >= len(spans):
            return data
        start, end = spans[at]
        inner = [b"".join(words[a:b]) for a, b in spans if start < a and b < end]
        atoms = [word for word in words[start + 1 : end - 1] if word.strip() and word not in b"()[]{}"]
        for new in (*inner[:6], *dict.fromkeys(atoms[-3:]), b"".join(words[start + 1 : end - 1])):
            candidate = b"".join([*words[:start], new, *words[end:]])
            if len(candidate) < len(data) and holds(candidate):
                data = candidate
                break
        else:
            at += 1


def _spans(words: list[bytes]) -> list[tuple[int, int]]:
    """Where bracketed parts begin and end, the large ones first."""
    found, stack = [], []
    for number, word in enumerate(words):
        if word in _CLOSING:
            stack.append(number)
        elif stack and word == _CLOSING[words[stack[-1]]]:
            found.append((stack.pop(), number + 1))
    return sorted(found, key=lambda span: span[0] - span[1])
