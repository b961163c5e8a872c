"""Constants (C11 6.4.4): their values and types."""

from __future__ import annotations

import re

from lemmata.frontends.c.types import C_INT, LLONG, UINT, ULLONG, DataModel, Integer

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uUlL]*)")
_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "\\": 92, "'": 39, '"': 34, "?": 63}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|(.)", re.DOTALL)


def integer_constant(text: str, data: DataModel) -> tuple[int, Integer] | None:
    """The value and the first type of the list in 6.4.4.1p5 that has it; ``None`` where there is none."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        return None
    digits, suffix = found[1], found[2].lower()
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits, 2)
    else:
        value = int(digits, 8 if digits[0] == "0" and len(digits) > 1 else 10)
    is_unsigned, longs = "u" in suffix, suffix.count("l")
    is_decimal = digits[0] != "0" or digits == "0"
    pairs = ((C_INT, UINT), (data.long, data.ulong), (LLONG, ULLONG))[longs:]
    for signed, unsigned in pairs:
        if not is_unsigned and value <= signed.most:
            return value, signed
        if (is_unsigned or not is_decimal) and value <= unsigned.most:
            return value, unsigned
    return None


def characters(text: str) -> list[int] | None:
    """The values of the characters between the quotes, as bytes (6.4.4.4); ``None`` for wide ones."""
    quote = text[-1]
    start = text.index(quote)
    if text[:start] not in ("", "u8"):
        return None
    found: list[int] = []
    for escape, plain in _ESCAPE.findall(text[start + 1 : -1]):
        if plain:
            found += plain.encode("utf-8")
        elif escape[0] == "x":
            found.append(int(escape[1:], 16) & 255)
        elif escape[0] in "uU":
            found += chr(int(escape[1:], 16)).encode("utf-8")
        elif escape[0] in "01234567":
            found.append(int(escape, 8) & 255)
        elif escape in _SIMPLE:
            found.append(_SIMPLE[escape])
        else:
            return None
    return found
