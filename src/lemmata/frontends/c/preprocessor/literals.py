"""Constants and strings as tokens have them (C11 6.4.4, 6.4.5): checked, and turned into numbers and bytes.

Strings become bytes before they are put together (5.1.1.2, phases 5 and 6), so ``"\\x1" "2"`` has two characters. The
execution character set is UTF-8, as with gcc; bytes of a file that are no UTF-8 stay what they are.
"""

from __future__ import annotations

import re

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uU]?(?:ll?|LL?)?|(?:ll?|LL?)[uU])")
_FLOAT = re.compile(
    r"(?:(?:[0-9]*\.[0-9]+|[0-9]+\.)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+"
    r"|0[xX](?:[0-9a-fA-F]*\.[0-9a-fA-F]+|[0-9a-fA-F]+\.?)[pP][-+]?[0-9]+)[fFlL]?"
)
_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
_SIMPLE |= {"\\": 92, "'": 39, '"': 34, "?": 63}
_CHARACTER = re.compile(r"\\(x[0-9a-fA-F]*|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|([^\\]+)", re.DOTALL)
_LITERAL_DIGITS = 1_000  # digits of a constant, more than any integer type has
_PLAIN = frozenset(range(32, 127)) - {34, 39, 63, 92}  # no quotes, no question mark, no backslash


class LiteralError(Exception):
    """A constant or a string that is none."""


def integer_parts(text: str) -> tuple[int, bool, str]:
    """The value, whether it is decimal, and the suffix in small letters (6.4.4.1; binary constants as GNU C has them)."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        what = "the condition has the floating-point number" if _FLOAT.fullmatch(text) else "this is no number:"
        raise LiteralError(f"{what} {text[:40]}")
    digits = found[1]
    base = {"x": 16, "b": 2}.get(digits[1:2].lower(), 8 if digits[0] == "0" else 10)
    if len(digits) > _LITERAL_DIGITS and digits.strip("0xXbB"):
        raise LiteralError(f"no integer type has the constant {text[:40]}…")
    return int(digits, base), base == 10, found[2].lower()


def is_floating(text: str) -> bool:
    """Is this pp-number a floating constant (6.4.4.2)?"""
    return _FLOAT.fullmatch(text) is not None


def character_value(text: str) -> int:
    """The value of a character constant (6.4.4.4p10); ``char`` is signed."""
    if text[0] != "'":
        raise LiteralError(f"the wide character {text[:40]} is not supported")
    found = string_bytes(text)
    if not found:
        raise LiteralError("there is no character between these quotes")
    if len(found) > 1:
        raise LiteralError(f"the character constant {text[:40]} is not supported")
    return found[0] - 256 if found[0] > 127 else found[0]


def string_bytes(text: str) -> list[int]:
    """The bytes between the quotes, without the zero at the end."""
    found: list[int] = []
    quote = text[-1]
    for escape, plain in _CHARACTER.findall(text[text.index(quote) + 1 : -1]):
        if plain:
            found += plain.encode("utf-8", "surrogateescape")
        elif escape in _SIMPLE:
            found.append(_SIMPLE[escape])
        elif escape[0] in "01234567" or (escape[0] == "x" and len(escape) > 1):
            value = int(escape, 8) if escape[0] != "x" else int(escape[1:], 16)
            if value > 255:
                raise LiteralError(f"no character has the value \\{escape[:40]}")
            found.append(value)
        elif escape[0] in "uU" and len(escape) > 1:
            found += universal(escape).encode("utf-8")
        else:
            raise LiteralError(f"there is no escape \\{escape}")
    return found


def universal(escape: str) -> str:
    """The character of a universal character name, without its backslash (6.4.3p2)."""
    value = int(escape[1:], 16)
    if value > 0x10FFFF or 0xD800 <= value <= 0xDFFF or (value < 0xA0 and value not in (0x24, 0x40, 0x60)):
        raise LiteralError(f"no character is called \\{escape}")
    return chr(value)


def as_literal(content: list[int], quote: str = '"') -> str:
    """Bytes as a literal that cannot be read in two ways: what is not plain has three octal digits."""
    return quote + "".join([chr(byte) if byte in _PLAIN else f"\\{byte:03o}" for byte in content]) + quote
