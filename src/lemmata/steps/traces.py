"""What trace abstraction tells while it is recorded: the traces that it picks, how each is refuted, and what is left."""

from __future__ import annotations

from lemmata.events import Step
from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class RemainingTraces(Step):
    """The automaton of what nobody has refuted yet: the location of each state; transitions are edge, sources, target."""

    places: tuple[int, ...]
    transitions: tuple[tuple[int, tuple[int, ...], int], ...]


@dataclass(frozen=True, slots=True)
class TracePicked(Step):
    """A trace that the automaton accepts: edges, each with the earlier ones that it is taken from; can it be run?"""

    edges: tuple[int, ...]
    premises: tuple[tuple[int, ...], ...]
    is_feasible: bool


@dataclass(frozen=True, slots=True)
class Refuted(Step):
    """The picked trace cannot be run: a formula after each of its edges, the last is ``false``; and what is left then."""

    proof: tuple[Term, ...]
    left: RemainingTraces
