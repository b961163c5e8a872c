"""What word-level PDR tells while it is recorded: its frames after every change."""

from __future__ import annotations

from lemmata.events import Step
from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot(Step):
    """The trace at one moment: which cubes each frame covers, and the obligation that is worked on.

    Obligations are numbered as they come; ``parent`` is the one that this one steps into (``None``: it is bad itself).
    """

    frames: tuple[tuple[Term, ...], ...]  # F_0 … F_k; a cube is a term that is true in the covered states
    signed: frozenset[Term]  # the words that are read as signed numbers
    obligation: Term | None = None
    level: int = 0
    number: int = 0
    parent: int | None = None
