"""``read_program``: from bytes to a checked program without structs."""

from __future__ import annotations

from lemmata.config import DialectName
from lemmata.frontends.boogie.checked import Program
from lemmata.frontends.boogie.checker import check_program
from lemmata.frontends.boogie.lexer import read_words
from lemmata.frontends.boogie.parser import parse_declarations
from lemmata.frontends.boogie.structs import without_structs


def read_program(data: bytes, file: str, dialect: DialectName | None = None) -> Program:
    """The Boogie program in ``data``; whatever is wrong with it is an ``InputError`` with its place in ``file``."""
    words = read_words(data, file)
    declarations = parse_declarations(words)
    program = check_program(words.source, declarations, dialect)
    if program.has_structs:
        program = check_program(words.source, without_structs(program, declarations.types), dialect)
    return program
