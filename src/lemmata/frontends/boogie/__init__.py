"""Boogie programs, in the dialect of Ultimate, become a graph."""

from lemmata.frontends.boogie.graph import parse_boogie

__all__ = ["parse_boogie"]
