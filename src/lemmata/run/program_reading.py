"""The second reading of a program starts from its syntax tree, which is handed in here: certify knows no front end."""

from __future__ import annotations

from lemmata.certify.reading.programs import ProgramReading
from lemmata.frontends.files import read_bytes
from lemmata.models.graph import Graph


def program_reading(path: str, graph: Graph, seed: int = 0) -> ProgramReading:
    """The program in ``path``, ready to be executed beside the graph that was made of it."""
    from lemmata.frontends.boogie.reader import read_program

    return ProgramReading(read_program(read_bytes(path), path), graph, seed)
