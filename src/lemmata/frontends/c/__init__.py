"""C programs become a graph."""

from lemmata.frontends.c.graph import parse_c

__all__ = ["parse_c"]
