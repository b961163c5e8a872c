"""The graph of a program that is given as text."""

from __future__ import annotations

from lemmata.frontends.boogie import parse_boogie
from lemmata.models.graph import Graph


def graph_of(text: str, entry: str | None = None, inline: bool = True) -> Graph:
    return parse_boogie(text.encode(), "p.bpl", entry, inline=inline)
