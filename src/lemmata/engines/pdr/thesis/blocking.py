"""What is added to the frames of a location when an obligation is blocked there."""

from __future__ import annotations

from typing import Protocol

from lemmata.engines.pdr.thesis.formulas import negation
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.obligations import ThesisObligation
from lemmata.logic.terms import Term


class Blocker(Protocol):
    """Strengthens frames; each answer is the formula that was added, or ``None`` if nothing is new."""

    def refuted(self, obligation: ThesisObligation, level: int) -> Term | None:
        """One edge does not lead into the obligation."""
        ...

    def blocked(self, obligation: ThesisObligation, level: int) -> Term | None:
        """No edge does."""
        ...


class Negating:
    """``F_j ∧ ¬t`` for j ≤ i, as the thesis has it: after the first edge already (see ``loop``)."""

    def __init__(self, frames: ThesisFrames) -> None:
        self._frames = frames

    def refuted(self, obligation: ThesisObligation, level: int) -> Term | None:
        """Add ¬t."""
        lemma = negation(obligation.formula)
        return lemma if self._frames.add(obligation.place, lemma, level) else None

    def blocked(self, obligation: ThesisObligation, level: int) -> Term | None:
        """Add ¬t, where no edge has done so."""
        return self.refuted(obligation, level)
