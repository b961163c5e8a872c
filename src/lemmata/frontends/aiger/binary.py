"""The gates of binary AIGER: gate ``lhs`` is ``lhs > left >= right``, stored as ``lhs - left`` and ``left - right``.

A difference is seven bits per byte, the lowest first, the top bit saying that more follow. As in the text parts there is a fast
way, which takes the first doubt as a reason to give up, and a slow one, which knows the place of each byte and raises.
"""

from __future__ import annotations

from operator import length_hint

from lemmata.errors import InputError, Place
from lemmata.frontends.aiger.text import TRUNCATED, Text

_MOST_BYTES = 5  # of one difference: 35 bits, more than any literal needs


def read_gates(text: Text, first: int, count: int) -> tuple[list[int], list[int]]:
    """The two operands of ``count`` gates, of which the first is variable ``first``."""
    start = text.position
    decoded = _fast(text.data[start:], 2 * first, count) or _slow(text, 2 * first, count)
    lefts, rights, used = decoded
    text.position = start + used
    return lefts, rights


def _fast(data: bytes, first: int, count: int) -> tuple[list[int], list[int], int] | None:
    lefts: list[int] = []
    rights: list[int] = []
    add_left, add_right = lefts.append, rights.append
    stream = iter(data)
    take = stream.__next__
    try:
        for lhs in range(first, first + 2 * count, 2):
            delta = take()
            if delta > 127:
                delta &= 127
                shift = 7
                while (byte := take()) > 127:
                    delta |= (byte & 127) << shift
                    shift += 7
                delta |= byte << shift
            if not 0 < delta <= lhs:
                return None
            left = lhs - delta
            delta = take()
            if delta > 127:
                delta &= 127
                shift = 7
                while (byte := take()) > 127:
                    delta |= (byte & 127) << shift
                    shift += 7
                delta |= byte << shift
            if delta > left:
                return None
            add_left(left)
            add_right(left - delta)
    except StopIteration:
        return None
    return lefts, rights, len(data) - length_hint(stream)


def _slow(text: Text, first: int, count: int) -> tuple[list[int], list[int], int]:
    lefts: list[int] = []
    rights: list[int] = []
    start = position = text.position
    for gate in range(count):
        lhs = first + 2 * gate
        delta, after = _difference(text, position, gate, count)
        if not 0 < delta <= lhs:
            raise _error(text, position, f"gate {lhs} reads literal {lhs - delta}", f"expected one from 0 to {lhs - 1}")
        left = lhs - delta
        delta, end = _difference(text, after, gate, count)
        if delta > left:
            raise _error(text, after, f"gate {lhs} reads literal {left - delta}", f"expected one from 0 to {left}")
        lefts.append(left)
        rights.append(left - delta)
        position = end
    return lefts, rights, position - start


def _difference(text: Text, position: int, gate: int, count: int) -> tuple[int, int]:
    data = text.data
    value = 0
    for index in range(_MOST_BYTES):
        if position + index >= len(data):
            raise _error(text, len(data), f"the file ends within gate {gate} of {count}", TRUNCATED)
        byte = data[position + index]
        value |= (byte & 127) << (7 * index)
        if byte < 128:
            return value, position + index + 1
    raise _error(text, position, f"a number of more than {_MOST_BYTES} bytes in gate {gate} of {count}", "the file is damaged")


def _error(text: Text, position: int, cause: str, remedy: str) -> InputError:
    return InputError(Place(text.file, offset=position), cause, remedy)
