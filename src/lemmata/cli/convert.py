"""``lemmata convert``: from one notation of a circuit to the other."""

from __future__ import annotations

from pathlib import Path

from lemmata.errors import UsageError
from lemmata.frontends import load
from lemmata.frontends.aiger import write_aiger

_BINARY = {".aag": False, ".aig": True}


def convert(source: Path, target: Path) -> None:
    """Read ``source`` and write it as ``target``, whose suffix picks the notation; at once or not at all."""
    binary = _BINARY.get(target.suffix.lower())
    if binary is None:
        raise UsageError(f"{target}: cannot tell the format to write (use the suffix .aag for ASCII or .aig for binary AIGER)")
    write_aiger(load(source), target, binary)
