"""Facts that are reached: cubes at a location all of whose states have a derivation, with the edge and the facts behind it.

They answer obligations at once, they stand for the sources of a nonlinear edge that were dealt with already (Komuravelli,
Gurfinkel, Chaki 2014), and a run is read off them: from the values of the target, solving one edge gives values for its inputs
and sources, down to the initial edges. A fact that a walk met is a single state, and its inputs are known.
"""

from __future__ import annotations

from collections import defaultdict

from lemmata.engines.pdr.graph.cube import Assignment, GraphCube, convex, quick
from lemmata.logic.build import equal
from lemmata.logic.terms import const


class ReachFact:
    """Every state of ``cube`` is reached through ``edge`` from states of ``premises``, one per source.

    With ``inputs`` the cube is the single state ``sample``, reached with these.
    """

    __slots__ = ("_cube", "edge", "inputs", "location", "point", "premises", "sample", "steps")

    def __init__(
        self,
        location: int,
        edge: int,
        premises: tuple[ReachFact, ...],
        sample: Assignment,
        cube: GraphCube | None = None,
        inputs: Assignment | None = None,
    ) -> None:
        self.location = location
        self.edge = edge
        self.premises = premises
        self.sample = sample
        self.point = quick(sample)
        self.inputs = inputs
        self.steps: int = 1 + max((premise.steps for premise in premises), default=-1)
        self._cube = cube

    @property
    def cube(self) -> GraphCube:
        """The states that are reached."""
        if self._cube is None:
            literals = [equal(v, const(value, v.sort)) for v, value in self.sample.items()]
            self._cube = convex(self.location, literals, self.sample)
        return self._cube


class ReachFacts:
    """What is reached, by location."""

    def __init__(self) -> None:
        self._at: defaultdict[int, list[ReachFact]] = defaultdict(list)

    def add(self, fact: ReachFact) -> None:
        """One more, if it is new."""
        if fact not in self._at[fact.location]:
            self._at[fact.location].append(fact)

    def at(self, location: int) -> list[ReachFact]:
        """The facts of a location, oldest first."""
        return self._at[location]
