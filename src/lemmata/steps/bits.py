"""What PDR on bits tells while it is recorded, besides its lemmas: the obligations whose turn has come."""

from __future__ import annotations

from lemmata.events import Step
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class BitObligation(Step):
    """An obligation: block the cube ``literals`` on ``level``; if ``is_initial``, a counterexample begins with it.

    Obligations are numbered as they come, and one that comes back on a higher level keeps its number; ``parent`` is the one
    that this one steps into (``None``: it is bad itself).
    """

    literals: tuple[str, ...]
    level: int
    number: int
    parent: int | None = None
    is_initial: bool = False
