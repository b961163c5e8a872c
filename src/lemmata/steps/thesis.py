"""What the lifted algorithm of Werner's thesis tells while it works: one value per step, for ``lemmata explain``.

The steps are those of sections 3.3.1 and 3.3.2. A ``FrameTable`` has a row per location and a cell per level; a cell begins as
*true* or *false* and has the formulas that were added to it, in their order. Words are the reader's business.
"""

from __future__ import annotations

from lemmata.events import Step
from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class FrameCell:
    """One frame of one location: what it began as, and what was added."""

    base: bool
    lemmas: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """The frames of one location, level 0 first."""

    place: str
    cells: tuple[FrameCell, ...]


FrameTable = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """The obligation ``(t, ℓ, i)``: block ``formula`` at ``place`` on ``level``."""

    formula: Term
    place: str
    level: int


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """``(ℓ, t, ℓ′)``; the conjuncts of t are over variables, and variables with a prime."""

    source: str
    parts: tuple[Term, ...]
    target: str


@dataclass(frozen=True, slots=True)
class ThesisPosed(Step):
    """The control-flow graph."""

    variables: tuple[Term, ...]
    places: tuple[str, ...]
    transitions: tuple[EdgeRow, ...]
    start: str
    error: str


@dataclass(frozen=True, slots=True)
class ThesisZeroCheck(Step):
    """Is ℓ_0 = ℓ_E? If not, level 0 is there."""

    is_error: bool
    table: FrameTable


@dataclass(frozen=True, slots=True)
class NextLevel(Step):
    """New frames, and the obligations that the level begins with."""

    level: int
    goals: tuple[Goal, ...]
    table: FrameTable


@dataclass(frozen=True, slots=True)
class EdgeQuery(Step):
    """``F_{i-1} ∧ T ∧ t′`` for one transition into the place of ``goal``.

    ``found`` are the obligations one level below, if it is satisfiable; otherwise ``added`` was added to the frames of the
    place (``None``: it was there, or waits for the other transitions). ``is_remembered``: nobody had to be asked.
    """

    goal: Goal
    transition: EdgeRow
    frame: FrameCell
    primed: Term  # t′
    found: tuple[Goal, ...] = ()
    added: Term | None = None
    is_remembered: bool = False
    table: FrameTable = ()


@dataclass(frozen=True, slots=True)
class Interpolated(Step):
    """No transition leads into ``goal``, nor into all of ¬``lemma``, which was added to the frames of its place."""

    goal: Goal
    lemma: Term
    table: FrameTable


@dataclass(frozen=True, slots=True)
class ThesisPropagation(Step):
    """Is there a level i with ``F_{i-1} = F_i`` everywhere?"""

    level: int
    fixpoint: int | None
    table: FrameTable


@dataclass(frozen=True, slots=True)
class ReachedError(Step):
    """An obligation is met at ℓ_0: the places from there to the error."""

    goal: Goal
    places: tuple[str, ...]


ThesisStep = ThesisPosed | ThesisZeroCheck | NextLevel | EdgeQuery | Interpolated | ThesisPropagation | ReachedError
