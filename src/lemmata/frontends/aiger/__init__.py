"""AIGER 1.9, ASCII (``aag``) and binary (``aig``), read and written completely.

The format is that of Biere, Heljanko and Wieringa, *AIGER 1.9 and beyond*, 2011, with reset functions: a latch may start as 0,
1, free (its own literal) or as any literal whose cone does not lead back to the latch. ``header``, ``text``, ``binary`` and
``symbols`` read the parts of a file, ``numbering`` brings ``aag`` into the normal form of ``models.aig`` and checks the reset
functions, ``writer`` goes the other way. Whatever is wrong with a file is an ``InputError`` with its place.

Left out: compressed files (refused by name), and the extensions that ABC hides in comments (kept as comments).
"""

from lemmata.frontends.aiger.reader import parse_aiger, read_aiger
from lemmata.frontends.aiger.writer import format_aiger, write_aiger

__all__ = ["format_aiger", "parse_aiger", "read_aiger", "write_aiger"]
