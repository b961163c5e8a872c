"""What the textbook algorithm over integers tells while it works: one value per step, for ``lemmata explain``.

A *cube* is a tuple of literals, read as their conjunction; a frame is a tuple of formulas. Words are the reader's business.
"""

from __future__ import annotations

from lemmata.events import Step
from lemmata.logic.terms import Term
from lemmata.models.words import Values
from lemmata.values import dataclass

LiaCube = tuple[Term, ...]
LiaFrame = tuple[Term, ...]
LiaFrames = tuple[LiaFrame, ...]


@dataclass(frozen=True, slots=True)
class LiaPosed(Step):
    """The question: the formulas of I, the transition relation (next values have a ′), and the bad states as cubes."""

    initial: LiaFrame
    transition: Term
    bad: tuple[LiaCube, ...]


@dataclass(frozen=True, slots=True)
class LiaZeroCheck(Step):
    """Is an initial state bad? ``I ∧ ¬P``."""

    state: Values | None


@dataclass(frozen=True, slots=True)
class InductiveCheck(Step):
    """Does F_level reach a bad state in one step? ``F_level ∧ T ∧ ¬P′``; ``state`` does."""

    level: int
    state: Values | None


@dataclass(frozen=True, slots=True)
class PreImage(Step):
    """The states of F_level from which one step leads to ``goal`` (None: to a bad state), as cubes."""

    level: int
    goal: LiaCube | None
    cubes: tuple[LiaCube, ...]


@dataclass(frozen=True, slots=True)
class LiaBlocking(Step):
    """The obligation (cube, level) and the relative checks ``F_j ∧ ¬s ∧ T ∧ s′`` for j = level, level - 1, …

    ``failed`` are the j for which it was satisfiable, ``held`` is the first for which it was not, with the literals that were
    kept (``lemma``). Neither: a counterexample, either because ``is_initial`` or because F_0 reaches the cube.
    """

    cube: LiaCube
    level: int
    failed: tuple[int, ...]
    held: int | None
    lemma: LiaCube
    is_initial: bool
    frames: LiaFrames


@dataclass(frozen=True, slots=True)
class LiaPropagation(Step):
    """The new last frame: which formulas of the one before it hold one step later, and whether both are equivalent."""

    kept: LiaFrame
    lost: LiaFrame
    frames: LiaFrames
    is_fixpoint: bool


LiaStep = LiaPosed | LiaZeroCheck | InductiveCheck | PreImage | LiaBlocking | LiaPropagation
