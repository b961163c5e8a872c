"""``read_program``: from bytes to a checked program without structs."""

from __future__ import annotations

from lemmata.config import DialectName
from lemmata.frontends.boogie.check.checker import check_program
from lemmata.frontends.boogie.check.structs import without_structs
from lemmata.frontends.boogie.syntax.lexer import read_words
from lemmata.frontends.boogie.syntax.parser import parse_declarations
from lemmata.frontends.programs.checked import CheckedProgram


def read_program(data: bytes, file: str, dialect: DialectName | None = None) -> CheckedProgram:
    """The Boogie program in ``data``; whatever is wrong with it is an ``InputError`` with its place in ``file``."""
    words = read_words(data, file)
    declarations = parse_declarations(words)
    program = check_program(words.source, declarations, dialect)
    if program.has_structs:
        program = check_program(words.source, without_structs(program, declarations.types), dialect)
    return program
