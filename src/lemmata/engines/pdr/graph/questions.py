"""What the page may ask, and nothing more.

The page never looks inside cubes and facts. ``level`` of a question is that of the cube: sources are in F_{level-1}.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lemmata.engines.pdr.graph.cube import GraphCube
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.frames import GraphLemma
from lemmata.engines.pdr.graph.obligations import GraphObligation
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Blocked:
    """No edge leads into the cube; nor into ``core``, whose literals are some of the cube's."""

    core: GraphCube


@dataclass(frozen=True, slots=True)
class PredecessorCube:
    """A cube at a source of ``edge``: if a state of it is reached, so is one of the cube that was asked about."""

    cube: GraphCube
    edge: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A state of the cube is reachable."""

    fact: ReachFact


class GraphQuestions(Protocol):
    """The questions of PDR on graphs."""

    queries: int

    def consecution(self, cube: GraphCube, level: int) -> Blocked | PredecessorCube | Reached:
        """⋁ over edges into ℓ: ⋀ F_{level-1}(sources) ∧ ¬cube (at sources that are ℓ) ∧ guard ∧ cube[updates]."""
        ...

    def inductive(self, cube: GraphCube, level: int) -> GraphCube | None:
        """The core if the same is unsatisfiable for every edge, else ``None``."""
        ...

    def derive(self, cube: GraphCube, edge: int) -> ReachFact | None:
        """Reached facts(sources) ∧ guard ∧ cube[updates] for one edge."""
        ...

    def known(self, cube: GraphCube) -> ReachFact | None:
        """A reached fact that meets the cube."""
        ...


class GraphGeneralizer(Protocol):
    """Makes a lemma say more."""

    def generalize(self, core: GraphCube, obligation: GraphObligation) -> GraphCube:
        """A cube that contains ``core`` and is blocked at the obligation's level, too."""
        ...


class Guide(Protocol):
    """Looks at lemmas together."""

    def guesses(self, lemma: GraphLemma, obligation: GraphObligation) -> Iterable[GraphObligation]:
        """May obligations that would make many lemmas one."""
        ...
