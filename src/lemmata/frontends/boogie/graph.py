"""``parse_boogie``: a Boogie program becomes a graph; see ``docs/programs.md``."""

from __future__ import annotations

from lemmata.config import DialectName
from lemmata.frontends.boogie.check.checker import ULTIMATE
from lemmata.frontends.boogie.reader import read_program
from lemmata.frontends.programs.translate.entries import entries
from lemmata.frontends.programs.translate.graph import program_graph
from lemmata.models.graph import Graph


def parse_boogie(
    data: bytes, file: str, entry: str | None = None, *, dialect: DialectName | None = None, inline: bool = True
) -> Graph:
    """The program in ``data``; what is wrong with it is an ``InputError`` with its place in ``file``.

    ``entry`` is the procedure to start with, by default ``ULTIMATE.start`` if there is one, else any procedure with a body.
    ``dialect`` is the kind of Boogie. Without ``inline`` all calls are summaries.
    """
    program = read_program(data, file, dialect)
    return program_graph(program, entries(program, entry, ULTIMATE), "boogie", inline=inline)
