"""Facts that are reached: cubes at a location all of whose states have a derivation, with the edge and the facts behind it.

They answer obligations at once, they stand for the sources of a nonlinear edge that were dealt with already (Komuravelli,
Gurfinkel, Chaki 2014), and a run is read off them: from the values of the target, solving one edge gives values for its inputs
and sources, down to the initial edges.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from lemmata.engines.pdr.lifted.cube import Cube, State


@dataclass(frozen=True, slots=True, eq=False)
class Must:
    """Every state of ``cube`` is reached through ``edge`` from states of ``premises``, one per source."""

    cube: Cube
    edge: int
    premises: tuple[Must, ...]
    sample: State  # one state of the cube


class Facts:
    """What is reached, by location."""

    def __init__(self) -> None:
        self._at: defaultdict[int, list[Must]] = defaultdict(list)

    def add(self, fact: Must) -> None:
        """One more."""
        self._at[fact.cube.location].append(fact)

    def at(self, location: int) -> list[Must]:
        """The facts of a location, oldest first."""
        return self._at[location]
