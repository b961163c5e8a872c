"""``lemmata convert``: from one notation to another.

Circuits go to circuits, words to bits (AIGER), systems to VMT-LIB, and every graph (programs, too) to Horn clauses. Nothing
becomes words or numbers again: a circuit of bits stays one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lemmata.cli.files import refuse_overwriting
from lemmata.cli.output import complain
from lemmata.config import Config
from lemmata.errors import Place, Unsupported, UsageError
from lemmata.frontends import load
from lemmata.frontends.aiger import write_aiger
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.run.options.selection import not_checked
from lemmata.writes import write_whole

_BINARY = {".aag": False, ".aig": True}
_SUFFIXES = ".aag for ASCII or .aig for binary AIGER, .vmt for VMT-LIB, .smt2 for Horn clauses"


def convert(source: Path, target: Path, config: Config | None = None) -> None:
    """Read ``source`` as ``config`` says and write it as ``target``, whose suffix picks the notation; at once or not at all.

    Words become bits, ``x[3]`` is bit 3 of ``x``; what no property and no constraint depends on is left out then.
    """
    suffix = target.suffix.lower()
    if suffix not in (*_BINARY, *_FORMATS):
        raise UsageError(f"{target}: cannot tell the format to write (use the suffix {_SUFFIXES})")
    config = config or Config()
    model = load(source, config.entry, config.dialect, design=config.design, c=config.c)
    if isinstance(model, Graph):
        refuse_overwriting(target, source)
        if rest := not_checked(model).describe():
            complain(f"not written: {rest}")
    if suffix in _BINARY:
        write_aiger(_bits(model) if isinstance(model, Graph) else model, target, _BINARY[suffix])
    elif isinstance(model, Graph):
        write_whole(target, _FORMATS[suffix](model))
    else:
        remedy = "a circuit of bits is written as .aag or .aig"
        raise Unsupported(Place(model.file), f"AIGER cannot be written as {suffix}", remedy)


def _vmt(graph: Graph) -> bytes:
    from lemmata.frontends.vmt import format_vmt

    return format_vmt(graph)


def _horn(graph: Graph) -> bytes:
    from lemmata.frontends.horn.writer import format_horn

    return format_horn(graph)


_FORMATS: dict[str, Callable[[Graph], bytes]] = {".vmt": _vmt, ".smt2": _horn}


def _bits(graph: Graph) -> Aig:
    from lemmata.transforms.system.arrays import TooLarge
    from lemmata.transforms.system.blast import blast
    from lemmata.transforms.system.functional import functional

    if system_of(graph) is None and (reduction := functional(graph)) is not None:
        graph = reduction.graph
    try:
        return blast(graph).aig
    except TooLarge as error:
        remedy = "AIGER has no arrays: make the index narrower, or check the file as it is"
        raise Unsupported(Place(graph.file), error.reason, remedy) from None
