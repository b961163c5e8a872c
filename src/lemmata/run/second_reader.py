"""The second reader of a run: for whose readings of the file does the evidence hold?

``certify.reading`` reads files again. A program is executed instead: that starts from its syntax tree, which is handed in here,
since certify knows no front end. What was certified stays certified where the second reader has no opinion, or not in time; but
where it contradicts, there is no verdict.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lemmata.budgets import READING_BYTES_PER_S, READING_LEAST_S, READING_SHARE
from lemmata.config import Config
from lemmata.frontends.files import read_bytes
from lemmata.models.aig import Aig
from lemmata.run.task import Model
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now, wall_left

if TYPE_CHECKING:
    from lemmata.certify.reading.programs import ProgramReading
    from lemmata.models.graph import Graph


class SecondReader:
    """Reads the file again, if it is one, that ``model`` was made of."""

    def __init__(self, path: str | None, model: Model, config: Config) -> None:
        self._path = path
        self._model = model
        self._config = config
        self._program: ProgramReading | None = None

    def read_by(self, prop: int, verdict: Safe | Unsafe, spent: float) -> tuple[str, ...]:
        """For whose readings of the file the evidence holds; ``CertificateError`` if somebody reads something else."""
        if self._path is None or not Path(self._path).is_file():
            return ("lemmata",)
        seconds, left_s = READING_LEAST_S + READING_SHARE * spent, wall_left()
        if left_s is not None:
            seconds = min(seconds, left_s / 2)
        if Path(self._path).stat().st_size > READING_BYTES_PER_S * seconds:
            return ("lemmata",)
        reader = self._read(self._path, prop, verdict, now() + seconds)
        return ("lemmata",) if reader is None else ("lemmata", reader)

    def _read(self, path: str, prop: int, verdict: Safe | Unsafe, until: float) -> str | None:
        model = self._model
        if not isinstance(model, Aig) and model.origin.kind in ("boogie", "c"):
            self._program = self._program or program_reading(path, model, self._config)
            return self._program.read_again(prop, verdict, until)
        from lemmata.certify.reading import read_again

        return read_again(path, model, prop, verdict, until)


def program_reading(path: str, graph: Graph, config: Config | None = None, seed: int = 0) -> ProgramReading:
    """The program in ``path``, ready to be executed beside the graph that was made of it."""
    from lemmata.certify.reading.programs import ProgramReading

    config = config or Config()
    if graph.origin.kind == "c":
        from lemmata.frontends.c.graph import read_c

        return ProgramReading(read_c(read_bytes(path), path, config.entry, config.c)[0], graph, seed)
    from lemmata.frontends.boogie.reader import read_program

    return ProgramReading(read_program(read_bytes(path), path, config.dialect), graph, seed)
