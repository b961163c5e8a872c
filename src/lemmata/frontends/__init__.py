"""Front ends: files in, models out.

``load`` looks at a file's first bytes, then at its suffix, and hands it to the front end that reads its kind.
"""

from __future__ import annotations

from pathlib import Path

from lemmata.errors import InputError, Place, Unsupported
from lemmata.frontends.aiger import parse_aiger
from lemmata.frontends.files import read_bytes, reject_packed
from lemmata.models.aig import Aig

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
    data, file = read_bytes(path), str(path)
    suffix = Path(path).suffix.lower()
    if data[:4] in (b"aag ", b"aig ") or suffix in (".aag", ".aig"):
        return parse_aiger(data, file)
    reject_packed(data, file)
    if suffix in _PLANNED:
        raise Unsupported(Place(file), f"{_PLANNED[suffix]} is not supported yet", _READABLE)
    raise InputError(Place(file), "the kind of this file is unknown", _READABLE)
