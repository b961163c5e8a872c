"""``parse_c``: a C program becomes a graph; see ``docs/c.md``."""

from __future__ import annotations

from lemmata.config import COptions
from lemmata.frontends.c.library.libc import library_of
from lemmata.frontends.c.operators.arithmetic import NeedsWords
from lemmata.frontends.c.preprocess import preprocessed
from lemmata.frontends.c.properties import wanted
from lemmata.frontends.c.syntax.parser import parse
from lemmata.frontends.c.translate.program import CProgram
from lemmata.frontends.c.translate.unit import Demands, TranslationUnit
from lemmata.frontends.c.types import DataModel
from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.graph import program_graph
from lemmata.models.graph import Graph

MAIN = "main"


def read_c(
    data: bytes, file: str, entry: str | None = None, options: COptions | None = None, *, words: bool = False
) -> tuple[CheckedProgram, str]:
    """The program in ``data`` as a tree, and the name of its entry; ``words`` are used where it needs them, or if told to."""
    options = options or COptions()
    text = preprocessed(data, file, options)
    asked = wanted(options)
    start = entry or asked.entry or MAIN
    tree = parse(text)
    tree.ext += library_of(tree, DataModel(options.data_model))
    demands = Demands(needs_words=words)
    while True:
        before = demands.size()
        try:
            program = CProgram(TranslationUnit(text, options, asked, demands), tree, start).translate()
        except NeedsWords:
            demands.needs_words = True
            continue
        except RecursionError:
            raise text.unsupported(0, "the file is nested too deeply") from None
        if demands.size() == before:
            return program, start


def parse_c(
    data: bytes,
    file: str,
    entry: str | None = None,
    options: COptions | None = None,
    *,
    inline: bool = True,
    words: bool = False,
) -> Graph:
    """The program in ``data``; what is wrong with it is an ``InputError`` with its place.

    ``entry`` is the function to start with, by default ``main``. Without ``inline`` all calls are summaries.
    """
    program, start = read_c(data, file, entry, options, words=words)
    return program_graph(program, (program.procedures[start],), "c", inline=inline)
