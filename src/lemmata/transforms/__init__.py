"""Transforms: each returns another model, mostly a smaller one, and the way back.

A way back turns evidence about the new model into evidence about the old one, so engines never know that anything happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace


class WayBack(Protocol):
    """Evidence about the new model in, evidence about the old model out."""

    def invariant(self, invariant: Invariant) -> Invariant:
        """An inductive invariant of the new model becomes one of the old model."""
        ...

    def trace(self, trace: Trace) -> Trace:
        """A run of the new model becomes a run of the old model."""
        ...


@dataclass(frozen=True, slots=True)
class Reduction:
    """A model and how to come back from it."""

    model: Aig
    back: WayBack


class Unchanged:
    """The way back from a transform that found nothing to do."""

    def invariant(self, invariant: Invariant) -> Invariant:
        """The same invariant."""
        return invariant

    def trace(self, trace: Trace) -> Trace:
        """The same trace."""
        return trace


@dataclass(frozen=True, slots=True)
class Chain:
    """The ways back of several transforms, last one first."""

    links: tuple[WayBack, ...]

    def invariant(self, invariant: Invariant) -> Invariant:
        """Through all links."""
        for link in reversed(self.links):
            invariant = link.invariant(invariant)
        return invariant

    def trace(self, trace: Trace) -> Trace:
        """Through all links."""
        for link in reversed(self.links):
            trace = link.trace(trace)
        return trace
