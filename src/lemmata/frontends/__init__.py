"""Front ends: files in, models out.

``load`` looks at a file's first bytes, then at its suffix, and hands it to the front end that reads its kind. What is none of
ours is refused before the rest is read: it may be much.
"""

from __future__ import annotations

from pathlib import Path

from lemmata.errors import InputError, Place, Unsupported
from lemmata.frontends.aiger import parse_aiger
from lemmata.frontends.aiger.header import check_magic
from lemmata.frontends.files import reading, reject_packed
from lemmata.models.aig import Aig

_HEAD = 64  # bytes that tell the kind
_READABLE = "Lemmata reads AIGER: .aag and .aig"
_PLANNED = {
    ".btor": "BTOR",
    ".btor2": "BTOR2",
    ".bpl": "Boogie",
    ".c": "C",
    ".i": "C",
    ".smt2": "SMT-LIB",
    ".sv": "SystemVerilog",
    ".v": "Verilog",
    ".vmt": "VMT-LIB",
}


def load(path: str | Path) -> Aig:
    """The model in ``path``, whatever its kind; a kind that no front end reads is an ``InputError``."""
    with reading(path) as stream:
        head = stream.read(_HEAD)
        _check_kind(head, str(path))
        data = head + stream.read()
    return parse_aiger(data, str(path))


def _check_kind(head: bytes, file: str) -> None:
    suffix = Path(file).suffix.lower()
    if head[:4] in (b"aag ", b"aig "):
        return
    reject_packed(head, file)
    if suffix in (".aag", ".aig"):
        check_magic(head, file)
        return
    if suffix in _PLANNED:
        raise Unsupported(Place(file), f"{_PLANNED[suffix]} is not supported yet", _READABLE)
    raise InputError(Place(file), "the kind of this file is unknown", _READABLE)
