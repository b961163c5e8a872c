"""Front ends: files in, models out.

``load`` looks at a file's first bytes, then at its suffix, and hands it to the front end that reads its kind. What is none of
ours is refused before the rest is read: it may be much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from lemmata.config import COptions, DialectName
from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.frontends.aiger import parse_aiger
from lemmata.frontends.aiger.header import check_magic
from lemmata.frontends.files import reading, reject_packed
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph

_HEAD = 4096  # bytes that tell the kind; a file may open with comments
_READABLE = (
    "Lemmata reads AIGER (.aag, .aig), BTOR2 (.btor, .btor2), VMT-LIB (.vmt), Horn clauses (.smt2), Boogie (.bpl)"
    " and C (.c, .i)"
)
_PLANNED = {
    ".sv": "SystemVerilog",
    ".v": "Verilog",
}


def load(
    path: str | Path, entry: str | None = None, dialect: DialectName | None = None, c: COptions | None = None
) -> Aig | Graph:
    """The model in ``path``, whatever its kind; a kind that no front end reads is an ``InputError``.

    ``entry`` is the procedure that a program starts with, ``dialect`` the kind of Boogie that it is written in,
    ``c`` how a C program is read.
    """
    with reading(path) as stream:
        head = stream.read(_HEAD)
        parse = _front_end(head, str(path), entry, dialect, c)
        data = head + stream.read()
    return parse(data, str(path))


def _front_end(
    head: bytes, file: str, entry: str | None, dialect: DialectName | None, c: COptions | None
) -> Callable[[bytes, str], Aig | Graph]:
    suffix = Path(file).suffix.lower()
    if suffix == ".bpl":
        return partial(_parse_boogie, entry=entry, dialect=dialect)
    if dialect is not None:
        raise UsageError(f"{file} is no Boogie: a dialect is for programs (.bpl)")
    if suffix in (".c", ".i"):
        return partial(_parse_c, entry=entry, options=c)
    if c is not None and c != COptions():
        raise UsageError(f"{file} is no C: data models, arithmetic, headers and properties are options for C (.c, .i)")
    if entry is not None:
        raise UsageError(f"{file} has no procedures: an entry is for programs (.bpl, .c, .i)")
    if head[:4] in (b"aag ", b"aig "):
        return parse_aiger
    reject_packed(head, file)
    if suffix in (".aag", ".aig"):
        check_magic(head, file)
        return parse_aiger
    from lemmata.frontends.btor2 import is_btor2, parse_btor2  # here, since who has a circuit need not wait for it

    if suffix in (".btor", ".btor2") or (is_btor2(head) and suffix not in (".smt2", ".vmt")):
        return parse_btor2
    from lemmata.frontends.smtlib import is_script

    if suffix in (".smt2", ".vmt") or is_script(head):
        return _parse_vmt if suffix == ".vmt" else _parse_script
    if suffix in _PLANNED:
        raise Unsupported(Place(file), f"{_PLANNED[suffix]} is not supported yet", _READABLE)
    raise InputError(Place(file), "the kind of this file is unknown", _READABLE)


def _parse_boogie(data: bytes, file: str, entry: str | None, dialect: DialectName | None) -> Graph:
    from lemmata.frontends.boogie import parse_boogie

    reject_packed(data, file)
    return parse_boogie(data, file, entry, dialect=dialect)


def _parse_c(data: bytes, file: str, entry: str | None, options: COptions | None) -> Graph:
    from lemmata.frontends.c import parse_c

    reject_packed(data, file)
    return parse_c(data, file, entry, options)


def _parse_vmt(data: bytes, file: str) -> Graph:
    from lemmata.frontends.vmt import parse_vmt

    return parse_vmt(data, file)


def _parse_script(data: bytes, file: str) -> Graph:
    """SMT-LIB: a transition system where terms have VMT-LIB's annotations, else Horn clauses."""
    from lemmata.frontends.horn import parse_horn
    from lemmata.frontends.vmt import is_vmt

    return _parse_vmt(data, file) if is_vmt(data, file) else parse_horn(data, file)
