"""What our own preprocessor makes of a text."""

from __future__ import annotations

from lemmata.config import COptions
from lemmata.frontends.c.preprocess import own_tokens
from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import CToken
from lemmata.frontends.c.syntax.text import source_text


def preprocessing_tokens(data: bytes, file: str, options: COptions) -> list[CToken]:
    """The tokens after preprocessing, ends of lines included."""
    sources = Sources()
    return own_tokens(sources.add(file, source_text(data, file)), sources, options)
