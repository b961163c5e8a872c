"""What PDR on graphs tells while it is recorded: the obligations that it meets and the lemmas that it learns."""

from __future__ import annotations

from lemmata.events import Step
from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Met(Step):
    """An obligation: block the cube ``literals`` at ``place`` on ``level``; ``is_guess``: nothing is lost if that fails."""

    place: str
    literals: tuple[Term, ...]
    level: int
    is_guess: bool


@dataclass(frozen=True, slots=True)
class Learned(Step):
    """The cube ``literals`` is excluded at ``place`` up to ``level`` (``None``: for ever)."""

    place: str
    literals: tuple[Term, ...]
    level: int | None


@dataclass(frozen=True, slots=True)
class Doubted(Step):
    """The derivation that was found uses edges that do more than the file says; the next run is without them."""
