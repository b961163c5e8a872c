"""Reads back what ``logic.smtlib.writer.symbol`` writes."""

from __future__ import annotations

import re

_ESCAPES = re.compile(r"(?:%[0-9A-F]{2})+")


def name_from(word: str) -> str:
    """The name that ``symbol`` has written like this."""
    text = word[1:-1] if word.startswith("|") else word
    return _ESCAPES.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(errors="surrogatepass"), text)
