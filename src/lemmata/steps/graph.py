"""What PDR on graphs tells while it is recorded: the obligations that it meets and the lemmas that it learns."""

from __future__ import annotations

from typing import Literal

from lemmata.events import Step
from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class ObligationMet(Step):
    """An obligation: block the cube ``literals`` at ``place`` on ``level``; ``is_guess``: nothing is lost if that fails.

    Obligations are numbered as they are met; ``parent`` is the one that this one comes before (``None``: the error itself).
    One that comes back on a higher level has a new number, and was blocked under the number ``blocked``.
    """

    place: str
    literals: tuple[Term, ...]
    level: int
    is_guess: bool
    number: int = 0
    parent: int | None = None
    blocked: int | None = None


@dataclass(frozen=True, slots=True)
class Learned(Step):
    """The cube ``literals`` is excluded at ``place`` up to ``level`` (``None``: for ever).

    ``is_pushed``: it was known one level below, or it is what is left of a lemma that was.
    """

    place: str
    literals: tuple[Term, ...]
    level: int | None
    is_pushed: bool = False


@dataclass(frozen=True, slots=True)
class FixpointMet(Step):
    """No lemma holds up to ``level`` only: this frame and the next one are the same."""

    level: int


@dataclass(frozen=True, slots=True)
class Tried(Step):
    """Generalization tries whether the larger cube ``literals`` is blocked at ``place`` on ``level`` (``None``: for ever).

    ``how`` it was decided: a solver was ``asked``, a transition that was ``seen`` leads into the cube, or a state of it is
    ``reached``.
    """

    place: str
    literals: tuple[Term, ...]
    level: int | None
    is_blocked: bool
    how: Literal["asked", "seen", "reached"] = "asked"


@dataclass(frozen=True, slots=True)
class WalkEnded(Step):
    """A walk along edges, which begins at a start and asks no frame, has met the error after so many of them."""

    edges: int


@dataclass(frozen=True, slots=True)
class InexactDerivation(Step):
    """The derivation that was found uses edges that do more than the file says; the next run is without them."""
