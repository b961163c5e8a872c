"""``PdrEngine``: what PDR on bits and on words have in common around the page.

PDR on graphs has a page of its own (``graph.loop``).
"""

from __future__ import annotations

from abc import abstractmethod

from lemmata.engines.pdr.loop import PdrLoop
from lemmata.engines.pdr.oracle import Cube
from lemmata.engines.turns import InTurns
from lemmata.events import Progress


class PdrEngine(InTurns):
    """An engine that has the page's ``loop``, and works in turns."""

    loop: PdrLoop

    @abstractmethod
    def _shown(self, cube: Cube) -> str:
        """A cube for people, cut short."""

    def _tell(self) -> None:
        loop, returned = self.loop, self.loop.returned
        counts = self.bound, loop.frontier, len(loop.frames), loop.obligations, loop.oracle.queries
        told = ("", 0) if returned is None else (self._shown(returned.cube), returned.returns)
        self._listener(Progress(self.name, *counts, *told))
