"""Near-valid files: a few words of a valid one dropped, doubled, exchanged, replaced by another's words or by odd ones."""

from __future__ import annotations

import re
from random import Random

ODD = (
    b"|5|",
    b"|#x5|",
    b"|let|",
    b"|; x|",
    b"||",
    b"|a b|",
    b"|",
    b";",
    b"(",
    b")",
    b"()",
    b"0",
    b"1",
    b"-1",
    b"2",
    b"3",
    b"00",
    b"01",
    b"4294967296",
    b"99999999999999999999",
    b"-0",
    b"+1",
    b"1.5",
    b"#b",
    b"#x",
    b"#b1",
    b"#xF",
    b"let",
    b"_",
    b"!",
    b"as",
    b":next",
    b":named",
    b"true",
    b"false",
    b'"',
    b'"s"',
    b'""',
    b"x",
    b"\xc3\xa9",
    b"\xff",
    b"\x00",
    b"\r",
    b"\r\n",
    b"\t",
    b"\n",
    b"\x0b",
    b"\xe2\x80\xae",
    b"\xc2\xa0",
    b"'",
    b"\\",
    b"\\x",
    b"/*",
    b"*/",
    b"//",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"*",
    b"bitvec",
    b"array",
    b"sort",
    b"c",
    b"1_000",
    b"1e3",
    b"\xd9\xa3",
    b"forall",
)


def mutate(rng: Random, data: bytes, other: bytes, words: re.Pattern[bytes]) -> bytes:
    """A file like ``data``, which may have words of ``other``."""
    tokens = words.findall(data)
    donors = words.findall(other) or [b" "]
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        if not tokens:
            break
        _change(rng, tokens, donors)
    return b"".join(tokens)


def _change(rng: Random, tokens: list[bytes], donors: list[bytes]) -> None:
    at = rng.randrange(len(tokens))
    match rng.randrange(9):
        case 0:
            del tokens[at]
        case 1:
            tokens[at] = rng.choice(ODD)
        case 2:
            tokens.insert(at, rng.choice(ODD))
        case 3:
            tokens[at] = rng.choice(tokens)
        case 4:
            tokens[at] = rng.choice(donors)
        case 5:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 6:
            start = rng.randrange(len(donors))
            tokens[at:at] = donors[start : start + rng.randint(1, 12)]
        case 7:
            del tokens[at : at + rng.randint(1, 12)]
        case _:
            tokens[at] = _near(rng, tokens[at])


def _near(rng: Random, word: bytes) -> bytes:
    """A number next to this one, or a word with a byte changed."""
    if re.fullmatch(rb"-?\d{1,18}", word):
        return str(int(word) + rng.choice((-1, 1, 2, -2 * int(word), 7))).encode()
    at = rng.randrange(len(word) + 1)
    return (
        word[:at] + rng.choice((b"", b"x", b"0", b"'", b" ", b"|", bytes([rng.randrange(256)]))) + word[at + rng.randrange(2) :]
    )
