"""The gates of binary AIGER: gate ``out`` has operands ``out > left >= right``, stored as ``out - left`` and ``left - right``.

A difference is seven bits per byte, the lowest first, the top bit saying that more follow. The decoder only notices that
something is wrong, since keeping count of bytes would cost a third of its speed; what it is, and where, is found by going over
the bytes again.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from operator import length_hint, sub

from lemmata.errors import InputError, Place
from lemmata.frontends.aiger.text import TRUNCATED, AigerText

_MOST_BYTES = 5  # of one difference: 35 bits, more than any literal needs
_DAMAGED = "the file is damaged; a gate reads only what comes before it"


def read_gates(text: AigerText, first: int, count: int) -> tuple[list[int], list[int]]:
    """The two operands of ``count`` gates, of which the first is variable ``first``."""
    stream = iter(text.data[text.position :])
    differences = _decode(stream, 2 * count)
    lefts = list(map(sub, range(2 * first, 2 * (first + count), 2), differences[0::2]))
    rights = list(map(sub, lefts, differences[1::2]))
    if len(rights) < count or 0 in differences[0::2] or min(rights, default=0) < 0:
        raise _fault(text, 2 * first, count)
    text.position = len(text.data) - length_hint(stream)
    return lefts, rights


def _decode(stream: Iterator[int], count: int) -> array[int]:
    """``count`` numbers, or fewer if the stream ends or one of them does not."""
    numbers = array("q")
    add, take = numbers.append, stream.__next__
    try:
        for _ in range(count):
            number = take()
            if number > 127:
                number &= 127
                shift = 7
                while (byte := take()) > 127:
                    number |= (byte & 127) << shift
                    shift += 7
                    if shift == 7 * _MOST_BYTES:
                        return numbers
                number |= byte << shift
            add(number)
    except StopIteration:
        pass
    return numbers


def _fault(text: AigerText, first: int, count: int) -> InputError:
    """The first thing that is wrong with the gates."""
    position = text.position
    for gate in range(count):
        operand = out = first + 2 * gate
        for least in (1, 0):
            end = position
            while end < len(text.data) and text.data[end] > 127:
                end += 1
            if end - position >= _MOST_BYTES:
                return _error(text, position, f"a number of more than {_MOST_BYTES} bytes in gate {gate} of {count}", _DAMAGED)
            if end == len(text.data):
                return _error(text, end, f"the file ends within gate {gate} of {count}", TRUNCATED)
            difference = sum((byte & 127) << (7 * i) for i, byte in enumerate(text.data[position : end + 1]))
            if not least <= difference <= operand:
                return _error(text, position, f"gate {out} reads literal {operand - difference}", _DAMAGED)
            operand -= difference
            position = end + 1
    raise AssertionError("the decoder found a fault")


def _error(text: AigerText, position: int, cause: str, remedy: str) -> InputError:
    return InputError(Place(text.file, offset=position), cause, remedy)
