"""Front ends: files in, models out.

``load`` looks at a file's first bytes, then at its suffix, and hands it to the front end that reads its kind. What is none of
ours is refused before the rest is read: it may be much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lemmata.config import DESIGNS, COptions, DesignOptions, DialectName
from lemmata.errors import InputError, Place, UsageError
from lemmata.frontends.files import reading, reject_packed

if TYPE_CHECKING:  # a front end is loaded when it has something to read
    from lemmata.models.aig import Aig
    from lemmata.models.graph import Graph

_C = (".c", ".i")
_TASKS = (".yml", ".yaml")  # of SV-COMP
_HEAD = 4096  # bytes that tell the kind; a file may open with comments
_READABLE = (
    "Lemmata reads AIGER (.aag, .aig), BTOR2 (.btor, .btor2), Verilog (.v, .sv), VMT-LIB (.vmt), Horn clauses (.smt2), "
    "Boogie (.bpl), C (.c, .i) and tasks of SV-COMP (.yml)"
)


def load(
    path: str | Path,
    entry: str | None = None,
    dialect: DialectName | None = None,
    *,
    design: DesignOptions | None = None,
    c: COptions | None = None,
) -> Aig | Graph:
    """The model in ``path``, whatever its kind; a kind that no front end reads is an ``InputError``.

    ``entry`` is the procedure that a program starts with, ``dialect`` the kind of Boogie that it is written in,
    ``design`` how a hardware description is read, ``c`` how a C program is read.
    """
    design, c = design or DesignOptions(), c or COptions()
    _reject_options(str(path), design, c)
    if Path(path).suffix.lower() in _TASKS:
        from lemmata.frontends.c.tasks import program_of

        program, c = program_of(str(path), c)
        return load(program, entry, dialect, design=design, c=c)
    if Path(path).suffix.lower() in DESIGNS:
        return _parse_verilog(str(path), entry, dialect, design)
    with reading(path) as stream:
        head = stream.read(_HEAD)
        parse = _front_end(head, str(path), entry, dialect, c)
        data = head + stream.read()
    return parse(data, str(path))


def _reject_options(file: str, design: DesignOptions, c: COptions) -> None:
    """Options for another kind of file are an error; macros and folders of headers are for designs and for C."""
    suffix = Path(file).suffix.lower()
    if suffix not in DESIGNS and replace(design, defines=(), includes=()) != DesignOptions():
        raise UsageError(f"{file} is no Verilog: top modules, parameters and clocks are for designs (.v, .sv)")
    if suffix not in (*_C, *_TASKS) and replace(c, defines=(), includes=()) != COptions():
        raise UsageError(f"{file} is no C: data models, arithmetic, preprocessors and property files are for C (.c, .i)")
    if suffix not in (*DESIGNS, *_C, *_TASKS) and (design != DesignOptions() or c != COptions()):
        raise UsageError(f"{file} is neither C nor Verilog: macros and folders of headers are for them (.c, .i, .v, .sv)")


def _front_end(
    head: bytes, file: str, entry: str | None, dialect: DialectName | None, c: COptions
) -> Callable[[bytes, str], Aig | Graph]:
    suffix = Path(file).suffix.lower()
    if suffix == ".bpl":
        return partial(_parse_boogie, entry=entry, dialect=dialect)
    if dialect is not None:
        raise UsageError(f"{file} is no Boogie: a dialect is for programs (.bpl)")
    if suffix in _C:
        return partial(_parse_c, entry=entry, options=c)
    if entry is not None:
        raise UsageError(f"{file} has no procedures: an entry is for programs (.bpl, .c, .i)")
    if head[:4] in (b"aag ", b"aig "):
        return _parse_aiger
    reject_packed(head, file)
    if suffix in (".aag", ".aig"):
        from lemmata.frontends.aiger.header import check_magic

        check_magic(head, file)
        return _parse_aiger
    if suffix in (".smt2", ".vmt"):
        return _parse_vmt if suffix == ".vmt" else _parse_script
    from lemmata.frontends.btor2 import is_btor2

    if suffix in (".btor", ".btor2") or is_btor2(head):
        return _parse_btor2
    from lemmata.frontends.smtlib import is_script

    if is_script(head):
        return _parse_script
    raise InputError(Place(file), "the kind of this file is unknown", _READABLE)


def _parse_aiger(data: bytes, file: str) -> Aig:
    from lemmata.frontends.aiger import parse_aiger

    return parse_aiger(data, file)


def _parse_btor2(data: bytes, file: str) -> Graph:
    from lemmata.frontends.btor2 import parse_btor2

    return parse_btor2(data, file)


def _parse_verilog(file: str, entry: str | None, dialect: DialectName | None, design: DesignOptions) -> Graph:
    """All files of the design, the first of which is ``file``."""
    if entry is not None or dialect is not None:
        raise UsageError(f"{file} is a design: an entry and a dialect are for programs (.bpl, .c, .i)")
    from lemmata.frontends.verilog import parse_design

    return parse_design((file, *design.files), design)


def _parse_boogie(data: bytes, file: str, entry: str | None, dialect: DialectName | None) -> Graph:
    from lemmata.frontends.boogie import parse_boogie

    reject_packed(data, file)
    return parse_boogie(data, file, entry, dialect=dialect)


def _parse_c(data: bytes, file: str, entry: str | None, options: COptions) -> Graph:
    from lemmata.frontends.c import parse_c

    reject_packed(data, file)
    return parse_c(data, file, entry, options)


def _parse_vmt(data: bytes, file: str) -> Graph:
    from lemmata.frontends.vmt import parse_vmt

    return parse_vmt(data, file)


def _parse_script(data: bytes, file: str) -> Graph:
    """SMT-LIB: a transition system where terms have VMT-LIB's annotations, else Horn clauses."""
    from lemmata.frontends.smtlib import is_vmt

    if is_vmt(data, file):
        return _parse_vmt(data, file)
    from lemmata.frontends.horn import parse_horn

    return parse_horn(data, file)
