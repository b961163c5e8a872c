"""Generalization of a blocked cube: what else can be blocked with it.

First half-spaces around the obligation that hold for ever (``halfspaces``): such a lemma needs no others. Otherwise literals of
the core are dropped as long as what remains is inductive relative to the frame below, and bounds that must stay are moved
(``bounds``).
"""

from __future__ import annotations

from lemmata.engines.pdr.lifted.bounds import Bounds
from lemmata.engines.pdr.lifted.cube import Cube
from lemmata.engines.pdr.lifted.halfspaces import Halfspaces
from lemmata.engines.pdr.lifted.obligations import Obligation
from lemmata.engines.pdr.lifted.oracle import SmtOracle
from lemmata.engines.pdr.lifted.trial import Trial


class Strong:
    """All of it."""

    def __init__(self, oracle: SmtOracle) -> None:
        self._oracle = oracle
        self.halfspaces = Halfspaces(oracle)
        self._bounds = Bounds(oracle.graph)

    def generalize(self, core: Cube, obligation: Obligation) -> Cube:
        """A cube that contains ``core`` and is blocked at the obligation's level, too."""
        found = self.halfspaces.around(obligation.cube)
        if found is not None:
            return found
        trial = Trial(self._oracle, obligation.level)
        cube = drop(core, trial)
        merged = self.halfspaces.merge(cube) if len(cube.literals) > 2 else None
        return merged or self._bounds.move(cube, trial)


def drop(cube: Cube, trial: Trial) -> Cube:
    """The cube without every literal that it can do without."""
    for literal in cube.literals:
        if literal in cube.literals:
            core = trial.inductive(cube.without(literal))
            if core is not None:
                cube = core
    return cube
