"""Are two neighbouring frames the same states, at every location?

F_{i-1} has all formulas of F_i and perhaps more, so F_i must imply those: ``F_i ∧ ¬lemma``. A state that tells two frames
apart is kept, and does so again as long as it is in F_i; frames only lose states, so most comparisons cost no query.
"""

from __future__ import annotations

from lemmata.engines.pdr.thesis.cfg import Cfg
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.oracle import ThesisOracle
from lemmata.logic.build import conj, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import FALSE, Term, Value


class Equality:
    """Compares the levels of all frames."""

    def __init__(self, cfg: Cfg, frames: ThesisFrames, oracle: ThesisOracle) -> None:
        self._cfg = cfg
        self._frames = frames
        self._oracle = oracle
        self._apart: dict[
            int, tuple[int, dict[Term, Value]]
        ] = {}  # by level: a location and a state of F_level, not of F_{level-1}

    def holds(self, level: int) -> bool:
        """``F_{level-1} = F_level`` everywhere."""
        known = self._apart.get(level)
        if known is not None and self._is_apart(known[0], level, known[1]):
            return False
        for place in self._cfg.places:
            state = self._difference(place, level)
            if state is not None:
                self._apart[level] = place, state
                return False
        return True

    def _is_apart(self, place: int, level: int, state: dict[Term, Value]) -> bool:
        frame = conj(self._frames.at(place, level))
        return bool(evaluate([frame], state)[0]) and not evaluate([self._below(place, level)], state)[0]

    def _below(self, place: int, level: int) -> Term:
        """What F_{level-1} says beyond F_level."""
        is_false = self._frames.is_false(place, level - 1)
        return FALSE if is_false else conj(self._frames.changed(place, level))

    def _difference(self, place: int, level: int) -> dict[Term, Value] | None:
        """A state of F_level that is not one of F_{level-1}."""
        more = negate(self._below(place, level))
        if more is FALSE:
            return None
        return self._oracle.satisfies([*self._frames.at(place, level), more], self._cfg.graph.locations[place].variables)
