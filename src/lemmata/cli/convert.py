"""``lemmata convert``: from one notation of a circuit to the other, and from words to bits."""

from __future__ import annotations

from pathlib import Path

from lemmata.cli.files import spare
from lemmata.errors import Place, Unsupported, UsageError
from lemmata.frontends import load
from lemmata.frontends.aiger import write_aiger
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph

_BINARY = {".aag": False, ".aig": True}


def convert(source: Path, target: Path) -> None:
    """Read ``source`` and write it as ``target``, whose suffix picks the notation; at once or not at all.

    Words become bits, ``x[3]`` is bit 3 of ``x``; what no property and no constraint depends on is left out then.
    """
    binary = _BINARY.get(target.suffix.lower())
    if binary is None:
        raise UsageError(f"{target}: cannot tell the format to write (use the suffix .aag for ASCII or .aig for binary AIGER)")
    model = load(source)
    if isinstance(model, Graph):
        spare(target, source)
        model = _bits(model)
    write_aiger(model, target, binary)


def _bits(graph: Graph) -> Aig:
    from lemmata.transforms.arrays import TooLarge
    from lemmata.transforms.blast import blast

    try:
        return blast(graph).aig
    except TooLarge as error:
        remedy = "AIGER has no arrays: make the index narrower, or check the file as it is"
        raise Unsupported(Place(graph.file), error.reason, remedy) from None
